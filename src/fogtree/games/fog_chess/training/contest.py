"""Matches between evaluators: the search with either, one thread each."""

from __future__ import annotations

from collections.abc import Sequence

from fogtree.arena.record import GameRecord
from fogtree.arena.statistics import Interval, mean
from fogtree.errors import OptionError
from fogtree.games.fog_chess.evaluators import EVALUATORS
from fogtree.text.specs import Spec, parse_spec


def contestant(text: str) -> str:
    """The agent that a text names: an agent, or an evaluator, which means the search with it."""
    spec = parse_spec(text, "evaluator or agent")
    if spec.name in EVALUATORS:
        return str(Spec("search", settings={"threads": 1, "evaluator": str(spec)}))
    if spec.name == "search" and not spec.argument:
        return str(Spec("search", settings={"threads": 1, **spec.settings}))
    return text


def pair_interval(records: Sequence[GameRecord]) -> Interval:
    """The first agent's mean score, a win counting 1 and a draw a half, with an interval from the
    scores of pairs of games: the two games of an opening are not independent."""
    if not records or len(records) % 2:
        raise OptionError("a match has two games for every opening")
    gains = [record.returns[number % 2] for number, record in enumerate(records)]
    points = [(gain > 0) + (gain == 0) / 2 for gain in gains]
    pairs = [(points[at] + points[at + 1]) / 2 for at in range(0, len(points), 2)]
    return mean(sum(pairs), sum(pair * pair for pair in pairs), len(pairs))
