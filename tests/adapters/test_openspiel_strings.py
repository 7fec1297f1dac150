"""OpenSpiel's information states by our information sets, and games whose states forget."""

from __future__ import annotations

import pytest

import fogtree
from fogtree.adapters.openspiel_import import from_openspiel
from fogtree.adapters.openspiel_strings import openspiel_infosets, split_remark
from fogtree.errors import OptionError

pytest.importorskip("pyspiel")

FORGETFUL = "leduc_poker(action_mapping=True,suit_isomorphism=True)"


def strings(spec: str) -> set[tuple[int, str]]:
    """All information states of a game with their players, by a walk over OpenSpiel's states."""
    found, stack = set(), [from_openspiel(spec).root().state]
    while stack:
        state = stack.pop()
        if state.is_terminal():
            continue
        if not state.is_chance_node():
            mover = state.current_player()
            found.add((mover, state.information_state_string(mover)))
        stack += [state.child(action) for action in state.legal_actions()]
    return found


@pytest.mark.parametrize("spec", ["kuhn_poker", "kuhn_poker(players=3)", FORGETFUL])
def test_every_information_state_has_its_information_sets(spec: str) -> None:
    tree = fogtree.compile(f"openspiel:{spec}")
    found = openspiel_infosets(tree)
    assert set(found) == strings(spec)
    names = [name for many in found.values() for name in many]
    assert sorted(names) == sorted(tree.infoset_names)
    for (player, _), many in found.items():
        for name in many:
            assert tree.infoset_player[list(tree.infoset_names).index(name)] == player


def test_split_sets_differ_in_what_the_player_did_before() -> None:
    tree = fogtree.compile(f"openspiel:{FORGETFUL}")
    split = {key: many for key, many in openspiel_infosets(tree).items() if len(many) > 1}
    assert split
    (_, text), names = next(iter(split.items()))
    assert len(set(names)) == len(names)
    assert any(name.endswith(text) for name in names)


def test_a_remark_says_what_is_split() -> None:
    forgetful = fogtree.compile(f"openspiel:{FORGETFUL}")
    many = openspiel_infosets(forgetful).values()
    remark = split_remark(forgetful)
    assert remark is not None
    assert f"{sum(len(one) > 1 for one in many):,} of {len(many):,}" in remark
    assert split_remark(fogtree.compile("openspiel:kuhn_poker")) is None
    assert split_remark(fogtree.compile("kuhn_poker")) is None


def test_info_shows_the_remark(done) -> None:
    shown = done("info", f"openspiel:{FORGETFUL}").output
    assert "leave out what a player knew before" in " ".join(shown.split())
    remark = done("info", f"openspiel:{FORGETFUL}", "--json").document["remark"]
    assert remark.startswith("OpenSpiel's information states leave out")
    for spec in ("openspiel:kuhn_poker", "kuhn_poker"):
        assert done("info", spec, "--json").document["remark"] is None


def test_other_games_are_refused() -> None:
    with pytest.raises(OptionError, match="is not a game of OpenSpiel"):
        openspiel_infosets("kuhn_poker")
