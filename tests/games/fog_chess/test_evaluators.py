"""Evaluators: the rules first, then material and sight, Stockfish's network, and UCI engines."""

from __future__ import annotations

import hashlib
import random
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import chess
import numpy as np
import pytest

from fogtree._core import (
    FogChessNetwork,
    FogChessPosition,
    fog_chess_inferences,
    fog_chess_squashed,
    fog_chess_wins_at_least,
    fog_chess_write_uci,
)
from fogtree.errors import FileFormatError, FogtreeError, UnknownNameError
from fogtree.games.fog_chess.evaluator import FogEvaluator
from fogtree.games.fog_chess.evaluators import (
    load_evaluator,
    simple_evaluator,
    stockfish_net_evaluator,
)
from fogtree.games.fog_chess.network import stockfish
from fogtree.games.fog_chess.network.file import write_net
from fogtree.games.fog_chess.network.net import FogNet
from fogtree.games.fog_chess.network.stockfish import (
    StockfishNetError,
    export_stockfish_net,
    find_stockfish,
    find_stockfish_net,
)
from fogtree.games.fog_chess.uci.evaluator import UciEvaluator
from fogtree.games.fog_chess.uci.process import UciEngine
from tests.support.fake_engine import fake_engine

STOCKFISH = find_stockfish()
needs_stockfish = pytest.mark.skipif(STOCKFISH is None, reason="stockfish is not installed")
UNITS_PER_PAWN = 361


