"""Abuses of the public interface: wrong types, wrong order, two threads, calls from callbacks.

Every abuse ends with a result, a :class:`~fogtree.FogtreeError` in one line, Python's own
``TypeError`` or ``ValueError`` for arguments of a wrong kind, or the error that a callback raised;
never with another exception, a crash or a hang.
"""

from __future__ import annotations

import inspect
import random
import threading
import traceback
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import fogtree
from fogtree.game import CHANCE, TERMINAL
from tests.attack.fickle_game import ANYTHING, PlannedError
from tests.attack.part import Case, Finding, Part
from tests.attack.processes import Setting, run_forked

ALLOWED = (fogtree.FogtreeError, TypeError, ValueError, OverflowError, MemoryError, PlannedError)
QUICK: dict[str, Any] = {
    "run": {"iterations": 1},
    "traversal": {"traversals": 5},
    "network": {"hidden": [4]},
    "regret": {"steps": 2, "batch": 8},
    "average": {"steps": 2, "batch": 8},
}
SMALL = ("kuhn_poker", "matching_pennies", "rock_paper_scissors", "goofspiel(cards=3)")
NUMBERS: tuple[Any, ...] = (
    0, 1, 2, 3, -1, True, None, "x", "3", 0.5, float("nan"), float("inf"), -float("inf"), [], (),
    10**30, -(10**30), 2**63, 2**32, np.int64(2), np.float32(1.5), 1e-300, object(), 3.0,
)  # fmt: skip
COUNTS = ("iterations", "games", "steps", "every", "until", "seconds", "delay", "threads",
          "workers", "seed", "batch", "memory", "player", "processes", "looks",
          "digits")  # fmt: skip


class ApiAbuses(Part):
    """Abuses of the public interface."""

    name = "api_abuses"
    goal = required = 10_000
    short = 150
    chunk = 50

    def attack(self, case: Case) -> Counter[str]:
        scene = case.luck.choice(list(SCENES))
        cast()  # made before the fork

        def work() -> int:
            print(abuse(scene, case))
            return 0

        ended = run_forked(work, Setting(case.folder, interrupt=20.0))
        outcome = ended.output.strip().split("\n")[-1]
        if ended.interrupted and ended.status == 130 and "KeyboardInterrupt" in ended.errors:
            outcome = "interrupted"
        elif ended.status != 0 or outcome not in ("done", "refused", "language", "planned"):
            raise Finding(
                f"{scene}: status {ended.status}{', interrupted' if ended.interrupted else ''}\n"
                f"{ended.output[-3500:]}\n{ended.errors[-1500:]}"
            )
        return Counter({outcome: 1})


def abuse(scene: str, case: Case) -> str:
    """How one abuse ends, in one word, or all that is known about a wrong end."""
    told: list[str] = []
    given.clear()
    try:
        SCENES[scene](case.luck, told.append, case.folder)
    except fogtree.FogtreeError as error:
        text = str(error)
        if "\n" in text.strip() or len(text) > 5000:
            return f"{told}\nan error of {len(text)} letters in lines: {text[:500]!r}\n-"
        return "refused"
    except PlannedError:
        return "planned"
    except ALLOWED:
        return "language"
    except Exception as error:
        if isinstance(error, AttributeError) and any(error.obj is one for one in given):
            return "language"  # what was given is of a wrong kind
        if isinstance(error, LookupError) and scene == "misuse a state":
            return "language"
        return f"{told}\n{traceback.format_exc()}\n-"
    return "done"


given: list[Any] = []
"""Values that were handed over in this case."""


@cache
def cast() -> dict[str, Any]:
    """Sound objects of many kinds."""
    tree = fogtree.compile("kuhn_poker")
    run = fogtree.solve(tree, iterations=10)
    other = fogtree.compile("matching_pennies")
    return {
        "tree": tree,
        "game": fogtree.load_game("kuhn_poker"),
        "other": other,
        "run": run,
        "strategy": run.strategy,
        "other strategy": fogtree.Strategy.uniform(other),
        "record": fogtree.play("kuhn_poker", ["random", "random"]),
        "recipe": fogtree.recipe("cfr"),
        "budget": fogtree.Budget(steps=3),
        "agent": fogtree.agent("random", "kuhn_poker"),
    }


