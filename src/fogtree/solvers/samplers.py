"""What a sampled algorithm looks at in one walk; the arithmetic is in ``core/sampling/walk.hpp``.

Sources: ``external``, ``outcome`` Lanctot, Waugh, Zinkevich & Bowling, "Monte Carlo sampling for
regret minimization in extensive games" (2009); ``chance`` Zinkevich et al. (2007); ``average``
Gibson, Burch, Lanctot & Szafron, "Efficient Monte Carlo counterfactual regret minimization in games
with many player actions" (2012); ``robust`` Li, Hu, Zhang, Qi & Song, "Double neural counterfactual
regret minimization" (2020); ``outcome-baseline`` Schmid et al. (2019).
Deviations: opponents' moves are drawn anew at every history; the average strategy is updated at the
opponents' positions; ``outcome-seed`` is a simplified formula and biased, kept for comparison.
"""

from __future__ import annotations

from dataclasses import dataclass

from fogtree import _core
from fogtree.errors import OptionError, UnknownNameError

KINDS = (
    "external",
    "outcome",
    "outcome-baseline",
    "outcome-seed",
    "chance",
    "robust",
    "average",
)


@dataclass(frozen=True, slots=True)
class Sampler:
    """Which of the traverser's actions a walk tries, and the constants of that choice."""

    kind: str
    exploration: float = 0.6
    """``outcome``: how much of the traverser's own choice is uniform."""
    tried: int = 2
    """``robust``: how many actions are tried at a position."""
    baseline_rate: float = 0.1
    """``outcome-baseline``: how fast a baseline follows the values seen."""
    epsilon: float = 0.05
    """``average``: an action is tried at least this often."""
    tau: float = 1000.0
    """``average``: actions with a share of the average above 1 / tau are always tried."""
    beta: float = 1e6
    """``average``: until a position's averages sum to this, everything is tried."""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise UnknownNameError("sampler", self.kind, KINDS)
        if not 0 < self.exploration <= 1:
            raise OptionError(f"exploration must be above 0 and at most 1, not {self.exploration}")
        if self.tried < 1:
            raise OptionError(f"tried must be at least 1, not {self.tried}")
        if not 0 <= self.baseline_rate <= 1:
            raise OptionError(f"baseline_rate must be from 0 to 1, not {self.baseline_rate}")
        if not 0 < self.epsilon <= 1 or not self.tau >= 0 or not self.beta > 0:
            raise OptionError("epsilon must be above 0 and at most 1, tau at least 0, beta above 0")

    def options(self) -> _core.SchemeOptions:
        return _core.SchemeOptions(
            scheme=getattr(_core.Scheme, self.kind.replace("-", "_")),
            exploration=self.exploration,
            tried=self.tried,
            baseline_rate=self.baseline_rate,
            epsilon=self.epsilon,
            tau=self.tau,
            beta=self.beta,
        )
