"""A Markdown log of every step of a small search: subgame, gadget, expansions, iterations, choice.

The numbers are read from the search after every expansion and every iteration. They are values
from −1 to 1: payoffs divided by the largest. The same seed and steps give the same text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import log
from typing import Any, Protocol

from fogtree import _core
from fogtree.errors import OptionError
from fogtree.search.decision import SearchDecision, root_probabilities
from fogtree.search.native import NativeSearch, SearchCallback
from fogtree.search.options import SearchOptions
from fogtree.search.trace_text import number, table

MOST_NODES = 20_000
_MOST_CHILDREN = 6
_MOST_ACTIONS = 8
_MOST_ROWS = 24

Path = tuple[int, ...]
"""A node: the number of its root position, then the numbers of the actions."""


class TraceNotation(Protocol):
    """How a game writes the positions, actions and information sets of the search."""

    def position(self, state: Any) -> str:
        """A position, which the native search hands out as ``state``."""
        ...

    def step(self, state: Any, number: int) -> str:
        """An action at a position, or an outcome of chance."""
        ...

    def infoset(self, key: int, player: int) -> str | None:
        """The name of an information set, if the game has one."""
        ...


@dataclass(slots=True)
class _Tree:
    """The search tree after one event: nodes by path, information sets by key and player."""

    rows: dict[Path, _core.SearchNode]
    infosets: dict[tuple[int, int], _core.InfosetReport]


class Tracer:
    """Writes the log of one search."""

    def __init__(
        self, native: NativeSearch, notation: TraceNotation, player: int, options: SearchOptions
    ) -> None:
        """Prepare the log of a native search for ``player``; no step is written yet."""
        self._native = native
        self._notation = notation
        self._player = player
        self._options = options
        # By key and player of an information set: its name, and one of its positions.
        self._names: dict[tuple[int, int], str] = {}
        self._examples: dict[tuple[int, int], Any] = {}
        self._last = _Tree({}, {})  # the tree after the last event
        self._lines: list[str] = []
        self._expansion = 0

    def text(self, search: Callable[[SearchCallback], SearchDecision]) -> str:
        """Run ``search``, which calls the given callback after every step, and return the log."""
        decision = search(self._on_event)
        return "\n".join([*self._kept(decision), *self._lines, *self._chosen(decision)]) + "\n"

    def _on_event(self, moment: _core.SearchMoment) -> None:
        """Add the text of one step of the search."""
        now = self._read_tree()
        match moment.event:
            case _core.SearchEvent.opened:
                self._lines += self._opened(now)
            case _core.SearchEvent.expanded:
                self._lines += self._grown(moment, now)
            case _core.SearchEvent.iterated:
                self._lines += self._solved(moment, now)
        self._last = now

    def _read_tree(self) -> _Tree:
        """All nodes of the tree by path, and the information sets of expanded ones."""
        rows = self._native.nodes(MOST_NODES)
        if len(rows) >= MOST_NODES:
            raise OptionError(f"a trace is for trees below {MOST_NODES:,} nodes: fewer --steps")
        paths: list[Path] = []
        roots = 0
        for row in rows:
            if row.parent < 0:
                paths.append((roots,))
                roots += 1
            else:
                paths.append((*paths[row.parent], row.action))
        infosets = {}
        for row in rows:
            if row.expanded and row.player >= 0:
                key = (row.infosets[row.player], row.player)
                if key not in infosets:
                    found = self._native.infoset(*key)
                    assert found is not None
                    infosets[key] = found
                    self._examples.setdefault(key, row.state)
        return _Tree(dict(zip(paths, rows, strict=True)), infosets)

    # The parts of the text, in their order.

    def _kept(self, decision: SearchDecision) -> Iterator[str]:
        """The part about the nodes kept from the last search."""
        yield "## What is kept"
        yield ""
        if not decision.cover:
            yield "Nothing has been searched before: the subgame is the whole game."
        else:
            for order, size in enumerate(decision.cover, start=1):
                yield f"- order {order} of knowledge: {size:,} nodes of the last tree"
            yield (
                f"- carried over: {decision.carried_nodes:,} nodes, "
                f"{decision.carried_infosets:,} information sets; "
                f"drawn from the belief besides: {decision.sampled:,} positions"
            )
        yield ""

    def _opened(self, now: _Tree) -> Iterator[str]:
        """The part about the root: positions, gadget and first strategies."""
        roots = self._native.roots()
        shares = root_probabilities(roots)
        if not any(row.possible for row in roots):
            return  # the start of the game, before anything is known
        yield "## The root: belief and gadget"
        yield ""
        yield f"We cannot rule out {sum(row.possible for row in roots):,} of these positions."
        yield ""
        yield from table(
            ("set", "position", "ours", "share", "weight in its set"),
            [
                (
                    str(row.choice),
                    self._notation.position(row.state),
                    "yes" if row.possible else "",
                    number(share) if row.possible else "",
                    number(row.weight),
                )
                for row, share in zip(roots, shares, strict=True)
            ][:_MOST_ROWS],
            len(roots),
        )
        yield "The opponent chooses among its information sets, each promised what it got before."
        yield ""
        choices = self._native.choices()
        yield from table(
            ("set", "alternate value", "prior", "reach"),
            [
                (str(n), number(c.alternate), number(c.prior), number(c.reach))
                for n, c in enumerate(choices)
            ][:_MOST_ROWS],
            len(choices),
        )
        yield "Strategies that the search begins with:"
        yield ""
        yield from self._strategies(now)

    def _strategies(self, now: _Tree) -> Iterator[str]:
        """A table of the strategies at all information sets of the tree."""
        rows = [
            (
                self._name(key),
                ", ".join(
                    f"{self._action(key, a)} {number(a.strategy)}"
                    for a in found.actions
                    if a.strategy > 0
                ),
            )
            for key, found in now.infosets.items()
        ]
        yield from table(("information set", "strategy"), rows[:_MOST_ROWS], len(rows))

    def _grown(self, moment: _core.SearchMoment, now: _Tree) -> Iterator[str]:
        """One expansion: the walk to a leaf, and the children added."""
        self._expansion += 1
        yield f"## Expansion {self._expansion}"
        yield ""
        for choice in self._native.trail():
            yield f"- {self._choice(choice)}"
        new = [
            (path, row)
            for path, row in now.rows.items()
            if row.expanded and path in self._last.rows and not self._last.rows[path].expanded
        ]
        if not new:
            yield "- The walk ends without a new leaf: the game is over there, or not yet solved."
            yield ""
            return
        for path, row in new:
            yield f"- The leaf is {self._where(row)}. {self._children(path, row, now)}"
        yield f"- {moment.added:,} nodes are added; the tree has {moment.nodes:,}."
        yield ""

    def _choice(self, choice: _core.WalkChoice) -> str:
        """One choice on a walk as text: drawn by the strategy, or explored."""
        key = (choice.key, choice.player)
        found = self._last.infosets[key]
        record = next(a for a in found.actions if a.action == choice.action)
        what = f"At {self._name(key)}, {self._who(key[1])}"
        action = self._action(key, record)
        share = number(record.strategy)
        if not choice.explored:
            return f"{what} play on and draw {action} (probability {share})."
        best = max(found.actions, key=lambda a: self._bound(found, a))
        why = f"bound {number(self._bound(found, record))}, probability {share}"
        highest = "; the highest bound" if best.action == record.action else ""
        return f"{what} explore: {action} ({why}{highest})."

    def _bound(self, found: _core.InfosetReport, record: _core.InfosetAction) -> float:
        """The upper bound by which a walk that explores chooses an action, as in the core
        (``by_bound`` and ``by_policy`` in ``core/search/expander.hpp``): value or probability plus
        a bonus that falls with the action's visits."""
        start: float
        bonus: float
        if self._options.exploration == "policy":
            start, bonus = record.strategy, (log(found.visits + 1) / (1 + record.visits)) ** 0.5
        else:
            start, bonus = record.value, record.variance * found.visits**0.5 / (1 + record.visits)
        return start + self._options.exploration_constant * bonus

    def _children(self, path: Path, row: _core.SearchNode, now: _Tree) -> str:
        """A text with our values of a new node's children, the mover's best first."""
        children = [
            (self._notation.step(row.state, p[-1]), child.value)
            for p, child in now.rows.items()
            if len(p) == len(path) + 1 and p[: len(path)] == path
        ]
        best = -1 if row.player not in (-1, self._player) else 1
        children.sort(key=lambda c: -best * c[1])
        shown = ", ".join(f"{name} {number(value)}" for name, value in children[:_MOST_CHILDREN])
        more = len(children) - _MOST_CHILDREN
        return f"Its children: {shown}" + (f" and {more} more." if more > 0 else ".")

    def _solved(self, moment: _core.SearchMoment, now: _Tree) -> Iterator[str]:
        """One iteration: the numbers of every information set that changed."""
        yield f"### Iteration {moment.iterations}"
        yield ""
        rows: list[tuple[str, ...]] = []
        for key, found in now.infosets.items():
            if found == self._last.infosets.get(key):
                continue
            for n, a in enumerate(_foremost(found.actions)):
                rows.append(
                    (
                        self._name(key) if n == 0 else "",
                        number(found.others_reach) if n == 0 else "",
                        self._action(key, a),
                        number(a.value),
                        number(a.regret),
                        number(a.cumulative),
                        number(a.strategy),
                    )
                )
        columns = ("others' reach", "action", "value", "regret", "regret sum", "next strategy")
        yield from table(("information set", *columns), rows, len(rows))
        yield from self._gadget()

    def _gadget(self) -> Iterator[str]:
        """The opponent's choices at the root after an iteration."""
        choices = self._native.choices()
        if len(choices) == 1:
            return
        columns = ("set", "our value", "margin", "enters", "maxmargin", "reach")
        names = ("utility", "margin", "enter", "maxmargin", "reach")
        rows = [
            (str(n), *(number(getattr(choice, name)) for name in names))
            for n, choice in enumerate(choices)
        ]
        yield from table(columns, rows[:_MOST_ROWS], len(rows))
        yield f"p_max = {number(self._native.p_max)}"
        yield ""

    def _chosen(self, decision: SearchDecision) -> Iterator[str]:
        """The part about the final strategy and its purification."""
        yield "## The choice"
        yield ""
        rows = [
            (c.action, number(c.strategy), number(c.probability))
            for c in sorted(decision.candidates, key=lambda c: -c.strategy)
        ]
        yield from table(("action", "strategy", "played"), rows[:_MOST_ROWS], len(rows))
        kind = self._options.purification
        if decision.wins_at_once:
            yield "It wins at once in every possible position of the subgame, and is played alone."
        elif kind == "none":
            yield "The strategy is played as it is."
        elif kind == "argmax":
            yield "The likeliest action is played."
        elif decision.safe:
            yield (
                "p_max is 0: no margin is negative. Played are the likeliest action and, of those "
                f"that stayed in the support during the second half, up to "
                f"{self._options.most_actions - 1} more."
            )
        else:
            yield (
                f"p_max is {number(decision.p_max)}: the opponent would gain somewhere, so the "
                "likeliest action is played."
            )
        yield ""
        yield f"The answer is {decision.action}; we expect {number(decision.value)} in payoffs."

    # Names.

    def _name(self, key: tuple[int, int]) -> str:
        """The name of an information set: the game's own, or a letter (I ours, J the opponent's)
        with a number, to which the first mention adds one of its positions as an example."""
        if key not in self._names:
            name = self._notation.infoset(*key)
            if name is None:
                ours = key == (self._native.key, self._player)
                letter = "I" if key[1] == self._player else "J"
                name = "what we know now" if ours else f"{letter}{len(self._names)}"
                example = self._notation.position(self._examples[key])
                name += f" (as in {example})"
                self._names[key] = name.split(" (")[0]
                return name
            self._names[key] = name
        return self._names[key]

    def _action(self, key: tuple[int, int], record: _core.InfosetAction) -> str:
        """The name of an action of an information set, read at one of its positions."""
        return self._notation.step(self._examples[key], record.action)

    def _where(self, row: _core.SearchNode) -> str:
        """A position of the tree and who moves there."""
        mover = "chance moves" if row.player < 0 else f"{self._who(row.player)} move"
        return f"{self._notation.position(row.state)} ({mover})"

    def _who(self, player: int) -> str:
        """A player in the words of the trace: "we" are the player who searches."""
        return "we" if player == self._player else "they"


def _foremost(actions: list[_core.InfosetAction]) -> list[_core.InfosetAction]:
    """The actions to list: all, or of many the likeliest and then the best."""
    if len(actions) <= _MOST_ACTIONS:
        return actions
    return sorted(actions, key=lambda a: (-a.strategy, -a.value))[:_MOST_ACTIONS]
