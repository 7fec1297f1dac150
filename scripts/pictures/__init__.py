"""The pictures of the documentation, drawn by the package itself."""

from __future__ import annotations

from pathlib import Path

from fogtree.text import svg

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"

GREY = "#7a828c"


def save(name: str, picture: str) -> None:
    """Write a picture into the documentation."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / name).write_text(picture.rstrip("\n") + "\n", encoding="utf-8")


def caption(words: str, x: float, y: float) -> str:
    """Grey words, centred at a point."""
    return svg.text(words, x, y, text_anchor="middle", font_size=14, fill=GREY)


def save_boards(name: str, boards: dict[str, str], *, width: float, height: float) -> None:
    """Write boards of one size, each below its caption, as NAME_1.svg, NAME_2.svg and so on: a page
    shows them side by side, or one below the other where it is narrow."""
    for number, (words, picture) in enumerate(boards.items(), 1):
        save(f"{name}_{number}.svg", row({words: picture}, width=width, height=height))


def row(pictures: dict[str, str], *, width: float, height: float, gap: float = 24) -> str:
    """Pictures of one size side by side, each below its caption."""
    top = 30
    parts = []
    for number, (words, picture) in enumerate(pictures.items()):
        x = number * (width + gap)
        parts.append(caption(words, x + width / 2, 18))
        parts.append(picture.replace("<svg ", f'<svg x="{x}" y="{top}" ', 1))
    whole = len(pictures) * (width + gap) - gap
    return svg.picture(*parts, width=whole, height=height + top)
