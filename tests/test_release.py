"""What a release says of itself: one version everywhere, and a changelog in the usual form."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib

import fogtree
from tests.support.paths import ROOT

CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
KINDS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_the_version_is_written_once() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" in project["project"]["dynamic"]
    assert project["tool"]["scikit-build"]["metadata"]["version"]["input"] == (
        "src/fogtree/__init__.py"
    )
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {fogtree.__version__}\n" in citation


def test_the_changelog_has_the_usual_form() -> None:
    versions = re.findall(r"^## \[(.+?)\](?: - (.+))?$", CHANGELOG, re.MULTILINE)
    assert fogtree.__version__ in dict(versions)
    assert set(re.findall(r"^### (.+)$", CHANGELOG, re.MULTILINE)) <= KINDS
    assert re.findall(r"^## ", CHANGELOG, re.MULTILINE) == ["## "] * len(versions)


def test_import_loads_no_other_package() -> None:
    """``import fogtree`` takes milliseconds, because everything is imported when first used."""
    code = (
        "import sys; before = set(sys.modules); import fogtree\n"
        "names = {name.split('.')[0] for name in set(sys.modules) - before}\n"
        "print(sorted(names - sys.stdlib_module_names))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['fogtree']\n"
