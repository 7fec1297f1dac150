"""A look inside one search: how its mix came about, and what it thinks of the other side.

Everything here is what the searching player may know. The opponent's information sets and the
positions in them are the player's own guesses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from fogtree import _core
from fogtree.game import State
from fogtree.search.agent import Watcher
from fogtree.search.decision import SearchDecision, possible_shares

LOOKS = 40
"""How often a search is looked at while it runs; closer together at first."""


@dataclass(frozen=True, slots=True)
class Look:
    """The search at one moment. ``gap`` is what we and the opponent could gain below the root by a
    best answer in the tree as it stands then, in payoffs: together the Nash gap."""

    part: float
    seconds: float
    iterations: int
    steps: int
    nodes: int
    mix: Mapping[str, float]
    value: float
    p_max: float
    worst_margin: float
    gap: tuple[float, float]


@dataclass(frozen=True, slots=True)
class OpponentSet:
    """One of the opponent's information sets at the root. ``possible`` of its ``positions`` are
    possible for all we know; the opponent cannot rule the others out. Values are ours."""

    number: int
    positions: int
    possible: int
    alternate: float
    value: float
    margin: float
    prior: float
    reach: float
    enter: float
    maxmargin: float


@dataclass(frozen=True, slots=True)
class LineMove:
    player: int
    action: str
    probability: float


@dataclass(frozen=True, slots=True)
class Line:
    """From a position at the root on, everybody's likeliest actions. ``share`` is how likely the
    position is for us (0 unless ``possible``), ``weight`` how likely among the positions of the
    opponent's information set."""

    opponent_set: int
    position: str
    state: Any
    possible: bool
    weight: float
    share: float
    value: float
    nodes: int
    moves: tuple[LineMove, ...]
    end_value: float


@dataclass(frozen=True, slots=True)
class Level:
    """Nodes at one ply below the root."""

    nodes: int
    expanded: int
    terminal: int


@dataclass(frozen=True, slots=True)
class Analysis:
    """One search, looked at from inside. ``opponents`` and ``lines`` are the likeliest first."""

    player: int
    decision: SearchDecision
    looks: tuple[Look, ...]
    opponents: tuple[OpponentSet, ...]
    lines: tuple[Line, ...]
    levels: tuple[Level, ...]

    @property
    def gap(self) -> tuple[float, float]:
        return self.looks[-1].gap

    def beliefs_of_opponent(self, number: int) -> tuple[Line, ...]:
        """What the opponent thinks possible at one of its information sets, the likeliest first."""
        lines = [line for line in self.lines if line.opponent_set == number]
        return tuple(sorted(lines, key=lambda line: -line.weight))

    @property
    def our_belief(self) -> tuple[Line, ...]:
        """The positions of the tree that we cannot rule out."""
        return tuple(line for line in self.lines if line.possible)


class Inside(Protocol):
    """What a native search shows of itself."""

    @property
    def key(self) -> int: ...
    @property
    def p_max(self) -> float: ...
    def infoset(self, key: int, player: int) -> _core.InfosetReport | None: ...
    def choices(self) -> list[_core.OpponentChoice]: ...
    def roots(self) -> list[_core.RootPosition]: ...
    def levels(self) -> list[_core.TreeLevel]: ...
    def gap(self) -> tuple[float, float]: ...


class Words(Protocol):
    """How a game says what the search has numbers for."""

    def action(self, number: int) -> str:
        """One of our own actions, here."""
        ...

    def position(self, state: Any) -> str: ...

    def line(self, state: Any, numbers: Sequence[int]) -> Sequence[str]:
        """The actions on a line that starts at a position."""
        ...


def searched_before(states: Sequence[State], earlier: int) -> frozenset[int]:
    """The numbers of the last ``earlier`` states, or of all if there are fewer, at which the player
    who is to decide at the end of a game has decided before."""
    decisions = [n for n, state in enumerate(states[:-1]) if state.player == states[-1].player]
    return frozenset(decisions[-earlier:] if earlier > 0 else ())


def examine(
    inside: Inside,
    words: Words,
    player: int,
    search: Callable[[Watcher], SearchDecision],
    scale: float = 1.0,
) -> Analysis:
    """Runs ``search``, which is to call the watcher now and then, and looks at what it did."""
    looks: list[Look] = []

    def look(moment: _core.SearchMoment) -> None:
        if moment.event == _core.SearchEvent.progress:
            looks.append(_look(moment, inside, words, player, scale))

    decision = search(look)
    rows = inside.roots()
    return Analysis(
        player=player,
        decision=decision,
        looks=tuple(looks),
        opponents=_opponents(inside.choices(), rows, scale),
        lines=_lines(rows, words, scale),
        levels=tuple(
            Level(level.nodes, level.expanded, level.terminal) for level in inside.levels()
        ),
    )


def _look(
    moment: _core.SearchMoment, inside: Inside, words: Words, player: int, scale: float
) -> Look:
    infoset = inside.infoset(inside.key, player)
    actions = [] if infoset is None else infoset.actions
    choices = inside.choices()
    ours, theirs = inside.gap()
    return Look(
        part=moment.part,
        seconds=moment.seconds,
        iterations=moment.iterations,
        steps=moment.steps,
        nodes=moment.nodes,
        mix={words.action(a.action): a.strategy for a in actions if a.strategy > 0},
        value=sum(a.strategy * a.value for a in actions) * scale,
        p_max=inside.p_max,
        worst_margin=min((c.margin for c in choices), default=0.0) * scale,
        gap=(ours * scale, theirs * scale),
    )


def _opponents(
    choices: list[_core.OpponentChoice], rows: list[_core.RootPosition], scale: float
) -> tuple[OpponentSet, ...]:
    possible = [0] * len(choices)
    for row in rows:
        possible[row.choice] += row.possible
    sets = [
        OpponentSet(
            number=number,
            positions=c.nodes,
            possible=possible[number],
            alternate=c.alternate * scale,
            value=c.utility * scale,
            margin=c.margin * scale,
            prior=c.prior,
            reach=c.reach,
            enter=c.enter,
            maxmargin=c.maxmargin,
        )
        for number, c in enumerate(choices)
    ]
    return tuple(sorted(sets, key=lambda s: (-s.reach, -s.prior, s.number)))


def _lines(rows: list[_core.RootPosition], words: Words, scale: float) -> tuple[Line, ...]:
    shares = possible_shares(rows)
    lines = []
    for row, share in zip(rows, shares, strict=True):
        steps = row.line
        names = words.line(row.state, [step.action for step in steps])
        moves = tuple(
            LineMove(step.player, name, step.probability)
            for step, name in zip(steps, names, strict=True)
        )
        lines.append(
            Line(
                opponent_set=row.choice,
                position=words.position(row.state),
                state=row.state,
                possible=row.possible,
                weight=row.weight,
                share=share,
                value=row.value * scale,
                nodes=row.nodes,
                moves=moves,
                end_value=row.line_value * scale,
            )
        )
    return tuple(sorted(lines, key=lambda line: (-line.share, -line.weight)))
