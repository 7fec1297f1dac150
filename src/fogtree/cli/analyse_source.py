"""Which position of Fog-of-War chess or Cambia is to be analysed, and with what settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fogtree.errors import OptionError
from fogtree.text.sizes import read_size

if TYPE_CHECKING:
    from fogtree.agents.budget import Budget
    from fogtree.game import State
    from fogtree.games.cambia.game import Cambia, CambiaState
    from fogtree.games.fog_chess.analysis import FogChessAnalysis
    from fogtree.games.fog_chess.game import FogChess
    from fogtree.search import SearchOptions, SearchSettings


def search_settings(
    preset: str, changes: Sequence[str], seed: int, memory: str | None = None
) -> SearchOptions:
    """A preset with ``NAME=VALUE`` changes, and a bound on memory."""
    from fogtree.search import search_options

    values: dict[str, Any] = {"seed": seed}
    for change in changes:
        name, equals, text = change.partition("=")
        if not equals:
            raise OptionError(f"--set needs NAME=VALUE, not '{change[:40]}'")
        values[name] = text
    if memory is not None:
        values["most_bytes"] = read_size(memory, "--memory")
    return search_options(preset, **values)


@dataclass(frozen=True, slots=True)
class ChessSource:
    """A position as the options of the command name it."""

    game: str
    fen: str | None
    moves: str | None
    record: Path | None
    number: int
    ply: int | None
    player: int | None
    rules: str
    earlier: int
    seed: str
    all_seeing: bool

    def analyse(
        self, evaluator: str | None, options: SearchOptions, budget: Budget, threads: int
    ) -> FogChessAnalysis:
        from fogtree.games.fog_chess.analysis import analyse_game, analyse_view

        settings = self._settings(evaluator, options, budget, threads)
        if self._fog:
            from fogtree.games.fog_chess.observation import FogObservation

            if self.moves or self.all_seeing:
                raise OptionError("a fog FEN is all that is known: no --moves, no --all-seeing")
            assert self.fen is not None
            view = FogObservation.from_fog_fen(self.fen, self.rules)
            if self.player is not None and self.player != view.player:
                raise OptionError("--as names the other side than the fog FEN")
            return analyse_view(view, settings, rules=self.rules, seed=self.seed)
        game, moves = self._line()
        return analyse_game(
            game,
            moves,
            settings,
            player=self.player,
            earlier=self.earlier,
            seed=self.seed,
            all_seeing=self.all_seeing,
        )

    def trace(self, evaluator: str | None, options: SearchOptions, budget: Budget) -> str:
        from fogtree.games.fog_chess.trace import trace_game

        if self._fog:
            raise OptionError("--trace follows a game; a fog FEN has no moves")
        game, moves = self._line()
        return trace_game(
            game,
            moves,
            self._settings(evaluator, options, budget, 1),
            player=self.player,
            earlier=self.earlier,
            seed=self.seed,
        )

    def _settings(
        self, evaluator: str | None, options: SearchOptions, budget: Budget, threads: int
    ) -> SearchSettings:
        from fogtree.search import search_settings

        chosen = {} if evaluator is None else {"evaluator": evaluator}
        return search_settings(
            "fog_chess", options=options, budget=budget, threads=threads, **chosen
        )

    @property
    def _fog(self) -> bool:
        return self.fen is not None and "?" in self.fen

    def _line(self) -> tuple[FogChess, list[str]]:
        """The game and the moves that lead to the position."""
        from fogtree.games.fog_chess.game import FogChess
        from fogtree.terminal.inputs import find_game

        if self.record is not None:
            if self.fen is not None or self.moves is not None:
                raise OptionError("a --record has its own start and moves")
            return self._recorded(self.record)
        if self.ply is not None:
            raise OptionError("--ply is a place in a --record")
        named = find_game(self.game)
        assert isinstance(named, FogChess)
        if self.fen is not None or named.rules != self.rules:
            rules = self.rules if named.rules == FogChess().rules else named.rules
            named = FogChess(rules=rules, fen=named.fen if self.fen is None else self.fen)
        moves = [part.strip() for part in (self.moves or "").split(",") if part.strip()]
        return named, moves

    def _recorded(self, file: Path) -> tuple[FogChess, list[str]]:
        from fogtree.arena.record_files import replay_file
        from fogtree.games.fog_chess.game import FogChess
        from fogtree.registry import load_game

        record, states = replay_file(file, self.number)
        game = load_game(record.game)
        if not isinstance(game, FogChess):
            raise OptionError(f"'{file}' is a record of {record.game}, not of fog_chess")
        return game, list(record.steps[: _place(states, self.ply, self.player)])


def _place(states: Sequence[State], ply: int | None, player: int | None) -> int:
    """Which of a game's states is meant; if it is not said, a player's last decision."""
    if ply is None:
        own = [
            n
            for n, state in enumerate(states)
            if state.player >= 0 and player in (None, state.player)
        ]
        if not own:
            raise OptionError("that side never was to move in this game")
        ply = own[-1]
    if ply >= len(states):
        raise OptionError(f"this game has {len(states) - 1} plies, not {ply}")
    return ply


def recorded_cambia(
    file: Path | None, number: int, ply: int | None
) -> tuple[Cambia, list[CambiaState]]:
    """A recorded game of Cambia up to a step."""
    from fogtree.arena.record_files import replay_file
    from fogtree.games.cambia.game import Cambia, CambiaState
    from fogtree.registry import load_game

    if file is None:
        raise OptionError("say with --record and --ply where cambia is to be searched")
    record, states = replay_file(file, number)
    game = load_game(record.game)
    if not isinstance(game, Cambia):
        raise OptionError(f"'{file}' is a record of {record.game}, not of cambia")
    chosen = states[: _place(states, ply, None) + 1]
    return game, [state for state in chosen if isinstance(state, CambiaState)]
