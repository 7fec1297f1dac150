"""Exact best responses, and what a strategy loses to them.

*NashConv* is the sum over players of what a best response to the others would gain.
*Exploitability* is NashConv divided by the number of players: for two players, NashConv / 2.
"""

from __future__ import annotations

from dataclasses import dataclass

from fogtree import _core
from fogtree.errors import OptionError, require
from fogtree.strategy import Strategy
from fogtree.text.amounts import short_number
from fogtree.tree import AnyGame, GameTree, compile
from fogtree.tree.game_tree import regret_matching_engine


@dataclass(frozen=True, slots=True)
class Exploitability:
    """The exploitability of a strategy. ``value`` is player 0's expected payoff under it; lists are
    per player."""

    exploitability: float
    nash_conv: float
    values: tuple[float, ...]
    best_response_values: tuple[float, ...]

    def __repr__(self) -> str:
        measured = f"{short_number(self.exploitability)} (NashConv {short_number(self.nash_conv)})"
        return f"<Exploitability {measured}, value {short_number(self.value)}>"

    @property
    def value(self) -> float:
        """Player 0's expected payoff if all players follow the strategy."""
        return self.values[0]


@dataclass(frozen=True, slots=True)
class BestResponse:
    """One player's best response: its value, and the strategy with that player's part replaced."""

    player: int
    value: float
    strategy: Strategy

    def __repr__(self) -> str:
        return f"<BestResponse of player {self.player}: value {short_number(self.value)}>"


def measuring_engine(tree: GameTree, *, merge: bool = False) -> _core.Engine64:
    """A native engine that evaluates given strategies instead of solving. With ``merge`` it works
    on the merged sequence form, for strategies that play alike in merged information sets."""
    return regret_matching_engine(tree.form if merge else tree.full_form, last=True)


def summarise(values: list[float], best: list[float]) -> Exploitability:
    """The exploitability from every player's value and best-response value."""
    nash_conv = sum(best) - sum(values)
    return Exploitability(nash_conv / len(values), nash_conv, tuple(values), tuple(best))


def exploitability(game: AnyGame, strategy: Strategy) -> Exploitability:
    """The exact exploitability of a strategy, computed on the whole game in double precision.

    >>> import fogtree
    >>> tree = fogtree.compile("rock_paper_scissors")
    >>> fogtree.exploitability(tree, fogtree.Strategy.uniform(tree)).exploitability
    0.0
    """
    require(strategy, Strategy, "a strategy")
    tree = compile(game)
    engine = measuring_engine(tree)
    engine.set_strategy(strategy.for_tree(tree))
    return summarise(*engine.evaluate())


def best_response(game: AnyGame, strategy: Strategy, player: int) -> BestResponse:
    """A best response of ``player`` to ``strategy``; ties go to the first action.

    >>> import fogtree
    >>> tree = fogtree.compile("kuhn_poker")
    >>> fogtree.best_response(tree, fogtree.Strategy.uniform(tree), 0).value
    0.5
    """
    require(strategy, Strategy, "a strategy")
    tree = compile(game)
    if not 0 <= player < tree.players:
        raise OptionError(f"{tree.game} has players 0 to {tree.players - 1}, not {player}")
    engine = measuring_engine(tree)
    engine.set_strategy(strategy.for_tree(tree))
    value, slots = engine.best_response(player)
    return BestResponse(player, value, Strategy.of(tree, slots))
