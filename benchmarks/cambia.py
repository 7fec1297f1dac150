"""How fast Cambia goes on one core, beside the fastest engine known.

Random games count decisions; external sampling counts decisions and endings. The figures to beat
are those of an engine written in Go, measured elsewhere. Times are of the processor, not of the
clock, so that neighbours on a shared machine count less.
"""

from __future__ import annotations

import argparse
import random
from time import process_time
from typing import NamedTuple

from fogtree import _core, compile, load_game
from fogtree.games.cambia.game import Cambia

PEER_RANDOM = (4.0, 8.5)  # million nodes per second
PEER_SAMPLING = (2.3, 6.3)


class Row(NamedTuple):
    what: str
    rate: float  # million per second
    peer: tuple[float, float] | None
    note: str


def cambia(spec: str) -> Cambia:
    game = load_game(spec)
    assert isinstance(game, Cambia)
    return game


def random_games(spec: str, seconds: float) -> Row:
    """Million actions per second of random games in the native engine."""
    rules = cambia(spec).native_rules
    games, seed, actions, turns = 20_000, 0, 0, 0
    start = process_time()
    while process_time() - start < seconds:
        seed += 1
        done, turned, deadlocks, _ = _core.cambia_random_games(rules, games, seed)
        assert deadlocks == 0
        actions, turns = actions + done, turns + turned
    rate = actions / (process_time() - start) / 1e6
    note = f"{actions / (games * seed):.1f} actions, {turns / (games * seed):.1f} turns a game"
    return Row(f"random games, {spec}", rate, PEER_RANDOM, note)


def external_sampling(turns: int, seconds: float) -> Row:
    """Million nodes per second of external sampling in games of at most so many turns."""
    rules = cambia(f"cambia(profile='training', max_turns={turns})").native_rules
    traversals, seed, nodes = 10, 0, 0
    start = process_time()
    while process_time() - start < seconds:
        seed += 1
        nodes += _core.cambia_external_sampling(rules, traversals, seed)[0]
    rate = nodes / (process_time() - start) / 1e6
    note = f"{nodes / (traversals * seed):,.0f} nodes a traversal"
    return Row(f"external sampling, {turns} turns", rate, PEER_SAMPLING, note)


def reference(seconds: float) -> Row:
    """Million actions per second of random games in the reference engine, in Python."""
    game, generator = cambia("cambia(engine='python')"), random.Random(1)
    actions = 0
    start = process_time()
    while process_time() - start < seconds:
        position = game.root().position
        while position.player != -2:
            if position.player == -1:
                position = position.child(generator.choice(position.chance())[0])
            else:
                position = position.child(generator.choice(position.legal()))
                actions += 1
    rate = actions / (process_time() - start) / 1e6
    return Row("random games, reference engine in Python", rate, None, "")


def tree(spec: str) -> Row:
    """Million nodes per second of compiling a game."""
    start = process_time()
    nodes = len(compile(load_game(spec)).parent)
    seconds = process_time() - start
    return Row(f"compile {spec}", nodes / seconds / 1e6, None, f"{nodes:,} nodes, {seconds:.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="per row")
    seconds = parser.parse_args().seconds
    rows = [
        random_games("cambia", seconds),
        random_games("cambia(profile='training')", seconds),
        random_games("cambia(profile='competitive')", seconds),
        random_games("cambia(cambia_from_round=100)", seconds),
        random_games("cambia(players=6)", seconds),
        *(external_sampling(turns, seconds) for turns in (4, 5, 6)),
        reference(seconds),
        tree("cambia(preset='tiny2')"),
    ]
    print(f"{'one core':52}{'million/s':>10}{'of the peer':>16}")
    for row in rows:
        low, high = row.peer or (0.0, 0.0)
        ratio = f"{row.rate / high:.1f}-{row.rate / low:.1f}x" if row.peer else ""
        print(f"{row.what:52}{row.rate:>10.2f}{ratio:>16}  {row.note}")
    print(f"copying a state: {_core.CambiaPosition.bytes} bytes")


if __name__ == "__main__":
    main()
