"""The search on Fog-of-War chess."""

from __future__ import annotations

import pytest

from fogtree import load_game
from fogtree.agents import Budget, Observation, RandomAgent
from fogtree.arena import play_game
from fogtree.errors import FogtreeError, GameError
from fogtree.search import SearchAgent, SearchOptions, search_settings


def agent(steps=150, **options):
    settings = search_settings(
        "fog_chess",
        evaluator="simple",
        options=SearchOptions(**options),
        budget=Budget(steps=steps),
    )
    return SearchAgent("fog_chess", settings)


def told(agent, state, player):
    actions = tuple(state.actions()) if state.player == player else ()
    agent.observe(Observation(player, state.observation(player), actions))


class Checked(SearchAgent):
    """Makes sure at every decision that the truth is possible; the test tells the truth."""

    truth = None

    def act(self, budget=None):
        assert self.truth.position in self.belief
        decision = super().act(budget)
        assert decision.action in self.truth.actions()
        assert abs(sum(decision.mix.values()) - 1) < 1e-5
        return decision


@pytest.mark.parametrize("seat", [0, 1])
def test_beats_random_and_never_loses_the_truth(seat):
    player = Checked("fog_chess", evaluator="simple", budget=Budget(steps=60))
    game = load_game("fog_chess")
    state = game.root()
    other = RandomAgent()
    agents = [player, other] if seat == 0 else [other, player]
    for p, one in enumerate(agents):
        one.start(game, p, f"{seat}")
    for _ in range(300):
        for p, one in enumerate(agents):
            told(one, state, p)
        if state.player < 0:
            break
        player.truth = state
        state = state.child(agents[state.player].act(None).action)
    assert state.outcome is not None
    assert state.outcome.winner == seat


def test_takes_a_king_that_it_sees():
    game = load_game('fog_chess(fen="4k3/8/8/8/8/8/8/4R1K1 w - - 0 1")')
    one = agent()
    one.start(game, 0, "s")
    told(one, game.root(), 0)
    assert one.act().action == "e1e8"


@pytest.mark.parametrize("steps", [1, 200])
def test_takes_a_king_at_once_where_other_moves_win_too(steps):
    game = load_game('fog_chess(fen="3k4/pp5p/4Q3/1bp5/7B/5P2/P5PP/6K1 w - - 0 33")')
    for seed in "abcdef":
        one = agent(steps=steps)
        one.start(game, 0, seed)
        told(one, game.root(), 0)
        assert one.act().mix == {"h4d8": 1.0}


@pytest.mark.parametrize("moves", [["a7a5"], ["a7a5", "g1h1", "h7h5"]])
def test_takes_a_king_after_moves_in_the_fog(moves):
    """The search begins one step below the start, or at positions of the belief; it knows several
    possible ones, and other moves win too."""
    game = load_game('fog_chess(fen="3k4/pp5p/4Q3/1bp5/7B/5P2/P5PP/6K1 b - - 0 32")')
    for seed in "abcdef":
        one, state = agent(steps=100), game.root()
        one.start(game, 0, seed)
        told(one, state, 0)
        for move in moves:
            if state.player == 0:
                one.follow(move)
            state = state.child(move)
            told(one, state, 0)
        decision = one.act()
        assert decision.belief_size > 1
        assert decision.mix == {"h4d8": 1.0}


def test_a_game_is_reproducible():
    game = load_game("fog_chess")
    records = []
    for _ in range(2):
        one, two = agent(steps=20), agent(steps=20)
        played = play_game(game, [one, two], seed="same")
        records.append((played.end.position.fen, played.end.outcome))
    assert records[0] == records[1]


def test_a_wrong_view_is_refused_and_the_agent_stays_usable():
    game = load_game("fog_chess")
    one = agent()
    one.start(game, 1, "s")
    start = game.root()
    told(one, start, 1)
    impossible = load_game('fog_chess(fen="4k3/8/8/8/8/8/8/4K3 b - - 0 1")').root()
    with pytest.raises(FogtreeError):
        told(one, impossible, 1)
    after = start.child("e2e4")
    told(one, after, 1)
    assert one.act().action in after.actions()


def test_not_our_turn_and_not_our_game():
    one = agent()
    with pytest.raises(GameError):
        one.act()
    with pytest.raises(GameError, match="plays fog_chess"):
        one.start(load_game("kuhn_poker"), 0, "s")
    one.start(load_game("fog_chess"), 1, "s")
    with pytest.raises(GameError, match="turn"):
        one.act()


def test_threads_grow_one_tree():
    game = load_game("fog_chess")
    one = SearchAgent("fog_chess", evaluator="simple", budget=Budget(nodes=20_000, expanders=2))
    one.start(game, 0, "s")
    told(one, game.root(), 0)
    decision = one.act()
    assert decision.stats["nodes"] >= 20_000
    assert decision.stats["bytes"] / decision.stats["nodes"] < 200
    assert decision.stats["iterations"] > 1


def test_the_fifty_moves_go_on_from_what_was_played():
    """After two more plies the game is drawn, whatever White has."""
    game = load_game('fog_chess(fen="7k/8/8/8/8/8/8/1RQ4K b - - 97 80")')
    one = agent(steps=300)
    one.start(game, 0, "s")
    told(one, game.root(), 0)
    told(one, game.root().child("h8g8"), 0)
    assert {position.halfmove for position in one.belief} == {98}
    assert one.act().values["h1h2"] == pytest.approx(0, abs=1e-3)
