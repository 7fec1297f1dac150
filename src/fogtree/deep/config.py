"""The options of a training run: every option by name with its default, read from TOML.

An unknown name or a value of the wrong kind is refused in one line that names it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal

from fogtree.deep.support import support_for
from fogtree.deep.traversal import Walks
from fogtree.errors import GameError, OptionError, UnknownNameError, require
from fogtree.game import Game
from fogtree.system.file_reader import read_toml
from fogtree.text.validation import (
    Count,
    NotNegative,
    Positive,
    PositiveNumber,
    Share,
    check_fields,
    checked,
)
from fogtree.tree.game_tree import clearly_too_large

DevicePrecision = Literal["float32", "tensorfloat32", "bfloat16"]
TrainingMethod = Literal["deep_cfr", "dcfr_plus", "mmd"]


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Section ``[run]``: how long a run goes on, its seed, and how it is kept."""

    iterations: Positive = 100
    seed: Count = 0
    method: TrainingMethod = "deep_cfr"  # two that learn regrets, one that learns policies
    # An average network that is fitted, all stored networks (one is drawn per game), or the last.
    average: Literal["network", "single", "last"] = "network"
    checkpoint_seconds: NotNegative = 60.0  # between two saves; 0: after every iteration
    seconds: NotNegative = 0.0  # training time after which to stop; 0: no limit
    tensorboard: bool = False
    pipelined: bool = False  # fit while the next iteration walks with older networks
    compiled: bool = True  # false: walk the game through its protocol, if it has no native walks


@dataclass(frozen=True, slots=True)
class TraversalOptions:
    """Section ``[traversal]``: how the game is walked, and where walks ask the networks."""

    sampling_method: Literal["external", "outcome", "robust", "escher", "rollout"] = "external"
    traversals: Positive = 1000  # per player and iteration
    node_limit: Count = 0  # fewer traversals where they would visit more nodes; 0: no limit
    exploration: Share = 0.6  # outcome, escher, rollout: share of a uniform mix
    robust_actions: Positive = 2  # robust: how many of the traverser's actions are tried
    depth: Count = 0  # decisions before a value ends the walk; 0: no limit
    uniform_fallback: bool = False  # no positive regret: uniform, instead of the best action
    importance_limit: NotNegative = 20.0  # largest weight of a sampled path; 1: no weights
    value_traversals: Count = 0  # games for the value network; 0: the number of traversals
    value_exploration: Share = 0.02  # probability of a random action in those games
    inference: Literal["auto", "native", "device"] = "auto"  # of walks; auto: as --device
    device_batch: Positive = 32768  # walks in one batch of a device
    device_groups: Positive = 3  # batches that take turns on the device
    precision: DevicePrecision = "float32"  # of products on a device

    def walks(self) -> Walks:
        """The options of walks for an engine."""
        return Walks(
            method=self.sampling_method,
            exploration=self.exploration,
            tried=self.robust_actions,
            depth=self.depth,
            uniform_fallback=self.uniform_fallback,
        )


@dataclass(frozen=True, slots=True)
class NetworkOptions:
    """Section ``[network]``: the layers of the networks and what they see."""

    hidden: tuple[Positive, ...] = (256, 256)
    value_hidden: tuple[Positive, ...] = (256, 256)
    action_values: bool = False  # one value per action, not per history
    shared: bool | None = None  # one network for all seats; None: if the game is symmetric
    encoding: Literal["auto", "history"] = "auto"  # history: ignore the game's own features


@dataclass(frozen=True, slots=True)
class FitOptions:
    """Sections ``[regret]``, ``[average]`` and ``[value]``: how each kind of network is fitted."""

    steps: Positive = 1000
    batch: Positive = 2048
    learning_rate: NotNegative = 1e-3
    gradient_clip: NotNegative = 1.0
    fresh: bool = True  # begin from random weights, not from the last network
    capacity: Positive = 1_000_000  # samples kept
    weight_exponent: NotNegative = 1.0  # a sample of iteration t has weight t to this power


@dataclass(frozen=True, slots=True)
class PolicyOptions:
    """Section ``[policy]``: how the policy networks of method ``mmd`` learn.

    Weights are for payoffs whose root mean square under uniform play is 1.
    """

    steps: Positive = 30  # per iteration
    batch: Positive = 2048
    learning_rate: NotNegative = 1e-3
    rate_decay: NotNegative = 0.5  # the learning rate falls as the iteration to this power
    gradient_clip: NotNegative = 1.0
    ratio_clip: NotNegative = 0.2  # PPO's clipping of probability ratios; 0: none
    magnet_weight: NotNegative = 1.0  # of the divergence from the magnet, in iteration 1
    magnet_decay: NotNegative = 0.5  # it falls as the iteration to this power
    magnet_interval: Count = 0  # iterations until the policy becomes the magnet; 0: stays uniform
    step_size: PositiveNumber = 2.0  # 1 / the weight of the divergence from the last policy
    step_decay: NotNegative = 0.5  # it falls as the iteration to this power
    trace_decay: Share = 0.95  # λ of advantages: 1 uses returns, 0 the value at the next decision


