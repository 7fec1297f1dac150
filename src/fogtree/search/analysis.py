"""What happens inside one search: how its mix developed, and what it assumes about the opponent.

Everything here is known to the searching player: the opponent's information sets and the positions
in them are that player's own belief.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from fogtree import _core
from fogtree.agents.protocol import Agent, Observation
from fogtree.errors import OptionError
from fogtree.game import History, State
from fogtree.search.decision import SearchDecision, root_probabilities
from fogtree.search.native import NativeSearch, SearchCallback

LOOKS = 40
"""Snapshots of a search while it runs, more frequent at first."""


@dataclass(frozen=True, slots=True)
class Look:
    """A snapshot of a running search. ``part`` is the part of the budget that is spent, from 0 to
    1. ``mix`` is our strategy at the root and ``value`` what it is worth to us. ``gap`` is
    what we and the opponent could each gain by a best response below the root, in payoffs of the
    present tree; their sum is the Nash gap."""

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
    """One of the opponent's information sets at the root. ``possible`` counts those of its
    ``positions`` that we cannot rule out. Values are from our side: ``alternate`` if the opponent
    stays out of the subgame, ``value`` if it enters; ``margin`` is value - alternate. The rest are
    probabilities: ``prior`` before the search, ``enter`` to enter in the gadget's half Resolve,
    ``maxmargin`` to be chosen in its half Maxmargin, and ``reach`` to be chosen by both together.
    At a position that was sampled but not expanded yet, ``reach`` is 0, and both values are those
    of the last search."""

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
    """One action of a line and its probability."""

    player: int
    action: str
    probability: float


@dataclass(frozen=True, slots=True)
class Line:
    """The likeliest actions of both players from a root position on. ``share`` is the position's
    probability for us (0 unless ``possible``), ``weight`` its probability within the opponent's
    information set."""

    opponent_set: int
    position: str
    diagram: str
    """What a person sees of the position, see :meth:`Notation.diagram`."""
    state: Any
    possible: bool
    weight: float
    share: float
    value: float
    nodes: int
    moves: tuple[LineMove, ...]
    end_value: float
    alike: int = 1
    """How many different positions look the same and are this line."""


@dataclass(frozen=True, slots=True)
class Level:
    """Numbers of nodes at one depth below the root."""

    nodes: int
    expanded: int
    terminal: int


@dataclass(frozen=True, slots=True)
class Analysis:
    """One search with its snapshots and its final tree. ``opponents`` and ``lines`` are sorted, the
    likeliest first."""

    player: int
    decision: SearchDecision
    looks: tuple[Look, ...]
    opponents: tuple[OpponentSet, ...]
    lines: tuple[Line, ...]
    levels: tuple[Level, ...]

    @property
    def gap(self) -> tuple[float, float]:
        """What we and the opponent could each gain by a best response at the end of the search."""
        return self.looks[-1].gap

    def beliefs_of_opponent(self, number: int) -> tuple[Line, ...]:
        """The positions of one of the opponent's information sets, the likeliest first."""
        lines = [line for line in self.lines if line.opponent_set == number]
        return tuple(sorted(lines, key=lambda line: -line.weight))

    @property
    def our_belief(self) -> tuple[Line, ...]:
        """The root positions that we cannot rule out, those that look the same as one: its share is
        their sum and its value their mean, the rest is that of the likeliest."""
        return _belief(self.lines)


class Notation(Protocol):
    """How a game writes the actions and positions that the search has as numbers."""

    def action(self, number: int) -> str:
        """One of our own actions at the root."""
        ...

    def position(self, state: Any) -> str:
        """A position as text."""
        ...

    def diagram(self, state: Any) -> str:
        """What a person sees of a position: positions with the same text are listed as one."""
        ...

    def line(self, state: Any, numbers: Sequence[int]) -> Sequence[str]:
        """The actions of a line that starts at a position."""
        ...


def searched_before(states: Sequence[State], earlier: int) -> frozenset[int]:
    """The indices of the last ``earlier`` states (fewer if there are not so many) at which the
    player who is to act now has decided before."""
    decisions = [n for n, state in enumerate(states[:-1]) if state.player == states[-1].player]
    return frozenset(decisions[-earlier:] if earlier > 0 else ())


