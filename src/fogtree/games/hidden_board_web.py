"""Games on a hidden board in the browser: a player's own marks and the squares that were refused,
made from the seat's observation alone."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from fogtree.game import Action, State
from fogtree.games.hidden_board import HiddenBoardState
from fogtree.games.squares import drawn_squares
from fogtree.games.table_log import Line, happened

_REFUSED = "?"  # in views, after a square that the other had when it was tried


class HiddenBoardView(ABC):
    """The browser's view of a game on a hidden board."""

    kind: ClassVar[str]
    marks: ClassVar[tuple[str, str]]
    """The marks of the first and of the second player on the drawn board."""
    verbs: ClassVar[tuple[str, str]]
    """The verb for taking a free square, as in "You mark" and in "Greedy marks"."""
    participle: ClassVar[str]
    """The participle of that verb, as in "has marked a square"."""

    @abstractmethod
    def winning_squares(self, state: HiddenBoardState, winner: int) -> int:
        """The squares that won the game for a player, as bits."""

    def more(self, game: Any) -> dict[str, Any]:
        """Further data for the page, if the game has more to show than squares and marks."""
        del game
        return {}

    def seat_view(self, state: State, seat: int) -> dict[str, Any]:
        """The data that the page draws for one seat: the squares that it has tried, with its own
        marks and those of the other that it ran into."""
        assert isinstance(state, HiddenBoardState)
        tried = _tried(state, seat)
        # A refused square has the mark of the other seat, seat ^ 1.
        marks = {square: self.marks[seat ^ refused] for square, refused in tried}
        own = {"player": seat, **self._known_moves(tried, seat, abrupt=state.game.abrupt)}
        return self._board(state.game, marks) | own

    def action_label(self, state: State, action: Action, seat: int) -> str:
        """An action in words, such as "Mark a1"."""
        del state, seat
        return f"{self.verbs[0].capitalize()} {action}"

    def review_label(self, state: State, action: Action) -> str:
        """An action in words for reviews of finished games, which tell whether the square was
        taken."""
        assert isinstance(state, HiddenBoardState)
        taken = state.game.squares[str(action)] & state.marks[1 - state.player]
        words = f"Try {action}, which is taken"
        return words if taken else self.action_label(state, action, state.player)

    def full_view(self, state: State) -> dict[str, Any]:
        """The data that the page draws with nothing hidden: all marks, what both players tried and,
        if somebody won, the squares that won."""
        assert isinstance(state, HiddenBoardState)
        squares = state.game.squares
        marks = {
            name: mark
            for name, bit in squares.items()
            for mark, own in zip(self.marks, state.marks, strict=True)
            if bit & own
        }
        won = self.winning_squares(state, 0 if state.winner > 0 else 1) if state.winner else 0
        line = [name for name, bit in squares.items() if bit & won]
        view = self._board(state.game, marks) | {"player": None, "line": line}
        return view | {"moves": [self._line(*one) for one in _all_tries(state)]}

    def _board(self, game: Any, marks: dict[str, str]) -> dict[str, Any]:
        """The data that the page draws: the board's size, its squares from the top, and the marks
        on them."""
        return {
            "kind": self.kind,
            "columns": game.columns,
            "squares": drawn_squares(game.rows, game.columns),
            "marks": marks,
            "abrupt": game.abrupt,
            **self.more(game),
        }

    def _known_moves(
        self, tried: list[tuple[str, bool]], seat: int, *, abrupt: bool
    ) -> dict[str, Any]:
        """The log of a seat, ``moves``: its own tries, and between them that the other had its
        turn, which follows from the rules. ``turn_line`` is the line that follows if it is this
        seat's turn again; None if it still is."""
        participle = "tried" if abrupt else self.participle
        unseen = {"seat": 1 - seat, "text": f"has {participle} a square; you cannot see which"}
        moves: list[Line] = []
        before = None if seat == 0 else unseen  # the first seat begins
        for square, refused in tried:
            moves += [] if before is None else [before]
            moves.append(happened(self._own_try(square, refused, abrupt=abrupt)))
            before = unseen if abrupt or not refused else None
        return {"moves": moves, "turn_line": before}

    def _own_try(self, square: str, refused: bool, *, abrupt: bool) -> str:
        """A sentence to a player who tried a square; ``refused`` if the other has it already."""
        if refused:
            then = "Your turn is over." if abrupt else "Try again."
            return f"You try {square}: the other has it already. {then}"
        return f"You {self.verbs[0]} {square}."

    def _line(self, seat: int, square: str, refused: bool) -> Line:
        """A line of the log of a finished game: a player tried a square, which was ``refused`` if
        the other had it."""
        rest = f"{square}, which is taken" if refused else square
        yours, text = ("try", "tries") if refused else self.verbs
        return {"seat": seat, "text": f"{text} {rest}", "yours": f"{yours} {rest}"}


def _tried(state: HiddenBoardState, seat: int) -> list[tuple[str, bool]]:
    """The squares that a seat has tried in order, each with whether the other had it."""
    words = str(state.observation(seat)).split()
    return [(word.rstrip(_REFUSED), word.endswith(_REFUSED)) for word in words]


def _all_tries(state: HiddenBoardState) -> list[tuple[int, str, bool]]:
    """What both players tried in the order of play, as (seat, square, refused). The order follows
    from the rules: a turn ends with a free square, and in the abrupt game with every attempt."""
    left = [_tried(state, seat) for seat in (0, 1)]
    tries: list[tuple[int, str, bool]] = []
    seat = 0
    while left[seat]:
        square, refused = left[seat].pop(0)
        tries.append((seat, square, refused))
        seat = seat if refused and not state.game.abrupt else 1 - seat
    return tries
