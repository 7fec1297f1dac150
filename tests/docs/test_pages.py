"""The Python of the pages runs as it is written, each block after those above it."""

from __future__ import annotations

import re

import pytest

from tests.support.paths import DOCS

BLOCK = re.compile(r"```python\n(.*?)```(?:\n\n```\n(.*?)```)?", re.DOTALL)
PAGES = [
    page
    for folder in ("games", "explanation", "reference")
    for page in sorted((DOCS / folder).glob("*.md"))
    if "```python" in page.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_runs(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": page.stem}
    for code, shown in BLOCK.findall(page.read_text(encoding="utf-8")):
        exec(compile(code, f"{page.name}", "exec"), names)
        printed = capsys.readouterr().out
        assert not shown or printed == shown


def test_the_page_of_chess_is_among_them():
    assert DOCS / "games" / "fog_chess.md" in PAGES
