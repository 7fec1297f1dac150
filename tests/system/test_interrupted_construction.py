"""Objects whose construction was interrupted by Ctrl-C disappear without an error."""

from __future__ import annotations

import pytest

from fogtree.games.fog_chess.uci.process import UciEngine
from fogtree.search.agent import SearchAgent
from fogtree.system.path_lock import PathLock


@pytest.mark.parametrize("kind", [PathLock, SearchAgent, UciEngine])
def test_what_was_never_made_can_be_deleted(kind):
    kind.__new__(kind).__del__()
