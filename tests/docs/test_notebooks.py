"""The notebooks of the examples run from top to bottom, and what their cells show can be drawn."""

from __future__ import annotations

import ast
import json
import sys
import types

import pytest

from tests.support.paths import DOCS, ROOT

NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))
SHOWN = ("_repr_html_", "_repr_svg_")


def cells(path):
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def run_cell(code: str, file: str, names: dict[str, object]) -> object:
    """Run a cell as a notebook does: the value of a last expression is what it shows."""
    tree = ast.parse(code, file)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, file, "exec"), names)
    if last is None:
        return None
    return eval(compile(ast.Expression(last.value), file, "eval"), names)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_a_notebook_runs(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    module = types.ModuleType(path.stem)
    monkeypatch.setitem(sys.modules, path.stem, module)  # dataclasses look it up
    drawn = 0
    for number, cell in enumerate(cells(path), 1):
        if cell["cell_type"] != "code":
            continue
        shown = run_cell("".join(cell["source"]), f"{path.name} cell {number}", vars(module))
        for method in SHOWN:
            if hasattr(shown, method):
                assert getattr(shown, method)().lstrip().startswith("<")
                drawn += 1
    assert drawn


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_outputs_are_not_kept(path):
    code = [cell for cell in cells(path) if cell["cell_type"] == "code"]
    assert code
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)


def test_the_page_lists_every_notebook():
    page = (DOCS / "tutorials" / "notebooks.md").read_text(encoding="utf-8")
    assert [path.name for path in NOTEBOOKS if f"`{path.name}`" not in page] == []
    assert len(NOTEBOOKS) == page.count(".ipynb`")
