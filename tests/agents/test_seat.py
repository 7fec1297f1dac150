"""Every agent of every game refuses observations that cannot be its next one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

import fogtree
from fogtree.agents import Agent
from fogtree.agents.lookup import agent_names
from fogtree.agents.protocol import Clairvoyant, Observation
from fogtree.arena import play_game
from fogtree.errors import FogtreeError, GameError, UnknownNameError
from fogtree.game import TERMINAL, Game, State
from fogtree.games.kuhn_poker import KuhnPoker

SETTINGS = {"search": "search(steps=20)"}
OWN_VIEWS = ("cambia", "fog_chess")
"""Games whose views say whose they are."""
CASES = [(game, name) for game in ("kuhn_poker", *OWN_VIEWS) for name in agent_names(game)]


def observations(game: Game, player: int, seed: str, agent: Agent) -> Iterator[Observation]:
    """What one seat is shown in a game between random agents, up to its last decision."""
    states: list[State] = []
    who = "random_no_cambia" if game.short_name == "cambia" else "random"
    seats = [fogtree.agent(who, game) for _ in range(game.players)]
    play_game(game, seats, seed=seed, watch=states.append)
    before: Any = None
    for state in states:
        if state.player == TERMINAL:
            return
        view, moves = state.observation(player), state.player == player
        name = state.name() if moves else None
        if moves or (agent.every_view and view != before):
            yield Observation(player, view, tuple(state.actions()) if moves else (), name)
        before = view


def started(game: Game, name: str, player: int = 0) -> Agent:
    agent = fogtree.agent(SETTINGS.get(name, name), game)
    agent.start(game, player, "seed")
    return agent


def first_decision(game: Game, agent: Agent, player: int = 0) -> list[Observation]:
    """Observations up to the player's first decision with a choice."""
    for seed in range(50):
        shown = []
        for one in observations(game, player, str(seed), agent):
            shown.append(one)
            if len(one.actions) > 1:
                return shown
    raise AssertionError("no decision")


@contextmanager
def before_first_decision(spec: str, name: str) -> Iterator[tuple[Game, Agent, Observation]]:
    """A game, an agent that has seen everything before its first decision, and that decision."""
    game = fogtree.load_game(spec)
    agent = started(game, name)
    try:
        *before, here = first_decision(game, agent)
        for one in before:
            agent.observe(one)
        yield game, agent, here
    finally:
        agent.close()


@pytest.mark.parametrize(("spec", "name"), CASES)
def test_another_seat_is_refused(spec: str, name: str) -> None:
    with before_first_decision(spec, name) as (_, agent, here):
        with pytest.raises(GameError):
            agent.observe(replace(here, player=1))
        agent.observe(here)  # nothing has changed: the right one is taken
        assert isinstance(agent, Clairvoyant) or agent.act().action in here.actions


@pytest.mark.parametrize(("spec", "name"), [case for case in CASES if case[0] in OWN_VIEWS])
def test_views_of_others_and_of_other_games_are_refused(spec: str, name: str) -> None:
    with before_first_decision(spec, name) as (game, agent, here):
        theirs = first_decision(game, agent, 1)[-1]
        foreign = [("a view", here.actions), (None, here.actions), (theirs.view, theirs.actions)]
        foreign.append((here.view, ("fly",)))
        for view, actions in foreign:
            with pytest.raises(GameError):
                agent.observe(Observation(0, view, tuple(actions)))
        agent.observe(here)
        assert isinstance(agent, Clairvoyant) or agent.act().action in here.actions


@pytest.mark.parametrize("name", [name for name in agent_names("cambia") if name != "random"])
def test_cambia_refuses_views_out_of_order(name: str) -> None:
    game = fogtree.load_game("cambia")
    agent = started(game, name)
    try:
        shown = list(observations(game, 0, "3", agent))
        late = next(number for number, one in enumerate(shown) if one.view.step > 20)  # type: ignore[attr-defined]
        for one in shown[:late]:
            agent.observe(one)
            if len(one.actions) > 1:
                agent.follow(one.actions[0])
        with pytest.raises(GameError):
            agent.observe(shown[0])
        if agent.every_view:
            with pytest.raises(GameError):
                agent.observe(shown[late + 1])
        agent.observe(shown[late])
    finally:
        agent.close()


