"""Checks the built documentation: every link and anchor leads somewhere, and nothing is loaded
from elsewhere. Needs no network: links to other sites are not followed.

Usage: python scripts/check_site.py FOLDER
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {("img", "src"), ("script", "src"), ("link", "href"), ("iframe", "src"), ("source", "src")}
"""Attributes whose target a browser fetches by itself."""


class Page(HTMLParser):
    """The anchors of a page, and what it links to or loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.targets: list[tuple[str, bool]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" or (tag == "a" and name == "name"):
                self.anchors.add(value or "")
            elif value and name in ("href", "src"):
                self.targets.append((value, (tag, name) in LOADED))


def problems(folder: Path) -> list[str]:
    """What is wrong with the site in a folder, a line each."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in folder.rglob("*.html")}
    return [
        f"{path.relative_to(folder)}: {wrong}"
        for path, page in sorted(pages.items())
        if path.name != "404.html"  # its links begin at the root of a server
        for target, loaded in page.targets
        if (wrong := problem(path, target, pages, loaded=loaded))
    ]


def problem(path: Path, target: str, pages: dict[Path, Page], *, loaded: bool) -> str:
    """What is wrong with one target of a page; empty if nothing is."""
    parts = urlsplit(target)
    if parts.scheme or parts.netloc:
        outside = loaded and parts.scheme != "data"
        return f"loads {target} from another site" if outside else ""
    place = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if place.is_dir():
        place /= "index.html"
    if not place.exists():
        return f"links to {target}, which does not exist"
    anchor = unquote(parts.fragment)
    if anchor and place in pages and anchor not in pages[place].anchors:
        return f"links to {target}, but that page has no such anchor"
    return ""


def main() -> int:
    folder = Path(sys.argv[1]).resolve()
    found = problems(folder)
    for line in found:
        print(line, file=sys.stderr)
    count = len(list(folder.rglob("*.html")))
    print(f"{count} pages, {len(found)} broken links")
    return 1 if found or not count else 0


if __name__ == "__main__":
    raise SystemExit(main())
