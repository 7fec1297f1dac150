"""``play``, ``match`` and ``tournament``: the public functions, with agents and games by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from itertools import combinations, permutations
from pathlib import Path
from typing import TypedDict, Unpack

from fogtree.agents import Agent, AnyAgent, Budget, agent
from fogtree.arena.ledger import Ledger
from fogtree.arena.match import Contestant, MatchResult, Terms, play_match, workers
from fogtree.arena.openings import DEALS_PER_TASK, find_openings
from fogtree.arena.play import play_game
from fogtree.arena.record import GameRecord
from fogtree.arena.sequential import SequentialTest
from fogtree.arena.tournament import Tournament, rated_tournament
from fogtree.errors import OptionError, UnknownNameError
from fogtree.game import Game
from fogtree.game.checks import checked_players
from fogtree.tree import AnyGame, game_of


def play(
    game: AnyGame,
    agents: Sequence[AnyAgent],
    *,
    seed: int | str = 0,
    budget: Budget | None = None,
) -> GameRecord:
    """Play one game and return its record, which :func:`fogtree.replay` turns into states.

    ``agents`` are in the order of the seats: names, strategies or agent objects. ``budget`` limits
    every decision. Equal seeds and agents make equal games.

    >>> import fogtree
    >>> record = fogtree.play("kuhn_poker", ["random", "random"], seed=1)
    >>> [state.player for state in fogtree.replay(record)][-1] == fogtree.TERMINAL
    True
    """
    played_game = game_of(game)
    seats = checked_players(played_game)
    if len(agents) != seats:
        raise OptionError(f"{played_game} has {seats} seats, not {len(agents)}")
    seated = [agent(one, played_game) for one in agents]
    if len({id(one) for one in seated}) != len(seated):
        raise OptionError("an agent object can take one seat only")
    try:
        return play_game(played_game, seated, seed=str(seed), budget=budget).record
    finally:
        for one, given in zip(seated, agents, strict=True):
            if one is not given:
                one.close()


class MatchOptions(TypedDict, total=False):
    """The options of :func:`match` and :func:`tournament`."""

    games: int
    """Games per match, by default 100."""
    seed: int
    """Random seed, by default 0. The result depends on it alone, unless time is limited."""
    budget: Budget | None
    """Limits every decision."""
    openings: str | None
    """The spec of the starting positions, in games that have several."""
    test: SequentialTest | None
    """Ends a match at its verdict."""
    file: str | Path | None
    """Keeps finished games: the same call continues a match that was stopped."""
    processes: int | None
    """Processes that play, by default 1; None: one per core. They import the main module again, so
    a script that asks for more than one needs ``if __name__ == "__main__":``."""
    keep_records: bool
    """Whether results hold the records of all games."""
    progress: Callable[[int], None] | None
    """Called with the number of games finished since the last call."""


def match(
    game: AnyGame, first: AnyAgent, second: AnyAgent, **options: Unpack[MatchOptions]
) -> MatchResult:
    """Play a match between two agents, every deal once from each seat.

    Agents are names, strategies or agent objects; objects play in this process only. The options
    are ``games``, ``seed``, ``budget``, ``openings``, ``test``, ``file``, ``processes``,
    ``keep_records`` and ``progress``, see :class:`MatchOptions`.

    >>> import fogtree
    >>> result = fogtree.match("kuhn_poker", "random", "random", games=20)
    >>> result.wins + result.draws + result.losses
    20
    """
    sides = Contestant.of(first), Contestant.of(second)
    return _play_pairs(game_of(game), sides, [sides], options)[0]


def tournament(
    game: AnyGame,
    agents: Sequence[AnyAgent] | Mapping[str, AnyAgent],
    **options: Unpack[MatchOptions],
) -> Tournament:
    """Play a match between every two agents, and rate them; with more than two players two
    matches, in which either agent takes the single seat.

    ``agents`` are a list, or a mapping from the names to be shown. The options are those of
    :func:`match`; ``games`` are per pair.

    >>> import fogtree
    >>> solved = fogtree.solve("kuhn_poker", iterations=100).strategy
    >>> agents = {"solved": solved, "random": "random"}
    >>> result = fogtree.tournament("kuhn_poker", agents, games=200)
    >>> result.matches[0].return_mean.value > 0
    True
    """
    played_game = game_of(game)
    if isinstance(agents, Mapping):
        field = [Contestant(name, player) for name, player in agents.items()]
    else:
        field = [Contestant.of(player) for player in agents]
    names = [side.name for side in field]
    if len(field) < 2 or len(set(names)) != len(names):
        raise OptionError("a tournament needs at least two different agents")
    pairs = combinations(field, 2) if checked_players(played_game) == 2 else permutations(field, 2)
    return rated_tournament(played_game, names, _play_pairs(played_game, field, pairs, options))


def _play_pairs(
    game: Game,
    field: Sequence[Contestant],
    pairs: Iterable[tuple[Contestant, Contestant]],
    options: MatchOptions,
) -> list[MatchResult]:
    """Play a match between the two of each pair; ``field`` are all contestants. Agents that cannot
    play are an error before the first game."""
    for name in options:
        if name not in MatchOptions.__annotations__:
            raise UnknownNameError("option of a match", name, MatchOptions.__annotations__)
    pairs = list(pairs)
    for side in field:
        several = any(second is side for _, second in pairs)
        side.check(game, checked_players(game) - 1 if several else 1)
    games, seed = options.get("games", 100), options.get("seed", 0)
    terms = _terms(game, field, games, seed, options)
    with closing(terms), workers(_process_count(field, options.get("processes", 1))) as run:
        return [
            play_match(
                game,
                *pair,
                games=games,
                seed=seed,
                run=run,
                keep_records=options.get("keep_records", False),
                progress=options.get("progress"),
                terms=terms,
            )
            for pair in pairs
        ]


def _terms(
    game: Game, field: Sequence[Contestant], games: int, seed: int, options: MatchOptions
) -> Terms:
    """The terms of the matches: starting positions, budget, test, and the file of finished games,
    which is refused if its games were played under another condition."""
    openings = find_openings(game, options.get("openings"), count=-(-games // 2), seed=seed)
    budget, file = options.get("budget"), options.get("file")
    Budget.check(budget)
    condition: dict[str, object] = {
        "game": str(game),
        "seed": seed,
        "seconds": budget.seconds if budget else 0,
        "nodes": budget.nodes if budget else 0,
    }
    if budget is not None and budget.steps:
        condition["steps"] = budget.steps
    if openings is not None:
        condition["openings"] = openings.name
    for side in field:
        if file is not None and side.player != side.name:
            raise OptionError(f"games are kept only of agents by name, which '{side.name}' is not")
    return Terms(
        starts=openings.games if openings else (),
        budget=budget,
        test=options.get("test"),
        deals_per_task=openings.deals_per_task if openings else DEALS_PER_TASK,
        ledger=None if file is None else Ledger(Path(file), condition),
    )


def _process_count(field: Sequence[Contestant], processes: int | None) -> int | None:
    """The number of processes to play in; it is 1 if an agent object plays, which cannot be copied
    to another process."""
    objects = [side.name for side in field if isinstance(side.player, Agent)]
    if objects and processes is not None and processes > 1:
        raise OptionError(f"the agent object '{objects[0]}' plays in one process, not {processes}")
    return 1 if objects else processes
