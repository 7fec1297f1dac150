"""Read the options of ``fogtree analyse`` that name the decision to analyse."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fogtree.agents.budget import Budget
from fogtree.arena.record_files import replay_file
from fogtree.errors import OptionError
from fogtree.game import Game, History
from fogtree.registry import game_by_name, load_game, seat_number
from fogtree.report.analyse import source_kind
from fogtree.report.analysis import AnalysisSource
from fogtree.report.compiled import CompiledSource
from fogtree.strategy import Strategy
from fogtree.terminal.inputs import compile_game, find_strategy
from fogtree.tree import GameTree

_FLAGS = {"history": "--record", "player": "--as"}
"""Options whose flags are not named like the fields of an analysis source."""


def _flag(name: str) -> str:
    """The command-line flag of a field of an analysis source."""
    return _FLAGS.get(name, "--" + name.replace("_", "-"))


@dataclass(frozen=True, slots=True)
class Subject:
    """The game to analyse, and the kind of source that reads the options."""

    spec: str
    game: Game
    kind: type[AnalysisSource]
    history: History | None
    """The recorded game, to its end; None if there is no record."""

    def source(self, place: dict[str, Any], ply: int | None) -> AnalysisSource:
        """The source for the decision that the options ``place`` name; in a recorded game, the
        decision after ``ply`` steps."""
        if self.kind is CompiledSource:
            tree = compile_game(self.spec)
            return CompiledSource(game=tree, **_read_for_tree(place, tree))
        read = dict(place)
        if "player" in read:
            read["player"] = seat_number(self.game, read["player"])
        if self.history is not None:
            read["history"] = self.history.until(_place(self.history, ply, read.get("player")))
        return self.kind(game=self.game, **read)


def find_subject(spec: str | None, place: dict[str, Any], number: int) -> Subject:
    """The game to analyse: the one that ``spec`` names, or that of the recorded game with this
    ``number`` (from 1) in a file. Options that the game's analysis does not have are refused before
    the record is read."""
    record = place.get("history")
    if spec is None:
        if record is None:
            raise OptionError("say which game: fogtree analyse GAME, or --record FILE")
        history = _recorded(record, number)
        kind = source_kind(history.game, place, _flag)
        return Subject(str(history.game), history.game, kind, history)
    game = load_game(spec)
    kind = source_kind(game, place, _flag)
    if record is None:
        return Subject(spec, game, kind, None)
    history = _recorded(record, number)
    if history.game.short_name != game.short_name:
        raise OptionError(f"'{record}' is a record of {history.game}, not of {game.short_name}")
    return Subject(spec, history.game, kind, history)


def _recorded(file: Path, number: int) -> History:
    """The game with this ``number``, from 1, in a file of records, with all its states."""
    record, states = replay_file(file, number)
    return History(game_by_name(record.game), tuple(states), record.steps)


def _place(history: History, ply: int | None, player: int | None) -> int:
    """The number of steps before the decision to analyse: ``ply`` if given, else that before the
    last decision of the game, or of ``player`` if given."""
    if ply is None:
        own = [
            number
            for number, state in enumerate(history.states)
            if state.player >= 0 and player in (None, state.player)
        ]
        if not own:
            raise OptionError("that side never was to move in this game")
        return own[-1]
    if ply > len(history.steps):
        raise OptionError(f"this game has {len(history.steps)} steps, not {ply}")
    return ply


def _read_for_tree(place: dict[str, Any], tree: GameTree) -> dict[str, Any]:
    """The options that name a decision in a compiled game, with ``before`` made a budget and
    ``blueprint`` a strategy."""
    read = dict(place)
    if "before" in read:
        read["before"] = Budget(steps=read["before"])
    if "blueprint" in read:
        read["blueprint"] = _strategy(read["blueprint"], tree)
    return read


def _strategy(source: str, tree: GameTree) -> Strategy:
    """The strategy of the file ``source``, or the exact equilibrium if it is "equilibrium"."""
    if source == "equilibrium":
        from fogtree.solvers.linear_program import equilibrium

        return equilibrium(tree).strategy
    return find_strategy(Path(source), tree)
