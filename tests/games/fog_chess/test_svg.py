"""Boards as pictures: well formed, and without what a side cannot see."""

from __future__ import annotations

from xml.etree import ElementTree

from fogtree import History, load_game
from fogtree.games.fog_chess.belief import FogBelief
from fogtree.games.fog_chess.svg import Arrow, Board

GAME = load_game("fog_chess")
WHITE, BLACK = "#ffffff", "#222222"


def pieces(picture: str, ink: str) -> int:
    """How many pieces of a colour a picture shows."""
    glyphs = [one for one in ElementTree.fromstring(picture).iter() if (one.text or "") in "♚♛♜♝♞♟"]
    return sum(one.get("fill") == ink for one in glyphs if one.text)


def test_a_state_shows_everything():
    picture = GAME.root()._repr_svg_()
    assert (pieces(picture, WHITE), pieces(picture, BLACK)) == (16, 16)


def test_a_view_shows_no_hidden_piece():
    state = History.of(GAME, ["e2e4"]).end
    picture = state.observation(1)._repr_svg_()
    assert (pieces(picture, WHITE), pieces(picture, BLACK)) == (0, 16)


def test_a_belief_shows_where_pieces_may_be():
    view = History.of(GAME, ["e2e4"]).end.observation(1)
    belief = FogBelief.start(1).after_other_move(view)
    picture = belief._repr_svg_()
    assert (pieces(picture, WHITE), pieces(picture, BLACK)) == (0, 16)
    assert ">90<" in picture  # percent: two of twenty moves leave e2 empty


def test_arrows_and_shades_are_well_formed():
    arrows = [Arrow("e2e4", 0.7, 'a <title> & "more"'), Arrow("g1f3", 0.3)]
    board = Board(["."] * 64, flipped=True, shades=[0.5] * 64, arrows=arrows, size=200)
    root = ElementTree.fromstring(board._repr_svg_())
    assert root.get("width") == "200"
    assert 'a <title> & "more"' in [one.text for one in root.iter()]
