"""What a training run is told: every option by name, its default beside it, read from TOML.

An unknown name or a value of the wrong kind is refused in one line that names it.
"""

from __future__ import annotations

import tomllib
import types
import typing
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, Literal

from fogtree.deep.support import support_for
from fogtree.deep.traversal import METHODS, Method, Walks
from fogtree.errors import FileFormatError, OptionError, UnknownNameError
from fogtree.game import Game


@dataclass(frozen=True, slots=True)
class RunOptions:
    """[run]"""

    iterations: int = 100
    seed: int = 0
    average: Literal["network", "single"] = "network"  # single: stored networks, drawn per game
    checkpoint_seconds: float = 60.0  # between two saves; 0: after every iteration
    seconds: float = 0.0  # stop after so much training time; 0: never
    tensorboard: bool = False
    pipelined: bool = False  # fit while the next iteration is walked, which then lags by one


@dataclass(frozen=True, slots=True)
class TraversalOptions:
    """[traversal]"""

    sampling_method: Method = "external"
    traversals: int = 1000  # per player and iteration
    exploration: float = 0.6  # of outcome, escher and rollout: share of a uniform mix
    robust_actions: int = 2  # of robust: how many of the traverser's actions are tried
    depth: int = 0  # decisions before a value ends the walk; 0: no limit
    uniform_fallback: bool = False  # without positive regret: all actions alike, not the best
    importance_limit: float = 20.0  # weights of sampled paths are cut there; 1: not used
    value_traversals: int = 0  # games played for the value network; 0: as many as traversals
    value_exploration: float = 0.02  # chance per decision that such a game leaves the strategy
    inference: Literal["auto", "native", "device"] = "auto"  # where walks ask; auto: the --device
    device_batch: int = 32768  # of a device: walks in one batch
    device_groups: int = 3  # batches in turn
    precision: Literal["float32", "tensorfloat32", "bfloat16"] = "float32"  # of a device's products

    def walks(self) -> Walks:
        return Walks(
            method=self.sampling_method,
            exploration=self.exploration,
            tried=self.robust_actions,
            depth=self.depth,
            uniform_fallback=self.uniform_fallback,
        )


@dataclass(frozen=True, slots=True)
class NetworkOptions:
    """[network]"""

    hidden: tuple[int, ...] = (256, 256)
    value_hidden: tuple[int, ...] = (256, 256)
    action_values: bool = False  # a value per action, not one per history
    shared: bool | None = None  # one network for all seats; default: if all seats look alike
    encoding: Literal["auto", "history"] = "auto"  # history: not the game's own features


@dataclass(frozen=True, slots=True)
class FitOptions:
    """[regret], [average] and [value]"""

    steps: int = 1000
    batch: int = 2048
    learning_rate: float = 1e-3
    gradient_clip: float = 1.0
    fresh: bool = True  # begin anew each time instead of going on with the network there is
    capacity: int = 1_000_000  # samples kept
    weight_exponent: float = 1.0  # a sample of iteration t counts t to this power; 1: linear


@dataclass(frozen=True, slots=True)
class StorageOptions:
    """[storage]"""

    samples: Literal["memory", "disk"] = "memory"


@dataclass(frozen=True, slots=True)
class ValidationOptions:
    """[validation]"""

    es_validation_interval: int = 0  # iterations; 0: never
    es_validation_depth: int = 6
    es_validation_traversals: int = 100


@dataclass(frozen=True, slots=True)
class EvaluationOptions:
    """[evaluation]"""

    interval: int = 10  # iterations; 0: only at the end
    exploitability: bool = True  # where the game can be compiled
    baselines: tuple[str, ...] = ()  # agents to play against
    games: int = 1000  # against each of them


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """One training run. Sections have the names of the fields."""

    run: RunOptions = RunOptions()
    traversal: TraversalOptions = TraversalOptions()
    network: NetworkOptions = NetworkOptions()
    regret: FitOptions = FitOptions()
    average: FitOptions = FitOptions(steps=2000)
    value: FitOptions = FitOptions(fresh=False, capacity=500_000)
    storage: StorageOptions = StorageOptions()
    validation: ValidationOptions = ValidationOptions()
    evaluation: EvaluationOptions = EvaluationOptions()

    def __post_init__(self) -> None:
        _check(self)

    @property
    def needs_value(self) -> bool:
        """Whether a value network is trained."""
        walks = self.traversal
        return walks.sampling_method == "escher" or walks.depth > 0

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


