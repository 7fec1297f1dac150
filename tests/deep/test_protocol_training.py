"""Training without compiling: any game is walked through its protocol."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import fogtree
from fogtree import TERMINAL, Game, State
from fogtree.agents.budget import Budget
from fogtree.agents.lookup import agent as make_agent
from fogtree.agents.protocol import Decision, Observation
from fogtree.agents.tabular import TabularAgent
from fogtree.arena.play import play_game
from fogtree.deep.agent import HistoryAgent
from fogtree.deep.checkpoint import TrainingFolder
from fogtree.deep.config import default_options
from fogtree.deep.engine import prepare
from fogtree.deep.history_encoding import HistoryEncoding, history_encoding
from fogtree.deep.policy import Policy
from fogtree.deep.policy_strategy import policy_strategy
from fogtree.deep.protocol_game import ProtocolGame
from fogtree.deep.traversal import Task, Walks
from fogtree.deep.walkable import TreeGame
from fogtree.errors import GameError, OptionError
from tests.support.command_line import Command, Outcome
from tests.support.training import same_networks

QUICK = {
    "run": {"compiled": False, "iterations": 4, "checkpoint_seconds": 0},
    "traversal": {"traversals": 100, "node_limit": 500},
    "network": {"hidden": [16], "value_hidden": [16]},
    "regret": {"steps": 20, "batch": 64},
    "evaluation": {"interval": 2},
}
HIGH_CARD = """
from dataclasses import dataclass
from itertools import permutations

from fogtree import CHANCE, TERMINAL, Game, State


@dataclass(frozen=True)
class HighCard(Game):
    players = 2

    def root(self):
        return Table()


@dataclass(frozen=True)
class Table(State):
    cards: tuple = ()
    moves: str = ""

    @property
    def player(self):
        if not self.cards:
            return CHANCE
        return TERMINAL if self.moves in ("k", "bc", "bf") else len(self.moves)

    def chance(self):
        return [(deal, 1 / 20) for deal in permutations("23456", 2)]

    def actions(self):
        return ["c", "f"] if self.moves else ["b", "k"]

    def child(self, action):
        return Table(action) if not self.cards else Table(self.cards, self.moves + action)

    def returns(self):
        stake = 1 if self.moves == "bf" or (self.cards[0] > self.cards[1]) else -1
        return [stake * (1 + (self.moves == "bc")), -stake * (1 + (self.moves == "bc"))]

    def observation(self, player):
        return (self.cards[player], self.moves) if self.cards else None
