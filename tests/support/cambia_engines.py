"""Both engines side by side on random games: equal after every action, or a clear word why not.

``python -m tests.support.cambia_engines 100000`` plays that many on every core and tells what was
covered.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from dataclasses import asdict
from typing import Any

from fogtree import _core
from fogtree.arena import workers
from fogtree.games.cambia.actions import layout
from fogtree.games.cambia.position import Position
from fogtree.games.cambia.rules import PROFILES, STANDARD_DECK, Rules, make_rules

PART = 500  # games that a process plays in one go

FIELDS = (
    "player",
    "hands",
    "seen",
    "stock",
    "stock_size",
    "discard",
    "phase",
    "actor",
    "turn",
    "starter",
    "caller",
    "drawn",
    "drawn_seen",
    "from_discard",
    "waiting",
    "owed",
    "other",
    "slot",
    "own",
)


def native_rules(rules: Rules) -> _core.CambiaRules:
    values: dict[str, Any] = asdict(rules)
    del values["suits"]
    return _core.CambiaRules(**values)


def random_rules(generator: random.Random) -> tuple[str, Rules]:
    """A profile as it is, or with some of its rules changed."""
    profile = generator.choice(list(PROFILES))
    players = generator.randint(2, 6)
    given: dict[str, Any] = {}
    if generator.random() < 0.5:
        given["cambia_from_round"] = generator.randint(0, 6)
    if generator.random() < 0.5:
        hand = generator.randint(1, 6)
        need = players * hand + 2
        ranks = STANDARD_DECK.split()
        generator.shuffle(ranks)
        given = given | {
            "deck": " ".join(ranks[: max(-(-need // 4), generator.randint(3, 13))]),
            "hand": hand,
            "looks": generator.randint(0, hand),
            "penalty": generator.randint(0, 4),
            "jokers": generator.randint(0, 2),
            "suits": generator.random() < 0.5,
            "snap_window": generator.choice(["eligible", "always"]),
            "show_wrong_snap": generator.random() < 0.5,
            "max_turns": generator.randint(1, 60),
        }
        for rule in ("draw_discard", "opponent_snap", "replace_abilities", "lock_caller"):
            given[rule] = generator.random() < 0.5
    defects = generator.random() < 0.2
    return profile, make_rules(players, profile, "full", defects, given)


def differences(reference: Position, native: Any) -> list[str]:
    """Where two positions differ, in words."""
    found = [
        f"{field}: {getattr(reference, field)} / {getattr(native, field)}"
        for field in FIELDS
        if getattr(reference, field) != getattr(native, field)
    ]
    for method in ("legal", "chance", "totals"):
        one, two = getattr(reference, method)(), getattr(native, method)()
        if one != two:
            found.append(f"{method}: {one} / {two}")
    if reference.player == -2 and reference.returns() != native.returns():
        found.append(f"returns: {reference.returns()} / {native.returns()}")
    return found


def play(rules: Rules, generator: random.Random) -> tuple[Counter[str], bool]:
    """One game on both; the kinds of its actions, and whether it stopped for want of one."""
    one, two = Position.first(rules), _core.CambiaPosition.first(native_rules(rules))
    moves, actions = layout(rules.players).moves, Counter[str]()
    while True:
        found = differences(one, two)
        assert not found, f"{rules}: {found}"
        if one.player == -2:
            return actions, False
        if one.player == -1:
            step = generator.choice(one.chance())[0]
        else:
            legal = one.legal()
            if not legal:
                assert rules.earlier_defects, f"{rules}: no legal action"
                return actions, True
            step = generator.choice(legal)
            actions[moves[step].kind] += 1
        one, two = one.child(step), two.child(step)


def compare(games: int, seed: int) -> Counter[str]:
    """Plays games on both engines; counts what was covered."""
    generator, seen = random.Random(seed), Counter[str]()
    for _ in range(games):
        profile, rules = random_rules(generator)
        actions, stuck = play(rules, generator)
        seen.update({"games": 1, "actions": actions.total()})
        seen.update({profile: 1, f"{rules.players} players": 1})
        seen.update({"defects repeated": rules.earlier_defects, "deadlocks among those": stuck})
        seen.update(actions)
    return seen


def compare_on_all_cores(games: int) -> Counter[str]:
    """As :func:`compare`, in parts with a seed each: whichever cores play, the same games."""
    parts = [min(PART, games - begin) for begin in range(0, games, PART)]
    run: Any
    with workers() as run:
        return sum(run(_compare_part, enumerate(parts)), Counter[str]())


def _compare_part(part: tuple[int, int]) -> Counter[str]:
    seed, games = part
    return compare(games, seed)


if __name__ == "__main__":
    for what, count in compare_on_all_cores(int(sys.argv[1])).items():
        print(f"{what:24}{count:>12,}")
