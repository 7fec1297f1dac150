"""``fogtree games`` and ``fogtree info``."""

from __future__ import annotations

from fogtree import game_names, load_game
from fogtree.registry import describe_game


def test_games(done):
    listed = done("games", "--json").document["games"]
    assert [game["name"] for game in listed] == list(game_names())
    for game in listed:
        load_game(game["signature"])
    text = done("games").output
    assert all(name in text for name in game_names())


def test_info_of_kuhn(done):
    document = done("info", "kuhn_poker", "--json").document
    expected = {
        "nodes": 58,
        "terminals": 30,
        "chance_nodes": 4,
        "decision_nodes": 24,
        "infosets": [6, 6],
        "sequences": [13, 13],
        "nonzeros": 30,
    }
    assert {key: document[key] for key in expected} == expected
    assert document["bytes"] > 0
    assert document["merged_infosets"] == [6, 6]


def test_info_tells_the_rules(done):
    rules = describe_game("kuhn_poker").rules
    assert done("info", "kuhn_poker", "--json").document["rules"] == rules
    assert rules in " ".join(done("info", "kuhn_poker").output.split())


def test_info_with_parameters(done):
    document = done("info", "leduc_poker(ranks=2)", "--json").document
    assert document["game"] == "leduc_poker(ranks=2)"
    assert "4 chance" in done("info", "kuhn_poker").output
