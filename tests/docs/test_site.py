"""The documentation site: it builds, its links hold, and its reference is complete."""

from __future__ import annotations

import importlib
import re
import runpy
import shutil
import subprocess
import sys
import threading
import tomllib
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

import fogtree
from tests.support.paths import DOCS, ROOT

CHECK = runpy.run_path(str(ROOT / "scripts" / "check_site.py"))
ROOT_PAGES = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}
"""Pages that are made of files of the project's root."""
CONFIG = (ROOT / "zensical.toml").read_text(encoding="utf-8")
PACKAGES = (
    "agents", "arena", "deep.config", "deep.exploit", "deep.train", "evaluate", "explanation",
    "game", "minimizers", "plot", "search", "solvers", "strategy", "tree",
)  # fmt: skip
"""Modules that say what is public in them."""


def pages_of(nav):
    for entry in nav:
        if isinstance(entry, str):
            yield entry
        else:
            for below in entry.values():
                yield from pages_of([below] if isinstance(below, str) else below)


def test_every_page_is_in_the_navigation_once():
    listed = sorted(pages_of(tomllib.loads(CONFIG)["project"]["nav"]))
    written = [str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md")]
    assert listed == sorted([*written, *ROOT_PAGES.values()])


def test_pictures_are_small():
    assert sum(file.stat().st_size for file in (DOCS / "pictures").iterdir()) < 3_000_000


def build(folder):
    """Build the site of a project in a folder."""
    return subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "build_site.py")],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built from the sources into a folder of its own."""
    pytest.importorskip("zensical", reason="needs fogtree[docs]")
    pytest.importorskip("mkdocstrings", reason="needs fogtree[docs]")
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(DOCS, folder / "docs")
    for needed in ("scripts", "src", *ROOT_PAGES):
        (folder / needed).symlink_to(ROOT / needed)
    (folder / "zensical.toml").write_text(CONFIG, encoding="utf-8")
    done = build(folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "build" / "site"


def test_a_page_that_does_not_exist_fails_the_build(tmp_path):
    pytest.importorskip("zensical", reason="needs fogtree[docs]")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# Home\n\n[Gone](gone.md)\n", encoding="utf-8")
    (tmp_path / "zensical.toml").write_text('[project]\nsite_name = "x"\n', encoding="utf-8")
    done = build(tmp_path)
    assert done.returncode == 1
    assert "page does not exist" in done.stderr


def test_a_site_without_an_address_has_no_list_of_addresses(site):
    assert not (site / "sitemap.xml").exists()


def test_the_site_has_the_changelog_and_how_to_contribute(site):
    number = fogtree.__version__
    changelog = (site / "changelog.html").read_text(encoding="utf-8")
    assert f"[{number}]" in changelog
    assert "Conventions" in (site / "contributing.html").read_text(encoding="utf-8")
    deep = (site / "howto" / "add_a_game.html").read_text(encoding="utf-8")
    assert f'fogtree {number}, <a href="../changelog.html">' in deep


def test_an_address_without_a_page_leads_on(site):
    page = (site / "404.html").read_text(encoding="utf-8")
    assert "This page does not exist" in page
    assert '<a href="/index.html">the first page</a>' in page


@contextmanager
def served(folder):
    """The address of a folder, served on this machine."""
    handler = partial(QuietHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves files and prints nothing."""

    def log_message(self, *words):
        del words


@pytest.mark.long
def test_copied_commands_have_no_prompt_and_no_output(site):
    pytest.importorskip("playwright", reason="needs Playwright")
    from tests.support.web_pages import CHROMIUM, MISSING, opened_page, started_browser

    if CHROMIUM is None:
        pytest.skip(MISSING)
    source = (ROOT / "docs" / "howto" / "handle_a_large_game.md").read_text(encoding="utf-8")
    commands = sum(line.startswith("$ ") for line in source.splitlines())
    rights = ["clipboard-read", "clipboard-write"]
    copied = []
    with (
        served(site) as address,
        started_browser() as browser,
        opened_page(browser, permissions=rights) as page,
    ):
        page.goto(f"{address}/howto/handle_a_large_game.html")
        page.wait_for_selector(".language-console [data-md-type=copy]")  # a script adds them
        for button in page.locator(".language-console [data-md-type=copy]").all():
            page.evaluate("navigator.clipboard.writeText('')")
            button.click()
            page.wait_for_function("async () => await navigator.clipboard.readText() !== ''")
            copied.append(page.evaluate("navigator.clipboard.readText()"))
    assert copied[0] == 'fogtree solve "phantom_ttt(rows=3, columns=3, max_plies=9)"'
    assert [line[:8] for text in copied for line in text.splitlines()] == ["fogtree "] * commands


@pytest.mark.long
def test_the_links_of_the_site_hold(site):
    assert len(list(site.rglob("*.html"))) > 70
    assert CHECK["problems"](site) == []


def test_the_reference_has_every_public_name(site):
    text = "".join(
        page.read_text(encoding="utf-8") for page in (site / "reference" / "api").glob("*.html")
    )
    anchors = set(re.findall(r'id="(fogtree[^"]*)"', text))
    public = set(fogtree.__all__) - {"errors", "plot"}
    for package in PACKAGES:
        public |= set(importlib.import_module(f"fogtree.{package}").__all__)
    shown = {anchor.rsplit(".", 1)[-1] for anchor in anchors}
    assert public - shown == set()
    assert "fogtree.plot.convergence" in anchors
    assert "&gt;&gt;&gt;" not in re.sub(r"<code.*?</code>", "", text, flags=re.DOTALL)


def test_a_broken_link_is_found(tmp_path):
    (tmp_path / "index.html").write_text(
        '<a href="other.html#there">x</a> <a href="other.html#missing">x</a> '
        '<a href="gone.html">x</a> <a href="https://example.org/">x</a> '
        '<script src="https://example.org/script.js"></script> <img src="gone.png">',
        encoding="utf-8",
    )
    (tmp_path / "other.html").write_text('<h2 id="there">There</h2>', encoding="utf-8")
    assert CHECK["problems"](tmp_path) == [
        "index.html: links to other.html#missing, but that page has no such anchor",
        "index.html: links to gone.html, which does not exist",
        "index.html: loads https://example.org/script.js from another site",
        "index.html: links to gone.png, which does not exist",
    ]