def anything(luck: random.Random) -> Any:
    """Any value at all: sound objects, names, and nonsense."""
    kind = luck.randrange(4)
    if kind == 0:
        return luck.choice(list(cast().values()))
    if kind == 1:
        return luck.choice([*SMALL, "random", "search", "cfr", "J", "nothing", "x(", "openspiel:x"])
    return luck.choice(NUMBERS if kind == 2 else ANYTHING)


def fitting(name: str, luck: random.Random, folder: Path) -> Any:
    """A value for the parameter of this name, of the right kind most of the time."""
    value = _fitting(name, luck, folder)
    given.append(value)
    return value


def _fitting(name: str, luck: random.Random, folder: Path) -> Any:
    if luck.random() < 0.3:
        return anything(luck)
    known = cast()
    agents = ["random", "search(steps=3)", known["strategy"], known["other strategy"], "greedy"]
    values: dict[str, Callable[[], Any]] = {
        "game": lambda: luck.choice([*SMALL, known["tree"], known["game"], known["other"]]),
        "strategy": lambda: luck.choice([known["strategy"], known["other strategy"]]),
        "algorithm": lambda: luck.choice(["cfr", "cfr+", "mccfr-external", "hedge", "x"]),
        "algorithms": lambda: luck.choice([["cfr", "cfr+"], ["cfr"], [], ["x"], "cfr"]),
        "agents": lambda: luck.choices(agents, k=luck.randrange(4)),
        "first": lambda: luck.choice(agents),
        "second": lambda: luck.choice(agents),
        "agent": lambda: luck.choice(agents),
        "player": lambda: luck.choice([0, 1, 2, -1, known["strategy"], "random"]),
        "options": lambda: luck.choice([QUICK, {}, {"run": 5}, {"x": {}}, {"run": {"seed": -1}}]),
        "folder": lambda: luck.choice(
            [folder / "run", folder, str(folder / "a"), Path("/dev/null")]
        ),
        "save": lambda: luck.choice([folder / "run", folder, str(folder / "a"), Path("/dev/null")]),
        "file": lambda: luck.choice([folder / "f.jsonl", folder, "/dev/null", "/dev/full"]),
        "record": lambda: known["record"],
        "budget": lambda: known["budget"],
        "progress": lambda: raiser if luck.random() < 0.3 else lambda *given: None,
        "pulse": lambda: raiser if luck.random() < 0.3 else lambda *given: None,
        "watch": lambda: raiser if luck.random() < 0.3 else lambda *given: None,
        "deals": lambda: luck.choice([["JQ"], ["x"], [], "JQ", [5]]),
        "method": lambda: luck.choice(["exact", ["exact"], ["local"], "x"]),
        "methods": lambda: luck.choice(["exact", ["exact"], ["local"], "x", []]),
        "name": lambda: luck.choice([*SMALL, "x", ""]),
        "spec": lambda: luck.choice([*SMALL, "x", ""]),
    }
    if name in COUNTS:
        return luck.choice(NUMBERS)
    return values[name]() if name in values else anything(luck)


def raiser(*given: object) -> None:
    """A callback that fails."""
    raise PlannedError("from a callback")


Tell = Callable[[str], None]


def call_function(luck: random.Random, tell: Tell, folder: Path) -> None:
    """A public function with some arguments."""
    names = [name for name in fogtree.__all__ if inspect.isfunction(getattr(fogtree, name))]
    name = luck.choice(names)
    function = getattr(fogtree, name)
    positional, keywords = [], {}
    for parameter in inspect.signature(function).parameters.values():
        value = fitting(parameter.name, luck, folder)
        if parameter.kind is parameter.VAR_KEYWORD:
            if luck.random() < 0.3:
                keywords[luck.choice(["steps", "time", "infoset", "x", "seed"])] = luck.choice(
                    NUMBERS
                )
        elif parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            if parameter.default is parameter.empty or luck.random() < 0.4:
                positional.append(value)
        elif luck.random() < 0.3:
            keywords[parameter.name] = value
    if name == "train" and len(positional) < 2:
        positional.append(QUICK)
    if name == "simulate":
        keywords.setdefault("iterations", 3)
    tell(f"{name}{_texts(positional)} {_texts(keywords.items())}")
    result = function(*positional, **keywords)
    _look(result)


