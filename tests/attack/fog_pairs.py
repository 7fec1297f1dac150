"""Pairs of games that differ only in what one seat cannot see: all it is shown is equal, byte for
byte. Compared are views, the terminal, decisions of agents with the same seed, events of the web
app, views in records, and analyses."""

from __future__ import annotations

import contextlib
import io
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import fogtree
from fogtree.agents import Clairvoyant
from fogtree.game import CHANCE, TERMINAL
from fogtree.registry import entry_of, resolve
from fogtree.search import tree_adapter
from tests.attack.damaged_files import timeless
from tests.attack.part import Case, Finding, Part

GAMES = (
    "kuhn_poker", "kuhn_poker(players=3)", "leduc_poker", "liars_dice", "goofspiel(cards=4)",
    "phantom_ttt", "battleship", "cambia", "cambia(snap_window='always')", "cambia(players=3)",
    "fog_chess", "fog_chess",
)  # fmt: skip
LONGEST = 30
TRIES = 8
DIFFERENT = 0.7
"""How often a pair takes steps that differ where it can."""

Pair = tuple[list[Any], list[Any]]
Lines = tuple[list[Any], list[Any]]


class FogPairs(Part):
    """Pairs of games that look the same to one seat."""

    name = "fog_pairs"
    goal, required = 1_200, 1_000
    short = 24
    chunk = 100

    def attack(self, case: Case) -> Counter[str]:
        luck = case.luck
        tree_adapter._MAX_KEPT = len(GAMES)  # compiling takes most of the time
        game = fogtree.load_game(luck.choice(GAMES))
        player = luck.randrange(game.players)
        for _ in range(TRIES):
            lines, states = twins(game, player, luck)
            if lines[0] != lines[1]:
                break
        else:
            return Counter()
        checks = {"views": views, "terminal": terminal, "web": web_events}
        name = luck.choice(fair_agents(game))
        both = list(zip(states, lines, strict=True))
        told = {check: [see(game, player, *one) for one in both] for check, see in checks.items()}
        told[f"agent {name}"] = [decisions(game, player, *one, name) for one in both]
        if (
            entry_of(game).analysis is not None
            and game.players == 2
            and states[0][-1].player == player
        ):
            told["analysis"] = [analysis(game, line) for line in lines]
        for check, (first, second) in told.items():
            if first != second:
                raise Finding(
                    f"{game}, seat {player}: {check} differs\n  {lines[0]}\n  {lines[1]}\n"
                    f"{_difference(str(first), str(second))}"
                )
        return Counter({f"equal, {entry_of(game).name}": 1})


def fair_agents(game: Any) -> list[str]:
    """The agents that are not shown the whole state, and those that do not play this game."""
    found = []
    for name in fogtree.agent_names(game):
        try:
            agent = fogtree.agent(name, game)
        except fogtree.FogtreeError:
            found.append(name)
            continue
        if not isinstance(agent, Clairvoyant):
            found.append(name)
        agent.close()
    return found


def _difference(first: str, second: str) -> str:
    at = next((n for n, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), 0)
    return f"  {first[max(0, at - 100) : at + 200]!r}\n  {second[max(0, at - 100) : at + 200]!r}"


def twins(game: Any, player: int, luck: random.Random) -> tuple[Lines, Pair]:
    """Two random games that the player cannot tell apart, as different as chance has it; at their
    end the player is to move, if that was ever so."""
    states: Pair = ([game.root()], [game.root()])
    lines: Lines = ([], [])
    for _ in range(luck.randrange(2, LONGEST)):
        steps = _next(states[0][-1], states[1][-1], player, luck)
        if steps is None:
            break
        for line, reached, step in zip(lines, states, steps, strict=True):
            line.append(step)
            reached.append(reached[-1].child(step))
    while len(states[0]) > 2 and states[0][-1].player != player and luck.random() < 0.9:
        for line, reached in zip(lines, states, strict=True):
            line.pop(), reached.pop()
    return lines, states


