"""Write SVG: elements with escaped attributes and text."""

from __future__ import annotations

from html import escape


def element(name: str, *content: str, **attributes: float | str | None) -> str:
    """An SVG element with this content, which is SVG already. An underscore in an attribute's name
    stands for a hyphen; attributes that are None are left out."""
    given = "".join(
        f' {key.replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(content)
    return f"<{name}{given}>{inside}</{name}>" if inside else f"<{name}{given}/>"


def text(words: str, x: float, y: float, **attributes: float | str | None) -> str:
    """A text element at a point; ``words`` are escaped."""
    return element("text", escape(words), x=x, y=y, **attributes)


def title(words: str) -> str:
    """A ``title`` element: the tooltip of the element around it. Empty if there are no words."""
    return element("title", escape(words)) if words else ""


def picture(*content: str, width: float, height: float, shown: float | None = None) -> str:
    """A whole ``svg`` element with this content, whose coordinates go to ``width`` and ``height``.
    ``shown`` is its width on the page in pixels, if it is to be scaled."""
    scale = 1.0 if shown is None else shown / width
    return element(
        "svg",
        *content,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {height:g}",
        width=width * scale,
        height=height * scale,
        font_family="sans-serif",
    )


def _value(value: float | str) -> str:
    """An attribute's value as text, with numbers shortened."""
    if isinstance(value, str):
        return escape(value)
    short = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if short == "-0" else short
