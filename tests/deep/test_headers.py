"""Headers of network files are checked field by field; a wrong one is refused in one line."""

from __future__ import annotations

import pytest

from fogtree.deep.network import Network
from fogtree.deep.policy import Policy
from fogtree.deep.value_network import ValueNetwork
from fogtree.errors import FileFormatError
from fogtree.system.archives import read_arrays, write_arrays

WRONG = [float("inf"), float("nan"), 1e300, -1, 0, 2.5, "2", None, [2], 10**30]


def rewrite(path, kind, **changes):
    """The same file with other fields in its header."""
    header, arrays = read_arrays(path, kind)
    write_arrays(path, kind, {**header, **changes}, arrays)


@pytest.mark.parametrize("players", WRONG, ids=repr)
def test_the_number_of_players(tmp_path, players):
    path = tmp_path / "x.npz"
    network = Network.make([3, 4, 2], (1,))
    Policy.average("kuhn_poker", 2, [network]).save(path)
    rewrite(path, "policy", players=players)
    with pytest.raises(FileFormatError, match=r"x\.npz' is damaged: .*players"):
        Policy.load(path)
    ValueNetwork("kuhn_poker", 2, Network.make([3, 4, 1], (1,))).save(path)
    rewrite(path, "values", players=players)
    with pytest.raises(FileFormatError, match=r"x\.npz' is damaged: .*players"):
        ValueNetwork.load(path)


def test_sound_headers_are_read(tmp_path):
    path = tmp_path / "x.npz"
    Policy.average("kuhn_poker", 2, [Network.make([3, 4, 2], (1,))]).save(path)
    rewrite(path, "policy", from_a_later_version=1)
    read = Policy.load(path)
    assert (read.game, read.players, read.mix) == ("kuhn_poker", 2, True)
