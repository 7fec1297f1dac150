"""Games as environments of reinforcement learning; each needs the extra of its library."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from fogtree.agents import AnyAgent
from fogtree.tree import AnyGame, game_of


def to_pettingzoo(game: AnyGame, *, render_mode: str | None = None) -> Any:
    """A game as an AEC environment of PettingZoo, in which learners play all seats.

    Needs the extra ``fogtree[pettingzoo]``.

    >>> import fogtree
    >>> env = fogtree.to_pettingzoo("kuhn_poker")                        # doctest: +SKIP
    >>> env.reset(seed=1)                                                # doctest: +SKIP
    >>> env.last()[0]["action_mask"]                                     # doctest: +SKIP
    array([1, 1, 0, 0], dtype=int8)
    """
    module = import_module("fogtree.adapters.pettingzoo_env")
    return module.ordered(module.GameEnvironment(game_of(game), render_mode))


def to_gymnasium(
    game: AnyGame,
    opponents: AnyAgent | Sequence[AnyAgent] = "random",
    *,
    seat: int = 0,
    illegal_reward: float | None = None,
    render_mode: str | None = None,
) -> Any:
    """One seat of a game as an environment of Gymnasium; ``opponents`` play the other seats: one
    agent for all of them, or a list with one for each.

    An illegal action ends the game with ``illegal_reward`` (default: less than any payoff that is
    known of the game). Needs the extra ``fogtree[gymnasium]``.

    >>> import fogtree
    >>> env = fogtree.to_gymnasium("kuhn_poker", "equilibrium")          # doctest: +SKIP
    >>> observation, info = env.reset(seed=1)                            # doctest: +SKIP
    """
    module = import_module("fogtree.adapters.gymnasium_env")
    return module.SeatEnvironment(game, opponents, seat, illegal_reward, render_mode)
