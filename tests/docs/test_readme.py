"""The Python blocks of the README run as they stand."""

from __future__ import annotations

import re

from tests.support.paths import DOCS


def test_every_python_block_runs():
    text = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(block, names)
