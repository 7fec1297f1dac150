"""The common style of all pictures, and how they are saved."""

from __future__ import annotations

import io
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from fogtree.errors import MissingExtraError, OptionError
from fogtree.system.files import whole_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("png", "svg", "pdf")

COLOURS = (
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#B58900", "#56B4E9", "#5B4B8A", "#333333",
)  # fmt: skip
"""After Okabe & Ito: distinguishable with any colour vision, and dark enough for text."""

INK, FAINT = "#222222", "#DDDDDD"
FADED_REACH = 1e-3
"""Reach below which information sets are faded, in pictures and in tables."""


def require_matplotlib() -> None:
    """Raise a :class:`~fogtree.errors.MissingExtraError` if matplotlib is not installed."""
    if find_spec("matplotlib") is None:
        raise MissingExtraError("matplotlib", "plot")


def check_format(path: Path) -> None:
    """Raise an error if a picture cannot be written in the format that the file's ending names, or
    matplotlib is missing; to be called before any work is done."""
    require_matplotlib()
    if path.suffix.lower().lstrip(".") not in FORMATS:
        known = ", ".join(f".{name}" for name in FORMATS)
        raise OptionError(f"a picture's name must end in one of {known}; '{path}' does not")


def new_figure(width: float, height: float) -> Figure:
    """An empty Matplotlib figure of this size in inches, in the style of all figures here."""
    require_matplotlib()
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), dpi=150, layout="constrained", facecolor="white")


def plain(text: str) -> str:
    """Text with dollar signs escaped, so that they start no formula."""
    return text.replace("$", r"\$")


def tidy(axes: Axes) -> None:
    """Remove the frame of a chart at the top and the right, and draw the rest in grey."""
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color("#888888")
    axes.tick_params(colors="#555555", labelsize=8, which="both")
    axes.set_axisbelow(True)


def save_figure(figure: Figure, path: str | Path) -> Path:
    """Write a figure as PNG, SVG or PDF by the file's ending; returns the path."""
    path = Path(path)
    check_format(path)
    content = io.BytesIO()
    figure.savefig(content, format=path.suffix.lower().lstrip("."))
    with whole_file(path) as out:
        out.write(content.getbuffer())
    return path
