"""The tables of matches and tournaments as text, the same for terminals and notebooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fogtree.arena import Interval, MatchResult, Tournament
from fogtree.report.tables import TextTable

_WINS_ONLY = (
    "Elo counts who won, not how much: where games are won by different amounts, "
    "compare the payoffs."
)


def matches_table(matches: Sequence[MatchResult]) -> TextTable:
    """One row per match. The payoff is left out where it says no more than the win rate."""
    facts = list(matches[0].facts)
    paid = ["payoff"] if any(match.has_stakes for match in matches) else []
    tested = ["test"] if matches[0].sequential is not None else []
    names = ("match", "games", "won", "drawn", "lost", "win rate (95 %)")
    return TextTable(
        "Matches",
        (*names, *paid, *facts, *tested),
        tuple(
            (
                f"{match.first} - {match.second}",
                *(f"{n:,}" for n in (match.games, match.wins, match.draws, match.losses)),
                str(match.win_rate),
                *([_mean(match.return_mean, 3)] if paid else []),
                *(_mean(match.facts[name], 2) for name in facts),
                *([str(match.sequential)] if tested else []),
            )
            for match in matches
        ),
    )


def cross_table(
    tournament: Tournament, groups: Mapping[str, Sequence[str]] | None = None
) -> TextTable:
    """Win rates of every agent against every other, with the mean over all opponents and over each
    of the named ``groups`` of opponents whose members all took part."""
    agents = tournament.agents
    whole = {
        name: members for name, members in (groups or {}).items() if set(members) <= set(agents)
    }
    rows = []
    for number, agent in enumerate(agents, start=1):
        others = [other for other in agents if other != agent]
        scores = [
            *(tournament.score(agent, other) for other in agents),
            *(tournament.mean_score(agent, members) for members in (others, *whole.values())),
        ]
        cells = ("-" if score is None else f"{score:.3f}" for score in scores)
        rows.append((f"{number} {agent}", *cells))
    numbers = [str(number) for number in range(1, len(agents) + 1)]
    return TextTable("Win rates", ("win rate against", *numbers, "mean", *whole), tuple(rows))


def ratings_table(tournament: Tournament) -> TextTable:
    """Every agent's rating, the strongest first."""
    return TextTable(
        "Ratings",
        ("rating", "Elo", "95 %"),
        tuple(
            (r.name, f"{r.elo.value:+z.0f}", f"[{r.elo.low:+z.0f}, {r.elo.high:+z.0f}]")
            for r in tournament.ratings
        ),
        note=_WINS_ONLY if tournament.has_stakes else "",
    )


def _mean(mean: Interval, digits: int) -> str:
    """A mean with half the width of its interval: ``+0.120 ± 0.045``."""
    return f"{mean.value:+z.{digits}f} ± {mean.high - mean.value:.{digits}f}"
