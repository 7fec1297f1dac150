"""A ladder of frozen players of Fog-of-War chess, with their ratings.

    python benchmarks/ladder.py --games 100 --file build/ladder.jsonl

The players are ``random``, the game's levels and a few others. A level meets its neighbours in
``--games`` games and the levels two places away in half as many; the others meet two levels each,
also in half as many. A level that uses its time plays with ``--steps`` per move instead, so that
its rating does not depend on the load of the machine.
Games come in pairs from the same opening with colours exchanged. Finished games are kept in the
file, under the players' full settings and the package's network, and a later call adds to them;
games with another network do not count. ``--games 0`` only prints.

Ratings are those of largest likelihood in the logistic model, a draw being half a win, with 95 %
intervals from the information matrix; ``greedy`` has the rating 1000. Each pair that has played
starts with a tenth of a drawn game, so that a player that wins all has a finite rating too.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise, product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fogtree.agents.levels import levels_of
from fogtree.arena.ledger import Outcome
from fogtree.arena.match import Contestant, Runner, Terms, play_match, workers
from fogtree.arena.openings import find_openings
from fogtree.arena.statistics import ELO_PER_NEPER, Z95
from fogtree.game import Game
from fogtree.games.fog_chess.game import FogChess
from fogtree.games.fog_chess.network.file import find_net, net_sha256, read_net

WEAKEST = "random"
ANCHOR, ANCHOR_ELO = "greedy", 1000
FIRST_NET = Path(__file__).resolve().with_name("networks") / "first.fognet"
"""The network that the package had until 20 November 2026: width 256, one king bucket, taught by
the static values of Stockfish's network of 3.2 million positions."""
OTHERS = {
    "greedy": (2, 3),
    "search(steps=100, evaluator=simple)": (5, 6),
    "belief-vote": (6, 7),
    f"search(steps=400, cap=20000, evaluator=net:{FIRST_NET})": (8, 9),
}
"""Players beside the levels, and the levels that they meet. The last one is level 9 with the
network that the package had before."""
OPENINGS = 1000
ROUND = 20
"""Games that all pairs play before any pair plays more."""
PRIOR = 0.05
"""What both players of a pair have scored before their first game."""


