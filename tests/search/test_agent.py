"""The search at the table of every game that can be compiled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

import fogtree
from fogtree import Game, State, compile, load_game
from fogtree.agents import Budget, Observation, agent_names, quick_agent_names
from fogtree.arena import play_game, play_match, replay, workers
from fogtree.errors import FogtreeError, GameError, MemoryLimitError, OptionError
from fogtree.game import TERMINAL
from fogtree.search import PRESETS, SearchAgent, SearchOptions, TreeSearch, search_options
from fogtree.search import tree_adapter as module
from fogtree.search.agent import seed_number
from fogtree.search.history_adapter import HistoryAdapter
from fogtree.system.random_streams import derived_seed

STEPS = "search(steps=60)"
GAMES = (
    "kuhn_poker",
    "leduc_poker",
    "liars_dice(sides=3)",
    "goofspiel(cards=3)",
    "phantom_ttt(rows=1, columns=4, line=2, max_plies=4)",
)


@dataclass(frozen=True)
class Coins(State):
    """Nobody sees anything: the second guesses twice which number the first has chosen."""

    done: tuple[int, ...] = ()
    equal: int = 1

    @property
    def player(self) -> int:
        return len(self.done) % 2 if len(self.done) < 4 else TERMINAL

    def actions(self) -> Sequence[int]:
        return 1, 2

    def child(self, action: Any) -> Coins:
        return Coins((*self.done, action), self.equal)

    def returns(self) -> tuple[float, float]:
        pairs = (self.done[:2], self.done[2:])
        gain = sum(-1 if one == other else 1 for one, other in pairs)
        return gain, self.equal * -gain

    def observation(self, player: int) -> None:
        return None


@dataclass(frozen=True)
class Guessing(Game):
    short_name = "guessing"
    players = 2

    def root(self) -> Coins:
        return Coins()


@dataclass  # not frozen: it has no hash
class Sharing(Game):
    short_name = "sharing"
    players = 2

    def root(self) -> Coins:
        return Coins(equal=-1)


@pytest.mark.parametrize("game", [*map(load_game, GAMES), Guessing()], ids=str)
def test_games_are_played_to_the_end_and_can_be_repeated(game: Game) -> None:
    agents = [fogtree.agent(STEPS, game), fogtree.agent(STEPS, game)]
    for seed in ("1", "2", "3"):
        played = play_game(game, agents, seed=seed)
        assert played.end.player == TERMINAL
        assert list(replay(played.record, game))[-1].player == TERMINAL
        assert play_game(game, agents, seed=seed).record == played.record


@pytest.mark.parametrize("spec", ["kuhn_poker", "leduc_poker"])
def test_it_decides_what_the_search_decides(spec: str) -> None:
    """An agent led by hand through the same game, at each of our decisions."""
    game = load_game(spec)
    tree = compile(game)
    for number in range(10):
        agents = [fogtree.agent(STEPS, game), fogtree.agent("random", game)]
        record = play_game(game, agents, seed=str(number)).record
        seed = seed_number(derived_seed(str(number), "agent 0"))
        by_hand = TreeSearch(tree, 0, SearchOptions(seed=seed))
        decided, done = [], []
        for state, step in zip(replay(record), record.steps, strict=False):
            if state.player == 0:
                by_hand.observe(str(state.name()))
                decided.append(by_hand.act(Budget(steps=60)).action)
                done.append(step)
        assert decided == done


def test_a_match_does_not_depend_on_who_plays_it() -> None:
    options: dict[str, Any] = {"games": 120, "seed": 3, "keep_records": True}
    one = play_match("kuhn_poker", STEPS, "random", **options)
    with workers(2) as run:
        two = play_match("kuhn_poker", STEPS, "random", run=run, **options)
    assert one == two
    assert len(one.records) == 120


@pytest.mark.parametrize(
    ("game", "games"), [("leduc_poker", 800), ("liars_dice(sides=3)", 60), (GAMES[-1], 100)]
)
def test_chance_is_beaten(game: str, games: int) -> None:
    found = play_match(game, "search(steps=200)", "random", games=games, seed=1)
    assert found.return_mean.low > 0


def test_what_was_drawn_is_what_the_mix_says() -> None:
    """Also where the search is too short to have an opinion, as mostly here."""
    game = load_game("leduc_poker")
    state = game.root().child("Ks").child("Js").child("raise")
    seen, silent = dict.fromkeys(map(str, state.actions()), 0), 0
    for seed in range(300):
        agent = fogtree.agent("search(steps=2)", game)
        agent.start(game, 1, str(seed))
        agent.observe(_told(state, 1))
        decision = agent.act()
        assert decision.mix[decision.action] > 0
        if len(set(decision.mix.values())) == 1 and len(decision.mix) == len(seen):
            silent += 1
            seen[str(decision.action)] += 1
    assert silent > 200
    assert all(abs(count / silent - 1 / 3) < 0.12 for count in seen.values())


def _told(state: State, player: int) -> Observation:
    own = state.player == player
    actions, name = (tuple(state.actions()), state.name()) if own else ((), None)
    return Observation(player, state.observation(player), actions, name)


def _begun() -> tuple[SearchAgent, State]:
    """An agent that has decided once, and where that was."""
    game = load_game("leduc_poker")
    agent = SearchAgent("leduc_poker", budget=Budget(steps=200))
    agent.start(game, 0, "seed")
    state = game.root().child("Qs").child("Jh")
    agent.observe(_told(state, 0))
    agent.act()
    return agent, state


def test_what_cannot_be_is_refused_and_changes_nothing() -> None:
    found = []
    for wrong in (False, True):
        agent, state = _begun()
        agent.follow("check")
        then = state.child("check").child("raise")
        if wrong:
            other = load_game("leduc_poker").root().child("Ks").child("Jh")
            lines = [
                _told(other.child("check").child("raise"), 0),
                _told(state.child("raise").child("raise"), 0),
                Observation(0, "Q?", then.actions(), "no such name"),
                Observation(0, then.observation(0), ("fold",), then.name()),
                _told(state.child("check"), 1),
            ]
            for line in lines:
                with pytest.raises(GameError) as caught:
                    agent.observe(line)
                assert "\n" not in str(caught.value)
        agent.observe(_told(then, 0))
        decision = agent.act()
        found.append((decision.candidates, decision.action, decision.nodes))
    assert found[0] == found[1]


def test_what_was_played_comes_before_what_was_decided() -> None:
    for action in ("check", "raise"):
        agent, state = _begun()
        agent.follow(action)
        then = state.child(action).child("raise")
        agent.observe(_told(then, 0))
        assert agent.act().action in then.actions()
    agent, state = _begun()
    with pytest.raises(GameError, match="not an action"):
        agent.follow("fold")


def test_a_story_is_followed_where_views_say_nothing() -> None:
    agent = SearchAgent(Guessing(), budget=Budget(steps=50))
    agent.start(Guessing(), 1, "seed")
    state = Coins((1,))
    agent.observe(_told(state, 1))
    assert agent.act().action in (1, 2)  # the game's own actions, not their names
    agent.follow(2)
    agent.observe(_told(Coins((1, 2, 1)), 1))
    assert set(agent.act().values) == {1, 2}


def test_a_game_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = []
    inner = module.compile_tree
    monkeypatch.setattr(module, "_kept", {})
    monkeypatch.setattr(module, "compile_tree", lambda g, **k: compiled.append(g) or inner(g, **k))
    for spec in ("kuhn_poker", "kuhn_poker", "matching_pennies", "kuhn_poker"):
        SearchAgent(spec).start(load_game(spec), 0, "seed")
    assert list(map(str, compiled)) == ["kuhn_poker", "matching_pennies"]
    for spec in ("rock_paper_scissors", "goofspiel(cards=2)"):
        SearchAgent(spec).start(load_game(spec), 0, "seed")
    assert len(module._kept) == 2


def test_budgets_are_the_tables_unless_there_is_an_own_one() -> None:
    game = load_game("kuhn_poker")
    state = game.root().child("Q").child("J")
    for spec, told, steps in (
        ("search", None, 1000),
        ("search", Budget(steps=7), 7),
        ("search(steps=9)", Budget(steps=7), 9),
        ("search(knowledge=1)", Budget(steps=7), 7),
    ):
        agent = fogtree.agent(spec, game)
        agent.start(game, 0, "seed")
        agent.observe(_told(state, 0))
        assert agent.act(told).stats["steps"] == steps


def test_settings_are_those_of_every_search() -> None:
    game = load_game("kuhn_poker")
    spec = "search(time=0.02, threads=2, knowledge=3, memory=1M, frozen=true)"
    agent = fogtree.agent(spec, game)
    assert isinstance(agent, SearchAgent)
    assert agent.name == spec
    assert agent.settings.options == search_options(
        "paper", knowledge=3, most_bytes=1 << 20, frozen=True
    )
    assert agent.settings.threads == 2
    played = play_game(game, [agent, fogtree.agent("search(preset=seed,nodes=50)", game)], seed="1")
    assert played.record.agents[0] == spec
    assert SearchAgent("kuhn_poker").settings.options == PRESETS["paper"]


@pytest.mark.parametrize(
    "spec",
    [
        "search(time=0.5",
        "search(steps)",
        "search(evaluator=simple)",
        "search(ponder=true)",
        "search(steps=soon)",
        "search(steps=-1)",
        "search(threads=0)",
        "search(preset=good)",
        "search:simple",
        "random(steps=1)",
    ],
)
def test_wrong_settings_are_one_clear_line(spec: str) -> None:
    with pytest.raises(FogtreeError) as caught:
        fogtree.agent(spec, load_game("kuhn_poker"))
    assert "\n" not in str(caught.value)


def test_only_two_can_sit_there() -> None:
    three = load_game("kuhn_poker(players=3)")
    assert agent_names(three) == ("random",)
    assert agent_names(load_game("kuhn_poker")) == ("random", "equilibrium", "search")
    assert quick_agent_names(load_game("kuhn_poker")) == ("random", "equilibrium")
    for spec in ("search", "search(steps=1)"):
        with pytest.raises(OptionError, match="search is for two players, not 3"):
            fogtree.agent(spec, three)


def test_what_cannot_be_searched_is_one_clear_line() -> None:
    with pytest.raises(GameError, match="sharing is not a two-player zero-sum game"):
        fogtree.agent("search", Sharing()).start(Sharing(), 0, "seed")
    with pytest.raises(GameError, match="no game has started"):
        SearchAgent("kuhn_poker").act()


def test_a_game_that_does_not_fit_is_not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("leduc_poker")
    monkeypatch.setattr(module, "_kept", {})
    monkeypatch.setattr(module, "share_of_memory", lambda: 100_000)
    player = SearchAgent(game)
    player.start(game, 0, "seed")
    assert type(player.adapter) is HistoryAdapter
    with pytest.raises(MemoryLimitError, match="does not fit"):
        module.TreeAdapter(game, 0, 0, player.settings)


@pytest.mark.parametrize(("seconds", "expanders"), [(0.002, 0), (1e6, 1)])
def test_a_very_short_search_starts_no_threads(
    seconds: float, expanders: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Budget] = []
    native = Budget.native

    def noted(budget: Budget) -> Any:
        asked.append(budget)
        return native(Budget(steps=1))

    monkeypatch.setattr(Budget, "native", noted)
    game = load_game("kuhn_poker")
    player = SearchAgent(game, threads=2)
    player.start(game, 0, "1")
    state = game.root().child("J").child("Q")
    player.observe(_told(state, 0))
    player.act(Budget(seconds=seconds))
    assert [budget.expanders for budget in asked] == [expanders]
