"""The page on installation lists every extra with the packages that it brings."""

from __future__ import annotations

import re
import tomllib

from tests.support.paths import DOCS, ROOT

DEVELOPMENT = {"test", "docs", "dev"}
ROW = re.compile(r"^\| `(\w+)` \|.*\| ([^|]*) \|$", re.MULTILINE)


def test_the_page_has_every_extra():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    page = (DOCS / "tutorials" / "install.md").read_text(encoding="utf-8")
    assert {extra: packages.split(", ") for extra, packages in ROW.findall(page)} == {
        extra: [re.split(r"[^\w-]", package)[0] for package in packages]
        for extra, packages in project["optional-dependencies"].items()
        if extra not in DEVELOPMENT
    }
