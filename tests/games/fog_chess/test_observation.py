"""Observations: what they show and hide, fog FEN, and pictures."""

from __future__ import annotations

import random
from xml.etree import ElementTree

import pytest

from fogtree._core import FogChessPosition
from fogtree.errors import NotationError
from fogtree.game import TERMINAL
from fogtree.games.fog_chess.game import FogChess
from fogtree.games.fog_chess.observation import FogObservation
from fogtree.games.fog_chess.rules import PRESETS, FogRules

CHESSCOM = PRESETS["chesscom"]


def view(fen: str, player: int, rules: FogRules = CHESSCOM) -> FogObservation:
    return FogObservation.of(FogChessPosition(fen), player, rules)


def test_start_prints_as_a_fogged_board() -> None:
    assert str(FogChess().root().observation(1)).splitlines() == [
        "1 ? ? ? ? ? ? ? ?",
        "2 ? ? ? ? ? ? ? ?",
        "3 ? ? ? ? ? ? ? ?",
        "4 ? ? ? ? ? ? ? ?",
        "5 . . . . . . . .",
        "6 . . . . . . . .",
        "7 p p p p p p p p",
        "8 r n b k q b n r",
        "  h g f e d c b a",
    ]


def test_blocked_squares_are_marked_and_not_named() -> None:
    first = view("4k3/8/8/8/4n3/4P3/8/4K3 w - - 0 1", 0)
    second = view("4k3/8/8/8/4q3/4P3/8/4K3 w - - 0 1", 0)
    assert first == second
    assert first.blocked == {"e4"}
    assert first.piece("e4") is None
    double = view("4k3/8/8/8/4n3/8/4P3/4K3 w - - 0 1", 0)
    assert double.blocked == {"e4"}
    assert "e3" in double.seen
    behind = view("4k3/8/8/8/4n3/4n3/4P3/4K3 w - - 0 1", 0)
    assert behind.blocked == {"e3"}


def test_a_blocker_that_another_piece_attacks_is_seen() -> None:
    both = view("4k3/8/8/8/4n3/4P3/8/4KB2 w - - 0 1", 0)
    assert both.blocked == {"e4"}
    seen = view("4k3/8/8/8/4n3/4P1N1/8/4K3 w - - 0 1", 0)
    assert seen.piece("e4") == "n"
    assert seen.blocked == frozenset()


def test_pawn_diagonals_only_where_they_can_capture() -> None:
    fen = "4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1"
    assert view(fen, 0).piece("d5") == "n"
    assert view(fen, 0).piece("f5") is None
    assert view(fen, 0, PRESETS["attacks"]).piece("f5") == ""


def test_en_passant_shows_the_victim_to_the_taker_only() -> None:
    state = FogChess(fen="4k3/3p4/8/2P1P3/8/8/8/4K3 b - - 0 1").root().child("d7d5")
    taker, pusher = state.observation(0), state.observation(1)
    assert taker.piece("d5") == "p"
    assert taker.piece("d6") == ""
    assert taker.fog_fen.split()[3] == "d6"
    assert pusher.fog_fen.split()[3] == "-"
    assert pusher.piece("d6") is None
    hidden = FogObservation.of(state.position, 0, PRESETS["fairy"])
    assert hidden.piece("d5") is None
    assert hidden.piece("d6") == ""


def test_presets_mark_blocked_squares_or_not() -> None:
    fen = "4k3/8/8/8/4n3/4P3/8/4K3 w - - 0 1"
    assert "#" in view(fen, 0).fog_fen
    assert "#" not in view(fen, 0, PRESETS["fairy"]).fog_fen


def _own_part(position: FogChessPosition, player: int, rules: FogRules) -> tuple[object, ...]:
    """What the rules grant the player, put together without the observation's code: the own pieces,
    the seen squares with what stands there, and what the own moves so far have left."""
    seen, _ = position.sight(player, rules.sight)
    contents = tuple(
        position.letter_at(square) if seen >> square & 1 else None for square in range(64)
    )
    rights = position.castling & (3 if player == 0 else 12)
    en_passant = position.en_passant if position.side == player else 0
    return player, position.side, position.pieces(player), seen, contents, rights, en_passant


@pytest.mark.long
@pytest.mark.parametrize("rules", PRESETS.values(), ids=list(PRESETS))
def test_equal_pieces_and_seen_squares_give_equal_bytes_and_others_different_ones(
    rules: FogRules,
) -> None:
    generator = random.Random(21)
    by_knowledge: dict[tuple[object, ...], bytes] = {}
    by_bytes: dict[bytes, tuple[object, ...]] = {}
    shared = 0
    for _ in range(20 if rules == CHESSCOM else 6):
        state = FogChess(rules=rules.name).root()
        for _ in range(60):
            if state.player == TERMINAL:
                break
            # Every child of the mover is one position more that the other may not tell apart.
            for action in state.actions():
                child = state.child(action)
                for player in (0, 1):
                    knowledge = _own_part(child.position, player, rules)
                    view_bytes = bytes(child.observation(player))
                    shared += knowledge in by_knowledge
                    assert by_knowledge.setdefault(knowledge, view_bytes) == view_bytes
                    assert by_bytes.setdefault(view_bytes, knowledge) == knowledge
            state = state.child(generator.choice(state.actions()))
    assert shared > (3_000 if rules == CHESSCOM else 500)


