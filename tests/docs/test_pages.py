"""The Python of the pages runs as it is written, each block after those above it, and prints what
the pages show."""

from __future__ import annotations

import re
import sys
import textwrap
import types

import pytest

from tests.support.paths import DOCS

BLOCK = re.compile(r"```python\n(.*?)```(?:\n\n```\n(.*?)```)?", re.DOTALL)
LIBRARIES = {
    "train_with_pettingzoo": "pettingzoo",
    "train_with_gymnasium": "gymnasium",
    "exchange_with_openspiel": "pyspiel",
    "export_a_strategy": "pandas pyspiel",
    "plot": "matplotlib",
    "fog_chess": "chess",
    "use_a_chess_program": "chess",
}
"""Pages that need libraries which may be missing."""

ELSEWHERE = {"train_on_your_game", "write_a_native_simulator"}
"""Pages with a test of their own, because their blocks are files."""

PAGES = [
    page
    for page in sorted(DOCS.rglob("*.md"))
    if "```python" in page.read_text(encoding="utf-8") and page.stem not in ELSEWHERE
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_runs(page, tmp_path, monkeypatch, capsys):
    for library in LIBRARIES.get(page.stem, "fogtree").split():
        pytest.importorskip(library, reason=f"needs {library}")
    monkeypatch.chdir(tmp_path)
    module = types.ModuleType(f"page_{page.stem}")
    monkeypatch.setitem(sys.modules, module.__name__, module)  # dataclasses look it up
    for code, shown in BLOCK.findall(page.read_text(encoding="utf-8")):
        exec(compile(textwrap.dedent(code), page.name, "exec"), vars(module))
        printed = capsys.readouterr().out
        assert not shown or printed == shown


def test_the_page_of_chess_is_among_them():
    assert DOCS / "games" / "fog_chess.md" in PAGES
