"""The protocol of games: states, actions, observations, and a game's parameters."""

from fogtree.game.history import History
from fogtree.game.parameters import Parameter, ParameterGame, parameter
from fogtree.game.protocol import CHANCE, TERMINAL, Action, Game, InfosetKeys, State

__all__ = [
    "CHANCE",
    "TERMINAL",
    "Action",
    "Game",
    "History",
    "InfosetKeys",
    "Parameter",
    "ParameterGame",
    "State",
    "parameter",
]
