"""What an exact equilibrium would have done at every decision of a finished hand."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import Executor, Future
from dataclasses import replace
from typing import Any

from fogtree.agents.equilibrium import EquilibriumAgent, solved_game
from fogtree.evaluate import InfosetReport, best_response, inspect
from fogtree.game import Game
from fogtree.game.kept import kept_per_game
from fogtree.web.following import FollowingAgent
from fogtree.web.game_log import GameLog

_MOST_GAMES = 16  # solved games that are kept
_NEVER = 1e-6  # an information set that is reached less often has no mix of the equilibrium's own


class Equilibria:
    """The games that a server has solved, or solves now in the background: each of them once."""

    def __init__(self, threads: Executor) -> None:
        self._threads = threads
        self._solved: dict[str, tuple[float, Future[None]]] = {}

    def prepare(self, game: Game) -> None:
        """Begin to solve a game that somebody will ask for, unless another one is being solved."""
        if all(future.done() for _, future in self._solved.values()):
            self._begin(game)

    async def seconds_so_far(self, game: Game, wait: float) -> float | None:
        """Solve a game in the background, unless that was begun before, and wait for it at most
        ``wait`` seconds. Returns None if it is solved, or else for how many seconds it has been
        worked on. A GameError says why it cannot be solved."""
        began, future = self._begin(game)
        solved = asyncio.wrap_future(future)
        solved.add_done_callback(lambda end: end.cancelled() or end.exception())  # nobody may wait
        await asyncio.wait({solved}, timeout=wait)
        if not solved.done():
            return time.monotonic() - began
        solved.result()
        return None

    def _begin(self, game: Game) -> tuple[float, Future[None]]:
        """Solve a game in a thread, unless that was begun before; returns when the work began, and
        its future. Only the games begun last are remembered."""
        name = str(game)
        if name not in self._solved:
            while len(self._solved) >= _MOST_GAMES:
                del self._solved[next(iter(self._solved))]
            self._solved[name] = time.monotonic(), self._threads.submit(_solve, game)
        return self._solved[name]


def _solve(game: Game) -> None:
    """Called in a thread: solve a game; :func:`_reports` keeps the result for
    :func:`equilibrium_document`."""
    _reports(game)


def equilibrium_document(log: GameLog) -> dict[str, Any]:
    """The game's value for every seat and, for each decision of a finished game, the mix of the
    equilibrium, whether its play ever comes there, the value of each action, and what the action
    that was played gives up."""
    solved = solved_game(log.game)
    first = solved.equilibrium.value
    values = [first, (solved.tree.payoff_sum or 0.0) - first]
    rows = [row for seat in range(log.game.players) for row in _decisions(log, seat)]
    return {"values": values, "decisions": sorted(rows, key=lambda row: row["ply"])}


def _decisions(log: GameLog, seat: int) -> list[dict[str, Any]]:
    """The decisions of one seat as JSON rows: the information set, the action played and what it
    gives up, and every action with the equilibrium's probability and its value."""
    agent = EquilibriumAgent(log.game)
    agent.start(log.game, seat, "")
    following, line, reports = FollowingAgent(agent, seat), log.kept_steps(), _reports(log.game)
    rows = []
    for ply, (state, step) in enumerate(line):
        if state.player != seat:
            continue
        following.follow(line[:ply], state)
        report = reports[agent.infoset()]
        rows.append(
            {
                "ply": ply,
                "seat": seat,
                "infoset": report.name,
                "played": step.value,
                "given_up": _given_up(report, step.value),
                "reached": report.reach > _NEVER,
                "actions": [
                    {
                        "action": action,
                        "label": log.view.action_label(state, action, seat),
                        "probability": report.probabilities[k],
                        "value": None if report.values is None else report.values[k],
                    }
                    for k, action in enumerate(report.actions)
                ],
            }
        )
    return rows


def _given_up(report: InfosetReport, action: str) -> float | None:
    """How much less an action gains against the equilibrium than the best action; None at an
    information set that the other side's equilibrium never leads to."""
    if report.values is None:
        return 0.0 if len(report.actions) == 1 else None
    return max(0.0, max(report.values) - report.values[report.actions.index(action)])


@kept_per_game(_MOST_GAMES)
def _reports(game: Game) -> dict[str, InfosetReport]:
    """Every information set with the mix of the equilibrium. The values of actions are those
    against the equilibrium if their player goes on as well as possible: after an action that the
    equilibrium never takes, its own further mixes are arbitrary."""
    tree, strategy = (found := solved_game(game)).tree, found.equilibrium.strategy
    best = [inspect(tree, best_response(tree, strategy, player).strategy) for player in (0, 1)]
    return {
        report.name: replace(report, values=best[report.player][number].values)
        for number, report in enumerate(inspect(tree, strategy))
    }
