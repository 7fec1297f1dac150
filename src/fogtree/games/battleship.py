"""Battleship on a small board: place a fleet unseen, then shoot in turn.

G. Farina, C. K. Ling, F. Fang and T. Sandholm, "Correlation in extensive-form games: saddle-point
formulation and benchmarks", NeurIPS 2019.
*Deviations:* shooting twice at one square is forbidden by default.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from fogtree import _core
from fogtree.errors import OptionError
from fogtree.game import TERMINAL, Action, State
from fogtree.game.parameters import ParameterGame, parameter
from fogtree.games.squares import MOST_NATIVE_SQUARES, replaced, squares
from fogtree.registry import GameEntry
from fogtree.text.counts import counted, figure, listed

Fleet = tuple[int, ...]
"""The squares of each ship, one bit per square."""

_MOST_NATIVE_SHIPS, _MOST_NATIVE = 6, 1_000_000
"""Ships, and values or shots, of the largest game that is walked natively."""


@dataclass(frozen=True)
class Battleship(ParameterGame):
    """Battleship: both place their ships unseen, then take turns to shoot at a square."""

    short_name = "battleship"
    reading = "your ships, then your shots and what they did, and the other's shots (in brackets)"
    players = 2
    height: int = parameter(2, "rows of a board", minimum=1, maximum=10)
    width: int = parameter(3, "columns of a board", minimum=1, maximum=10)
    ships: tuple[int, ...] = parameter((2,), "length of each ship", minimum=1, maximum=10)
    values: tuple[int, ...] = parameter(
        (1,), "what each ship is worth; one number stands for all of them", minimum=0
    )
    shots: int = parameter(2, "shots of each player", minimum=1)
    repeats: bool = parameter(False, "allow shots at a square that was shot at before")
    loss_multiplier: float = parameter(
        1.0, "what an own ship lost counts against one sunk; zero-sum only at 1", minimum=0
    )

    def __post_init__(self) -> None:
        """Refuse fleets that do not fit on the board, and numbers of values or shots that do not
        fit the fleet."""
        super().__post_init__()
        squares = self.height * self.width
        if len(self.values) not in (1, len(self.ships)):
            raise OptionError(f"battleship: {len(self.ships)} ships, but {len(self.values)} values")
        if sum(self.ships) > squares or not self.room(self.ships, 0):
            raise OptionError(f"battleship: ships {self.ships} do not fit on the board")
        if not self.repeats and self.shots > squares:
            raise OptionError(f"battleship: {self.shots} shots, but only {squares} squares")

    @cached_property
    def squares(self) -> dict[str, int]:
        """The bit of each square by its name, row by row from a1."""
        return squares(self.height, self.width)

    @cached_property
    def placements(self) -> dict[int, dict[str, int]]:
        """For each length of a ship every place where it can lie: its name and its squares as bits.
        Places along a row come before those along a column."""
        return {length: dict(self._lines(length)) for length in set(self.ships)}

    def _lines(self, length: int) -> Iterator[tuple[str, int]]:
        """All places of a ship of this length: a name such as ``a1-c1``, and its squares as
        bits."""
        names, width = list(self.squares), self.width
        for step, reach in ((1, length - 1), (width, (length - 1) * width)):
            for start in range(len(names) - reach):
                end = start + reach
                if step == width or start // width == end // width:  # not across two rows
                    label = names[start] if length == 1 else f"{names[start]}-{names[end]}"
                    yield label, sum(1 << square for square in range(start, end + 1, step))

    def room(self, ships: tuple[int, ...], taken: int) -> bool:
        """Whether ships of these lengths can still be placed, given the squares already taken."""
        return not ships or any(
            not mask & taken and self.room(ships[1:], taken | mask)
            for mask in self.placements[ships[0]].values()
        )

    def sunk_value(self, fleet: Fleet, shots: int) -> int:
        """The summed value of the ships of a fleet that are sunk, hit on every square by ``shots``,
        the squares shot at as bits."""
        values = self.values * len(fleet) if len(self.values) == 1 else self.values
        return sum(v for ship, v in zip(fleet, values, strict=True) if not ship & ~shots)

    def all_actions(self) -> Sequence[Action]:
        """The placements of every length of ship, then the squares that can be shot at."""
        placed = [name for length in sorted(set(self.ships)) for name in self.placements[length]]
        return tuple(dict.fromkeys([*placed, *self.squares]))

    def root(self) -> BattleshipState:
        """The state before any ship is placed, with the first player to place one."""
        return BattleshipState(self, ((), ()), (0, 0), ("", ""), 2 * self.shots, 0)

    def tree_source(self) -> _core.NativeWalk | None:
        """The native walk over the game's tree; None for sizes that native rules do not cover."""
        large = len(self.squares) > MOST_NATIVE_SQUARES or len(self.ships) > _MOST_NATIVE_SHIPS
        if type(self) is not Battleship or large or max(*self.values, self.shots) > _MOST_NATIVE:
            return None  # another class may have other rules
        placed = [name for places in self.placements.values() for name in places]
        number = {name: k for k, name in enumerate(dict.fromkeys([*self.squares, *placed]))}
        places = {
            length: [(number[name], ship) for name, ship in found.items()]
            for length, found in self.placements.items()
        }
        values = self.values * len(self.ships) if len(self.values) == 1 else self.values
        return _core.battleship_walk(
            list(number),
            len(self.squares),
            [places[length] for length in self.ships],
            [float(value) for value in values],
            self.shots,
            self.repeats,
            float(self.loss_multiplier),
        )