def follow_history(agent: Agent, history: History, *, earlier: int, seed: str) -> int:
    """Start an agent as the player to act at the end of a history, and show it this player's
    views. At the last ``earlier`` decisions before this one it searches, so that there is a tree to
    carry over; its actions are those of the history. Returns the player."""
    player = history.end.player
    if player < 0:
        count = len(history.steps)
        raise OptionError(
            f"after {count} steps no player is to decide: the game is over or at chance"
        )
    agent.start(history.game, player, seed)
    searched = searched_before(history.states, earlier)
    for number, state in enumerate(history.states):
        actions = tuple(state.actions()) if state.player == player else ()
        name = state.name() if actions and agent.by_name else None
        agent.observe(Observation(player, state.observation(player), actions, name))
        if number in searched:
            agent.act()
        if number < len(history.steps) and state.player == player:
            agent.follow(history.steps[number])
    return player


def examine(
    native: NativeSearch,
    notation: Notation,
    player: int,
    search: Callable[[SearchCallback], SearchDecision],
    scale: float = 1.0,
) -> Analysis:
    """Run ``search``, which calls the given callback during the search, and read its tree; values
    times ``scale`` are payoffs."""
    looks: list[Look] = []

    def look(moment: _core.SearchMoment) -> None:
        """Take a snapshot at every report of progress; other events are ignored."""
        if moment.event == _core.SearchEvent.progress:
            looks.append(_look(moment, native, notation, player, scale))

    decision = search(look)
    if not looks:
        raise OptionError("this budget is too small for a single snapshot")
    rows = native.roots()
    return Analysis(
        player=player,
        decision=decision,
        looks=tuple(looks),
        opponents=_opponents(native.choices(), rows, scale),
        lines=_lines(rows, notation, scale),
        levels=tuple(
            Level(level.nodes, level.expanded, level.terminal) for level in native.levels()
        ),
    )


def belief_lines(native: NativeSearch, notation: Notation, scale: float = 1.0) -> tuple[Line, ...]:
    """What :attr:`Analysis.our_belief` will be, already before the search: the shares stay the same
    while it runs. Values times ``scale`` are payoffs."""
    return _belief(_lines(native.roots(), notation, scale))


def _look(
    moment: _core.SearchMoment, native: NativeSearch, notation: Notation, player: int, scale: float
) -> Look:
    """A snapshot of the search at this moment, for our ``player``."""
    infoset = native.infoset(native.key, player)
    actions = [] if infoset is None else infoset.actions
    choices = native.choices()
    ours, theirs = native.gap()
    return Look(
        part=moment.part,
        seconds=moment.seconds,
        iterations=moment.iterations,
        steps=moment.steps,
        nodes=moment.nodes,
        mix={notation.action(a.action): a.strategy for a in actions if a.strategy > 0},
        value=sum(a.strategy * a.value for a in actions) * scale,
        p_max=native.p_max,
        worst_margin=min((c.margin for c in choices), default=0.0) * scale,
        gap=(ours * scale, theirs * scale),
    )


def _opponents(
    choices: list[_core.OpponentChoice], rows: list[_core.RootPosition], scale: float
) -> tuple[OpponentSet, ...]:
    """The opponent's information sets at the root, the most reached first."""
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


def _belief(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Of lines those from possible positions, merged where these look the same, the likeliest
    first."""
    alike: dict[str, list[Line]] = {}
    for line in lines:
        if line.possible:
            alike.setdefault(line.diagram, []).append(line)
    return tuple(sorted(map(_merged, alike.values()), key=lambda line: -line.share))


def _merged(lines: Sequence[Line]) -> Line:
    """Lines from positions that look the same, the likeliest first, as one line: the first one with
    their total share and nodes, and their mean value."""
    if len(lines) == 1:
        return lines[0]
    share = sum(line.share for line in lines)
    return replace(
        lines[0],
        share=share,
        value=sum(line.share * line.value for line in lines) / share,
        nodes=sum(line.nodes for line in lines),
        alike=len({line.position for line in lines}),
    )


def _lines(rows: list[_core.RootPosition], notation: Notation, scale: float) -> tuple[Line, ...]:
    """The likeliest line of every root position, the likeliest position first."""
    shares = root_probabilities(rows)
    lines = []
    for row, share in zip(rows, shares, strict=True):
        steps = row.line
        names = notation.line(row.state, [step.action for step in steps])
        moves = tuple(
            LineMove(step.player, name, step.probability)
            for step, name in zip(steps, names, strict=True)
        )
        lines.append(
            Line(
                opponent_set=row.choice,
                position=notation.position(row.state),
                diagram=notation.diagram(row.state),
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
