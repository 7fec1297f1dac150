"""Games and strategies for OpenSpiel's algorithms. Needs the extra ``fogtree[openspiel]``."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from fogtree.errors import require
from fogtree.strategy import Strategy
from fogtree.tree import AnyGame, game_of


def to_openspiel(game: AnyGame) -> Any:
    """A game as a ``pyspiel.Game``.

    From then on ``pyspiel.load_game`` knows it, as ``fogtree_`` and its spec with underscores. Its
    information states are what the players remember, its actions those of the game in a fixed
    order.

    >>> import fogtree
    >>> game = fogtree.to_openspiel("kuhn_poker")                        # doctest: +SKIP
    >>> game.get_type().short_name                                       # doctest: +SKIP
    'fogtree_kuhn_poker'
    """
    return import_module("fogtree.adapters.openspiel_game").registered(game_of(game))


def to_openspiel_policy(strategy: Strategy, game: Any = None) -> Any:
    """A strategy as a policy of OpenSpiel, for ``game`` (default: the game that the strategy
    names), which may also be a game that :func:`to_openspiel` has made.

    >>> import fogtree
    >>> run = fogtree.solve("kuhn_poker", iterations=1000)
    >>> policy = fogtree.to_openspiel_policy(run.strategy)               # doctest: +SKIP
    >>> from open_spiel.python.algorithms import exploitability          # doctest: +SKIP
    >>> exploitability.nash_conv(policy.game, policy) < 0.01             # doctest: +SKIP
    True
    """
    require(strategy, Strategy, "a strategy")
    module = import_module("fogtree.adapters.openspiel_game")
    if not isinstance(game, module.ExportedGame):
        game = to_openspiel(strategy.game if game is None else game)
    return import_module("fogtree.adapters.openspiel_policy").StrategyPolicy(game, strategy)
