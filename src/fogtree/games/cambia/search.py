"""The search agent for Cambia: possible tables, tree and clock behind the agents' protocol.

Zhang & Sandholm (2025), as for chess. *Deviations:* far too many tables are possible to list them,
so those that the tree lacks are sampled, in groups that the opponent cannot tell apart; and the
first search of a game, before which nothing was promised to anybody, lets chance pick the group.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from fogtree import _core
from fogtree.agents.budget import Budget
from fogtree.agents.clock import Clock, RunningClock
from fogtree.agents.protocol import Agent, Decision, Observation
from fogtree.errors import GameError, OptionError
from fogtree.game import Action, Game
from fogtree.games.cambia.game import Cambia
from fogtree.games.cambia.value_network import Values
from fogtree.games.cambia.view import CambiaView
from fogtree.search.agent import Watcher, seed_number, usual_threads
from fogtree.search.decision import search_decision
from fogtree.search.options import SearchOptions
from fogtree.search.pondering import Pondering
from fogtree.search.spec import shared_settings

GROUPS, GROUP = 32, 8
"""Sampled tables: so many that the opponent can tell apart, so many of each that it cannot."""


@dataclass(frozen=True, slots=True)
class CambiaSearchSettings:
    """What a Cambia search agent is made of."""

    evaluator: str = "auto"
    """Leaf values: ``cards``, an estimate; ``net``, the network in the package; ``net:FILE``.
    ``auto`` is the network at a table like the one it was trained at, and the cards elsewhere."""
    options: SearchOptions = field(default_factory=SearchOptions)
    budget: Budget = field(default_factory=lambda: Budget(seconds=0.25))
    """Used when nobody says how long a decision may take."""
    own_budget: bool = False
    """Keep to ``budget`` whatever is said at the table."""
    clock: Clock | None = None
    """For the whole game; every decision then takes its share of what is left."""
    threads: int = field(default_factory=usual_threads)
    """One solves; the others grow the tree. With 1, one thread does both in turn."""
    ponder: bool = False
    """Go on searching while the other side thinks."""


def leaf_values(evaluator: str) -> Values | None:
    """What a name stands for; None: the cards are enough."""
    if evaluator == "cards":
        return None
    kind, colon, file = evaluator.partition(":")
    if evaluator in ("auto", "net"):
        return Values.shipped()
    if kind != "net" or not (colon and file):
        raise OptionError(
            f"leaf values of cambia are auto, cards, net or net:FILE, not '{evaluator[:40]}'"
        )
    return Values.read(file)


def leaf_network(evaluator: str, game: Cambia) -> _core.DeepNetwork | None:
    """The network that judges leaves at this table, if one does."""
    found = leaf_values(evaluator)
    if found is None or (evaluator == "auto" and not found.fits(game)):
        return None
    found.check(game)
    return found.network.native()


class CambiaSearchAgent(Agent):
    """Plays two-player Cambia by knowledge-limited subgame solving. It is told views, no more."""

    name = "search"

    def __init__(self, settings: CambiaSearchSettings | None = None) -> None:
        self._pondering: Pondering | None = None
        self.settings = settings or CambiaSearchSettings()
        self._search: _core.CambiaSearch | None = None

    def start(self, game: Game, player: int, seed: str) -> None:
        if not isinstance(game, Cambia):
            raise GameError(f"this agent plays cambia, not {game}")
        if game.players != 2:
            raise OptionError(f"the search is for two players, not {game.players}")
        self._rest()
        number = seed_number(seed)
        options = replace(self.settings.options, seed=number)
        self._layout = game.layout
        self._belief = _core.CambiaBelief(game.native_rules, player)
        network = leaf_network(self.settings.evaluator, game)
        self._search = _core.CambiaSearch(game.native_rules, options.native(), player, network)
        self._clock = RunningClock(self.settings.clock)
        self._seed = number
        self._step = 0
        self._actions: tuple[Action, ...] = ()

    @property
    def belief(self) -> _core.CambiaBelief:
        """What we cannot rule out."""
        return self._belief

    def observe(self, observation: Observation) -> None:
        view = observation.view
        if not isinstance(view, CambiaView) or self._search is None:
            raise GameError("this agent observes views of a game of cambia that has started")
        self._rest()
        self._actions = observation.actions
        if view.step != self._step:
            self._follow(view)
        if self.settings.ponder:
            self.ponder()

    def _follow(self, view: CambiaView) -> None:
        assert self._search is not None
        if view.step != self._step + 1:
            raise GameError(f"view {view.step} of the game came after view {self._step}")
        try:
            self._belief.observe(view.event)
        except ValueError as error:
            raise GameError(
                f"view {view.step} does not follow from the one before: {error}"
            ) from None
        self._search.saw(view.event)
        self._step = view.step

    def ponder(self) -> None:
        """Search from where the other side is to act, until something is observed."""
        if self._search is None or self._actions or not self._step or self._pondering is not None:
            return
        possible = self._search, self._belief, self._seed + self._step
        self._pondering = Pondering(self._search, partial(_know, *possible), self.settings.threads)

    def _rest(self) -> None:
        """End pondering, if there is any."""
        pondering, self._pondering = self._pondering, None
        if pondering is not None:
            pondering.end()

    def close(self) -> None:
        self._rest()

    def __del__(self) -> None:
        if self._pondering is not None:  # whose thread may be the one that we are called in
            self._pondering.leave()

    def interrupt(self) -> None:
        if self._search is not None:
            self._search.stop()

    def act(self, budget: Budget | None = None) -> Decision:
        if self._search is None or not self._actions:
            raise GameError("it is not this agent's turn")
        if len(self._actions) == 1:
            return Decision(self._actions[0], {self._actions[0]: 1.0})
        self._rest()
        spend = self._budget(budget)
        with self._clock.running():
            _know(self._search, self._belief, self._seed + self._step)
            return self._decision(self._search.decide(spend.native()))

    def watch(self, watcher: Watcher, budget: Budget | None = None, *, looks: int = 0) -> Decision:
        """``act`` while somebody looks on, ``looks`` times during the search; where there is but
        one action too."""
        if self._search is None or not self._actions:
            raise GameError("it is not this agent's turn")
        self._rest()
        spend = self._budget(budget)
        with self._clock.running():
            _know(self._search, self._belief, self._seed + self._step)
            return self._decision(self._search.watch(spend.native(), watcher, looks=looks))

    @property
    def inside(self) -> _core.CambiaSearch:
        """The native search, to look at its tree."""
        if self._search is None:
            raise GameError("no game has started")
        return self._search

    def _budget(self, budget: Budget | None) -> Budget:
        told = None if self.settings.own_budget else budget
        share = self._clock.time_for_move()
        spend = told or self.settings.budget if share is None else Budget(seconds=share)
        if spend.expanders == 0 and spend.seconds > 0:
            spend = replace(spend, expanders=self.settings.threads - 1)
        return spend

    def _decision(self, raw: _core.SearchResult) -> Decision:
        names = [self._layout.texts[c.action] for c in raw.candidates]
        if not names:  # too little time even for one look
            return Decision(self._actions[0])
        chosen = self._layout.texts[raw.action]
        return search_decision(raw, names, chosen, belief=self._belief, belief_size=None)


def _know(search: _core.CambiaSearch, belief: _core.CambiaBelief, seed: int) -> None:
    """Turn the search to what is known now."""
    search.know(belief, GROUPS, GROUP, seed)


def cambia_settings(values: Mapping[str, object]) -> CambiaSearchSettings:
    """All settings of the search on Cambia."""
    shared = shared_settings(values, ("evaluator", "clock", "ponder"))
    return CambiaSearchSettings(
        evaluator=shared.named.evaluator or CambiaSearchSettings().evaluator,
        options=shared.options,
        budget=shared.budget or CambiaSearchSettings().budget,
        own_budget=shared.budget is not None,
        clock=shared.named.clock,
        threads=shared.threads,
        ponder=shared.named.ponder,
    )


def search_agent(**settings: object) -> CambiaSearchAgent:
    """A search agent with settings by name; leaf values that cannot be loaded are an error now."""
    chosen = cambia_settings(settings)
    leaf_values(chosen.evaluator)
    return CambiaSearchAgent(chosen)
