"""Fog-of-War chess: chess in which you see only where your pieces can go.

The rules are those of chess.com's Fog of War, which B. H. Zhang & T. Sandholm, "General search
techniques without common knowledge for imperfect-information games, and application to superhuman
Fog of War chess" (2025), use as well: kings are captured, there is no check, and a player without
a move loses. Other rules are presets of :mod:`fogtree.games.fog_chess.rules`.
*Deviations:* none known; threefold repetition and the fifty-move rule end the game by themselves.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

from fogtree._core import FogChessPosition, fog_chess_write_uci
from fogtree.errors import GameError
from fogtree.game import TERMINAL, Action, State
from fogtree.game.parameters import ParameterGame, parameter
from fogtree.games.fog_chess.board_text import COLORS, whole_board
from fogtree.games.fog_chess.learner_view import ALL_MOVES
from fogtree.games.fog_chess.observation import SQUARES, FogObservation
from fogtree.games.fog_chess.rules import (
    DEFAULT_PRESET,
    PRESETS,
    START_FEN,
    FogRules,
    as_notation_errors,
    preset,
)
from fogtree.games.fog_chess.svg import Board, position_marks
from fogtree.text.specs import literal

FIFTY_MOVES = 100
"""Plies without a capture or a pawn's move that make a draw."""


@dataclass(frozen=True)
class Outcome:
    """How a game ended: who won (``None``: a draw) and why."""

    winner: int | None
    reason: str


@dataclass(frozen=True)
class FogChess(ParameterGame):
    """Fog-of-War chess: see only where your pieces can go, and capture the king."""

    short_name = "fog_chess"
    record_views = True
    rules: str = parameter(DEFAULT_PRESET, "whose rules", choices=tuple(PRESETS))
    fen: str = parameter(START_FEN, "the position to start from")

    def __post_init__(self) -> None:
        """Refuse a FEN that cannot be read."""
        super().__post_init__()
        object.__setattr__(self, "players", 2)
        with as_notation_errors():
            FogChessPosition(self.fen)

    @cached_property
    def preset(self) -> FogRules:
        """The rules that the parameter ``rules`` names."""
        return preset(self.rules)

    @property
    def record_name(self) -> str:
        """The game's spec in records: with the name of its rules, even if they are the default."""
        place = f", fen={literal(self.fen)}" if self.fen != START_FEN else ""
        return f"{self.short_name}(rules={literal(self.rules)}{place})"

    def tree_source(self) -> None:
        """Refuse to compile a game from the usual start, which has too many histories."""
        if self.fen == START_FEN:
            raise GameError(
                f"{self} cannot be compiled: it has far too many histories; play it, or train its "
                "networks by 'fogtree chess train-net'"
            )

    def check_view(
        self, player: int, view: Hashable, actions: Sequence[Action], before: Hashable
    ) -> None:
        """Refuse a view of another game or player, and moves that the view does not allow."""
        del before
        if not isinstance(view, FogObservation):
            raise GameError("this is not a view of fog_chess")
        if view.player != player:
            raise GameError(f"this is the view of {COLORS[view.player]}, not of {COLORS[player]}")
        if actions and view.side != player:
            raise GameError(f"{COLORS[player]} is not to move in this view")
        own = str.isupper if player == 0 else str.islower
        pieces = dict(zip(SQUARES, view.marks(), strict=True)) if actions else {}
        for move in map(str, actions):
            start, end = pieces.get(move[:2], ""), pieces.get(move[2:4], "?")
            if not own(start) or end in ("?", "#") or own(end):
                raise GameError(f"'{move:.40}' cannot be played here")

    def all_actions(self) -> Sequence[Action]:
        """Every move that may occur in chess, in UCI notation."""
        return ALL_MOVES

    def root(self) -> FogChessState:
        position = FogChessPosition(self.fen)
        return FogChessState(self, position, (position.key,))


