"""What an exact equilibrium would have done at every decision of a finished hand."""

from __future__ import annotations

from typing import Any

from fogtree.agents.equilibrium import EquilibriumAgent, solved_game
from fogtree.evaluate import InfosetReport, inspect
from fogtree.game import Game
from fogtree.game.kept import kept_per_game
from fogtree.web.following import FollowingAgent
from fogtree.web.game_log import GameLog


def equilibrium_document(log: GameLog) -> dict[str, Any]:
    """The game's value for every seat and, for each decision of a finished game, the mix of the
    equilibrium, the value of each action, and what the action that was played gives up."""
    value = solved_game(log.game).equilibrium.value
    rows = [row for seat in range(log.game.players) for row in _decisions(log, seat)]
    return {"values": [value, -value], "decisions": sorted(rows, key=lambda row: row["ply"])}


def _decisions(log: GameLog, seat: int) -> list[dict[str, Any]]:
    """The decisions of one seat, with what it knew at each of them."""
    agent = EquilibriumAgent(log.game)
    agent.start(log.game, seat, "")
    following, line, reports = FollowingAgent(agent, seat), log.own_steps(), _reports(log.game)
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
    """How much less an action brings against the equilibrium than the best one; None where the
    other side's equilibrium never leads."""
    if report.values is None:
        return 0.0 if len(report.actions) == 1 else None
    return max(0.0, max(report.values) - report.values[report.actions.index(action)])


@kept_per_game(16)
def _reports(game: Game) -> dict[str, InfosetReport]:
    found = solved_game(game)
    return {report.name: report for report in inspect(found.tree, found.equilibrium.strategy)}
