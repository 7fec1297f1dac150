"""A tournament: every agent against every other, with ratings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fogtree.arena.match import MatchResult
from fogtree.arena.statistics import Rating, bradley_terry
from fogtree.game import Game
from fogtree.game.checks import checked_players
from fogtree.results import Drawn, HasRows


@dataclass(frozen=True, slots=True)
class Tournament(Drawn, HasRows):
    """Every match, and the ratings of all agents, the strongest first.

    With more than two players a game counts in the ratings as one comparison: the agent in
    the single seat against the mean of the others, by who got more.
    """

    drawing: ClassVar[str] = "fogtree.report.notebook:tournament_html"

    game: str
    players: int
    agents: tuple[str, ...]
    matches: tuple[MatchResult, ...]
    ratings: tuple[Rating, ...]

    def __repr__(self) -> str:
        best = self.ratings[0]
        return (
            f"<Tournament {self.game}: {len(self.agents)} agents, "
            f"best {best.name} at {best.elo.value:+z.0f} Elo>"
        )

    @property
    def has_stakes(self) -> bool:
        """Whether games are won by different amounts; ratings count only who won."""
        return any(match.has_stakes for match in self.matches)

    def rows(self) -> list[dict[str, Any]]:
        """One row per match."""
        return [
            {
                "first": match.first,
                "second": match.second,
                "games": match.games,
                "wins": match.wins,
                "draws": match.draws,
                "losses": match.losses,
                "win_rate": match.win_rate.value,
                "win_rate_low": match.win_rate.low,
                "win_rate_high": match.win_rate.high,
                "return_mean": match.return_mean.value,
            }
            for match in self.matches
        ]

    def score(self, agent: str, opponent: str) -> float | None:
        """The share ``agent`` scored against ``opponent``; None if they did not meet."""
        for match in self.matches:
            if (match.first, match.second) == (agent, opponent):
                return match.win_rate.value
            if self.players == 2 and (match.second, match.first) == (agent, opponent):
                return 1 - match.win_rate.value
        return None

    def mean_score(self, agent: str, opponents: Sequence[str]) -> float | None:
        """The mean share over these opponents; None if one match is missing. An agent's score
        against itself counts as 1 / players, a half with two players."""
        even = 1 / self.players
        scores = [even if other == agent else self.score(agent, other) for other in opponents]
        met = [score for score in scores if score is not None]
        return sum(met) / len(met) if met and len(met) == len(scores) else None


def rated_tournament(
    game: Game, agents: Sequence[str], matches: Sequence[MatchResult]
) -> Tournament:
    """The result of a tournament: its matches, and the ratings computed from them."""
    names = tuple(agents)
    return Tournament(
        str(game), checked_players(game), names, tuple(matches), _ratings(names, matches)
    )


def _ratings(agents: tuple[str, ...], matches: Sequence[MatchResult]) -> tuple[Rating, ...]:
    """Bradley-Terry ratings from the shares of all matches, the strongest agent first."""
    place = {name: number for number, name in enumerate(agents)}
    score = np.zeros((len(agents), len(agents)))
    for match in matches:
        i, j = place[match.first], place[match.second]
        points = match.games * match.ahead.value
        score[i, j] += points
        score[j, i] += match.games - points
    found = bradley_terry(agents, score)
    return tuple(sorted(found, key=lambda rating: -rating.elo.value))
