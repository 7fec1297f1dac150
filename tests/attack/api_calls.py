"""Abuses by wrong arguments and wrong order: functions, classes, agents, states, arrays."""

from __future__ import annotations

import inspect
import random
from pathlib import Path
from typing import Any

import numpy as np

import fogtree
from fogtree.game import CHANCE, TERMINAL
from tests.attack.api_arguments import (
    NUMBERS,
    QUICK,
    SMALL,
    Tell,
    anything,
    cast,
    fitting,
    texts,
)


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
    tell(f"{name}{texts(positional)} {texts(keywords.items())}")
    result = function(*positional, **keywords)
    _show(result)


def _show(result: Any) -> None:
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
    tell(f"{kind.__name__}{texts(given)}")
    _show(kind(*given))


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
        tell(str(texts(given)))
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
