"""The walk-through: the first iterations of an algorithm with every number, for the browser."""

from __future__ import annotations

from dataclasses import asdict
from itertools import groupby
from typing import Any

import numpy as np

from fogtree.errors import OptionError
from fogtree.explanation import explain, rules
from fogtree.explanation.deals import read_deal
from fogtree.explanation.histories import Traversal
from fogtree.explanation.record import Explanation, Step
from fogtree.explanation.sweep import Walker
from fogtree.explanation.words import averaging, conclusion, ground_rules, judgement, situation
from fogtree.game import CHANCE
from fogtree.solvers import RECIPES, Recipe
from fogtree.tree import GameTree
from fogtree.web.study_games import StudyGames, read_spec

MOST_ITERATIONS = 20
MOST_STEPS = 400
MOST_BYTES = 50_000_000
"""Memory for compiling the game."""
MOST_DEALS = 60
"""Possible deals that are listed."""
MOST_HISTORIES = 6
"""Most histories of an information set that are listed one by one."""


def walk_document(content: dict[str, Any], games: StudyGames) -> dict[str, Any]:
    """The walk-through that a request asks for, as a JSON document: each step of the algorithm with
    its numbers, sentences and worked formulas. ``content`` is the request: the game, and optionally
    an algorithm, deals and a number of iterations."""
    game, algorithm = read_spec(content), content.get("algorithm", "cfr+")
    deals, iterations = content.get("deals", []), content.get("iterations")
    if algorithm not in RECIPES:
        raise OptionError(f"algorithms are {', '.join(RECIPES)}")
    if not isinstance(deals, list) or not all(isinstance(deal, str) for deal in deals):
        raise OptionError("'deals' must be a list of texts")
    count = len(deals) if iterations is None else iterations
    if iterations is not None and type(iterations) is not int:
        raise OptionError("'iterations' must be a whole number")
    if not 0 <= count <= MOST_ITERATIONS:
        raise OptionError(f"a walk-through has 0 to {MOST_ITERATIONS} iterations")
    games.check(game)
    tree = games.compile(game, lambda: None, MOST_BYTES)
    found = explain(tree, algorithm, deals=deals, iterations=iterations).shortened(MOST_STEPS)
    traversals, behind = _behind(tree, found)
    return {
        "game": found.game,
        "players": found.players,
        "algorithm": found.algorithm,
        "deals": list(found.deals),
        "possible_deals": possible_deals(tree),
        "deal_count": count_deals(tree),
        "left_out": found.left_out,
        "ground_rules": ground_rules(found),
        "averaging": averaging(found),
        "averages": _averages(tree, found),
        "traversals": traversals,
        "formulas": [
            *rules.formulas(found.recipe),
            *filter(None, [rules.average_formula(found.recipe)]),
        ],
        "steps": [
            {
                **step.to_dict(),
                **more,
                "sentences": [situation(step), judgement(step), conclusion(step)],
                "worked": _worked(found.recipe, step, reaches),
            }
            for step, more, reaches in zip(
                found.steps, behind, _own_reaches(tree, found), strict=True
            )
        ],
    }


def _behind(
    tree: GameTree, found: Explanation
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Two lists of JSON objects that show where the numbers of the steps come from. The first has
    one per traversal: by information set, what was played there and what it was worth. The second
    has one per step: the number of its traversal, and the histories of its information set."""
    walker = Walker(tree)
    number = {name: k for k, name in enumerate(tree.infoset_names)}
    traversals: list[dict[str, Any]] = []
    behind: list[dict[str, Any]] = []
    for steps in found.by_iteration():
        deal = steps[0].deal
        chance = tree.chance if deal is None else read_deal(walker, deal).chance
        for _, group in groupby(steps, key=lambda step: id(step.profile)):
            together = list(group)
            profile = together[0].profile
            assert profile is not None
            traversal = Traversal(walker, profile, chance)
            for step in together:
                histories = traversal.histories(number[step.infoset], MOST_HISTORIES)
                listed = [asdict(history) for history in histories]
                behind.append({"traversal": len(traversals), "listed_histories": listed})
            names = [step.infoset for step in steps]
            traversals.append({n: asdict(traversal.decision(number[n])) for n in names})
    return traversals, behind


def _averages(tree: GameTree, found: Explanation) -> list[dict[str, list[float]]]:
    """The average strategy after each iteration, at the information sets of all steps."""
    number = {name: k for k, name in enumerate(tree.infoset_names)}
    slots = {
        step.infoset: slice(*tree.first_slot[number[step.infoset] :][:2].tolist())
        for step in found.steps
    }
    return [
        {name: average[where].tolist() for name, where in slots.items()}
        for average in found.averages
    ]


def possible_deals(tree: GameTree) -> list[str]:
    """The first MOST_DEALS deals (chance outcomes before the first decision) of a game, as texts
    that :func:`~fogtree.explanation.deals.read_deal` reads."""
    if int(tree.player[0]) != CHANCE:
        return []
    deals: list[tuple[str, ...]] = []
    ways: list[tuple[int, tuple[str, ...]]] = [(0, ())]
    while ways and len(deals) < MOST_DEALS:
        node, labels = ways.pop()
        if int(tree.player[node]) != CHANCE:
            deals.append(labels)
            continue
        children = np.flatnonzero(tree.parent == node)[::-1].tolist()
        ways += [(child, (*labels, tree.labels[tree.label[child]])) for child in children]
    short = all(len(label) == 1 for labels in deals for label in labels)
    return [("" if short else ",").join(labels) for labels in deals]


def count_deals(tree: GameTree) -> int:
    """The number of possible deals, which are the chance outcomes before the first decision."""
    chance, count = np.flatnonzero(tree.player[:1] == CHANCE), 0
    while chance.size:
        after = np.flatnonzero(np.isin(tree.parent, chance))
        after = after[after > 0]
        more_chance = tree.player[after] == CHANCE
        count += int(np.count_nonzero(~more_chance))
        chance = after[more_chance]
    return count


def _own_reaches(tree: GameTree, found: Explanation) -> list[list[list[float]]]:
    """For every step, the own reach of each of its actions in each iteration up to the step's."""
    number = {name: k for k, name in enumerate(tree.infoset_names)}
    slots = [tree.first_slot[number[step.infoset] :][:2].tolist() for step in found.steps]
    return [
        [reach[slice(*where)].tolist() for reach in found.reaches[: step.iteration]]
        for step, where in zip(found.steps, slots, strict=True)
    ]


def _worked(row: Recipe, step: Step, reaches: list[list[float]]) -> dict[str, list[str]]:
    """The formulas of a step with its numbers filled in, by what they compute. ``reaches`` are the
    own reaches of its actions in the iterations so far."""
    average = rules.average(row, step, reaches)
    return {
        "expected value": rules.expected_value(step),
        "regret of this iteration": rules.regrets(step),
        "cumulative regret": rules.updates(row, step),
        "weights": rules.weight_rule(row).filled(step),
        "next strategy": rules.next_strategy(step),
        **({"average strategy after this step": average} if average else {}),
    }
