"""``fogtree --version``: the version, and with ``--verbose`` the facts for a bug report."""

from __future__ import annotations

import platform

import numpy as np
import pytest

import fogtree
from fogtree import _core
from tests.support.command_line import Command


def test_the_version_alone(done: Command) -> None:
    assert done("--version").output == f"fogtree {fogtree.__version__}\n"
    assert done("--version", "--json").document == {"version": fogtree.__version__}
    assert done("--version", "solve", "nothing").output == f"fogtree {fogtree.__version__}\n"


def test_facts_for_a_bug_report(done: Command) -> None:
    facts = done("--version", "--verbose", "--json").document
    assert facts["version"] == fogtree.__version__
    assert facts["python"].endswith(platform.python_version())
    assert facts["platform"] == platform.platform()
    core = facts["core"]
    assert core["compiler"].split()[0] in ("GNU", "Clang", "AppleClang")
    assert core["tree_kernels"] == _core.instruction_sets()[-1]
    assert {"flags", "target", "python_abi", "network_kernels", "chess_moves"} <= set(core)
    told = done("--version", "--verbose").output
    assert told.startswith(f"fogtree {fogtree.__version__}\npython: ")
    for value in core.values():
        assert value in told


def test_packages_have_their_versions(done: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = ["numpy>=1.26", "no-such-package>=1", 'pandas>=2.0; extra == "frames"']
    monkeypatch.setattr("importlib.metadata.requires", lambda name: wanted)
    packages = done("--version", "--verbose", "--json").document["packages"]
    assert packages["numpy"] == np.__version__
    assert "no-such-package" not in packages


@pytest.mark.parametrize("option", ["--verbose", "--json"])
def test_they_need_the_version(command: Command, option: str) -> None:
    outcome = command(option, "games")
    assert outcome.status == 2
    assert f"{option} needs --version" in outcome.errors
