"""Pages stand alone, are well formed, and escape whatever a game calls its actions."""

from __future__ import annotations

import re
from html import unescape
from xml.etree import ElementTree

import pytest

from fogtree import compile
from fogtree.games.matrix import MatrixState
from fogtree.games.rock_paper_scissors import RockPaperScissors
from fogtree.report import meanings
from fogtree.report.analyse import analyse
from fogtree.report.html import analysis_page
from fogtree.report.meanings import FACTS
from fogtree.report.tables import facts

EVIL = '<script>alert("&")</script>'


@pytest.fixture(scope="module")
def reports(tree_of):
    moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4"]
    return [
        analyse("fog_chess", moves=moves, all_seeing=True, steps=150),
        analyse(tree_of("kuhn_poker"), infoset="Qcb", steps=200),
    ]


def test_pages_stand_alone(reports):
    for page in map(analysis_page, reports):
        assert page.startswith("<!doctype html>")
        addresses = set(re.findall(r"https?://[^\"' <]+", page))
        assert addresses == {"http://www.w3.org/2000/svg"}  # a name, not a link
        assert not re.search(r"<(script|link|img|iframe)|@import|url\(", page)
        assert page.count("<svg") == page.count("</svg>") >= 5


def test_every_number_of_a_page_is_explained(reports):
    chess, kuhn = (re.sub(r"\s+", " ", unescape(page)) for page in map(analysis_page, reports))
    for report, page in zip(reports, (chess, kuhn), strict=True):
        own = set(report.facts) - set(FACTS)  # such as a card, which the game names itself
        assert all(FACTS[name] in page for name, _ in facts(report) if name not in own)
        assert meanings.CANDIDATES in page
        assert meanings.POSITIONS in page
    assert not set(reports[0].facts) - set(FACTS)


def test_a_move_that_was_drawn_at_random_is_called_so():
    mixed = dict(facts(analyse("rock_paper_scissors", moves=[], steps=200)))
    assert mixed["plays"].endswith(", drawn at random from the mix below")
    assert dict(facts(analyse("kuhn_poker", infoset="Jb", steps=200)))["plays"] == "fold"


def test_pictures_are_well_formed(reports):
    for page in map(analysis_page, reports):
        for picture in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
            ElementTree.fromstring(picture)


def test_notebooks_get_the_page_without_its_frame(reports):
    for report in reports:
        fragment = report._repr_html_()
        assert "<html" not in fragment
        assert fragment in analysis_page(report)


def test_long_lists_are_cut(reports):
    assert "What the opponent thinks possible" in analysis_page(reports[0], top=1)
    assert analysis_page(reports[0], top=1).count("<svg") < analysis_page(reports[0]).count("<svg")


class Evil(RockPaperScissors):
    """Rock, paper, scissors with a name that is HTML."""

    short_name = "evil"

    def root(self):
        plain = super().root()
        names = dict(zip(plain.labels, (EVIL, *plain.labels[1:]), strict=True))
        payoffs = {tuple(names[a] for a in key): value for key, value in plain.payoffs.items()}
        return MatrixState(tuple(names.values()), payoffs)


def test_names_are_escaped():
    tree = compile(Evil())
    report = analyse(tree, infoset=tree.infoset_names[0], steps=20)
    page = analysis_page(report)
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    for picture in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        ElementTree.fromstring(picture)
