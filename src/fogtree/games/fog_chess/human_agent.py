"""A person who plays Fog-of-War chess at the keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from fogtree.agents.protocol import Decision, Observation, Resigned
from fogtree.games.fog_chess.board_text import COLORS, PIECE_NAMES, whole_board
from fogtree.games.fog_chess.game import FogChessState
from fogtree.games.fog_chess.observation import SQUARES, FogObservation
from fogtree.games.fog_chess.visible_position import known_position
from fogtree.terminal.console import printable
from fogtree.terminal.human_agent import HumanAgent, ask, say

if TYPE_CHECKING:
    from fogtree.agents.budget import Budget
    from fogtree.arena import Played
    from fogtree.game import Game

HELP = """Type a move: e2e4, e7e8q (from and to), or e4, Nf3, exd5, O-O, e8=Q.
  moves    what you can play        board   the board again
  resign   give the game up         quit    leave without a result
  help     this
You see your own pieces and where they can go; '?' is fog, '#' is taken but not known by what.
Capitals are White's. Take the king to win; nobody tells you of a check."""


class ChessPlayer(HumanAgent):
    """Shows the board as its observations describe it, and reads moves."""

    every_view: ClassVar[bool] = True
    hint = "Type a move, or help."

    def __init__(self) -> None:
        super().__init__()
        self._view: FogObservation | None = None

    def start(self, game: Game, player: int, seed: str) -> None:
        """Print nothing: ``help`` explains the game."""

    def watch(self, seat: int) -> None:
        """Print no news: observations alone say what happened."""

    def observe(self, observation: Observation) -> None:
        """Keep the view; after a move of the opponent, print what it took."""
        assert isinstance(observation.view, FogObservation)
        before, self._view = self._view, observation.view
        self._actions = observation.actions
        if before is not None and before.side != before.player:
            say(_losses(before, self._view) or f"{COLORS[before.side].capitalize()} has moved.")

    def act(self, budget: Budget | None = None) -> Decision:
        """Print the board and read commands until one is a legal move."""
        del budget
        assert self._view is not None
        say(f"\n{self._view}")
        while True:
            answer = ask()
            word = answer.lower()
            if word in ("help", "h", "?"):
                say(HELP)
            elif word == "board":
                say(str(self._view))
            elif word == "moves":
                say(self._moves())
            elif word == "resign":
                raise Resigned
            elif answer:
                move = self._read(answer)
                if move is not None:
                    return Decision(move)

    def _moves(self) -> str:
        """The legal moves, each in standard notation and in UCI."""
        assert self._view is not None
        position = known_position(self._view)
        names = {uci: position.write_san(position.read_uci(uci)) for uci in map(str, self._actions)}
        return "  ".join(f"{san} ({uci})" for uci, san in names.items())

    def _read(self, answer: str) -> str | None:
        """The move that a line means, in UCI or standard notation; None, after a message, if it is
        none."""
        assert self._view is not None
        moves = [str(action) for action in self._actions]
        if answer.lower() in moves:
            return answer.lower()
        if answer.lower() + "q" in moves:
            say("Promote to what? Add q, r, b or n.")
            return None
        position = known_position(self._view)
        try:
            found = position.read_san(answer)
        except ValueError:
            say(f"'{printable(answer)}' is not a move you can make; 'moves' lists them.")
            return None
        return next((uci for uci in moves if position.read_uci(uci) == found), None)

    def show_end(self, played: Played, seat: int) -> None:
        """Print the whole board, without fog, and the result."""
        assert isinstance(played.end, FogChessState)
        say(f"\nThe whole board:\n{whole_board(played.end.position, seat)}")
        say(played.result_text() + ".")

    def show_result(self, played: Played, seat: int) -> None:
        """Print whether this seat has won, lost or drawn."""
        gain = played.record.returns[seat]
        say("You " + ("win" if gain > 0 else "lose" if gain < 0 else "draw") + ".")


def _losses(before: FogObservation, after: FogObservation) -> str:
    """The own pieces that the opponent's last move took, in words; empty if it took none."""
    own = str.isupper if before.player == 0 else str.islower
    lost = []
    for square in SQUARES:
        piece = before.piece(square) or ""
        if piece and own(piece) and after.piece(square) != piece:
            taker = after.piece(square)
            by = f" by a {PIECE_NAMES[taker.lower()]}" if taker else ""
            lost.append(f"Your {PIECE_NAMES[piece.lower()]} on {square} was taken{by}.")
    return " ".join(lost)