_LEAST = {
    "iterations": 1, "traversals": 1, "robust_actions": 1, "steps": 1, "batch": 1, "capacity": 1,
    "device_batch": 1, "device_groups": 1, "es_validation_depth": 1, "es_validation_traversals": 1,
    "games": 1,
}  # fmt: skip


def _check(options: TrainingOptions) -> None:
    if options.traversal.sampling_method == "value" or (
        options.traversal.sampling_method not in METHODS
    ):
        known = [method for method in METHODS if method != "value"]
        raise UnknownNameError("sampling_method", str(options.traversal.sampling_method), known)
    for section in fields(options):
        part = getattr(options, section.name)
        for entry in fields(part):
            value = getattr(part, entry.name)
            least = _LEAST.get(entry.name, 0)
            numbers = value if isinstance(value, tuple) else (value,)
            for number in numbers:
                plain = isinstance(number, int | float) and not isinstance(number, bool)
                if plain and not number >= (1 if isinstance(value, tuple) else least):
                    raise OptionError(
                        f"[{section.name}] {entry.name} must be at least {least}, not {value}"
                    )
    if not options.traversal.exploration <= 1:
        raise OptionError("[traversal] exploration must be from 0 to 1")


def default_options(game: Game) -> TrainingOptions:
    """The options that suit a game: its own where it brings some along, or the general ones."""
    support = support_for(game)
    return TrainingOptions() if support is None else options_from(support.default_options)


def read_options(path: str | Path, game: Game | None = None) -> TrainingOptions:
    """Options from a TOML file; what it does not name is as it is by default for the game."""
    try:
        content = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise FileFormatError(f"there is no file '{path}'") from error
    except OSError as error:
        raise FileFormatError(f"'{path}' cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FileFormatError(f"'{path}' is not TOML: {error}") from error
    try:
        return options_from(content, TrainingOptions() if game is None else default_options(game))
    except (OptionError, UnknownNameError) as error:
        raise OptionError(f"{path}: {error}") from error


def options_from(
    content: Mapping[str, Any], defaults: TrainingOptions | None = None
) -> TrainingOptions:
    """Options from nested tables."""
    defaults = defaults or TrainingOptions()
    sections: dict[str, Any] = {}
    known = {entry.name: entry for entry in fields(TrainingOptions)}
    for name, table in content.items():
        if name not in known:
            raise UnknownNameError("section", name, known)
        if not isinstance(table, Mapping):
            raise OptionError(f"'{name}' must be a section: write  [{name}]")
        default = getattr(defaults, name)
        sections[name] = replace(default, **_values(name, type(default), table))
    return replace(defaults, **sections)


def _values(section: str, cls: Any, table: Mapping[str, Any]) -> dict[str, Any]:
    assert is_dataclass(cls)
    kinds = typing.get_type_hints(cls)
    out = {}
    for key, value in table.items():
        if key not in kinds:
            raise UnknownNameError(f"key in [{section}]", key, kinds)
        out[key] = _value(f"[{section}] {key}", kinds[key], value)
    return out


def _value(what: str, kind: Any, value: Any) -> Any:
    origin = typing.get_origin(kind)
    if origin is Literal:
        choices = typing.get_args(kind)
        if isinstance(value, str) and value not in choices:
            raise UnknownNameError(what, value, choices)
        if value not in choices:
            raise OptionError(f"{what} must be one of {', '.join(choices)}, not {value!r}")
        return value
    if origin is types.UnionType:
        kind = next(one for one in typing.get_args(kind) if one is not type(None))
        origin = None
    if origin is tuple:
        inner = typing.get_args(kind)[0]
        if not isinstance(value, list):
            raise OptionError(f"{what} must be a list, not {value!r}")
        return tuple(_value(what, inner, one) for one in value)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        words = {int: "a whole number", float: "a number", bool: "true or false", str: "text"}
        raise OptionError(f"{what} must be {words[kind]}, not {value!r}")
    return value


__all__ = ["TrainingOptions", "default_options", "options_from", "read_options"]
