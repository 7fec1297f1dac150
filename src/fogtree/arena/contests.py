"""``play``, ``match`` and ``tournament``: the public functions, with agents and games by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, permutations
from pathlib import Path

from fogtree.agents import Agent, AnyAgent, Budget, agent
from fogtree.arena.ledger import Ledger
from fogtree.arena.match import Contestant, MatchResult, Terms, play_match, workers
from fogtree.arena.openings import find_openings
from fogtree.arena.play import play_game
from fogtree.arena.record import GameRecord
from fogtree.arena.sequential import SequentialTest
from fogtree.arena.tournament import Tournament, rated_tournament
from fogtree.errors import OptionError
from fogtree.game import Game
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
    if len(agents) != played_game.players:
        raise OptionError(f"{played_game} has {played_game.players} seats, not {len(agents)}")
    seated = [agent(one, played_game) for one in agents]
    if len({id(one) for one in seated}) != len(seated):
        raise OptionError("an agent object can take one seat only")
    try:
        return play_game(played_game, seated, seed=str(seed), budget=budget).record
    finally:
        for one, given in zip(seated, agents, strict=True):
            if one is not given:
                one.close()


def match(
    game: AnyGame,
    first: AnyAgent,
    second: AnyAgent,
    *,
    games: int = 100,
    seed: int = 0,
    budget: Budget | None = None,
    openings: str | None = None,
    test: SequentialTest | None = None,
    file: str | Path | None = None,
    processes: int | None = 1,
    keep_records: bool = False,
    progress: Callable[[int], None] | None = None,
) -> MatchResult:
    """Play ``games`` games between two agents, every deal once from each seat.

    Agents are names, strategies or agent objects; objects play in this process only. ``budget``
    limits every decision, ``openings`` is the spec of the starting positions in games that have
    several (None: the game's default), and ``test`` ends the match at its verdict. Finished games
    are kept in ``file``: the same call continues a match that was stopped. ``progress`` is called
    with the number of games finished since its last call.

    The result depends on the seed alone, however many ``processes`` play (None: one per core).
    Processes import the main module again, so a script that asks for more than one needs
    ``if __name__ == "__main__":``.

    >>> import fogtree
    >>> result = fogtree.match("kuhn_poker", "random", "random", games=20)
    >>> result.wins + result.draws + result.losses
    20
    """
    played_game = game_of(game)
    sides = Contestant.of(first), Contestant.of(second)
    terms = _terms(
        played_game,
        games=games,
        seed=seed,
        openings=openings,
        budget=budget,
        test=test,
        file=file,
    )
    with workers(_process_count(sides, processes)) as run:
        return play_match(
            played_game,
            *sides,
            games=games,
            seed=seed,
            run=run,
            keep_records=keep_records,
            progress=progress,
            terms=terms,
        )


def tournament(
    game: AnyGame,
    agents: Sequence[AnyAgent] | Mapping[str, AnyAgent],
    *,
    games: int = 100,
    seed: int = 0,
    budget: Budget | None = None,
    openings: str | None = None,
    test: SequentialTest | None = None,
    file: str | Path | None = None,
    processes: int | None = 1,
    keep_records: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Tournament:
    """Play a match between every two agents, and rate them; with more than two players two
    matches, in which either agent takes the single seat.

    ``agents`` are a list, or a mapping from the names to be shown. ``games`` are per pair; the
    other options are those of :func:`match`.

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
    terms = _terms(
        played_game,
        games=games,
        seed=seed,
        openings=openings,
        budget=budget,
        test=test,
        file=file,
    )
    pairs = combinations(field, 2) if played_game.players == 2 else permutations(field, 2)
    with workers(_process_count(field, processes)) as run:
        matches = [
            play_match(
                played_game,
                *pair,
                games=games,
                seed=seed,
                run=run,
                keep_records=keep_records,
                progress=progress,
                terms=terms,
            )
            for pair in pairs
        ]
    return rated_tournament(played_game, names, matches)


def _terms(
    game: Game,
    *,
    games: int,
    seed: int,
    openings: str | None = None,
    budget: Budget | None = None,
    test: SequentialTest | None = None,
    file: str | Path | None = None,
) -> Terms:
    """Terms of a match of ``games`` games; finished games are kept in ``file``."""
    found = find_openings(game, openings, count=-(-games // 2), seed=seed)
    condition: dict[str, object] = {
        "game": str(game),
        "seed": seed,
        "seconds": budget.seconds if budget else 0,
        "nodes": budget.nodes if budget else 0,
    }
    if budget is not None and budget.steps:
        condition["steps"] = budget.steps
    if found is not None:
        condition["openings"] = found.name
    ledger = None if file is None else Ledger(Path(file), condition)
    if found is None:
        return Terms(budget=budget, test=test, ledger=ledger)
    return Terms(
        starts=found.games,
        budget=budget,
        test=test,
        deals_per_task=found.deals_per_task,
        ledger=ledger,
    )


def _process_count(field: Sequence[Contestant], processes: int | None) -> int | None:
    """One process if an agent object plays: it cannot be copied to another one."""
    objects = [side.name for side in field if isinstance(side.player, Agent)]
    if objects and processes is not None and processes > 1:
        raise OptionError(f"the agent object '{objects[0]}' plays in one process, not {processes}")
    return 1 if objects else processes
