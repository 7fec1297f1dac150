"""Which positions the searches of Fog-of-War chess begin with, and how many decisions are safe.

    python benchmarks/roots.py --steps 600 "search(threads=1)" "search(threads=1,sample=256)"

Both sides search at every decision along the games of ``middle_games.txt`` and
``large_beliefs.txt``. For each agent and size of the belief there is a row: how many decisions
there were; in what share of them the true position was at the root of the subgame, and opened; how
many positions were at the root, and how many of those possible for the player; what share of the
decisions was safe; the mean of p_max; and how many actions the mixes have.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from typing import Any

import fogtree
from fogtree.agents import Budget, Observation
from fogtree.games.fog_chess.game import FogChess, FogChessState

SIZES = (256, 1024, 8192)
"""Bounds of the groups of beliefs."""
FOLDER = Path(__file__).parent
COLUMNS = {
    "truth": "7.1%",
    "opened": "7.1%",
    "roots": "7.1f",
    "ours": "7.1f",
    "safe": "7.1%",
    "p_max": "7.2f",
    "actions": "7.1f",
}
"""What is averaged, and how it is shown."""
Row = dict[str, float]


def games() -> list[list[str]]:
    """The moves of all games."""
    played = (FOLDER / "middle_games.txt").read_text().splitlines()
    large = (FOLDER / "large_beliefs.txt").read_text().splitlines()
    return [line.split() for line in played] + [line.split()[1:] for line in large]


def tell(agents: list[Any], state: FogChessState) -> None:
    for player, agent in enumerate(agents):
        actions = tuple(state.actions()) if state.player == player else ()
        agent.observe(Observation(player, state.observation(player), actions))


def decide(agent: Any, state: FogChessState, budget: Budget) -> Row:
    """One search, and what its subgame began with."""
    decision = agent.act(budget)
    roots = agent.native.roots()
    truth = [root for root in roots if root.possible and root.state.key == state.position.key]
    return {
        "belief": decision.belief_size,
        "truth": bool(truth),
        "opened": any(root.nodes > 1 for root in truth),
        "roots": len(roots),
        "ours": sum(root.possible for root in roots),
        "safe": decision.safe,
        "p_max": decision.p_max,
        "actions": sum(share > 0 for share in decision.mix.values()),
    }


def measure(spec: str, moves: list[str], budget: Budget) -> Iterator[Row]:
    """A row for each decision of one game."""
    game = FogChess()
    agents, state = [fogtree.agent(spec, game) for _ in range(2)], game.root()
    for player, agent in enumerate(agents):
        agent.start(game, player, f"0/{player}")
    tell(agents, state)
    for ply, move in enumerate(moves):
        row = decide(agents[state.player], state, budget)
        if ply > 1:  # a first decision begins with the whole game
            yield row
        agents[state.player].follow(move)
        state = state.child(move)
        tell(agents, state)
    for agent in agents:
        agent.close()


def table(rows: list[Row]) -> Iterator[str]:
    yield f"{'belief':>10} decisions " + " ".join(f"{name:>7}" for name in COLUMNS)
    groups = {
        f"< {high:,}": [row for row in rows if low <= row["belief"] < high]
        for low, high in zip((0, *SIZES), SIZES, strict=False)
    }
    groups[f">= {SIZES[-1]:,}"] = [row for row in rows if row["belief"] >= SIZES[-1]]
    groups["all"] = rows
    for name, group in groups.items():
        cells = [
            format(mean(float(row[key]) for row in group), form) if group else f"{'–':>7}"
            for key, form in COLUMNS.items()
        ]
        yield f"{name:>10} {len(group):>9} " + " ".join(cells)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("agents", nargs="*", default=["search(threads=1)"], metavar="AGENT")
    parser.add_argument("--time", type=float, default=0.1, help="seconds a move")
    parser.add_argument("--steps", type=int, default=0, help="walks a move, in place of seconds")
    options = parser.parse_args()
    budget = Budget(steps=options.steps) if options.steps else Budget(seconds=options.time)
    for spec in options.agents:
        rows = [row for moves in games() for row in measure(spec, moves, budget)]
        print("\n".join([spec, *table(rows)]), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
