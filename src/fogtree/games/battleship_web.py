"""Battleship in the browser: both seas as one player knows them, made from the seat's observation
alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fogtree.game import Action, State
from fogtree.games.battleship import Battleship, BattleshipState
from fogtree.games.squares import drawn_squares
from fogtree.games.table_log import Line, did

_OWN = {"water": "and hit water", "hit": "and hit a ship", "sunk": "and sink a ship"}
_THEIRS = {"water": "and hits water", "hit": "and hits your ship", "sunk": "and sinks your ship"}

Shot = tuple[str, str]
"""A square that was shot at, and the result: water, hit or sunk."""


class BattleshipView:
    """The browser's view of battleship."""

    def seat_view(self, state: State, seat: int) -> dict[str, Any]:
        """The data that the page draws for one seat: the own fleet with the other's shots at it,
        and the own shots with their results."""
        assert isinstance(state, BattleshipState)
        game, told = state.game, str(state.observation(seat)).split()
        placed = [one for one in told if ":" not in one and not one.startswith("(")]
        fleet = [game.placements[n][one] for n, one in zip(game.ships, placed, strict=False)]
        shots: list[Shot] = []
        received: list[Shot] = []
        moves: list[Line] = []
        for one in told[len(placed) :]:
            if one.startswith("("):
                received.append(_result(game, fleet, [square for square, _ in received], one[1:-1]))
                moves.append(did(1 - seat, "shoot", f"at {one[1:-1]} {_THEIRS[received[-1][1]]}"))
            else:
                square, _, result = one.partition(":")
                shots.append((square, result))
                moves.append(did(seat, "shoot", f"at {square} {_OWN[result]}"))
        # With a single ship, every hit is known to belong to the ship that was sunk.
        if len(game.ships) == 1 and any(result == "sunk" for _, result in shots):
            shots = [(one, "sunk" if result == "hit" else result) for one, result in shots]
        seas = [_sea(game, fleet, received), _sea(game, None, shots)]
        return _view(game, seas if seat == 0 else seas[::-1]) | {
            "player": seat,
            "to_place": list(game.ships[len(fleet) :]),
            "left": game.shots - len(shots),
            "moves": moves,
        }

    def action_label(self, state: State, action: Action, seat: int) -> str:
        """The text of an action: the place of a ship, or the square to shoot at."""
        assert isinstance(state, BattleshipState)
        placing = len(state.fleets[seat]) < len(state.game.ships)
        return f"Place a ship on {action}" if placing else f"Shoot at {action}"

    def full_view(self, state: State) -> dict[str, Any]:
        """The data that the page draws with nothing hidden: both fleets and all shots."""
        assert isinstance(state, BattleshipState)
        game, seas = state.game, []
        for owner in (0, 1):
            fleet, shot = state.fleets[owner], state.shots[1 - owner]
            squares = [name for name, bit in game.squares.items() if bit & shot]
            sunk = sum(ship for ship in fleet if not ship & ~shot)
            hit = sum(fleet)
            results = [
                "sunk" if game.squares[name] & sunk else "hit" if game.squares[name] & hit else ""
                for name in squares
            ]
            shots = [(s, r or "water") for s, r in zip(squares, results, strict=True)]
            seas.append(_sea(game, fleet, shots))
        return _view(game, seas) | {"player": None, "to_place": [], "left": 0}


def _result(game: Battleship, fleet: Sequence[int], before: list[str], square: str) -> Shot:
    """A shot at a square with its result for a fleet; ``before`` are the squares shot at
    earlier."""
    bit = game.squares[square]
    shot = bit | sum({game.squares[one] for one in before} - {bit})
    ship = next((one for one in fleet if one & bit), 0)
    return square, "water" if not ship else "hit" if ship & ~shot else "sunk"


def _sea(game: Battleship, fleet: Sequence[int] | None, shots: list[Shot]) -> dict[str, Any]:
    """The data of one player's board: its ships as lists of squares (None: hidden), and the shots
    at it."""
    ships = None
    if fleet is not None:
        ships = [[name for name, bit in game.squares.items() if bit & ship] for ship in fleet]
    return {"ships": ships, "shots": [{"square": s, "result": r} for s, r in shots]}


def _view(game: Battleship, seas: list[dict[str, Any]]) -> dict[str, Any]:
    """The data that the page draws: the board's size, the lengths of the ships, and both players'
    boards, the first player's first."""
    return {
        "kind": "battleship",
        "columns": game.width,
        "squares": drawn_squares(game.height, game.width),
        "fleet": list(game.ships),
        "seas": seas,
    }


VIEW = BattleshipView()