class FogChessState(State):
    """A position with the part of its past that matters for repetition. Actions are UCI moves."""

    __slots__ = ("_seen_keys", "game", "outcome", "player", "position")
    player: int

    def __init__(
        self, game: FogChess, position: FogChessPosition, seen_keys: tuple[int, ...]
    ) -> None:
        """A state at a position; ``seen_keys`` are the keys of the positions since the last capture
        or pawn move, this one last, by which repetitions are counted."""
        self.game = game
        self.position = position
        self._seen_keys = seen_keys
        self.outcome = self._outcome()
        self.player = position.side if self.outcome is None else TERMINAL

    @property
    def fen(self) -> str:
        """The FEN of the true position, which neither player knows."""
        return self.position.fen

    @property
    def repetitions(self) -> int:
        """How often this position has occurred, this time included."""
        return self._seen_keys.count(self._seen_keys[-1])

    def actions(self) -> Sequence[str]:
        """The legal moves in UCI notation; none once the game is over."""
        return () if self.player == TERMINAL else tuple(self.position.uci_moves())

    def child(self, action: Action) -> FogChessState:
        """The state after a move in UCI notation."""
        if self.player == TERMINAL:
            raise GameError("the game is over: there is no move to make")
        with as_notation_errors():
            position = self.position.play(self.position.read_uci(str(action)))
        kept = () if position.halfmove == 0 else self._seen_keys
        return FogChessState(self.game, position, (*kept, position.key))

    def returns(self) -> Sequence[float]:
        """1 for the winner and -1 for the loser; 0 each for a draw."""
        if self.outcome is None:
            raise GameError("the game is not over: nobody has won yet")
        if self.outcome.winner is None:
            return (0.0, 0.0)
        return (1.0, -1.0) if self.outcome.winner == 0 else (-1.0, 1.0)

    def observation(self, player: int) -> FogObservation:
        """The player's view of the position, by the game's rules of sight."""
        return FogObservation.of(self.position, player, self.game.preset)

    def record_view(self, player: int) -> str:
        """The player's view as a fog FEN."""
        return self.observation(player).fog_fen

    def full_record_view(self) -> str:
        """The true position as FEN."""
        return self.fen

    def show_all(self) -> str:
        """The true board as text."""
        return whole_board(self.position)

    def action_name(self, action: Action) -> str:
        """A move in standard algebraic notation."""
        return self.san(action)

    def result_text(self) -> str:
        """Who won and why, in one line; empty while the game goes on."""
        if self.outcome is None:
            return ""
        if self.outcome.winner is None:
            return f"Drawn: {self.outcome.reason}"
        return f"{COLORS[self.outcome.winner].capitalize()} wins: {self.outcome.reason}"

    def san(self, action: Action) -> str:
        """The action in standard algebraic notation."""
        with as_notation_errors():
            return self.position.write_san(self.position.read_uci(str(action)))

    def read_san(self, text: str) -> str:
        """The action that a move in standard algebraic notation means here."""
        with as_notation_errors():
            return fog_chess_write_uci(self.position.read_san(text))

    def __repr__(self) -> str:
        return f"FogChessState({self.fen!r})"

    def _repr_svg_(self) -> str:
        """The true board as an SVG picture, for notebooks."""
        return Board(position_marks(self.position))._repr_svg_()

    def _outcome(self) -> Outcome | None:
        """How the game ended at this position; None if it goes on."""
        position = self.position
        for player in (0, 1):
            if not position.has_king(player):
                return Outcome(1 - player, "king captured")
        if position.count_moves() == 0:
            mover = position.side
            winners = {"loss": 1 - mover, "draw": None, "win": mover}
            return Outcome(winners[self.game.preset.stalemate], "no move left")
        if position.halfmove >= FIFTY_MOVES:
            return Outcome(None, "fifty moves without capture or pawn move")
        if self.repetitions >= 3:
            return Outcome(None, "position occurred three times")
        return None
