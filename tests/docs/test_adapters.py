"""The Python of the pages on other libraries runs and prints what they show."""

from __future__ import annotations

import pytest

from tests.docs.test_pages import BLOCK
from tests.support.paths import DOCS

PAGES = {
    "train_with_pettingzoo": "pettingzoo",
    "train_with_gymnasium": "gymnasium",
    "exchange_with_openspiel": "pyspiel",
    "exchange_with_gambit": "fogtree",
    "export_a_strategy": "pandas",
}


@pytest.mark.parametrize("page", PAGES)
def test_a_page_runs(page, tmp_path, monkeypatch, capsys):
    library = PAGES[page]
    pytest.importorskip(library, reason=f"needs {library}")
    monkeypatch.chdir(tmp_path)
    blocks = BLOCK.findall((DOCS / "howto" / f"{page}.md").read_text(encoding="utf-8"))
    assert blocks
    names: dict[str, object] = {"__name__": page}
    for code, shown in blocks:
        exec(compile(code, page, "exec"), names)
        printed = capsys.readouterr().out
        assert not shown or printed == shown
