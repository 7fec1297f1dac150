"""What ``fogtree.`` offers: its names, how they are imported, and the examples of its functions."""

from __future__ import annotations

import ast
import doctest
import inspect
import pkgutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import fogtree
from fogtree.agents import RandomAgent
from fogtree.errors import MissingExtraError, OptionError

FUNCTIONS = [name for name in fogtree.__all__ if inspect.isfunction(getattr(fogtree, name))]


def test_type_checkers_see_the_same_names():
    stub = ast.parse(Path(fogtree.__file__).with_suffix(".pyi").read_text())
    seen = {
        alias.name: node.module
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name == alias.asname
    }
    del seen["_core"]
    assert seen == fogtree._HOME | dict.fromkeys(fogtree._MODULES, "fogtree")
    assert set(fogtree.__all__) == set(seen)


def test_no_name_is_also_a_package():
    modules = {module.name for module in pkgutil.iter_modules(fogtree.__path__)}
    assert not modules & set(fogtree._HOME)
    assert set(fogtree._MODULES) < modules


def test_importing_fogtree_imports_nothing_else():
    code = "import sys, fogtree; print([m for m in sys.modules if m.startswith('fogtree.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_unknown_names_are_attribute_errors():
    assert not hasattr(fogtree, "nothing_of_the_kind")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_examples_of_functions_run(name):
    function = getattr(fogtree, name)
    examples = doctest.DocTestFinder(recurse=False).find(function, name, globs={})
    assert any(test.examples for test in examples), f"{name} has no example"
    for test in examples:
        assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed == 0


def test_games_by_name_as_game_and_as_tree():
    game = fogtree.load_game("kuhn_poker")
    tree = fogtree.compile(game)
    uniform = fogtree.Strategy.uniform(tree)
    for given in ("kuhn_poker", game, tree):
        assert fogtree.compile(given).game == "kuhn_poker"
        assert fogtree.exploitability(given, uniform).exploitability == pytest.approx(11 / 24)
        assert fogtree.best_response(given, uniform, 1).value == pytest.approx(5 / 12)
        assert len(fogtree.inspect(given, uniform)) == 12
        assert fogtree.agent_names(given) == ("random", "equilibrium", "search")
        assert fogtree.play(given, ["random", uniform]).game == "kuhn_poker"
    with pytest.raises(OptionError, match="a game is needed"):
        fogtree.compile(7)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: fogtree.load_game(7), "the name of a game is needed, not a value of type int"),
        (lambda: fogtree.register_game("x"), "a GameEntry is needed"),
        (lambda: fogtree.recipe(7), "an algorithm"),
        (lambda: fogtree.exploitability("kuhn_poker", "x"), "a strategy is needed"),
        (lambda: fogtree.best_response("kuhn_poker", 7, 0), "a strategy is needed"),
        (lambda: fogtree.inspect("kuhn_poker", None), "a strategy is needed"),
        (lambda: fogtree.Strategy.uniform("kuhn_poker"), "a compiled game is needed"),
        (lambda: fogtree.match("kuhn_poker", 7, "random"), "an agent"),
        (lambda: fogtree.play("kuhn_poker", [7, "random"]), "an agent"),
        (lambda: fogtree.train("kuhn_poker", 7), "a TrainingOptions or nested tables is needed"),
        (lambda: fogtree.TrainingOptions(7), r"for \[run\] a RunOptions is needed"),
        (lambda: fogtree.exploit("kuhn_poker", "random", options=7), "an ExploiterOptions"),
        (lambda: fogtree.explain("kuhn_poker", deals=[7]), "the text of a deal is needed"),
    ],
)
def test_values_of_a_wrong_type_are_errors_in_one_line(call, says):
    with pytest.raises(OptionError, match=says):
        call()


def test_a_strategy_has_no_information_set_of_another_type():
    strategy = fogtree.Strategy.uniform(fogtree.compile("kuhn_poker"))
    with pytest.raises(fogtree.errors.UnknownNameError, match="unknown information set"):
        strategy[()]


def test_agent_objects_take_one_seat_and_one_process():
    object_ = RandomAgent()
    with pytest.raises(OptionError, match="one seat"):
        fogtree.play("kuhn_poker", [object_, object_])
    with pytest.raises(OptionError, match="2 seats"):
        fogtree.play("kuhn_poker", ["random"])
    with pytest.raises(OptionError, match="against itself"):
        fogtree.match("kuhn_poker", object_, object_, games=2)
    with pytest.raises(OptionError, match="one process"):
        fogtree.match("kuhn_poker", object_, "random", games=2, processes=2)
    with pytest.raises(OptionError, match="one seat, not 2"):
        fogtree.match("cambia(players=3)", "random", object_, games=3)
    by_object = fogtree.match("kuhn_poker", object_, "random", games=20, keep_records=True)
    assert by_object == fogtree.match("kuhn_poker", "random", "random", games=20, keep_records=True)


def test_games_are_kept_of_named_agents_only(tmp_path):
    file = tmp_path / "games.jsonl"
    with pytest.raises(OptionError, match="agents by name"):
        fogtree.match("kuhn_poker", RandomAgent(), "random", games=2, file=file)
    one = fogtree.match("kuhn_poker", "random", "random", games=4, file=file)
    assert fogtree.match("kuhn_poker", "random", "random", games=4, file=file).wins == one.wins


