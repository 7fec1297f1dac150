"""Searches for one seat of a web game ("a look into the fog"), using only what this seat has
seen."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from fogtree import _core
from fogtree.agents.budget import Budget
from fogtree.errors import GameError
from fogtree.game import Game, State
from fogtree.search.agent import SearchAgent, search_settings
from fogtree.search.analysis import Analysis, Line, belief_lines, examine
from fogtree.search.decision import SearchDecision
from fogtree.search.native import SearchCallback
from fogtree.web.following import FollowingAgent
from fogtree.web.limits import Limits
from fogtree.web.opponents import bounded
from fogtree.web.storage import Step
from fogtree.web.views import GameView

Document = dict[str, Any]
"""What a look shows, as JSON for the page."""
Tell = Callable[[Document], None]
"""Called with every document of a look."""

_SNAPSHOTS = 8  # reports of progress while a search runs
_SEED = "look"  # the same in all games: what is shown depends on what the seat saw alone


def check_looking(game: Game) -> None:
    """Raise a GameError if there is no search for a game, because it does not have two players."""
    if game.players != 2:
        raise GameError("there is no search for games of more than two players")


class Advisor:
    """Follows a game from one seat, and searches there on request. Only one thread may use it at a
    time."""

    def __init__(self, game: Game, view: GameView, seat: int, limits: Limits) -> None:
        """Start a search agent for a seat, within the server's limits."""
        check_looking(game)
        self._game, self._view, self._seat = game, view, seat
        settings = bounded(search_settings(game), game, limits, limits.look_bytes)
        self._agent = SearchAgent(game, settings)
        self._start()

    def _start(self) -> None:
        """Start the search agent at the beginning of the game."""
        self._agent.start(self._game, self._seat, _SEED)
        self._following = FollowingAgent(self._agent, self._seat)
        self._rooted: int | None = None  # the number of steps to where the search has its root

    def look(
        self,
        line: Sequence[tuple[State, Step]],
        state: State,
        seconds: float,
        tell: Tell,
        ended: Callable[[], bool] = lambda: False,
    ) -> None:
        """Search at ``state``, to which ``line`` led. ``tell`` gets a document at once, several
        while the search runs, and one with ``done`` at the end. ``ended`` says whether the look was
        interrupted: before the search begins, :meth:`interrupt` alone has no effect."""
        self._follow(line, state)
        if state.player != self._seat:
            fog = self._fog(())
            if not fog:
                raise GameError("look when it is your turn")
            tell({**fog, "done": True, "turn": False, "candidates": []})
            return
        self._agent.adapter.native.stop_flag.clear()
        if not ended():
            self._search(len(line), state, seconds, tell)

    def judge(
        self,
        line: Sequence[tuple[State, Step]],
        state: State,
        action: str,
        budget: Budget,
        ended: Callable[[], bool] = lambda: False,
    ) -> Document:
        """Search at a decision of this seat for what an action is worth: its value and visits;
        nothing if it was interrupted (``ended`` as in :meth:`look`). A search that just decides
        looks too little at actions that it does not play. The tree grows to the bound on memory, so
        an advisor that looks at a decision does not judge there too."""
        self._follow(line, state)
        self._agent.adapter.native.stop_flag.clear()
        self._root_at(len(line))
        native, notation = self._agent.adapter.native, self._agent.adapter.notation
        actions = native.decide(_core.SearchBudget(steps=1)).candidates
        if ended():
            return {}
        native.examine(next(one.action for one in actions if notation.action(one.action) == action))
        try:
            decision = self._agent.adapter.decision(native.decide(budget.native()))
        finally:
            native.examine(None)
        (found,) = [one for one in decision.candidates if one.action == action]
        return {"value": _number(found.value), "visits": found.visits}

    def _follow(self, line: Sequence[tuple[State, Step]], state: State) -> None:
        """Bring the agent up to date; it is started again if it has seen another game."""
        if not self._following.fits(line):
            self._start()
        self._following.follow(line, state)

    def _search(self, ply: int, state: State, seconds: float, tell: Tell) -> None:
        """Search at a decision of this seat; ``tell`` gets the belief at once, then the progress
        and the result."""
        adapter, threads = self._agent.adapter, self._agent.settings.threads
        labels = {str(a): self._view.action_label(state, a, self._seat) for a in state.actions()}
        self._root_at(ply)
        native, notation, scale = adapter.native, adapter.notation, adapter.scale
        drawn = hasattr(self._view, "look")
        fog = self._fog(belief_lines(native, notation, scale) if drawn else ())
        tell({**fog, "done": False, "turn": True, "candidates": []})

        def search(callback: SearchCallback) -> SearchDecision:
            """Run the native search, and report its progress several times."""

            def watch(moment: _core.SearchMoment) -> None:
                """Pass a moment of the search on, and tell the page its progress."""
                callback(moment)
                if moment.event == _core.SearchEvent.progress:
                    tell({**fog, **self._progress(moment, labels)})

            budget = Budget(seconds=seconds, expanders=threads - 1).native()
            return adapter.decision(native.watch(budget, watch, looks=_SNAPSHOTS))

        tell(self._result(examine(native, notation, self._seat, search, scale), labels))

    def _root_at(self, ply: int) -> None:
        """Give the search its root at the present decision, after ``ply`` steps. A second look at
        the same decision goes on with the first one's tree, so that the positions keep their
        probabilities."""
        if self._rooted == ply:
            return
        self._rooted = None
        self._agent.adapter.prepare()
        if not self._agent.adapter.native.stop_flag.is_set:  # else it may have only a part of them
            self._rooted = ply

    def _progress(self, moment: _core.SearchMoment, labels: dict[str, str]) -> Document:
        """A document on a running search: its size, and the mix and the values of the actions so
        far. ``labels`` are the texts of actions for people."""
        adapter = self._agent.adapter
        infoset = adapter.native.infoset(adapter.native.key, self._seat)
        actions = [] if infoset is None else infoset.actions
        write, scale = adapter.notation.action, adapter.scale
        return {
            "done": False,
            "turn": True,
            "part": round(moment.part, 3),
            "seconds": round(moment.seconds, 3),
            "nodes": moment.nodes,
            "iterations": moment.iterations,
            "value": _number(sum(a.strategy * a.value for a in actions) * scale),
            "p_max": _number(adapter.native.p_max),
            "candidates": [
                _candidate(write(a.action), a.strategy, a.value * scale, labels) for a in actions
            ],
        }

    def _result(self, analysis: Analysis, labels: dict[str, str]) -> Document:
        """The final document of a search: its size, and every action with probability and value."""
        decision = analysis.decision
        return {
            **self._fog(analysis.our_belief, decision),
            "done": True,
            "turn": True,
            "part": 1.0,
            "seconds": round(decision.seconds, 3),
            "nodes": decision.nodes,
            "infosets": decision.infosets,
            "iterations": decision.iterations,
            "depth": decision.depth,
            "levels": [level.nodes for level in analysis.levels[:60]],
            "gap": _number(sum(analysis.gap)),
            "value": _number(decision.value),
            "p_max": _number(decision.p_max),
            "safe": decision.safe,
            "candidates": [
                {
                    **_candidate(c.action, c.probability, c.value, labels),
                    "strategy": _number(c.strategy),
                    "visits": c.visits,
                }
                for c in decision.candidates
            ],
        }

    def _fog(self, lines: Sequence[Line], decision: SearchDecision | None = None) -> Document:
        """The part of a document about what may be hidden from this seat: by the method ``look`` of
        the game's view, or else the likeliest positions as texts. ``lines`` are the positions at
        the search's root, ``decision`` is None before its end. Empty if there is neither such a
        method nor a turn of this seat."""
        own = getattr(self._view, "look", None)
        if own is not None:
            shown: Document = own(self._agent.belief, lines, self._seat)
            return shown
        if decision is None:
            return {"possible": []} if self._agent.adapter.to_act else {}
        if isinstance(decision.belief, tuple):  # of a compiled game: nodes by their paths
            found = [(" ".join(map(str, one.path)), one.probability) for one in decision.belief]
        else:
            found = [(line.position, line.share) for line in lines]
        found.sort(key=lambda pair: -pair[1])
        return {
            "positions": decision.belief_size or len(found),
            "possible": [{"text": text, "share": _number(share)} for text, share in found[:20]],
        }

    def interrupt(self) -> None:
        """End a running look soon."""
        self._agent.interrupt()

    def close(self) -> None:
        """Release the search."""
        self._agent.close()


def _candidate(action: str, share: float, value: float, labels: dict[str, str]) -> Document:
    """One action of a search as JSON; ``share`` is its probability."""
    return {
        "action": action,
        "label": labels.get(action, action),
        "probability": _number(share),
        "value": _number(value),
    }


def _number(value: float) -> float:
    """A number for JSON with four decimals; 0 for infinity and NaN, which JSON lacks."""
    return round(value, 4) if math.isfinite(value) else 0.0
