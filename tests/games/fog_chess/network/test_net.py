"""Networks of our own: native inference against NumPy, step by step, files and their damage."""

from __future__ import annotations

import dataclasses
import hashlib
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import fogtree
from fogtree._core import FogChessNetwork, FogChessPosition, fog_chess_inferences
from fogtree.agents import Budget
from fogtree.arena import play_game
from fogtree.errors import FileFormatError, OptionError
from fogtree.games.fog_chess.evaluators import load_evaluator, native_net
from fogtree.games.fog_chess.game import FogChess
from fogtree.games.fog_chess.network import reference as net_reference
from fogtree.games.fog_chess.network.check import check_net, random_positions
from fogtree.games.fog_chess.network.file import (
    find_net,
    net_bytes,
    net_from_bytes,
    read_net,
    write_net,
)
from fogtree.games.fog_chess.network.net import ONE, UNIT, FogNet, same, shapes

BY_RANK = (np.arange(64) // 16).astype(np.uint8)
BY_SQUARE = (np.arange(64) % 32).astype(np.uint8)
KINDS = {
    "usual": {},
    "smallest": {"width": 128, "stacks": 1, "mirrored": False},
    "king's rank": {"width": 384, "stacks": 4, "king_bucket": BY_RANK},
    "king's square": {"width": 128, "stacks": 2, "king_bucket": BY_SQUARE, "mirrored": False},
    "widest": {"width": 1024},
}


def wild_net(seed: int, width: int, king_bucket: NDArray[np.uint8], stacks: int) -> FogNet:
    """Any numbers that a file may hold: sums overflow, nothing is tame."""
    draw = np.random.default_rng(seed)
    arrays = {}
    for name, (kind, shape) in shapes(width, int(king_bucket.max()) + 1, stacks).items():
        most = min(np.iinfo(kind).max, 1 << (24 if name == "psqt" else 26))
        low = -most if kind is np.int32 else np.iinfo(kind).min
        arrays[name] = draw.integers(low, most, shape, kind, endpoint=True)
    return FogNet("wild", 600.0, bool(seed % 2), king_bucket, **arrays)


@pytest.mark.parametrize("kind", KINDS)
def test_native_inference_equals_the_reference(kind: str) -> None:
    found = check_net(FogNet.random(5, **KINDS[kind]), positions=40, seed=1)
    assert found.inferences == tuple(fog_chess_inferences())
    assert "portable" in found.inferences
    assert found.differences == 0
    assert found.good


@pytest.mark.parametrize("seed", range(4))
def test_native_inference_equals_the_reference_on_wild_numbers(seed: int) -> None:
    net = wild_net(
        seed, (128, 256, 512, 640)[seed], (BY_RANK, BY_SQUARE)[seed % 2], (8, 4)[seed % 2]
    )
    found = check_net(net, positions=30, seed=seed)
    assert found.differences == 0
    assert found.largest_sum > 32_767  # the sums wrapped, in both the same way
    assert not found.good


def test_the_check_finds_what_is_wrong() -> None:
    """A check that could not fail would prove nothing: another network is not the same."""
    net = FogNet.random(1)
    other = dataclasses.replace(net, third_bias=net.third_bias + np.int32(16))
    native = native_net(other, quiescence=False)
    position = FogChessPosition()
    expected = net_reference.stack_outputs(net, position)
    got = native.trace(position)
    assert [two[1] - one.positional for one, two in zip(expected, got, strict=True)] == [16] * 8


TRICKY = [
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R3K2R w KQkq - 0 1",
    "4k3/8/8/8/3pPp2/8/8/R3K2R b KQ e3 0 1",
    "3rk2r/8/8/8/8/8/P6P/R2K3R w k - 0 1",
]


@pytest.mark.parametrize("kind", KINDS)
def test_children_updated_step_by_step_equal_the_reference(kind: str, tmp_path: Path) -> None:
    """Kings that change their bucket or side, castling, promotions, en passant; in any order."""
    net = FogNet.random(7, **KINDS[kind])
    write_net(net, tmp_path / "some.fognet")
    positions = [FogChessPosition(fen) for fen in TRICKY] + random_positions(6, 3)
    random.Random(1).shuffle(positions)
    checked = 0
    with load_evaluator(f"net-static:{tmp_path / 'some.fognet'}") as evaluator:
        for position in positions:
            values = evaluator.mover_values(position)
            for move, value in zip(position.moves(), values, strict=True):
                if abs(value) == 1 or value == 0:  # the rules had their say
                    continue
                expected = -net_reference.value(net, position.play(move))
                assert value == pytest.approx(expected, abs=1e-6)
                checked += 1
    assert checked > 150


def float_value(
    floats: dict[str, NDArray[np.float64]], net: FogNet, position: FogChessPosition
) -> float:
    """The model as one would train it, in which 1 is 1."""
    views = [
        net_reference.features(net, position, side) for side in (position.side, 1 - position.side)
    ]
    stack = net_reference.stack_for(net, position)
    inputs = []
    for chosen in views:
        half = np.clip(floats["bias"] + floats["weight"][chosen].sum(axis=0), 0, 1)
        low, high = np.split(half, 2)
        inputs.append(low * high * ONE / 128)
    first = floats["first_bias"][stack] + floats["first_weight"][stack] @ np.concatenate(inputs)
    passed = first[:-1]
    middle = np.concatenate([np.clip(passed**2 * ONE / 128, 0, 1), np.clip(passed, 0, 1)])
    second = np.clip(floats["second_bias"][stack] + floats["second_weight"][stack] @ middle, 0, 1)
    last = floats["third_bias"][stack] + floats["third_weight"][stack] @ second + first[-1]
    psqt = [floats["psqt"][chosen].sum(axis=0)[stack] for chosen in views]
    return float(np.tanh(last + (psqt[0] - psqt[1]) / 2))


def test_a_quantised_network_says_what_the_trained_one_did() -> None:
    draw = np.random.default_rng(2)
    floats = {
        name: draw.normal(0, 0.2 if name == "bias" else 0.1, shape)
        for name, (_, shape) in shapes(256, 4, 8).items()
    }
    net = FogNet.quantised("trained", BY_RANK, mirrored=True, **floats)
    assert net.unit == UNIT
    positions = random_positions(60, 9)
    expected = [float_value(floats, net, position) for position in positions]
    got = [net_reference.value(net, position) for position in positions]
    assert np.std(expected) > 0.2
    assert np.abs(np.subtract(expected, got)).max() < 0.05
    assert np.corrcoef(expected, got)[0, 1] > 0.999
    with pytest.raises(OptionError, match="finite"):
        FogNet.quantised("x", BY_RANK, mirrored=True, **{**floats, "bias": np.full(256, np.nan)})
    with pytest.raises(OptionError, match="arrays are"):
        FogNet.quantised("x", BY_RANK, mirrored=True, bias=floats["bias"])
    cut = FogNet.quantised("x", BY_RANK, mirrored=True, **{n: 1e9 * a for n, a in floats.items()})
    assert cut.first_weight.max() == 127


def test_networks_that_do_not_fit_are_refused() -> None:
    net = FogNet.random(1)
    wrong = {
        "unit": float("nan"),
        "king_bucket": np.full(64, 40, np.uint8),
        "weight": net.weight[:-1],
        "bias": net.bias[:100],
        "psqt": net.psqt.astype(np.int64),
        "first_bias": net.first_bias + np.int32(1 << 27),
        "third_bias": net.third_bias[:3],
    }
    for name, value in wrong.items():
        with pytest.raises(OptionError):
            dataclasses.replace(net, **{name: value})
    for psqt, why in ((net.psqt[:-1], "do not fit"), (net.psqt + (1 << 25), "could overflow")):
        arrays = {**net.arrays, "psqt": psqt}
        with pytest.raises(ValueError, match=why):
            FogChessNetwork.of("x", 600.0, True, net.king_bucket, **arrays, quiescence=True)


def test_a_network_comes_back_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "some.fognet"
    for seed, options in enumerate(KINDS.values()):
        net = FogNet.random(seed, **options)
        write_net(net, path)
        assert same(read_net(path), net)
    assert net_bytes(read_net(path)) == path.read_bytes()
    assert not same(FogNet.random(1), FogNet.random(2))


def test_the_files_layout_is_as_documented() -> None:
    net = FogNet.random(0, width=128, stacks=1, king_bucket=BY_RANK)
    content = net_bytes(net)
    assert content[:8] == b"FOGNET\r\n"
    numbers = np.frombuffer(content, "<u4", 6, 8)
    assert numbers.tolist() == [1, len("random, seed 0"), 128, 4, 1, 1]
    assert np.frombuffer(content, "<f4", 1, 32)[0] == 600
    assert content[36:100] == BY_RANK.tobytes()
    assert content[100:114] == b"random, seed 0"
    bias = np.frombuffer(content, "<i2", 128, 114)
    assert np.array_equal(bias, net.bias)
    weights = 2 * 128 * (4 * 768 + 1)
    tables = 4 * 4 * 768
    layers = 16 * 128 + 4 * 16 + 32 * 30 + 4 * 32 + 32 + 4
    assert len(content) == 114 + weights + tables + layers + 32
    assert content[-32:] == hashlib.sha256(content[:-32]).digest()


SMALL = net_bytes(FogNet.random(0, width=128, stacks=1))


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damaged_files_are_told_in_one_line(data: st.DataObject) -> None:
    """Cut off, flipped, lengthened; also with a checksum that fits what was done to the header."""
    content = bytearray(SMALL)
    how = data.draw(st.sampled_from(["cut", "flip", "longer", "header", "nonsense"]))
    if how == "cut":
        content = content[: data.draw(st.integers(0, len(content) - 1))]
    elif how == "flip":
        content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    elif how == "longer":
        content += data.draw(st.binary(min_size=1, max_size=50))
    elif how == "nonsense":
        content = bytearray(data.draw(st.binary(max_size=300)))
    else:
        content[data.draw(st.integers(0, 99))] = data.draw(st.integers(0, 255))
        content[-32:] = hashlib.sha256(content[:-32]).digest()
    try:
        net = net_from_bytes(bytes(content))
    except (FileFormatError, OptionError) as error:
        assert "\n" not in str(error)
    else:
        assert how == "header"  # another unit, or a turned flag, is a network too
        native_net(net, quiescence=False)


def test_errors_about_files_are_clear(tmp_path: Path) -> None:
    path = tmp_path / "some.fognet"
    with pytest.raises(FileFormatError, match="there is no file"):
        load_evaluator(f"net:{path}")
    path.write_bytes(SMALL[:-1])
    with pytest.raises(FileFormatError, match=r"some\.fognet.*checksum"):
        load_evaluator(f"net:{path}")
    path.write_bytes(SMALL[:8] + b"\x07" + SMALL[9:])
    with pytest.raises(FileFormatError, match="format 7"):
        load_evaluator(f"net:{path}")
    path.write_bytes(b"\x20\x2f\xf3\x7a" + bytes(1000))
    with pytest.raises(FileFormatError, match="not a network"):
        load_evaluator(f"net:{path}")
    with pytest.raises(FileFormatError, match="cannot read"):
        load_evaluator(f"net:{tmp_path}")
    with pytest.raises(OptionError, match="description"):
        net_bytes(dataclasses.replace(FogNet.random(0), description="x" * 5000))


def test_without_a_network_in_the_package_the_error_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("fogtree.games.fog_chess.network.file.__file__", str(tmp_path / "file.py"))
    with pytest.raises(FileFormatError, match="net:FILE"):
        find_net()


@pytest.mark.parametrize("name", ["belief-vote", "search", "all-seeing"])
def test_agents_play_with_a_network(name: str, tmp_path: Path) -> None:
    path = tmp_path / "some.fognet"
    write_net(FogNet.random(3, width=128), path)
    game = FogChess(fen="3qk3/8/8/8/3R4/8/8/4K3 w - - 0 1")
    agent = fogtree.agent(f"{name}:net:{path}", game)
    assert agent.name == f"{name}:net:{path}"
    agents = [agent, fogtree.agent("random", game)]
    played = play_game(game, agents, seed="1", budget=Budget(nodes=500))
    assert played.record.steps[0] == "d4d8"  # its material says so