def test_hashed_strategies_play():
    strategy = fogtree.simulate("cambia", "mccfr-outcome", iterations=50).strategy()
    assert repr(strategy).startswith("<HashedStrategy cambia: ")
    assert fogtree.play("cambia", [strategy, "random"]).agents == ("tabular", "random")
    assert fogtree.match("cambia", strategy, "random", games=2).first == "tabular"


def test_agents_with_settings():
    assert fogtree.agent("search", "kuhn_poker", steps=20).name == "search(steps=20)"
    with pytest.raises(OptionError, match="by its name takes settings"):
        fogtree.agent(RandomAgent(), "kuhn_poker", time=1)


@pytest.fixture(scope="module")
def results() -> dict[str, object]:
    tree = fogtree.compile("kuhn_poker")
    run = fogtree.solve(tree, iterations=20)
    quick = {"steps": 5, "batch": 32}
    options = {"run": {"iterations": 2}, "regret": quick, "average": quick}
    agents = {"solved": run.strategy, "random": "random"}
    searching = fogtree.agent("search", tree, steps=20)
    searching.start(tree.rules, 0, "0")
    state = tree.rules.root()
    while state.player != 0:
        state = state.child(state.chance()[0][0])
    seen = fogtree.Observation(0, state.observation(0), tuple(state.actions()), state.name())
    searching.observe(seen)
    return {
        "GameTree": tree,
        "Run": run,
        "Strategy": run.strategy,
        "Exploitability": fogtree.exploitability(tree, run.strategy),
        "BestResponse": fogtree.best_response(tree, run.strategy, 0),
        "Equilibrium": fogtree.equilibrium(tree),
        "Inspection": fogtree.inspect(tree, run.strategy),
        "InfosetReport": fogtree.inspect(tree, run.strategy)[0],
        "Comparison": fogtree.compare(tree, ["cfr", "cfr+"], iterations=10),
        "Explanation": fogtree.explain(tree),
        "MatchResult": fogtree.match(tree, "random", "random", games=4),
        "Tournament": fogtree.tournament(tree, agents, games=4),
        "GameRecord": fogtree.play(tree, ["random", "random"]),
        "SearchDecision": searching.act(),
        "TrainingRun": fogtree.train(tree, options),
        "Exploitation": fogtree.exploit(tree, "random", ["exact", "local"]),
        "AnalysisReport": fogtree.analyse(tree, infoset="Q", steps=20),
    }


def test_strategies_and_networks_are_measured_as_they_are(results):
    run = results["TrainingRun"]
    by_networks = fogtree.exploit("kuhn_poker", run.policy, ["exact"])["exact"].value
    assert by_networks == pytest.approx(run.exploitability)
    by_strategy = fogtree.exploit("kuhn_poker", results["Strategy"], ["exact"])["exact"].value
    assert by_strategy == pytest.approx(results["Run"].exploitability)


def test_results_print_as_one_line(results):
    for name, result in results.items():
        text = repr(result)
        assert text.startswith(f"<{name} ") or text.startswith(f"<{name}:")
        assert "\n" not in text
        assert len(text) < 160


def test_rows_as_data_frames(results):
    pytest.importorskip("pandas")
    columns = {
        "Run": "exploitability",
        "Strategy": "probability",
        "Inspection": "reach",
        "Comparison": "algorithm",
        "Tournament": "win_rate",
        "TrainingRun": "losses.regret0",
        "Exploitation": "method",
    }
    for name, column in columns.items():
        frame = results[name].to_frame()
        assert len(frame) == len(results[name].rows()) > 0
        assert column in frame


def test_frames_name_their_extra(results, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match=r"fogtree\[frames\]"):
        results["Run"].to_frame()


DRAWN = {
    "Run": "polyline",
    "Strategy": "rect",
    "Inspection": "rect",
    "Comparison": "polyline",
    "MatchResult": "rect",
    "Tournament": "table",
    "GameRecord": "pre",
    "SearchDecision": "rect",
    "TrainingRun": "polyline",
    "Exploitation": "table",
}


@pytest.mark.parametrize("name", DRAWN)
def test_results_draw_themselves(results, name):
    page = ElementTree.fromstring(results[name]._repr_html_())
    assert any(element.tag.rpartition("}")[2] == DRAWN[name] for element in page.iter())
    assert repr(results[name])[1:-1] in "".join(page.itertext())


def test_drawings_are_escaped():
    hostile = "<script>alert('&')</script>"
    number = np.array([0], dtype=np.int8)
    strategy = fogtree.Strategy(
        hostile, (hostile,), ((hostile, '"'),), number, np.array([0.5, 0.5])
    )
    record = fogtree.GameRecord(hostile, (hostile,), "0", (hostile,), (0.0,))
    for result in (strategy, record):
        text = result._repr_html_()
        assert hostile in "".join(ElementTree.fromstring(text).itertext())
        assert "<script" not in text


def test_rarely_reached_information_sets_are_faded():
    tree = fogtree.compile("kuhn_poker")
    never_bets = {name: {"check": 1} for name in ("J", "Q", "K")}
    strategy = fogtree.Strategy.from_mapping(tree, never_bets)
    assert 'fill-opacity="0.28"' in strategy._repr_html_()
    assert 'fill-opacity="0.28"' not in fogtree.Strategy.uniform(tree)._repr_html_()


def test_explanations_are_markdown(results):
    assert results["Explanation"]._repr_markdown_().startswith("# kuhn_poker with cfr+")