def _texts(values: Any) -> list[str]:
    found = []
    for value in values:
        try:
            found.append(repr(value)[:120])
        except PlannedError:
            found.append("an object without text")
    return found


def _look(result: Any) -> None:
    """Everything that shows a result."""
    repr(result)
    for method in ("_repr_html_", "_repr_markdown_", "rows", "to_dict"):
        if hasattr(result, method):
            getattr(result, method)()


def make_object(luck: random.Random, tell: Tell, folder: Path) -> None:
    """A public class with some arguments."""
    names = [
        name
        for name in fogtree.__all__
        if name in ("AgentEntry", "Budget", "Decision", "GameEntry", "GameRecord", "Observation")
        or name in ("Recipe", "Strategy", "TabularSolver", "TrainingOptions", "History")
    ]
    kind = getattr(fogtree, luck.choice(names))
    try:
        parameters = list(inspect.signature(kind).parameters.values())
    except ValueError:
        return
    given = [fitting(one.name, luck, folder) for one in parameters[: luck.randrange(9)]]
    tell(f"{kind.__name__}{_texts(given)}")
    _look(kind(*given))


def use_result(luck: random.Random, tell: Tell, folder: Path) -> None:
    """Methods of results and strategies with some arguments."""
    thing = luck.choice(list(cast().values()))
    names = [name for name in dir(thing) if not name.startswith("_") and name != "close"]
    name = luck.choice(names)
    tell(f"{type(thing).__name__}.{name}")
    found = getattr(thing, name)
    if callable(found):
        try:
            parameters = list(inspect.signature(found).parameters.values())
        except ValueError:
            parameters = []
        given = []
        for one in parameters:
            if one.name == "path":
                given.append(luck.choice([folder / "x.npz", folder, "/dev/full", anything(luck)]))
            elif one.default is one.empty and one.kind is not one.VAR_KEYWORD:
                given.append(fitting(one.name, luck, folder))
        tell(str(_texts(given)))
        found(*given[: luck.randrange(len(given) + 2)])
    strategy = cast()["strategy"]
    key = luck.choice(["J", "nothing", 5, None, "", (), float("nan")])
    tell(f"strategy[{key!r}]")
    _ = strategy[key]


def misuse_agent(luck: random.Random, tell: Tell, folder: Path) -> None:
    """An agent whose methods are called in any order with what is not meant for it."""
    spec = luck.choice(["kuhn_poker", "leduc_poker", "fog_chess", "cambia", "matching_pennies"])
    game = fogtree.load_game(spec)
    name = luck.choice(list(fogtree.agent_names(game)))
    settings = {"steps": luck.choice([1, 5])} if name == "search" else {}
    agent = fogtree.agent(name, game, **settings)
    states = [game.root()]
    while states[-1].player != TERMINAL and len(states) < 8:
        here = states[-1]
        steps = [a for a, _ in here.chance()] if here.player == CHANCE else here.actions()
        states.append(here.child(luck.choice(list(steps))))
    tell(f"{name} at {spec}")
    if luck.random() < 0.8:
        agent.start(game, luck.choice([0, 0, 0, 1, 2, -1, "0", None]), luck.choice(["1", 5, None]))
    for _ in range(luck.randrange(1, 7)):
        deed = luck.choice(["observe", "observe", "act", "follow", "close", "ponder", "interrupt"])
        tell(deed)
        if deed == "observe":
            agent.observe(_observation(luck, luck.choice(states)))
        elif deed == "act":
            agent.act(luck.choice([None, fogtree.Budget(steps=2), None, "x", 5]))
        elif deed == "follow":
            agent.follow(luck.choice(["e2e4", "check", 0, None, "x"]))
        else:
            getattr(agent, deed)()
    agent.close()


def _observation(luck: random.Random, state: Any) -> Any:
    player = luck.choice([0, 1, max(0, state.player)])
    actions = tuple(state.actions()) if state.player >= 0 and luck.random() < 0.7 else ()
    view = state.observation(player) if luck.random() < 0.8 else anything(luck)
    name = state.name() if state.player >= 0 and luck.random() < 0.8 else luck.choice([None, "x"])
    if luck.random() < 0.1:
        actions = luck.choice([("x",), (0, 1), None, "ab", (1, 1)])
    return fogtree.Observation(player, view, actions, name)


