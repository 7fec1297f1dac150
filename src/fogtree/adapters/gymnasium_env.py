"""A game as an environment of Gymnasium, in which one learner plays against agents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fogtree.adapters.episode import Episode
from fogtree.adapters.learner_encoding import learner_encoding
from fogtree.adapters.rendering import RENDER_MODES, check_render_mode, rendered, view_text
from fogtree.adapters.spaces import action_space, observation_space
from fogtree.agents import Agent, AnyAgent, agent
from fogtree.errors import GameError, IllegalActionError, MissingExtraError, OptionError
from fogtree.game import Game
from fogtree.tree import AnyGame, game_of

try:
    import gymnasium
except ImportError as error:
    raise MissingExtraError("gymnasium", "gymnasium") from error

_MOST_DEALS = 1000
"""Games without a decision of the learner after which no more are dealt."""

ENVIRONMENT = "fogtree/Game-v0"
"""The name under which Gymnasium makes this environment."""


class SeatEnvironment(gymnasium.Env):  # type: ignore[misc]
    """One seat of a game; agents of fogtree play the others.

    An observation is a dictionary: what the learner knows as a vector (``observation``) and which
    actions are legal (``action_mask``). The reward is the payoff at the end of the game. An illegal
    action ends the game with ``illegal_reward``.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 1}

    def __init__(
        self,
        game: AnyGame,
        opponents: AnyAgent | Sequence[AnyAgent] = "random",
        seat: int = 0,
        illegal_reward: float | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Declare the spaces of a seat; for the parameters see :func:`fogtree.to_gymnasium`."""
        check_render_mode(render_mode)
        self.game, self.seat, self.render_mode = game_of(game), seat, render_mode
        self._agents = _seated(self.game, opponents, seat)
        self.encoding = learner_encoding(self.game)
        self.observation_space = observation_space(self.encoding)
        self.action_space = action_space(self.encoding)
        if illegal_reward is None:
            illegal_reward = min(self.encoding.lowest, 0.0) - 1.0
        self.illegal_reward = illegal_reward
        self._episode: Episode | None = None
        self._legal: dict[int, Any] = {}

    def __str__(self) -> str:
        return f"fogtree:{self.game}"

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a new game. One that is over before the learner can decide is dealt again."""
        super().reset(seed=seed)
        del options
        for _ in range(_MOST_DEALS):
            deal = str(self.np_random.integers(2**63))
            self._episode = Episode(self.encoding, self._agents, deal)
            if self._episode.returns is None:
                return self._observe(self._episode), {}
        raise GameError(f"{self.game}: seat {self.seat} never comes to a decision")

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Play the action with this number, and let the others play until the next decision."""
        episode = self._episode
        if episode is None or not self._legal:
            raise gymnasium.error.ResetNeeded("the game is over: call reset() first")
        try:
            chosen = self.encoding.chosen(self._legal, action)
        except IllegalActionError as error:
            seen, self._legal = self._observe(episode), {}
            return seen, self.illegal_reward, True, False, {"illegal": str(error)}
        episode.play(chosen)
        seen = self._observe(episode)
        if episode.returns is None:
            return seen, 0.0, False, False, {}
        return seen, episode.returns[self.seat], True, False, {}

    def _observe(self, episode: Episode) -> dict[str, Any]:
        """The learner's observation; in human mode the view is printed as well."""
        self._legal = {} if episode.returns is not None else self.encoding.legal(episode.state)
        if self.render_mode == "human":
            self.render()
        return {
            "observation": episode.knowledge(self.seat),
            "action_mask": self.encoding.mask(self._legal),
        }

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions as MaskablePPO of sb3-contrib asks for them."""
        return self.encoding.mask(self._legal).astype(bool)

    def render(self) -> str | None:
        """The view of the learner's seat."""
        if self._episode is None:
            raise gymnasium.error.ResetNeeded("there is no game yet: call reset() first")
        return rendered(self.render_mode, view_text(self._episode, (self.seat,)))

    def close(self) -> None:
        """Release processes and memory of the opponents."""
        for one in self._agents.values():
            one.close()


def _seated(game: Game, opponents: AnyAgent | Sequence[AnyAgent], seat: int) -> dict[int, Agent]:
    """The agents of all seats but the learner's; one that is given alone takes all of them."""
    if not isinstance(seat, int) or not 0 <= seat < game.players:
        raise OptionError(f"{game} has no seat {seat!r:.40}; seats are 0 to {game.players - 1}")
    others = [player for player in range(game.players) if player != seat]
    given: list[Any] = [opponents] * len(others)
    if isinstance(opponents, list | tuple):
        given = list(opponents)
    if len(given) != len(others):
        raise OptionError(f"{game} has {len(others)} other seats, not {len(given)}")
    agents = [agent(one, game) for one in given]
    if len({id(one) for one in agents}) != len(agents):
        raise OptionError("an agent object takes one seat; make one for each")
    return dict(zip(others, agents, strict=True))


if ENVIRONMENT not in gymnasium.registry:
    gymnasium.register(id=ENVIRONMENT, entry_point=SeatEnvironment)
