"""Dark hex in the browser: stones on a board of hexagons, and the chain that won."""

from __future__ import annotations

from fogtree.games.dark_hex import DarkHex
from fogtree.games.hidden_board import HiddenBoardState
from fogtree.games.hidden_board_web import HiddenBoardView


class DarkHexView(HiddenBoardView):
    """The browser's view of dark hex."""

    kind = "hex"
    marks = ("first", "second")
    verbs = ("take", "takes")
    participle = "taken"

    def winning_squares(self, state: HiddenBoardState, winner: int) -> int:
        """The chain of the winner's stones that connects its two sides, as bits."""
        game: DarkHex = state.game
        own, (start, _) = state.marks[winner], game.sides[winner]
        chains = (game.chain(own, bit) for bit in game.squares.values() if bit & own & start)
        return next(chain for chain in chains if game.connects(chain, winner))


VIEW = DarkHexView()