def two_threads(luck: random.Random, tell: Tell, folder: Path) -> None:
    """One object used from two threads at once."""
    kind = luck.choice(["solver", "agent", "search", "strategy", "simulate", "tree"])
    tell(kind)
    errors: list[BaseException] = []
    if kind == "solver":
        algorithm = luck.choice(["cfr+", "hedge", "dcfr"])
        solver = fogtree.TabularSolver(cast()["tree"], fogtree.recipe(algorithm))
        works = [lambda: solver.run(2000), solver.strategy, solver.evaluate, solver.state]
    elif kind in ("agent", "search"):
        game = fogtree.load_game("leduc_poker" if kind == "agent" else "fog_chess")
        agent = fogtree.agent("search", game, steps=60)
        agent.start(game, 0, "1")
        state = game.root()
        while state.player != 0:
            state = state.child(state.chance()[0][0])
        seen = fogtree.Observation(0, state.observation(0), tuple(state.actions()), state.name())
        agent.observe(seen)
        works = [agent.act, agent.act, agent.interrupt, agent.close, lambda: agent.observe(seen)]
    elif kind == "strategy":
        strategy = cast()["strategy"]
        works = [lambda: strategy.save(folder / "x.npz"), strategy.to_dict, strategy.rows]
    elif kind == "simulate":
        works = [lambda: fogtree.simulate("cambia", "mccfr-outcome", iterations=20)]
    else:
        tree = fogtree.compile("kuhn_poker")
        works = [lambda: tree.flat, lambda: tree.form, lambda: fogtree.solve(tree, iterations=5)]

    def run() -> None:
        for _ in range(3):
            try:
                luck.choice(works)()
            except BaseException as error:
                errors.append(error)

    threads = [threading.Thread(target=run) for _ in range(luck.choice([2, 3]))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for error in errors:
        if not isinstance(error, ALLOWED):
            raise error


def call_back(luck: random.Random, tell: Tell, folder: Path) -> None:
    """A callback that calls what is running, or changes it, or fails."""
    tree = cast()["tree"]
    inner = luck.choice(
        [
            lambda: fogtree.solve(tree, iterations=2),
            lambda: fogtree.solve(tree, "mccfr-external", iterations=2),
            lambda: fogtree.resume(folder / "run", iterations=20),
            lambda: fogtree.load_strategy(folder / "run"),
            lambda: fogtree.solve(tree, iterations=2, save=folder / "run"),
            raiser,
            lambda: threading.Thread(target=lambda: fogtree.solve(tree, iterations=2)).start(),
        ]
    )

    def back(*given: object) -> Any:
        inner()
        return luck.choice([None, True, "x"])

    outer = luck.choice(["solve", "sample", "train", "match", "every", "simulate"])
    tell(outer)
    if outer == "solve":
        fogtree.solve(tree, iterations=10, save=folder / "run", progress=back, pulse=back)
    elif outer == "sample":
        fogtree.solve(tree, "mccfr-external", iterations=10, save=folder / "run", progress=back)
    elif outer == "train":
        fogtree.train(tree, QUICK, folder=folder / "run", watch=back, pulse=back)
    elif outer == "match":
        fogtree.match(tree, "random", "random", games=4, progress=back)
    elif outer == "every":
        fogtree.solve(
            tree, iterations=10, every=lambda n: luck.choice([n, n - 1, n + 1, None, "x"])
        )
    else:
        fogtree.simulate("cambia", "mccfr-outcome", iterations=10, save=folder / "run", pulse=back)


def search_callback(luck: random.Random, tell: Tell, folder: Path) -> None:
    """A search whose watcher or evaluator calls the search itself, fails or returns nonsense."""
    from fogtree.games.fog_chess.evaluator import FogEvaluator
    from fogtree.search.agent import SearchAgent

    class Odd(FogEvaluator):
        def mover_values(self, position: Any) -> Any:
            count = position.count_moves()
            kind = luck.randrange(200)
            if kind == 0:
                raise PlannedError("from an evaluator")
            if kind == 1:
                agent.act()
            if kind == 2:
                agent.interrupt()
            wrong: list[Any] = [np.full(count, np.nan), np.zeros(count + 1), None, "x", [], 5]
            return luck.choice(wrong) if kind == 3 else np.zeros(count, np.float32)

    game = fogtree.load_game("fog_chess")
    own = luck.random() < 0.5
    tell("an evaluator" if own else "a watcher")
    values = {"evaluator": Odd("odd")} if own else {}
    agent = SearchAgent(game, budget=fogtree.Budget(steps=30), **values)
    agent.start(game, 0, "1")
    state = game.root()
    seen = fogtree.Observation(0, state.observation(0), tuple(state.actions()), state.name())
    agent.observe(seen)
    if own:
        agent.act()
        return
    deeds = [agent.act, agent.interrupt, agent.close, lambda: agent.observe(seen), raiser]
    agent.watch(lambda *given: luck.choice(deeds)(), looks=luck.choice([0, 3]), every=True)


def misuse_state(luck: random.Random, tell: Tell, folder: Path) -> None:
    """States asked for what they do not have."""
    game = fogtree.load_game(
        luck.choice([*SMALL, "fog_chess", "cambia", "leduc_poker", "phantom_ttt"])
    )
    state = game.root()
    for _ in range(luck.randrange(6)):
        if state.player == TERMINAL:
            break
        steps = [a for a, _ in state.chance()] if state.player == CHANCE else state.actions()
        state = state.child(luck.choice(list(steps)))
    name = luck.choice(
        ["child", "observation", "show", "news", "facts", "record_view", "action_name"]
    )
    value = luck.choice([-1, 2, 99, "x", None, 1.5, "e2e4", "", 10**30, (), "0000", "e7e8q"])
    tell(f"{game}.{name}({value!r})")
    getattr(state, name)(value)


def misuse_native(luck: random.Random, tell: Tell, folder: Path) -> None:
    """Native objects made of arrays that do not fit together."""
    from fogtree import _core

    tree = cast()["tree"]
    arrays: list[Any] = [
        tree.parent, tree.player, tree.action, tree.index, tree.chance,
        tree.view.ravel(), tree.payoffs.ravel(), tree.infoset_player, tree.infoset_actions,
    ]  # fmt: skip
    changed = [np.array(one) for one in arrays]
    for _ in range(luck.choice([1, 1, 2])):
        which = luck.randrange(len(changed))
        array, way = changed[which], luck.randrange(5)
        if way == 0 and len(array):
            with np.errstate(all="ignore"):
                wrong = luck.choice([-1, -2, 99, 2**20, np.nan, -(2**20), 0, 1])
                array[luck.randrange(len(array))] = np.array(wrong).astype(array.dtype)
        elif way == 1:
            changed[which] = array[: luck.randrange(len(array) + 1)]
        elif way == 2:
            changed[which] = np.concatenate([array, array])
        elif way == 3:
            changed[which] = array[::-1].copy()
        else:
            np.random.default_rng(luck.randrange(1000)).shuffle(array)
    tell(f"players, arrays {which} way {way}")
    players = luck.choice([2, 2, 2, 2, 1, 3, 0])
    flat = _core.FlatTree(players, *changed)
    plan = fogtree.recipe("mccfr-external")
    from fogtree.solvers.solve import make_solver

    wrong_tree = _with_flat(tree, flat)
    solver = make_solver(wrong_tree, plan if luck.random() < 0.5 else fogtree.recipe("cfr+"))
    solver.run(5) if hasattr(solver, "run") else None
    solver.strategy()


def _with_flat(tree: Any, flat: Any) -> Any:
    """The same compiled game with other native arrays."""
    from dataclasses import replace

    made = replace(tree)
    made.__dict__["flat"] = flat
    return made


SCENES: dict[str, Callable[[random.Random, Tell, Path], None]] = {
    "call a function": call_function,
    "call another function": call_function,
    "call one more function": call_function,
    "make an object": make_object,
    "use a result": use_result,
    "misuse an agent": misuse_agent,
    "two threads": two_threads,
    "call back": call_back,
    "watch a search": search_callback,
    "misuse a state": misuse_state,
    "misuse native objects": misuse_native,
}