def _next(one: Any, two: Any, player: int, luck: random.Random) -> tuple[Any, Any] | None:
    """A step in each game after which the player still cannot tell them apart."""
    groups: list[dict[Any, list[Any]]] = []
    for state in (one, two):
        group = defaultdict(list)
        chance = state.player == CHANCE
        options = [a for a, share in state.chance() if share > 0] if chance else state.actions()
        for step in options:
            child = state.child(step)
            if child.player == TERMINAL:
                continue
            own = tuple(child.actions()) if child.player == player else None
            seen = str(step) if state.player == player else None
            group[child.player, child.observation(player), own, seen].append(step)
        groups.append(group)
    common = [key for key in groups[0] if key in groups[1]]
    if not common:
        return None
    rich = [key for key in common if set(groups[0][key]) | set(groups[1][key]) != {None}]
    several = [key for key in rich if len({*groups[0][key], *groups[1][key]}) > 1]
    key = luck.choice(several if several and luck.random() < DIFFERENT else common)
    first, second = luck.choice(groups[0][key]), luck.choice(groups[1][key])
    if luck.random() < DIFFERENT:
        others = [step for step in groups[1][key] if step != first]
        second = luck.choice(others or [second])
    return first, second


def views(game: Any, player: int, states: Sequence[Any], line: Sequence[Any]) -> str:
    """Everything that states show to a seat."""
    told = []
    for state in states:
        own = state.player == player
        told.append(
            (
                state.player == player,
                repr(state.observation(player)),
                state.show(player),
                state.news(player),
                state.record_view(player),
                [state.action_name(action) for action in state.actions()] if own else None,
                state.name() if own else None,
            )
        )
    return json.dumps(told)


def terminal(game: Any, player: int, states: Sequence[Any], line: Sequence[Any]) -> str:
    """All that a person reads who plays the seat in a terminal."""
    from fogtree.terminal.human_agent import HumanAgent

    person = (resolve(entry_of(game).human) or HumanAgent)()
    watch = person.watch(player)
    page = io.StringIO()
    before = sys.stdin
    steps = [*line[: len(states) - 1], next(iter(states[-1].actions()), None)]
    own = [
        state.action_name(step)
        for step, state in zip(steps, states, strict=True)
        if state.player == player
    ]
    sys.stdin = io.StringIO("\n".join(["help", *own]))
    try:
        with contextlib.redirect_stdout(page):
            person.start(game, player, "1")
            for state in states:
                if watch is not None:
                    watch(state)
                if state.player == player:
                    seen = state.observation(player)
                    actions = tuple(state.actions())
                    person.observe(fogtree.Observation(player, seen, actions, state.name()))
                    person.act()
    finally:
        sys.stdin = before
    return page.getvalue()


def decisions(game: Any, player: int, states: Sequence[Any], line: Sequence[Any], name: str) -> str:
    """What an agent decides at the last states, with the same seed."""
    settings = {"steps": 12} if name.startswith("search") else {}
    try:
        agent = fogtree.agent(name, game, **settings)
    except fogtree.FogtreeError as error:  # one that does not play every game
        return str(error)
    agent.start(game, player, "a seed")
    told = []
    last = [number for number, state in enumerate(states) if state.player == player][-2:]
    view: Any = None
    for number, state in enumerate(states):
        seen = state.observation(player)
        own = state.player == player
        if own:
            actions = tuple(state.actions())
            agent.observe(fogtree.Observation(player, seen, actions, state.name()))
            if number in last:
                chosen = agent.act(fogtree.Budget(steps=12))
                told.append(repr((chosen.action, chosen.mix, chosen.values)))
            if number + 1 < len(states):
                agent.follow(line[number])
        elif seen != view and agent.every_view:
            agent.observe(fogtree.Observation(player, seen))
        view = seen
    agent.close()
    return "\n".join(told)


def web_events(game: Any, player: int, states: Sequence[Any], line: Sequence[Any]) -> str:
    """The events of the seat in the web app."""
    from fogtree.web.game_log import GameLog
    from fogtree.web.storage import GameSetup, SeatSetup, Step

    seats = tuple(SeatSetup(key=f"{seat}") for seat in range(game.players))
    log = GameLog(GameSetup("id", str(game), seats, "seed", 0.0, "", clock=(300.0, 2.0)), game)
    for number in range(len(states) - 1):
        state = states[number]
        kind = "chance" if state.player == CHANCE else "action"
        log.apply(Step(kind, str(line[number]), state.player, 1.25 * number))
    return json.dumps(log.logs[player])


def analysis(game: Any, line: Sequence[Any]) -> str:
    """The document of an analysis at the end of a line."""
    from fogtree.report.document import analysis_document

    history = fogtree.History.of(game, line)
    report = fogtree.analyse(game, history=history, steps=8, seed=1)
    return timeless(json.dumps(analysis_document(report, 5), default=str))
