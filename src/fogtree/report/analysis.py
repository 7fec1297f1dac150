"""The report on one search: everything an analysis shows, whatever the game and the output.

A game adds its own parts to the numbers of the search: how its actions are written, pictures,
marginals and, where it was asked for, the truth. ``fogtree.terminal.analysis_tables`` prints a
report, :mod:`fogtree.report.document` turns it into JSON and :mod:`fogtree.report.html` into a
page. A report holds only what the searching player may know, except for ``truth``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from fogtree.results import Drawn, HasRows
from fogtree.search.analysis import LOOKS, Analysis, Line
from fogtree.search.settings import SearchDefaults, SearchSettings


class Drawing(Protocol):
    """Something that draws itself as SVG, as notebooks ask for it."""

    def _repr_svg_(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing with its caption."""

    drawing: Drawing
    caption: str


@dataclass(frozen=True, slots=True)
class Gallery:
    """Pictures under one heading."""

    heading: str
    pictures: tuple[Picture, ...]
    ranked: bool = False
    """Whether the pictures are rows of a list; then only the ``top`` first ones are shown."""


@dataclass(frozen=True, slots=True)
class Pictures:
    """The pictures of a report."""

    view: Picture | None = None
    """A drawing of the player's view."""
    galleries: tuple[Gallery, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Marginals:
    """The probability of each kind of thing, such as a piece, in each place, such as a square.
    Arrays have the shape (places, kinds)."""

    title: str
    places: Sequence[str]
    kinds: Sequence[str]
    """The kind without a name is an empty place."""
    listed: Sequence[str]
    """The kinds that tables list: those of the opponent."""
    uniform: NDArray[np.float64]
    """With all possible positions equally likely."""
    weighted: NDArray[np.float64]
    """With the positions of the tree weighted by the search's probabilities."""


@dataclass(frozen=True, slots=True)
class Truth:
    """The true position, which the searching player cannot know."""

    text: str
    document: Any
    """The same as JSON."""
    picture: Picture | None = None


class ActionNames(Protocol):
    """How a game's actions are written for people."""

    def action(self, action: str) -> str:
        """An action of the searching player, at the decision that was analysed."""
        ...

    def line(self, line: Line) -> Sequence[str]:
        """The moves of a line, of both sides, in order."""
        ...


class PlainNames:
    """An :class:`ActionNames` that writes actions as the search names them."""

    def action(self, action: str) -> str:
        return action

    def line(self, line: Line) -> Sequence[str]:
        return [move.action for move in line.moves]


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class AnalysisReport(Drawn, HasRows):
    """The analysis of one decision, ready to be shown. Its rows are the candidate actions."""

    drawing: ClassVar[str] = "fogtree.report.html:analysis_fragment"

    heading: str
    analysis: Analysis
    about: Mapping[str, Any]
    """Which game and which decision, by the field names of the JSON document."""
    facts: Mapping[str, str] = field(default_factory=dict)
    """Facts about the decision beside the numbers of the search, by name."""
    names: ActionNames = field(default_factory=PlainNames)
    view: str = ""
    """The player's view, in the game's own notation."""
    sketch: str = ""
    """The player's view, drawn with letters for terminals."""
    legend: str = ""
    """The meanings of the signs in the sketch and the view."""
    pictures: Callable[[], Pictures] = Pictures
    """Makes the pictures, when a page needs them."""
    marginals: Marginals | None = None
    truth: Truth | None = None

    def rows(self) -> list[dict[str, Any]]:
        """One row per candidate action, with its probability, value and visits."""
        return [asdict(candidate) for candidate in self.analysis.decision.candidates]

    def __repr__(self) -> str:
        decision = self.analysis.decision
        mix = ", ".join(
            f"{self.names.action(str(action))} {share:.3f}"
            for action, share in decision.mix.items()
        )
        return f"<AnalysisReport: {self.heading}; {mix}; value {decision.value:+z.4f}>"


class AnalysisSource(Protocol):
    """A decision of a game that can be analysed.

    A game registers a dataclass as ``GameEntry.analysis``. Its field ``game`` is the game; the
    others are the options by which a decision is named, such as ``moves`` or ``infoset``. Options
    that are not among the fields are refused by :func:`fogtree.report.analyse.source_kind`.
    """

    defaults: ClassVar[SearchDefaults]
    """The search of an analysis, unless settings are given."""
    places: ClassVar[tuple[str, ...]]
    """The options that name a decision, for errors: ``("moves", "fen")``."""

    def __init__(self, *, game: Any, **options: Any) -> None: ...

    def analyse(self, settings: SearchSettings, looks: int = LOOKS) -> AnalysisReport:
        """Search at this decision and report what the search found; ``looks`` is the number of
        snapshots taken while it runs."""
        ...

    def trace(self, settings: SearchSettings) -> str:
        """Search at this decision and write down every step, as Markdown."""
        ...
