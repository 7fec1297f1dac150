"""Matches, tournaments, ratings, and the records of games."""

from fogtree.arena.contests import match, play, tournament
from fogtree.arena.ledger import Ledger
from fogtree.arena.match import MatchResult, Terms, play_match, workers
from fogtree.arena.play import Played, play_game
from fogtree.arena.record import (
    GameRecord,
    read_record,
    read_records,
    replay,
    with_views,
    write_records,
)
from fogtree.arena.sequential import SequentialResult, SequentialTest
from fogtree.arena.statistics import Interval, Rating, bradley_terry, wilson
from fogtree.arena.tournament import Tournament, rated_tournament

__all__ = [
    "GameRecord",
    "Interval",
    "Ledger",
    "MatchResult",
    "Played",
    "Rating",
    "SequentialResult",
    "SequentialTest",
    "Terms",
    "Tournament",
    "bradley_terry",
    "match",
    "play",
    "play_game",
    "play_match",
    "rated_tournament",
    "read_record",
    "read_records",
    "replay",
    "tournament",
    "wilson",
    "with_views",
    "workers",
    "write_records",
]