@dataclass(frozen=True, slots=True)
class StorageOptions:
    """Section ``[storage]``: where samples are kept."""

    samples: Literal["memory", "disk"] = "memory"


@dataclass(frozen=True, slots=True)
class ValidationOptions:
    """Section ``[validation]``: short walks that estimate how good the current strategy is."""

    es_validation_interval: Count = 0  # iterations; 0: never
    es_validation_depth: Positive = 6
    es_validation_traversals: Positive = 100


@dataclass(frozen=True, slots=True)
class EvaluationOptions:
    """Section ``[evaluation]``: when the strategy is measured, and which agents it plays
    against."""

    interval: Count = 10  # iterations; 0: only at the end
    exploitability: bool = True  # where the game can be compiled
    responses: bool = False  # exact best responses where it cannot and has them; about a minute
    baselines: tuple[str, ...] = ()  # agents to play against
    games: Positive = 1000  # against each of them


SECTIONS_KEPT = ("traversal", "network", "regret", "average", "value", "policy", "storage")
"""Sections that a resumed run must have as it was saved."""
RUN_OPTIONS_KEPT = ("seed", "method", "average", "pipelined", "compiled")
"""Options of [run] that a resumed run must have as it was saved."""


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """All options of a training run; each field is a section of the TOML file."""

    run: RunOptions = RunOptions()
    traversal: TraversalOptions = TraversalOptions()
    network: NetworkOptions = NetworkOptions()
    regret: FitOptions = FitOptions()
    average: FitOptions = FitOptions(steps=2000)
    value: FitOptions = FitOptions(fresh=False, capacity=500_000)
    policy: PolicyOptions = PolicyOptions()
    storage: StorageOptions = StorageOptions()
    validation: ValidationOptions = ValidationOptions()
    evaluation: EvaluationOptions = EvaluationOptions()

    def __post_init__(self) -> None:
        """Refuse values of the wrong type or range, and options that do not go with the method."""
        for section in fields(self):
            given, kind = getattr(self, section.name), type(section.default)
            require(given, kind, f"for [{section.name}] a {kind.__name__}")
            check_fields(given, f"[{section.name}] ")
        run, policies = self.run, self.run.method == "mmd"
        if run.pipelined and run.method != "deep_cfr":
            raise OptionError(f"[run] pipelined needs method deep_cfr, not {run.method}")
        if run.average == ("network" if policies else "last"):
            others = "single or last" if policies else "network or single"
            raise OptionError(f"[run] method {run.method} needs average {others}")

    @property
    def needs_value(self) -> bool:
        """Whether walks ask a value network."""
        walks = self.traversal
        return self.run.method != "mmd" and (walks.sampling_method == "escher" or walks.depth > 0)

    def to_dict(self) -> dict[str, Any]:
        """All options as nested dictionaries."""
        return asdict(self)


COMPILED_GAME: Mapping[str, Mapping[str, Any]] = {
    "run": {"method": "dcfr_plus", "average": "single"},
    "traversal": {"traversals": 10_000, "node_limit": 500_000},
    "network": {"hidden": (64, 64), "value_hidden": (64, 64)},
    "regret": {"steps": 100, "learning_rate": 3e-3, "fresh": False, "weight_exponent": 1.5},
    "average": {"weight_exponent": 2.0},
}
"""Options for games that are compiled, where they differ from the general defaults."""


PROTOCOL_GAME: Mapping[str, Mapping[str, Any]] = {
    **COMPILED_GAME,
    "run": {**COMPILED_GAME["run"], "compiled": False},
    "traversal": {"traversals": 10_000, "node_limit": 20_000},
}
"""Options for games that are walked through their protocol."""


LARGE_GAME: Mapping[str, Mapping[str, Any]] = {
    **PROTOCOL_GAME,
    "traversal": {**PROTOCOL_GAME["traversal"], "sampling_method": "outcome"},
}
"""The same for games in which not even one walk may end if every action is tried."""


MIRROR_DESCENT: Mapping[str, Mapping[str, Any]] = {
    "run": {"method": "mmd", "average": "last", "iterations": 500},
    "traversal": {"traversals": 4000},
    "value": {"steps": 10, "learning_rate": 3e-3},
    "policy": {"steps": 15, "learning_rate": 3e-3},
}
"""Options of method ``mmd``, where they differ from those of a game's own method."""


def default_options(game: Game, *, compiled: bool | None = None) -> TrainingOptions:
    """The options that suit a game: its own where it brings some along, or those of a compiled
    game, or of one that is not ``compiled``; None: by its size."""
    support = support_for(game)
    if support is not None:
        return options_from(support.default_options)
    if compiled:
        return options_from(COMPILED_GAME)
    if _is_large(game, asked=compiled is None):
        return options_from(LARGE_GAME)
    return options_from(COMPILED_GAME if compiled is None else PROTOCOL_GAME)


