"""The network that comes with the package."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from fogtree._core import FogChessPosition, fog_chess_ruled_children
from fogtree.cli import main
from fogtree.games.fog_chess.evaluators import load_evaluator
from fogtree.games.fog_chess.network import reference as net_reference
from fogtree.games.fog_chess.network.check import check_net, random_positions
from fogtree.games.fog_chess.network.file import find_net, net_sha256, read_net

TRAINING_PAGE = Path(__file__).parents[4] / "docs" / "howto" / "train_a_chess_network.md"
# Fog-of-War games, with pieces that hang, kings that walk and other accidents.
GAMES = [
    "g1f3 g8f6 c2c4 e7e6 e2e4 c7c5 b1c3 b8c6 d2d4 c5d4 d1d4 c6d4 f3d4 a7a6 e4e5 f6g8 g2g4 f8c5",
    "d2d4 c7c5 d4c5 e7e6 b1c3 g8f6 e2e4 b8c6 g1e2 f6e4 c1f4 e4c3 e2c3 f8c5 d1g4 d7d5 g4g7 c5f8 "
    "g7h8 e8d7 a1b1",
    "d2d4 c7c5 d4d5 b7b5 b1c3 g8f6 e2e4 a7a6 f1b5 a6b5 e4e5 f6g8 d5d6 e7e6 a2a4 b5b4 c3b5 c8a6 "
    "c1f4 a6b5 a4b5 a8a1 d1a1 d8b6 a1a2 f7f6 g1f3",
]
ENDGAMES = [
    "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 0 1",
    "8/8/4k3/3r4/8/2B5/1P3K2/8 w - - 0 1",
    "6k1/5ppp/8/8/8/8/q4PPP/1R4K1 w - - 0 1",
    "4k3/8/8/3q4/8/8/3QQ3/4K3 b - - 0 1",
]


def positions() -> list[FogChessPosition]:
    found = [FogChessPosition(fen) for fen in ENDGAMES]
    for game in GAMES:
        position = FogChessPosition()
        for ply, move in enumerate(game.split()):
            position = position.play(position.read_uci(move))
            if ply % 3 == 2:  # either side is to move
                found.append(position)
    return found


def test_it_is_what_net_names_and_small() -> None:
    file = find_net()
    assert file.stat().st_size < 4_000_000
    net = read_net(file)
    with load_evaluator("net-static") as evaluator:
        position = FogChessPosition()
        expected = [-net_reference.value(net, position.play(move)) for move in position.moves()]
        np.testing.assert_allclose(evaluator.mover_values(position), expected, atol=1e-6)


def test_its_report_is_of_this_network() -> None:
    """``default.json`` says what it was made of; the data is described in the docs."""
    report = json.loads(find_net().with_suffix(".json").read_text())
    net = read_net(find_net())
    assert report["sha256"] == net_sha256(net)
    options = report["options"]
    assert (net.width, net.king_buckets, net.stacks) == tuple(
        options[name] for name in ("width", "king_buckets", "stacks")
    )
    assert f"{report['data']['folders'][0]['rows']:,}" in TRAINING_PAGE.read_text()


def test_it_passes_the_check() -> None:
    assert check_net(read_net(find_net()), positions=60, seed=2).good


def test_both_sides_are_valued_alike() -> None:
    """A position and its mirror image with the colours changed are the same to it."""
    net = read_net(find_net())
    for position in random_positions(20, 4):
        ranks, side, *_ = position.fen.split()
        turned = "/".join(reversed(ranks.swapcase().split("/")))
        other = FogChessPosition(f"{turned} {'b' if side == 'w' else 'w'} - - 0 1")
        assert net_reference.value(net, other) == net_reference.value(net, position)


def test_it_knows_what_a_queen_is_worth() -> None:
    with load_evaluator("net") as evaluator:
        position = FogChessPosition("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")
        values = dict(zip(position.uci_moves(), evaluator.mover_values(position), strict=True))
    assert max(values, key=lambda move: values[move]) == "e4d5"
    assert values["e4d5"] > values["e4e5"] + 0.5


def test_the_search_asks_it(capsys: pytest.CaptureFixture[str]) -> None:
    moves = ["--moves", "e2e4,e7e5,g1f3", "--as", "black"]
    command = ["analyse", "fog_chess", *moves, "--steps", "30"]
    assert main([*command, "--evaluator", "net", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["evaluator"] == "net"
    assert sum(document["mix"].values()) == pytest.approx(1)


def test_it_is_nearer_to_stockfishs_network_than_simple_is(net_file: Path) -> None:
    names = ("net", "simple", f"stockfish-net:{net_file}")  # as it has learnt: after captures
    evaluators = [load_evaluator(name) for name in names]
    said: list[list[float]] = [[], [], []]
    for position in positions():
        open_ones = np.isnan(fog_chess_ruled_children(position, evaluators[0].native_rules))
        for values, evaluator in zip(said, evaluators, strict=True):
            values.extend(evaluator.mover_values(position)[open_ones])
    own, simple, stockfish = (np.array(values) for values in said)
    assert stockfish.size > 400
    assert np.abs(own - stockfish).mean() < 0.3 * np.abs(simple - stockfish).mean()
    assert np.corrcoef(own, stockfish)[0, 1] > np.corrcoef(simple, stockfish)[0, 1]