@dataclass(frozen=True, slots=True)
class Player:
    """One player of the ladder; ``level`` is 0 if it is none of the levels."""

    name: str
    agent: str
    level: int = 0

    @property
    def key(self) -> str:
        """The agent as it stands in the file of games."""
        return in_any_folder(self.agent)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two players, how many games they play, and whether these take long."""

    first: Player
    second: Player
    games: int
    slow: bool = False


Others = Mapping[str, tuple[int, int]]


def ladder(game: Game, others: Others, steps: int) -> list[Player]:
    """``random``, the game's levels from the weakest on, and the others. A level that uses its time
    is a search with so many ``steps``."""
    players = [Player(WEAKEST, WEAKEST)]
    for number, level in enumerate(levels_of(game), 1):
        agent = f"search(steps={steps})" if level.uses_time else level.agent
        players.append(Player(f"level {number}", agent, number))
    return [*players, *(Player(in_any_folder(agent), agent) for agent in others)]


def in_any_folder(agent: str) -> str:
    """An agent with the first network by its name alone, so that it is the same in every folder."""
    return agent.replace(str(FIRST_NET), FIRST_NET.name)


def pairings(players: Sequence[Player], others: Others, games: int, slow_games: int) -> list[Pair]:
    """Who plays whom; the strongest level plays ``slow_games`` at most against another one."""
    chain, rest = players[: -len(others)], players[-len(others) :]
    found = [Pair(*two, games) for two in pairwise(chain)]
    found += [Pair(*two, games // 2) for two in zip(chain, chain[2:], strict=False)]
    for player, levels in zip(rest, others.values(), strict=True):
        found += [Pair(chain[number], player, games // 2) for number in levels]
    return [
        replace(pair, games=min(pair.games, slow_games), slow=True)
        if pair.second is chain[-1]
        else pair
        for pair in found
    ]


@dataclass
class Results:
    """The finished deals of all pairs, in a file with one line for each; it is the ledger of the
    matches."""

    path: Path
    net: str
    """The checksum of the package's network."""
    deals: dict[tuple[str, str, int], list[float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Read the file; a line that a kill has cut off is skipped, and so are games with another
        network."""
        with suppress(FileNotFoundError):
            for line in self.path.read_text().splitlines():
                with suppress(ValueError, KeyError):
                    row = json.loads(line)
                    if row["net"] == self.net:
                        self.deals[row["first"], row["second"], row["deal"]] = row["gains"]

    def find(self, first: str, second: str, deal: int, start: Game) -> list[Outcome] | None:
        """The games of a deal, if the file has them."""
        del start
        gains = self.deals.get((first, second, deal))
        return None if gains is None else [Outcome(gain, 0.0, {}, None) for gain in gains]

    def add(self, first: str, second: str, deal: int, outcomes: Sequence[Outcome]) -> None:
        """Append the games of a deal to the file."""
        gains = [outcome.gain for outcome in outcomes]
        self.deals[first, second, deal] = gains
        row = {"net": self.net, "first": first, "second": second, "deal": deal, "gains": gains}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab+") as file:
            size = file.seek(0, os.SEEK_END)
            if size > 0 and (file.seek(size - 1), file.read())[1] != b"\n":
                file.write(b"\n")  # after a line that a kill has cut off
            file.write(json.dumps(row).encode() + b"\n")

    def close(self) -> None:
        """Do nothing: the file is closed after every line."""

    def scores(self, players: Sequence[Player]) -> NDArray[np.float64]:
        """What each player has scored against each other one; a draw is a half."""
        place = {player.key: number for number, player in enumerate(players)}
        out = np.zeros((len(players), len(players)))
        for (first, second, _), gains in self.deals.items():
            if first in place and second in place:
                a, b = place[first], place[second]
                out[a, b] += sum((1 + np.sign(gain)) / 2 for gain in gains)
                out[b, a] += sum((1 - np.sign(gain)) / 2 for gain in gains)
        return out


def fit(score: NDArray[np.float64], anchor: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The ratings of largest likelihood above that of the ``anchor``, and their covariance, in Elo
    points. The players must be connected by games."""
    score = score + PRIOR * (score + score.T > 0)
    games = score + score.T
    others = [place for place in range(len(score)) if place != anchor]
    ratings = np.zeros(len(score))
    covariance = np.zeros_like(score)
    for _ in range(200):
        share = 1 / (1 + np.exp(ratings[None, :] - ratings[:, None]))
        gradient = (score - games * share).sum(axis=1)[others]
        weight = games * share * (1 - share)
        information = (np.diag(weight.sum(axis=1)) - weight)[np.ix_(others, others)]
        covariance[np.ix_(others, others)] = np.linalg.inv(information)
        step = covariance[np.ix_(others, others)] @ gradient
        ratings[others] += np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-9:
            break
    return ELO_PER_NEPER * ratings, ELO_PER_NEPER**2 * covariance


def play(pairs: Sequence[Pair], results: Results, run: Runner, end: float) -> None:
    """Play the games that the file lacks: those of the slow pairs last, and the others in rounds,
    so that all get about equally many if the moment ``end`` comes first."""
    game = FogChess()
    openings = find_openings(game, None, count=OPENINGS, seed=0)
    assert openings is not None
    terms = Terms(starts=openings.games, deals_per_task=1, ledger=results)
    most = max(pair.games for pair in pairs)
    for slow, target in product((False, True), range(ROUND, most + ROUND, ROUND)):
        for pair in pairs:
            if time.monotonic() > end:
                return
            if pair.slow == slow and pair.games > target - ROUND:
                sides = (
                    Contestant(player.key, player.agent) for player in (pair.first, pair.second)
                )
                games = min(target, pair.games)
                found = play_match(game, *sides, games=games, run=run, terms=terms)
                score = f"+{found.wins} ={found.draws} -{found.losses}"
                print(f"{pair.first.name} - {pair.second.name}: {score}", flush=True)


def table(players: Sequence[Player], results: Results) -> list[str]:
    """One table of the players with games, with their ratings, as Markdown."""
    games = results.scores(players).sum(axis=0) + results.scores(players).sum(axis=1)
    players = [player for player, count in zip(players, games, strict=True) if count]
    if ANCHOR not in [player.name for player in players]:
        return [f"{ANCHOR}, which anchors the ratings, has no games yet"]
    score = results.scores(players)
    ratings, covariance = fit(score, [player.name for player in players].index(ANCHOR))
    rows = ["| player | agent | games | Elo | above the level below |", "|---|---|---:|---:|---:|"]
    below = None  # the level below
    for place, player in enumerate(players):
        margin = Z95 * math.sqrt(covariance[place, place])
        distance = ""
        if player.level and below is not None:
            spread = covariance[place, place] + covariance[below, below]
            half = Z95 * math.sqrt(spread - 2 * covariance[place, below])
            distance = f"{ratings[place] - ratings[below]:.0f} ± {half:.0f}"
        if player.level:
            below = place
        elo = f"{ANCHOR_ELO + ratings[place]:.0f} ± {margin:.0f}"
        count = score[place].sum() + score[:, place].sum()
        rows.append(f"| {player.name} | `{player.key}` | {count:.0f} | {elo} | {distance} |")
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=100, help="games of each pair")
    parser.add_argument("--file", type=Path, default=Path("build/ladder.jsonl"))
    parser.add_argument(
        "--steps", type=int, default=4000, help="steps a move of a level that uses its time"
    )
    parser.add_argument(
        "--slow-games", type=int, default=30, help="games of each pair with the strongest level"
    )
    parser.add_argument(
        "--player",
        nargs=3,
        action="append",
        default=[],
        metavar=("AGENT", "LEVEL", "LEVEL"),
        help="another player, such as a network, and the two levels that it meets",
    )
    parser.add_argument("--workers", type=int, help="processes; by default one per core")
    parser.add_argument("--limit", type=float, default=math.inf, help="seconds for all matches")
    options = parser.parse_args()
    results = Results(options.file, net_sha256(read_net(find_net())))
    count = len(levels_of(FogChess()))
    for _, *numbers in options.player:
        if not all(number in map(str, range(1, count + 1)) for number in numbers):
            parser.error(f"--player needs two levels from 1 to {count}")
    others = OTHERS | {agent: (int(low), int(high)) for agent, low, high in options.player}
    players = ladder(FogChess(), others, options.steps)
    if options.games > 0:
        end = time.monotonic() + options.limit
        with workers(options.workers) as run:
            pairs = pairings(players, others, options.games, options.slow_games)
            play(pairs, results, run, end)
    print("\n".join(table(players, results)))


if __name__ == "__main__":
    main()