def _with_another_hidden_part(
    position: FogChessPosition, player: int, seen: int, generator: random.Random
) -> FogChessPosition | None:
    """Other pieces on the squares that the player does not see, other clocks, other rights of the
    other side; nothing if that is no position."""
    board = [position.letter_at(square) for square in range(64)]
    men = "PNBRQ" if player else "pnbrq"
    king = "K" if player else "k"
    hidden = [square for square in range(64) if not seen >> square & 1]
    for square in hidden:  # taken where it was taken, as a rule: a pawn may stand before it
        taken = generator.random() < (0.9 if board[square] else 0.05)
        board[square] = generator.choice(men[square // 8 in (0, 7) :]) if taken else ""
    if king not in board and hidden:
        board[generator.choice(hidden)] = king
    rows = ["".join(letter or "1" for letter in board[8 * r : 8 * r + 8]) for r in range(7, -1, -1)]
    _, side, castling, passed, *_ = position.fen.split()
    rights = [letter for letter in castling if letter.isupper() == (player == 0)]
    home = 0 if player else 56
    for letter, rook in (("K", home + 7), ("Q", home)):
        if board[home + 4] == king and board[rook] == men[3] and generator.random() < 0.5:
            rights.append(letter if player else letter.lower())
    clocks = f"{generator.randrange(100)} {generator.randrange(1, 300)}"
    passed = passed if position.side == player else "-"
    fen = f"{'/'.join(rows)} {side} {''.join(rights) or '-'} {passed} {clocks}"
    try:
        return FogChessPosition(fen)
    except ValueError:  # too many pawns or pieces
        return None


@pytest.mark.parametrize("rules", PRESETS.values(), ids=list(PRESETS))
def test_whatever_stands_where_nothing_is_seen_the_bytes_are_equal(rules: FogRules) -> None:
    """The same with hidden parts that no game may have led to."""
    generator = random.Random(34)
    compared = 0
    for _ in range(60):
        state = FogChess(rules=rules.name).root()
        for _ in range(generator.randrange(80)):
            if state.player != TERMINAL:
                state = state.child(generator.choice(state.actions()))
        for player in (0, 1):
            known = _own_part(state.position, player, rules)
            seen = state.position.sight(player, rules.sight)[0]
            for _ in range(50):
                other = _with_another_hidden_part(state.position, player, seen, generator)
                if other is None or _own_part(other, player, rules) != known:
                    continue
                view = FogObservation.of(other, player, rules)
                assert bytes(view) == bytes(state.observation(player)), (state.fen, other.fen)
                assert view.fog_fen == state.observation(player).fog_fen
                assert hash(view) == hash(state.observation(player))
                compared += other != state.position
    assert compared > 1_000


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 57 90"),
        ("r3k2r/8/8/8/8/8/8/4K3 w kq - 0 1", "r3k2r/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "8/8/2k5/8/8/8/8/4K3 w - - 0 1"),
    ],
    ids=["clock", "other side's castling", "other side's en passant", "unseen piece"],
)
def test_never_told(one: str, two: str) -> None:
    assert bytes(view(one, 0)) == bytes(view(two, 0))
    assert hash(view(one, 0)) == hash(view(two, 0))


def test_a_player_knows_the_own_moves() -> None:
    generator = random.Random(5)
    moves_by_view: dict[FogObservation, tuple[str, ...]] = {}
    for _ in range(200):
        state = FogChess().root()
        for _ in range(40):
            if state.player == TERMINAL:
                break
            seen = state.observation(state.player)
            actions = tuple(sorted(state.actions()))
            assert moves_by_view.setdefault(seen, actions) == actions
            state = state.child(generator.choice(state.actions()))


@pytest.mark.parametrize("rules", PRESETS.values(), ids=list(PRESETS))
def test_fog_fen_round_trip(rules: FogRules) -> None:
    generator = random.Random(8)
    for _ in range(40):
        state = FogChess(rules=rules.name).root()
        while state.player != TERMINAL:
            for player in (0, 1):
                seen = state.observation(player)
                assert FogObservation.from_fog_fen(seen.fog_fen, rules) == seen
            state = state.child(generator.choice(state.actions()))


@pytest.mark.parametrize(
    ("fog_fen", "complaint"),
    [
        ("8/8/8/8/8/8/8/4K3 w - - w", "do not see"),
        ("????????/????????/????????/????????/????????/????????/?3111??/?3K1??? w - - w", "8 rows"),
        (
            "????????/????????/????????/????????/????????/????????/??111???/??1K1??? w kq - w",
            "castl",
        ),
        (
            "????????/????????/????????/????????/????????/????????/??111???/??1K1??? w - -",
            "5 fields",
        ),
        (
            "????????/????????/????????/????????/????????/????????/??111???/??1K1??? w - - x",
            "viewer",
        ),
        (
            "????????/????????/????????/????????/????????/????????/??1#1???/??1K1??? w - - w",
            "do not",
        ),
    ],
)
def test_wrong_fog_fens_are_refused(fog_fen: str, complaint: str) -> None:
    with pytest.raises(NotationError, match=complaint):
        FogObservation.from_fog_fen(fog_fen)


def test_svg_is_well_formed_and_shows_no_hidden_piece() -> None:
    state = FogChess().root().child("e2e4")
    tree = ElementTree.fromstring(state.observation(1)._repr_svg_())
    texts = [node.text for node in tree.iter() if node.tag.endswith("text")]
    assert sum(text in "♚♛♜♝♞♟" for text in texts if text) == 16
    assert sum(node.tag.endswith("rect") for node in tree.iter()) == 64


def test_an_unknown_square_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        FogChess().root().observation(0).piece("i9")