def test_belief_vote_refuses_a_view_that_cannot_follow() -> None:
    game = fogtree.load_game("fog_chess")
    agent = started(game, "belief-vote")
    try:
        first, second, *_ = observations(game, 0, "1", agent)
        agent.observe(first)
        agent.follow("e2e4" if second.view != first.view else "d2d4")
        later = list(observations(game, 0, "2", agent))[9]
        for wrong in (later, first if later.view == first.view else later):
            with pytest.raises(GameError, match="does not follow"):
                agent.observe(wrong)
        state = game.root().child("e2e4")
        agent.observe(Observation(0, state.observation(0)))
        assert getattr(agent, "restarts") == 0  # noqa: B009
    finally:
        agent.close()


@pytest.mark.parametrize(
    ("spec", "name"),
    [case for case in CASES if case != ("fog_chess", "search")],  # which knows the start
)
def test_acting_out_of_turn_is_refused(spec: str, name: str) -> None:
    game = fogtree.load_game(spec)
    made = fogtree.agent(SETTINGS.get(name, name), game)
    with pytest.raises(FogtreeError):
        made.observe(Observation(0, None))
    agent = started(game, name)
    with pytest.raises(FogtreeError):
        agent.act()
    agent.close()
    made.close()


def test_a_strategy_is_not_played_at_another_players_information_set() -> None:
    game = fogtree.load_game("kuhn_poker")
    run = fogtree.solve(game, iterations=10)
    agent = fogtree.agent(run.strategy, game)
    agent.start(game, 0, "seed")
    agent.observe(Observation(0, "x", ("fold", "call"), "Jb"))
    with pytest.raises(GameError, match="another player decides at information set 'Jb'"):
        agent.act()


def test_who_decides_at_an_information_set_that_there_is_not() -> None:
    strategy = fogtree.solve("kuhn_poker", iterations=1).strategy
    assert [strategy.player_at(name) for name in ("J", "Jb")] == [0, 1]
    with pytest.raises(UnknownNameError, match="unknown information set 'Jbb'"):
        strategy.player_at("Jbb")


@pytest.mark.parametrize(("spec", "name"), [("cambia", "greedy"), ("fog_chess", "all-seeing")])
def test_an_agent_that_sees_all_is_shown_the_state_of_every_decision(spec: str, name: str) -> None:
    game = fogtree.load_game(spec)
    agent = started(game, name)
    assert isinstance(agent, Clairvoyant)
    state = other = game.root()
    while state.player != 0 or len(state.actions()) < 2:
        steps = [outcome for outcome, _ in state.chance()] if state.player < 0 else state.actions()
        other, state = state, state.child(steps[0])
    agent.observe(Observation(0, state.observation(0), tuple(state.actions()), state.name()))
    with pytest.raises(GameError, match="reveal it before every decision"):
        agent.act()
    foreign = [fogtree.load_game("kuhn_poker").root(), None, "a state"]
    for wrong in [*foreign, other] if other is not state else foreign:
        agent.reveal(wrong)  # type: ignore[arg-type]
        with pytest.raises(GameError):
            agent.act()
    agent.reveal(state)
    assert agent.act().action in state.actions()
    with pytest.raises(GameError, match="reveal it before every decision"):
        agent.act()
    agent.close()


def test_a_number_of_players_that_is_none_is_refused() -> None:
    game = KuhnPoker()
    object.__setattr__(game, "players", b"2")
    with pytest.raises(GameError, match="players"):
        fogtree.agent("random", "kuhn_poker").start(game, 0, "seed")