@dataclass(slots=True, eq=False)
class BattleshipState(State):
    """Fleets, shots and views of both players, the first player's first."""

    game: Battleship
    fleets: tuple[Fleet, Fleet]
    shots: tuple[int, int]  # the squares each player has shot at
    views: tuple[str, str]  # own ships, own shots with results, (the other's shots)
    left: int  # shots still to come, of both players together
    player: int

    def actions(self) -> Sequence[Action]:
        """While placing: the places for the next ship that leave room for the rest. Then: the
        squares to shoot at."""
        game, fleet = self.game, self.fleets[self.player]
        if len(fleet) == len(game.ships):
            done = 0 if game.repeats else self.shots[self.player]
            return [name for name, bit in game.squares.items() if not bit & done]
        taken, length, *rest = sum(fleet), *game.ships[len(fleet) :]
        return [
            name
            for name, ship in game.placements[length].items()
            if not ship & taken and game.room(tuple(rest), taken | ship)
        ]

    def child(self, action: Action) -> BattleshipState:
        """Place the player's next ship, or shoot once all of the player's ships are placed."""
        placing = len(self.fleets[self.player]) < len(self.game.ships)
        return self._place(str(action)) if placing else self._shoot(str(action))

    def _place(self, where: str) -> BattleshipState:
        """The state after the mover's next ship is placed, which only the mover sees."""
        me, fleet = self.player, self.fleets[self.player]
        ship = self.game.placements[self.game.ships[len(fleet)]][where]
        fleets = replaced(self.fleets, me, (*fleet, ship))
        views = replaced(self.views, me, f"{self.views[me]} {where}")
        return BattleshipState(self.game, fleets, self.shots, views, self.left, 1 - me)

    def _shoot(self, where: str) -> BattleshipState:
        """The state after a shot at a square, whose result the shooter is told. The game ends when
        a fleet is sunk or no shots are left."""
        me, target, bit = self.player, self.fleets[1 - self.player], self.game.squares[where]
        shots = replaced(self.shots, me, self.shots[me] | bit)
        afloat = [ship for ship in target if ship & ~shots[me]]
        hit = any(ship & bit for ship in target)
        result = "hit" if any(ship & bit for ship in afloat) else "sunk" if hit else "water"
        views = replaced(self.views, me, f"{self.views[me]} {where}:{result}")
        views = replaced(views, 1 - me, f"{views[1 - me]} ({where})")
        left = self.left - 1
        player = 1 - me if left and afloat else TERMINAL
        return BattleshipState(self.game, self.fleets, shots, views, left, player)

    def returns(self) -> tuple[float, float]:
        """Each player's gain: the value of the opponent's sunk ships, less ``loss_multiplier``
        times the value of the own ones."""
        lost = [self.game.sunk_value(self.fleets[p], self.shots[1 - p]) for p in (0, 1)]
        weight = float(self.game.loss_multiplier)
        return lost[1] - weight * lost[0], lost[0] - weight * lost[1]

    def observation(self, player: int) -> Hashable:
        """The player's view as text; ``Battleship.reading`` says how to read it."""
        return self.views[player]

    def name(self) -> str:
        """The mover's information set: the player and the player's view."""
        return f"P{self.player}{self.views[self.player]}"


def _rules(game: Battleship) -> str:
    """The rules for this board, fleet, number of shots and payoffs, in words."""
    values = game.values * len(game.ships) if len(game.values) == 1 else game.values
    lengths, loss = [str(one) for one in game.ships], game.loss_multiplier
    ships = f"{counted(len(lengths), 'ship')} of lengths {listed(lengths)}"
    worth = f"The ships are worth {listed([str(one) for one in values])}, in this order,"
    it, costs = "them", "cost"
    if len(lengths) == 1:
        ships = f"a ship of length {lengths[0]}"
    if len(set(values)) == 1:
        worth, it, costs = f"A sunk ship is worth {values[0]}", "it", "costs"
    costs += " the other as much" if loss == 1 else f" the other {figure(loss)} times as much"
    again = "may be shot at again" if game.repeats else "cannot be shot at again"
    return (
        f"Both players place {ships} on a board of their own with {game.height} × {game.width} "
        "squares, unseen by the other. Then they take turns to shoot, "
        f"{counted(game.shots, 'shot')} each, at a square of the other's board and are told water, "
        f"hit or sunk; a square that was shot at {again}. The game ends when all ships of a "
        f"player are sunk or no shot is left. {worth} to the player who sinks {it}, and {costs}."
    )


ENTRY = GameEntry(
    name="battleship",
    game=Battleship,
    agents=(),
    rules=_rules,
    sizes={
        "4 × 4, ships of 3 and 2, 10 shots": {
            "height": "4",
            "width": "4",
            "ships": "3, 2",
            "shots": "10",
        },
        "2 × 3, one ship, 2 shots: small enough to be solved": {},
    },
    web="fogtree.games.battleship_web:VIEW",
)
