"""Dark hex in the browser: stones on a board of hexagons, and the chain that won."""

from __future__ import annotations

from fogtree.games.hidden_board import HiddenBoardState
from fogtree.games.hidden_board_web import HiddenBoardView


class DarkHexView(HiddenBoardView):
    """The browser's view of dark hex."""

    kind = "hex"
    marks = ("first", "second")
    verbs = ("take", "takes")

    def winning_squares(self, state: HiddenBoardState, winner: int) -> int:
        """The chain of the winner's stones that connects its two sides."""
        own, (start, _) = state.marks[winner], state.game.sides[winner]
        single = (bit for bit in state.game.squares.values() if bit & own & start)
        chains = (state.game.chain(own, bit) for bit in single)
        return next(chain for chain in chains if state.game.connects(chain, winner))


VIEW = DarkHexView()