"""


def quick(**sections: dict) -> dict:
    """The quick options with some changed."""
    names = {**QUICK, **sections}
    return {name: {**QUICK.get(name, {}), **sections.get(name, {})} for name in names}


def exploitability(spec: str, policy: Policy) -> float:
    """The exact exploitability of a policy, on the compiled game."""
    game = fogtree.load_game(spec)
    tree = fogtree.compile(game)
    return fogtree.exploitability(tree, policy_strategy(game, tree, policy)).exploitability


@pytest.mark.parametrize(
    ("spec", "iterations", "most"),
    [("kuhn_poker", 30, 0.05), ("leduc_poker", 12, 0.8), ("openspiel:kuhn_poker", 30, 0.05)],
)
def test_exploitability_falls(spec: str, iterations: int, most: float) -> None:
    if spec.startswith("openspiel:"):
        pytest.importorskip("pyspiel")
    tables = {
        "run": {"compiled": False, "iterations": iterations},
        "traversal": {"node_limit": 5000},
        "evaluation": {"interval": 0},
    }
    run = fogtree.train(spec, tables)
    assert run.exploitability is None  # nothing was compiled
    assert not run.policy.compiled
    uniform = fogtree.exploitability(
        fogtree.compile(spec), fogtree.Strategy.uniform(fogtree.compile(spec))
    )
    assert exploitability(spec, run.policy) < most < uniform.exploitability / 2


@pytest.mark.parametrize(
    "sections",
    [
        {},
        {"run": {"average": "network"}, "average": {"steps": 20, "capacity": 1000}},
        {
            "run": {"method": "deep_cfr"},
            "traversal": {"sampling_method": "escher"},
            "value": {"steps": 20, "batch": 64},
        },
        {"run": {"method": "deep_cfr"}, "traversal": {"sampling_method": "outcome"}},
        {"run": {"method": "mmd", "average": "last"}},
    ],
    ids=["dcfr_plus", "network", "escher", "outcome", "mmd"],
)
def test_a_resumed_run_equals_an_uninterrupted_one(tmp_path: Path, sections: dict) -> None:
    tables = quick(**sections)
    if tables["run"].get("method") == "mmd":
        del tables["traversal"]["node_limit"], tables["regret"]
    whole = fogtree.train("leduc_poker", tables, folder=tmp_path / "whole")
    half = {**tables, "run": {**tables["run"], "iterations": 2}}
    fogtree.train("leduc_poker", half, folder=tmp_path / "parts")
    more = {"run": {"iterations": 4}}
    parts = fogtree.train("leduc_poker", more, folder=tmp_path / "parts", resume=True)
    assert same_networks(whole.policy, parts.policy)
    assert whole.nodes == parts.nodes
    other = {**tables, "run": {**tables["run"], "seed": 1}}
    assert not same_networks(whole.policy, fogtree.train("leduc_poker", other).policy)


def test_a_saved_run_stays_without_compiling(tmp_path: Path) -> None:
    fogtree.train("kuhn_poker", QUICK, folder=tmp_path / "run")
    with pytest.raises(OptionError, match="compiled must be as they were"):
        fogtree.train(
            "kuhn_poker", {"run": {"compiled": True}}, folder=tmp_path / "run", resume=True
        )


@pytest.mark.parametrize("known", [1024, 5])
@pytest.mark.parametrize("spec", ["kuhn_poker", "leduc_poker", "goofspiel(cards=3)"])
def test_vectors_are_the_same_in_walks_and_in_the_compiled_game(
    spec: str, known: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fogtree.deep.history_encoding.MOST_KNOWN", known)
    game = fogtree.load_game(spec)
    tree = fogtree.compile(game)
    encoding = HistoryEncoding(game)
    compiled, walked = TreeGame(tree, encoding.tree_encoding(tree)), ProtocolGame(game, encoding)
    places = [walked.root()]
    for node in range(1, tree.nodes):
        above = places[tree.parent[node]]
        place = walked.child(above, int(tree.action[node]))
        places.append(place)
        assert place.player == tree.player[node]
        if place.player >= 0:
            infoset = np.array([tree.index[node]])
            expected = compiled.rows.dense(infoset)[0]
            found = walked.decode(walked.code(place)[None])[0]
            assert np.array_equal(found, expected)
            first = tree.first_slot[tree.index[node]]
            columns = walked.columns(place)
            assert np.array_equal(columns, compiled.encoding.column[first : first + len(columns)])
    distinct = {tuple(row) for row in compiled.features.tolist()}
    assert len(distinct) >= len(compiled.features) // 2  # players have networks of their own


@pytest.mark.parametrize("method", ["external", "outcome", "selfplay"])
def test_native_walks_collect_the_samples_of_the_compiled_game(method: str) -> None:
    spec = "goofspiel(cards=3)"  # chance is uniform
    task = Task(Walks(method), [], None, 1, 200, 1, 7)
    compiled = prepare(spec).engine.traverse(task)
    walked = prepare(spec, compiled=False).engine.traverse(task)
    assert (walked.nodes, walked.depth) == (compiled.nodes, compiled.depth)
    mine, theirs = walked.arrays(), compiled.arrays()
    for name in ("regret_targets", "strategy_probabilities", "value_returns"):
        width = theirs[name].shape[-1] if theirs[name].ndim > 1 else None
        assert np.allclose(mine[name][..., :width], theirs[name], atol=1e-6), name


def test_the_reference_in_python_has_the_same_inputs() -> None:
    native = prepare("leduc_poker", compiled=False).engine.game
    engine = prepare("leduc_poker", compiled=False, engine="python").engine
    reference, samples = (
        engine.game,
        engine.traverse(Task(Walks("selfplay"), [], None, 0, 20, 1, 0)).arrays(),
    )
    codes, histories = samples["strategy_codes"], samples["value_codes"]
    assert np.array_equal(native.decode(codes), reference.decode(codes))
    assert np.array_equal(native.decode_history(histories), reference.decode_history(histories))


class Shadowed(HistoryAgent):
    """An agent that compares its mixes with those of a strategy."""

    by_name = True

    def __init__(self, policy: Policy, game: Game, strategy: fogtree.Strategy) -> None:
        super().__init__(policy, game)
        self.shadow, self.compared = TabularAgent(strategy), 0

    def start(self, game: Game, player: int, seed: str) -> None:
        super().start(game, player, seed)
        self.shadow.start(game, player, seed)

    def observe(self, observation: Observation) -> None:
        super().observe(observation)
        self.shadow.observe(observation)

    def act(self, budget: Budget | None = None) -> Decision:
        expected = self.shadow.strategy[self.shadow.infoset()]
        decision = super().act(budget)
        mix = {str(action): share for action, share in decision.mix.items()}
        assert mix == pytest.approx(expected, abs=1e-5)
        self.shadow.follow(decision.action)
        self.compared += 1
        return decision


@pytest.mark.parametrize(
    ("spec", "known"),
    [("kuhn_poker", 1024), ("leduc_poker", 1024), ("goofspiel(cards=4)", 6)],
)
def test_an_agent_plays_the_strategy_that_is_measured(
    spec: str, known: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fogtree.deep.history_encoding.MOST_KNOWN", known)
    game = fogtree.load_game(spec)
    tree = fogtree.compile(game)
    run = fogtree.train(game, quick(run={"average": "network"}, average={"steps": 20}))
    strategy = policy_strategy(game, tree, run.policy)
    agents = [Shadowed(run.policy, game, strategy) for _ in range(2)]
    assert len(agents[0].encoding.facts) <= known
    for seed in range(20):
        play_game(game, agents, seed=str(seed))
    assert all(agent.compared >= 20 for agent in agents)


@dataclass(frozen=True)
class Guess(Game):
    """The second player guesses a number that the first one chose; actions and views may fail."""

    fault: str = ""
    players = 2

    def root(self) -> State:
        return Guessing(self)

    def all_actions(self):
        return None if self.fault != "unlisted" else [0, 1]

    def features(self, view):
        if not self.fault.startswith("features"):
            return None
        return [1.0] * (1 + (self.fault == "features differ" and view == (1,)))


@dataclass(frozen=True)
class Guessing(State):
    game: Guess
    chosen: tuple = ()

    @property
    def player(self):
        return TERMINAL if len(self.chosen) == 2 else len(self.chosen)

    def actions(self):
        if self.game.fault == "actions" and self.chosen == (2,):
            return [0, 1]
        if self.game.fault == "other actions" and self.chosen == (2,):
            return [0, 2, 1]
        return [0, 1, 2]

    def child(self, action):
        if self.game.fault == "child" and self.chosen == (1,):
            raise ZeroDivisionError("no child")
        return Guessing(self.game, (*self.chosen, action))

    def returns(self):
        won = 1 if self.chosen[0] == self.chosen[1] else -1
        return [-won, won]

    def observation(self, player):
        if self.game.fault == "view" and self.chosen:
            return [1]
        return (len(self.chosen),)


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("unlisted", r"all_actions\(\) does not list '2'"),
        ("actions", r"an information set has actions \[0, 1"),
        ("other actions", r"an information set has actions \[0, [12], [12]\] in one history"),
        ("view", "views must be hashable"),
        ("features differ", "not one size"),
    ],
)
def test_faults_of_a_game_are_errors_in_one_line(fault: str, message: str) -> None:
    with pytest.raises(GameError, match=message) as caught:
        fogtree.train(Guess(fault), quick(traversal={"sampling_method": "outcome"}))
    assert "\n" not in str(caught.value)


def test_features_of_the_game_are_inputs() -> None:
    encoding = history_encoding(Guess("features"))
    assert (encoding.feature_count, encoding.code_bytes) == (1, 4)
    run = fogtree.train(Guess("features"), QUICK)
    assert run.policy.networks[0][0].inputs == 1
    assert history_encoding(Guess("features"), False).feature_count > 1


def test_actions_that_random_games_did_not_meet_have_different_columns() -> None:
    encoding = HistoryEncoding(Guess())
    assert encoding.columns([0, 1, 2]).tolist() == [0, 1, 2]
    new = encoding.columns([f"new {number}" for number in range(encoding.most_actions)])
    assert len(set(new.tolist())) == encoding.most_actions
    assert new.min() >= 3
    assert new.max() < encoding.action_count
    with pytest.raises(GameError, match="a decision has"):
        encoding.columns(range(encoding.most_actions + 1))


def test_facts_that_random_games_did_not_meet_share_columns() -> None:
    facts = HistoryEncoding(Guess()).facts
    columns = {facts.of((9, (0,), f"new {number}")) for number in range(50)}
    assert len(columns) == 50  # pairs differ, though columns are shared
    assert all(len(facts) <= column < facts.width for pair in columns for column in pair)
    assert facts.of((0, (0,), 1)) == facts.of((0, (0,), 1.0)) == facts.of((0, (0,), True))


def test_what_is_refused() -> None:
    with pytest.raises(OptionError, match="on the processor only"):
        fogtree.train("kuhn_poker", quick(traversal={"inference": "device"}))
    with pytest.raises(OptionError, match="responses: kuhn_poker has none"):
        fogtree.train("kuhn_poker", quick(evaluation={"responses": True}))


def test_defaults_go_by_size() -> None:
    assert default_options(fogtree.load_game("kuhn_poker")).run.compiled
    small = default_options(fogtree.load_game("kuhn_poker"), compiled=False)
    assert (small.run.compiled, small.traversal.sampling_method) == (False, "external")
    large = default_options(fogtree.load_game("goofspiel(cards=9)"))
    assert (large.run.compiled, large.traversal.sampling_method) == (False, "outcome")


def test_a_game_that_does_not_fit_is_trained(tmp_path: Path) -> None:
    tables = {name: part for name, part in QUICK.items() if name != "run"}
    tables["run"] = {"iterations": 1}
    run = fogtree.train("goofspiel(cards=9)", tables, folder=tmp_path / "run")
    assert not run.policy.compiled
    game = fogtree.load_game("goofspiel(cards=9)")
    agents = [make_agent(f"deep:{tmp_path / 'run'}", game), make_agent("random", game)]
    assert len(play_game(game, agents, seed="1").record.returns) == 2


@pytest.fixture
def answer(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run a command that must succeed, in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object) -> Outcome:
        outcome = command(*arguments)
        assert outcome.status == 0, outcome.errors
        return outcome

    return run


SETTINGS = ("--no-compile", "--set", "traversals=100", "--set", "regret.steps=20")


def test_a_game_in_a_file(answer: Command, command: Command) -> None:
    Path("high_card.py").write_text(HIGH_CARD)
    spec = "high_card.py:HighCard"
    trained = answer("train", spec, *SETTINGS, "--set", "iterations=3", "--save", "run", "--json")
    assert trained.document["exploitability"] is None
    more = answer("resume", "run", "--game", spec, "--iterations", 4, "--json").document
    assert more["iterations"] == 4
    found = answer("exploit", spec, "--agent", "deep:run", "--method", "exact", "--json").document
    assert 0 <= found["bounds"][0]["value"] < 1
    answer("arena", spec, "--agents", "deep:run,random", "--games", 4, "--json")
    Path("high_card.py").write_text(HIGH_CARD.replace("return [stake", "1 / 0; return [stake"))
    failed = command("train", spec, *SETTINGS, "--save", "other")
    assert failed.status == 2
    assert "division by zero" in failed.errors
    assert "Traceback" not in failed.errors


def test_defaults_go_by_what_options_say(answer: Command, command: Command) -> None:
    few = ("--set", "iterations=1", "--set", "traversals=20", "--set", "regret.steps=2")
    Path("options.toml").write_text("[run]\ncompiled = false\n")
    ways = {
        "flag": ["--no-compile"],
        "set": ["--set", "compiled=false"],
        "config": ["--config", "options.toml"],
    }
    for name, way in ways.items():
        answer("train", "kuhn_poker", *few, *way, "--save", name)
    saved = [TrainingFolder(name).manifest().options for name in ways]
    assert saved[0] == saved[1] == saved[2]
    assert saved[0].traversal.node_limit == 20_000
    Path("options.toml").write_text("[run]\ncompiled = true\n")
    for way in (["--config", "options.toml"], ["--set", "compiled=true"]):
        failed = command("train", "kuhn_poker", "--no-compile", *way)
        assert failed.status == 2
        assert "--no-compile contradicts compiled = true" in failed.errors


def test_what_a_game_prints_is_not_in_the_answer(answer: Command) -> None:
    Path("high_card.py").write_text(HIGH_CARD.replace("return [stake", "print('x'); return [stake"))
    spec = "high_card.py:HighCard"
    trained = answer("train", spec, *SETTINGS, "--set", "iterations=1", "--json")
    assert trained.document["iterations"] == 1


def test_several_runs_are_compared(answer: Command) -> None:
    shown = answer("train", "kuhn_poker", *SETTINGS, "--set", "iterations=1", "--seeds", 2,
                   "--save", "sweep", "--json")  # fmt: skip
    assert len(shown.document["rows"]) >= 1
    runs = [path for path in Path("sweep").iterdir() if path.is_dir()]
    assert len(runs) == 2
    assert not any(Policy.load(path).compiled for path in runs)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "fog_chess cannot be compiled: it has far too many histories; play it, or train its"),
        (("--no-compile",), "fog_chess: views and actions must be texts, numbers or tuples"),
    ],
)
def test_a_game_that_is_not_trained_says_why(
    command: Command, arguments: tuple[str, ...], message: str
) -> None:
    failed = command("train", "fog_chess", *arguments)
    assert failed.status == 2
    assert message in " ".join(failed.errors.split())


def test_native_walks_come_first(answer: Command) -> None:
    quickly = ("--set", "iterations=1", "--set", "average.steps=2", "--set", "value.steps=2")
    answer("train", "dark_hex(rows=3)", *SETTINGS, *quickly, "--save", "run")
    assert Policy.load(Path("run")).compiled


def test_a_worker_with_another_encoding_refuses_to_walk() -> None:
    pytest.importorskip("ray")
    from fogtree.deep.ray_engine import _Worker

    worker = _Worker(fogtree.load_game("kuhn_poker"), True, False, 1)
    task = Task(Walks("selfplay"), [], None, 0, 20, 1, 0)
    assert worker.encoding
    assert worker.traverse(task, 5, 1, worker.encoding)["traversals"] == 5
    with pytest.raises(GameError, match="encoded differently in another process"):
        worker.traverse(task, 5, 1, "another")
