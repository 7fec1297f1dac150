"""Abuses by use at the same time: two threads on one object, callbacks that call their caller."""

from __future__ import annotations

import random
import threading
from pathlib import Path
from typing import Any

import numpy as np

import fogtree
from tests.attack.api_arguments import ALLOWED, QUICK, Tell, cast, raiser
from tests.attack.fickle_game import PlannedError


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
