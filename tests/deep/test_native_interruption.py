"""Ctrl-C ends native walks and matches that would take hours, on one thread and on several."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support.processes import HANGS

BEGIN = """
import signal
import threading

from fogtree import _core
from fogtree.games.cambia.game import Cambia

game = _core.DeepCambia(Cambia().native_rules)
threading.Timer(0.5, signal.raise_signal, [signal.SIGINT]).start()
try:
    {call}
except KeyboardInterrupt:
    print("interrupted")
"""
TRAVERSE = (
    "_core.DeepTraverser(game, _core.DeepOptions())"
    ".traverse([], None, 0, 10**7, 1, 1, {threads}, (0.0, 0.0))"
)
MATCH = (
    "_core.cambia_match(game, _core.DeepContestant.scripted('greedy'),"
    " _core.DeepContestant.scripted('random'), 10**12, 1, {threads})"
)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("call", [TRAVERSE, MATCH], ids=["traverse", "match"])
def test_an_interrupt_ends_the_call(call, threads):
    text = BEGIN.format(call=call.format(threads=threads))
    command = [sys.executable, "-c", text]
    said = subprocess.run(command, capture_output=True, text=True, check=False, timeout=HANGS)
    assert (said.returncode, said.stdout, said.stderr) == (0, "interrupted\n", "")
