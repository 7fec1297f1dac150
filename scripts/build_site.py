"""Builds the documentation site of the project in this folder; a warning is a failure.

Usage: python scripts/build_site.py

The pages are those of docs/ and two files of the project's root: the changelog, and how to
contribute. All of them are gathered in build/docs first.

Zensical now and then crashes while Python shuts down, when the site is complete
(https://github.com/zensical/zensical/issues/71); so this process ends without shutting down.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

from zensical import build

DOCS, GATHERED, SITE = Path("docs"), Path("build/docs"), Path("build/site")
ROOT_PAGES = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}
VERSION_FILE = Path("src/fogtree/__init__.py")
LINK = re.compile(r"\[([^\]]+)\]\((?!https?:|#)([^)]+)\)")
CODE = re.compile(r"<pre\b.*?</pre>|<code>([^<]*)</code>", re.DOTALL)
OPTION = re.compile(r"(?<![\w-])--?[a-z][\w-]*")
WHOLE = r'<span class="whole">\g<0></span>'
SHORT = 28
FOOTER = re.compile(r'(<div class="md-copyright">)')
NOT_FOUND = """<h1>This page does not exist</h1>
<p>It may have been renamed, or the address has a mistake. Look for it with the search at the top
of the page, or begin at <a href="{home}">the first page</a>; <a href="{howto}">How to</a> lists
what people most often want to do.</p>"""


def links_from_docs(text: str) -> str:
    """The text of a page of the project's root with links as they are from docs/.

    What is not part of the site is named and not linked.

    >>> links_from_docs("[a game](docs/howto/add_a_game.md), [speed](benchmarks)")
    '[a game](howto/add_a_game.md), speed'
    """

    def moved(match: re.Match[str]) -> str:
        words, target = match.groups()
        return f"[{words}]({target[5:]})" if target.startswith("docs/") else words

    return LINK.sub(moved, text)


def gather() -> None:
    """Copy the pages to the folder that the site is built from."""
    shutil.rmtree(GATHERED, ignore_errors=True)
    shutil.copytree(DOCS, GATHERED)
    for file, page in ROOT_PAGES.items():
        if Path(file).exists():
            text = links_from_docs(Path(file).read_text(encoding="utf-8"))
            (GATHERED / page).write_text(text, encoding="utf-8")


def keep_whole(page: str) -> str:
    """Mark options, and short code in sentences, as not to be broken between two lines.

    Browsers break lines after the dashes of an option.

    >>> keep_whole("<code>fogtree</code>")
    '<code class="whole">fogtree</code>'
    """

    def marked(match: re.Match[str]) -> str:
        text = match[1]
        if text is None:  # a block
            return match[0]
        whole = ' class="whole"' if len(text) <= SHORT else ""
        return f"<code{whole}>{OPTION.sub(WHOLE, text)}</code>"

    return CODE.sub(marked, page)


def version() -> str:
    """The version of the package in this folder; empty if there is none."""
    text = VERSION_FILE.read_text(encoding="utf-8") if VERSION_FILE.exists() else ""
    found = re.search(r'^__version__ = "([^"]+)"', text, re.MULTILINE)
    return found[1] if found else ""


def with_version(page: str, number: str, root: str) -> str:
    """A page with the version in its footer, which leads to the changelog."""
    line = f'fogtree {number}, <a href="{root}changelog.html">what is new</a>. '
    return FOOTER.sub(rf"\1{line}", page) if number else page


def finish(file: Path, number: str) -> None:
    """Write a built page again with what Zensical does not do."""
    page = keep_whole(file.read_text(encoding="utf-8"))
    root = "../" * (len(file.relative_to(SITE).parts) - 1)
    if file.name == "404.html":  # it is shown at any address
        root = "/"
        words = NOT_FOUND.format(home="/index.html", howto="/howto/index.html")
        page = page.replace("<h1>404 - Not found</h1>", words)
    file.write_text(with_version(page, number, root), encoding="utf-8")


def main() -> int:
    try:
        gather()
        build(str(Path("zensical.toml").resolve()), {"clean": True, "strict": True})
        # It lists addresses, which a site without an address of its own does not have.
        (SITE / "sitemap.xml").unlink(missing_ok=True)
        number = version()
        for file in SITE.rglob("*.html"):
            finish(file, number)
    except Exception as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
