"""A game as an environment of PettingZoo, in which learners play all seats."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from fogtree.adapters.episode import Episode
from fogtree.adapters.learner_encoding import learner_encoding
from fogtree.adapters.rendering import RENDER_MODES, check_render_mode, rendered, view_text
from fogtree.adapters.spaces import action_space, observation_space
from fogtree.errors import MissingExtraError
from fogtree.game import TERMINAL, Game

try:
    from pettingzoo import AECEnv
    from pettingzoo.utils import OrderEnforcingWrapper
except ImportError as error:
    raise MissingExtraError("pettingzoo", "pettingzoo") from error


class GameEnvironment(AECEnv):  # type: ignore[misc]
    """One game, one decision at a time (PettingZoo's "agent environment cycle").

    Agents are ``player_0``, ``player_1``, and so on. An observation is a dictionary: what the
    player knows as a vector (``observation``) and which actions are legal (``action_mask``, zero
    while another player is to move). Rewards are the payoffs at the end of the game.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "fogtree",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(self, game: Game, render_mode: str | None = None) -> None:
        """Declare agents and spaces as PettingZoo asks for them; :meth:`reset` begins a game."""
        super().__init__()
        check_render_mode(render_mode)
        self.game, self.render_mode = game, render_mode
        self.encoding = learner_encoding(game)
        self.possible_agents = [f"player_{player}" for player in range(game.players)]
        self._seats = {agent: player for player, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {a: observation_space(self.encoding) for a in self._seats}
        self.action_spaces = {a: action_space(self.encoding) for a in self._seats}
        self._random = np.random.default_rng()
        self.agents: list[str] = []

    def __str__(self) -> str:
        return f"fogtree:{self.game}"

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game; the same seed and actions give the same game."""
        del options
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self._episode = Episode(self.encoding, {}, str(self._random.integers(2**63)))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._after_step()

    def observe(self, agent: str) -> dict[str, Any]:
        """The observation of an agent: what it knows, and its legal actions if it is to move."""
        player = self._seats[agent]
        return {
            "observation": self._episode.knowledge(player),
            "action_mask": self.encoding.mask(
                self._legal() if player == self._episode.mover else {}
            ),
        }

    def step(self, action: Any) -> None:
        """Play the action with this number for the agent to move."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        chosen = self.encoding.chosen(self._legal(), action)
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self._episode.play(chosen)
        self._after_step()

    def _legal(self) -> dict[int, Any]:
        """The legal actions now, by their numbers."""
        return self.encoding.legal(self._episode.state)

    def _after_step(self) -> None:
        """Select the next agent; at the end, hand out the rewards."""
        if self._episode.returns is not None:
            self.rewards = dict(zip(self.agents, self._episode.returns, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[self._episode.mover]
        self._accumulate_rewards()
        self._deads_step_first()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The view of the agent to move; after the end, the views of all agents."""
        mover = self._episode.mover
        seen_by = range(self.game.players) if mover == TERMINAL else (mover,)
        return rendered(self.render_mode, view_text(self._episode, seen_by))

    def close(self) -> None:
        """Does nothing: the environment holds no resources."""


def ordered(environment: GameEnvironment) -> Any:
    """The environment in PettingZoo's wrapper that says clearly if it is used before ``reset``."""
    return OrderEnforcingWrapper(environment)