def _is_large(game: Game, *, asked: bool) -> bool:
    """Whether a game does not fit into memory; a game that refuses to be compiled does not, unless
    it is ``asked`` whether it does."""
    try:
        return clearly_too_large(game)
    except GameError:
        if asked:
            raise
        return True


def read_options(path: str | Path, defaults: TrainingOptions | None = None) -> TrainingOptions:
    """Options from a TOML file; others are as in ``defaults``."""
    content = read_toml(Path(path))
    try:
        return options_from(content, defaults)
    except (OptionError, UnknownNameError) as error:
        raise OptionError(f"{path}: {error}") from error


def options_from(
    content: Mapping[str, Any],
    defaults: TrainingOptions | None = None,
    *,
    usual: TrainingOptions | None = None,
) -> TrainingOptions:
    """Options from nested tables, one table per section; options that are not named are as in
    ``defaults``. If the tables ask for another method than the defaults, the defaults are first
    adapted to it; for this and for ``usual`` see :func:`_for_method`."""
    run = content.get("run")
    method = run.get("method") if isinstance(run, Mapping) else None
    defaults = _for_method(method, defaults or TrainingOptions(), usual)
    found = _read_sections(content, defaults)
    _refuse_unused(found, defaults)
    return found


def _for_method(
    method: object, defaults: TrainingOptions, usual: TrainingOptions | None
) -> TrainingOptions:
    """The defaults for the method that was asked for (None: the defaults' own method). Only ``mmd``
    has other defaults; with ``usual``, the game's own options, they do not replace options in which
    ``defaults`` differs from ``usual``, because a user has chosen those."""
    if method != "mmd" or defaults.run.method == "mmd":
        return defaults
    wanted = _read_sections(MIRROR_DESCENT, defaults)
    return wanted if usual is None else _with_chosen(wanted, defaults, usual)


def _read_sections(content: Mapping[str, Any], defaults: TrainingOptions) -> TrainingOptions:
    """Options from nested tables, each value checked; others are as in ``defaults``."""
    sections: dict[str, Any] = {}
    known = {entry.name for entry in fields(TrainingOptions)}
    for name, table in content.items():
        if name not in known:
            raise UnknownNameError("section", name, sorted(known))
        if not isinstance(table, Mapping):
            raise OptionError(f"'{name}' must be a section: write  [{name}]")
        default = getattr(defaults, name)
        sections[name] = checked(
            table, type(default), f"[{name}] ", base=default, unknown=f"key in [{name}]"
        )
    return replace(defaults, **sections)


def _with_chosen(
    options: TrainingOptions, given: TrainingOptions, usual: TrainingOptions
) -> TrainingOptions:
    """The ``options`` of method ``mmd``, but with the values of ``given`` where these differ from
    the game's ``usual`` ones: a user has chosen them. Method and average stay those of ``mmd``."""
    sections: dict[str, Any] = {}
    for name, table in MIRROR_DESCENT.items():
        before, then = getattr(usual, name), getattr(given, name)
        chosen = {
            key: getattr(then, key)
            for key in table
            if key not in ("method", "average") and getattr(then, key) != getattr(before, key)
        }
        sections[name] = replace(getattr(options, name), **chosen)
    return replace(options, **sections)


def uses(method: TrainingMethod, option: str) -> bool:
    """Whether an option, written ``section.key``, has an effect with a method."""
    section, _, key = option.partition(".")
    return key not in _UNUSED[method].get(section, ())


def _refuse_unused(given: TrainingOptions, defaults: TrainingOptions) -> None:
    """Refuse options that differ from the defaults but have no effect with the method."""
    method = given.run.method
    for section, keys in _UNUSED[method].items():
        table, usual = getattr(given, section), getattr(defaults, section)
        for key in keys:
            if getattr(table, key) != getattr(usual, key):
                raise OptionError(f"[{section}] {key} means nothing with method {method}")


def _keys(section: type) -> tuple[str, ...]:
    """The names of a section's options."""
    return tuple(entry.name for entry in fields(section))


_REGRETS_ONLY = {"policy": _keys(PolicyOptions)}
_UNUSED: Mapping[TrainingMethod, Mapping[str, tuple[str, ...]]] = {
    "deep_cfr": _REGRETS_ONLY,
    "dcfr_plus": _REGRETS_ONLY,
    "mmd": {
        "traversal": (
            *("sampling_method", "node_limit", "exploration", "robust_actions", "depth"),
            *("uniform_fallback", "importance_limit", "value_traversals", "value_exploration"),
        ),
        "network": ("action_values",),
        "regret": _keys(FitOptions),
        "average": tuple(key for key in _keys(FitOptions) if key != "weight_exponent"),
        "value": ("fresh", "capacity", "weight_exponent"),
        "storage": _keys(StorageOptions),
    },
}
"""Options by section that a method does not use."""


__all__ = [
    "COMPILED_GAME",
    "TrainingOptions",
    "default_options",
    "options_from",
    "read_options",
    "uses",
]