def positions_of_chess(count: int, seed: int, *, quiet: bool) -> list[str]:
    """Positions of random games of ordinary chess; ``quiet``: nobody is in check."""
    generator = random.Random(seed)
    fens: list[str] = []
    while len(fens) < count:
        board = chess.Board()
        for _ in range(generator.randrange(120)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(generator.choice(moves))
        if not board.is_game_over() and not (quiet and board.is_check()):
            fens.append(board.fen())
    return fens


def by_move(evaluator: FogEvaluator, fen: str, player: int | None = None) -> dict[str, float]:
    position = FogChessPosition(fen)
    values = evaluator.children(position, position.side if player is None else player)
    return {
        fog_chess_write_uci(move): float(value)
        for move, value in zip(position.moves(), values, strict=True)
    }


@pytest.fixture(
    params=["simple", "net", "net-static", "stockfish-net", "stockfish-net-static", "uci"]
)
def evaluator(request: pytest.FixtureRequest) -> Iterator[FogEvaluator]:
    spec = request.param
    if spec == "uci":
        if STOCKFISH is None:
            pytest.skip("stockfish is not installed")
        spec = f"uci:{STOCKFISH}"
    elif spec.startswith("net"):
        file = request.getfixturevalue("tmp_path") / "some.fognet"
        write_net(FogNet.random(3), file)
        spec = f"{spec}:{file}"
    elif spec != "simple":
        spec = f"{spec}:{request.getfixturevalue('net_file')}"
    with load_evaluator(spec) as made:
        yield made


def test_the_rules_come_first(evaluator: FogEvaluator) -> None:
    values = by_move(evaluator, "4k3/8/8/8/8/8/3r4/r3K2R w K - 0 1")
    assert values["e1d2"] > -1  # takes the rook; the other one does not see that square
    assert values["h1h2"] == -1  # the king can be taken
    values = by_move(evaluator, "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1")
    assert values["e7e8"] == 1  # takes the king
    assert -1 < values["e7e2"] <= 1
    # The side that cannot move loses.
    locked = by_move(evaluator, "knb5/pb1p4/p1pR4/p6R/p7/p7/p7/R6K w - - 0 1")
    assert locked["h5c5"] == 1


def test_fifty_moves_are_a_draw(evaluator: FogEvaluator) -> None:
    values = by_move(evaluator, "4k3/8/8/8/8/8/8/QQ2K3 w - - 99 90")
    assert values["e1d2"] == 0


def test_values_are_for_the_player_asked_about(evaluator: FogEvaluator) -> None:
    fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    white, black = by_move(evaluator, fen, 0), by_move(evaluator, fen, 1)
    assert white == {move: -value for move, value in black.items()}
    assert all(-1 <= value <= 1 for value in white.values())


def test_more_material_is_better(evaluator: FogEvaluator) -> None:
    values = by_move(evaluator, "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")
    assert max(values, key=lambda move: values[move]) == "e4d5"


def test_many_positions_give_the_same_as_one_by_one(evaluator: FogEvaluator) -> None:
    positions = [FogChessPosition(fen) for fen in positions_of_chess(20, 3, quiet=False)]
    together = evaluator.children_of_all(positions, 0)
    for position, values in zip(positions, together, strict=True):
        alone = evaluator.children(position, 0)
        if evaluator.name.startswith("uci:"):
            # An engine remembers what it saw: only what the rules decide is sure to stay.
            decided = np.abs(alone) == 1
            np.testing.assert_array_equal(values[decided], alone[decided])
            assert len(values) == len(alone) == position.count_moves()
        else:
            np.testing.assert_array_equal(values, alone)


def test_simple_is_material_and_visible_squares() -> None:
    position = FogChessPosition("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    for move, value in zip(position.moves(), simple_evaluator().children(position, 0), strict=True):
        child = position.play(move)
        squares = child.sight(0)[0].bit_count() - child.sight(1)[0].bit_count()
        assert value == pytest.approx(fog_chess_squashed(100 + 4 * squares))


def stockfish_evals(fens: list[str]) -> str:
    commands = "".join(f"position fen {fen}\neval\n" for fen in fens) + "quit\n"
    answer = subprocess.run(
        [str(STOCKFISH)], input=commands, capture_output=True, text=True, check=True
    )
    return answer.stdout


@pytest.mark.long
def test_the_network_equals_stockfishs_eval_on_300_positions(net_file: Path) -> None:
    fens = positions_of_chess(300, 7, quiet=True)
    text = stockfish_evals(fens)
    totals = [float(value) for value in re.findall(r"^NNUE evaluation\s+(\S+)", text, re.M)]
    cell = r"\s*([+-]?)\s*([\d.]+)\s*\|"
    table = re.findall(rf"^\|  (\d)\s+\|{cell}{cell}{cell}", text, re.M)
    assert len(totals) == len(fens)
    assert len(table) == 8 * len(fens)
    net = FogChessNetwork.read_stockfish(bytes(net_file), False)
    for number, fen in enumerate(fens):
        position = FogChessPosition(fen)
        value = net.evaluate(position) * (1 if position.side == 0 else -1)
        assert pawns(value) == totals[number], fen
        # The table is from the mover's side: the square table's part, the layers' part, the sum.
        for bucket, (psqt, positional) in enumerate(net.trace(position)):
            row = table[8 * number + bucket]
            assert row[0] == str(bucket)
            parts = [int(psqt / 16), int(positional / 16)]
            shown = [float(row[at] + row[at + 1]) for at in (1, 3, 5)]
            assert [pawns(part) for part in (*parts, sum(parts))] == shown, fen


def pawns(value: int) -> float:
    return float(f"{value / UNITS_PER_PAWN:.2f}")


def test_children_updated_step_by_step_equal_those_computed_anew(net_file: Path) -> None:
    """Incremental accumulators, all kinds of moves, against a fresh evaluation of each child."""
    net = FogChessNetwork.read_stockfish(bytes(net_file), False)
    evaluator = stockfish_net_evaluator(net_file, quiescence=False)
    fens = [
        *positions_of_chess(100, 11, quiet=False),
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R3K2R w KQkq - 0 1",
        "4k3/8/8/8/3pPp2/8/8/R3K2R b KQ e3 0 1",
    ]
    checked = 0
    for fen in fens:
        position = FogChessPosition(fen)
        values = evaluator.children(position, position.side)
        for move, value in zip(position.moves(), values, strict=True):
            if abs(value) == 1 or value == 0:
                continue
            child = position.play(move)
            expected = fog_chess_squashed(-100 * net.evaluate(child) / UNITS_PER_PAWN)
            assert value == pytest.approx(expected, abs=1e-6), (fen, fog_chess_write_uci(move))
            checked += 1
    assert checked > 1_000


def test_all_kinds_of_inference_agree(net_file: Path) -> None:
    fast, portable = (FogChessNetwork.read_stockfish(bytes(net_file), False) for _ in range(2))
    assert fog_chess_inferences()[-1] == "portable"
    portable.choose("portable")
    for fen in positions_of_chess(100, 13, quiet=False):
        position = FogChessPosition(fen)
        for name in fog_chess_inferences():
            fast.choose(name)
            assert fast.trace(position) == portable.trace(position), name
    with pytest.raises(ValueError, match="no inference"):
        portable.choose("abacus")


def positions_of_play(count: int, seed: int) -> list[str]:
    """Positions of games by players who look one move ahead and err a little; legal in chess."""
    generator = np.random.default_rng(seed)
    evaluator = simple_evaluator()
    fens: list[str] = []
    while len(fens) < count:
        position = FogChessPosition()
        for _ in range(int(generator.integers(4, 100))):
            values = evaluator.mover_values(position)
            if not len(values):
                break
            noise = generator.normal(0, 0.12, len(values))
            position = position.play(position.moves()[int((values + noise).argmax())])
        board = chess.Board(position.fen)
        if board.is_valid() and not board.is_game_over():
            fens.append(position.fen)
    return fens


@needs_stockfish
@pytest.mark.parametrize(("kind", "least"), [("play", 0.990), ("random", 0.965)])
def test_quiescence_agrees_with_stockfishs_depth_1(kind: str, least: float, net_file: Path) -> None:
    """The correlation over all moves of 250 positions, and how much closer to 1 than the static
    one. Random moves leave so much hanging that Stockfish's own short cuts matter."""
    many = positions_of_play(250, 3) if kind == "play" else positions_of_chess(250, 17, quiet=False)
    static = stockfish_net_evaluator(net_file, quiescence=False)
    quiet = stockfish_net_evaluator(net_file)
    ours: dict[str, list[float]] = {"static": [], "quiet": []}
    theirs: list[float] = []
    engine = UciEngine(str(STOCKFISH))
    for fen in many:
        lines = engine.search(fen)
        for name, evaluator in (("static", static), ("quiet", quiet)):
            values = by_move(evaluator, fen)
            ours[name] += [values[line.move] for line in lines]
        theirs += [fog_chess_squashed(line.centipawns) for line in lines]
    engine.close()
    correlation = {name: np.corrcoef(values, theirs)[0, 1] for name, values in ours.items()}
    # Stockfish's own evaluation mixes in more than the network, so that 1 is out of reach.
    assert correlation["quiet"] > least, correlation
    assert 1 - correlation["quiet"] < (1 - correlation["static"]) / 4, correlation


WORTH = {"p": 210, "n": 855, "b": 915, "r": 1380, "q": 2680, "k": 20_000}


def exchange(board: chess.Board, move: chess.Move) -> int:
    """What a capture wins if both sides take back with their least as long as it pays."""
    victim = board.piece_at(move.to_square)
    won = WORTH[victim.symbol().lower()] if victim else WORTH["p"]  # else en passant
    board = board.copy(stack=False)
    passing = board.is_en_passant(move)
    board.set_piece_at(move.to_square, board.remove_piece_at(move.from_square))
    if passing:
        board.remove_piece_at(chess.square(move.to_square % 8, move.from_square // 8))
    board.turn = not board.turn
    board.ep_square = None
    takers = sorted(
        board.attackers(board.turn, move.to_square),
        key=lambda square: WORTH[str(board.piece_at(square)).lower()],
    )
    if not takers:
        return won
    if board.piece_type_at(takers[0]) == chess.KING and board.attackers(
        not board.turn, move.to_square
    ):
        return won
    return won - max(0, exchange(board, chess.Move(takers[0], move.to_square)))


def test_exchanges_equal_a_plain_recursion() -> None:
    checked = 0
    fens = [
        *positions_of_chess(300, 23, quiet=False),
        "4k3/8/2q5/3p4/4P3/5B2/6Q1/4K2b w - - 0 1",
        "3rk3/3r4/8/3n4/8/3R4/3R4/3QK3 w - - 0 1",
        "4k3/8/8/8/3pPp2/8/8/R3K2R b KQ e3 0 1",
    ]
    for fen in fens:
        board, position = chess.Board(fen), FogChessPosition(fen)
        for move in board.pseudo_legal_moves:
            if (
                not board.is_capture(move)
                or move.promotion
                or board.piece_type_at(move.to_square) == chess.KING
            ):
                continue
            ours = position.read_uci(move.uci())
            worth = exchange(board, move)
            assert fog_chess_wins_at_least(position, ours, worth), (fen, move.uci())
            assert not fog_chess_wins_at_least(position, ours, worth + 1), (fen, move.uci())
            checked += 1
    assert checked > 500


@needs_stockfish
def test_uci_values_every_move_also_those_that_chess_forbids() -> None:
    with UciEvaluator(str(STOCKFISH)) as evaluator:
        # Castling through attack, with the king attacked: chess has neither.
        values = by_move(evaluator, "4kr2/8/8/8/8/8/8/4K2R w K - 0 1")
        assert -1 < values["e1g1"] < 1
        # The other king can be taken: Stockfish must not see this position.
        values = by_move(evaluator, "4k3/8/8/4R3/8/8/4q3/4K3 w - - 0 1")
        assert values["e5e8"] == 1
        assert values["e5d5"] == -1
        assert values["e1e2"] > 0
        # A mate is as good as the king's capture.
        values = by_move(evaluator, "7k/8/5K2/8/8/8/6Q1/8 w - - 0 1")
        assert values["g2g7"] > 0.99
        assert evaluator.engine.starts == 1


@needs_stockfish
def test_uci_on_positions_of_fog_of_war_games() -> None:
    generator = random.Random(19)
    with UciEvaluator(str(STOCKFISH)) as evaluator:
        for _ in range(6):
            position = FogChessPosition()
            while position.moves() and position.fullmove < 60:
                values = evaluator.children(position, 0)
                assert np.isfinite(values).all()
                assert (np.abs(values) <= 1).all()
                position = position.play(generator.choice(position.moves()))
        assert evaluator.engine.starts == 1


def test_unknown_evaluators_and_missing_networks_are_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for wrong in ("simpel", "uci:", "", "simple:x"):
        with pytest.raises(UnknownNameError):
            load_evaluator(wrong)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(StockfishNetError, match="export"):
        find_stockfish_net()
    for content in (b"", b"nonsense" * 100, b"\x20\x2f\xf3\x7a" + bytes(1000)):
        damaged = tmp_path / "damaged.nnue"
        damaged.write_bytes(content)
        with pytest.raises(FileFormatError):
            stockfish_net_evaluator(damaged)
    with pytest.raises(FileFormatError):
        stockfish_net_evaluator(tmp_path / "missing.nnue")
    with pytest.raises(StockfishNetError):
        export_stockfish_net(str(tmp_path / "missing"), tmp_path / "net.nnue")
    assert not (tmp_path / "net.nnue").exists()


def test_an_exported_network_goes_through_a_link(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A superuser who named a device had it replaced by a file."""
    content = b"the network"
    monkeypatch.setattr(stockfish, "NET_SHA256", hashlib.sha256(content).hexdigest())
    body = f'from pathlib import Path\nPath("exported.nnue").write_bytes({content!r})\n'
    file, link = tmp_path / "file.nnue", tmp_path / "link.nnue"
    file.write_bytes(b"")
    link.symlink_to(file)
    assert export_stockfish_net(fake_engine(tmp_path, body), link) == link
    assert link.is_symlink()
    assert file.read_bytes() == content


def test_a_network_that_is_another_one_is_refused(tmp_path: Path) -> None:
    body = 'from pathlib import Path\nPath("exported.nnue").write_bytes(b"another")\n'
    with pytest.raises(FileFormatError, match="SHA-256"):
        export_stockfish_net(fake_engine(tmp_path, body), tmp_path / "net.nnue")
    assert not (tmp_path / "net.nnue").exists()
    assert issubclass(StockfishNetError, FogtreeError)
