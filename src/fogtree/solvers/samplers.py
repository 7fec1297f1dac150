"""The actions that a sampled algorithm tries in one walk; the arithmetic is in ``core/sampling``,
``walk.hpp`` and for ``outcome`` on trees ``path_walks.hpp``.

Sources: ``external``, ``outcome`` Lanctot, Waugh, Zinkevich & Bowling, "Monte Carlo sampling for
regret minimization in extensive games" (2009); ``chance`` Zinkevich et al. (2007); ``average``
Gibson, Burch, Lanctot & Szafron, "Efficient Monte Carlo counterfactual regret minimization in games
with many player actions" (2012); ``robust`` Li, Hu, Zhang, Qi & Song, "Double neural counterfactual
regret minimization" (2020); ``outcome-baseline`` Schmid et al. (2019).
Deviations: opponents' moves are drawn anew at every history; the average strategy is updated at the
opponents' positions; ``outcome-seed`` is a simplified formula and biased, kept for comparison.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

from msgspec import Meta

from fogtree import _core
from fogtree.errors import OptionError, UnknownNameError
from fogtree.text.validation import Share, check_fields

CONSTANTS: dict[str, tuple[str, ...]] = {
    "external": (),
    "outcome": ("exploration",),
    "outcome-baseline": ("exploration", "baseline_rate"),
    "outcome-seed": ("exploration",),
    "chance": (),
    "robust": ("tried",),
    "average": ("epsilon", "tau", "beta"),
}
"""The constants that each kind of sampler uses."""
KINDS = tuple(CONSTANTS)
RAREST = 1e-4
"""Least probability allowed: float32 random numbers have only 23 bits."""
LARGEST = 1e30
"""Largest tau and beta: float32 must hold them, and beta's inverse."""


@dataclass(frozen=True, slots=True)
class Sampler:
    """Which of the traverser's actions a walk tries, and the constants of that choice."""

    kind: str
    exploration: Annotated[float, Meta(ge=RAREST, le=1)] = 0.6
    """``outcome``: how much of the traverser's own choice is uniform."""
    tried: Annotated[int, Meta(ge=1, le=1024)] = 2
    """``robust``: number of actions tried at a history."""
    baseline_rate: Share = 0.1
    """``outcome-baseline``: how fast a baseline follows the values seen."""
    epsilon: Annotated[float, Meta(ge=RAREST, le=1)] = 0.05
    """``average``: an action is tried at least this often."""
    tau: Annotated[float, Meta(ge=0, le=LARGEST)] = 1000.0
    """``average``: actions with a share of the average above 1 / tau are always tried."""
    beta: Annotated[float, Meta(ge=1 / LARGEST, le=LARGEST)] = 1e6
    """``average``: until the averages of an information set sum to this, all actions are tried."""

    def __post_init__(self) -> None:
        """Refuse an unknown kind of sampler, and constants out of range."""
        if self.kind not in KINDS:
            raise UnknownNameError("sampler", self.kind, KINDS)
        check_fields(self)

    def constants(self) -> dict[str, float]:
        """The constants that this kind of sampler uses, by name."""
        return {name: getattr(self, name) for name in CONSTANTS[self.kind]}

    def with_constants(self, **changed: float | None) -> Sampler:
        """The sampler with the given constants (not ``None``); refuses one that it does not use."""
        given = {name: value for name, value in changed.items() if value is not None}
        for name in given:
            if name not in CONSTANTS[self.kind]:
                kinds = [f"mccfr-{kind}" for kind, names in CONSTANTS.items() if name in names]
                raise OptionError(f"mccfr-{self.kind} has no {name}: it is for {', '.join(kinds)}")
        return replace(self, **given)  # type: ignore[arg-type]  # checked by __post_init__

    def options(self) -> _core.SchemeOptions:
        """The sampler's scheme and constants for the native trainer."""
        return _core.SchemeOptions(
            scheme=getattr(_core.Scheme, self.kind.replace("-", "_")),
            exploration=self.exploration,
            tried=self.tried,
            baseline_rate=self.baseline_rate,
            epsilon=self.epsilon,
            tau=self.tau,
            beta=self.beta,
        )
