"""What a game is: states, actions, what each player sees, and a game's parameters."""

from fogtree.game.parameters import Parameter, ParameterGame, literal, parameter
from fogtree.game.protocol import CHANCE, TERMINAL, Action, Game, State, TableKeys

__all__ = [
    "CHANCE",
    "TERMINAL",
    "Action",
    "Game",
    "Parameter",
    "ParameterGame",
    "State",
    "TableKeys",
    "literal",
    "parameter",
]
