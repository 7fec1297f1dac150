"""Turns the markup of docstrings into Markdown for the reference: roles and doctests.

An extension of Griffe, which reads the sources for the documentation site; see zensical.toml.
"""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

ROLE = re.compile(r":(?:class|func|meth|mod|data|attr):`~?([^`]+)`")
SKIP = re.compile(r" *# doctest: .*")
DOCTEST = re.compile(r"^>>> .*(?:\n(?!\s*$).*)*", re.MULTILINE)
LITERAL = re.compile(r"::$((?:\n(?: {4}.*)?)+)", re.MULTILINE)


class DocstringMarkup(Extension):
    """Rewrites the docstring of every object that is read."""

    def on_object(self, *, obj: Object, **kwargs: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = markdown(obj.docstring.value)


def markdown(text: str) -> str:
    """A docstring in Markdown: names in backquotes, examples as blocks of code.

    >>> markdown("See :class:`~fogtree.tree.GameTree`.")
    'See `GameTree`.'
    """
    text = ROLE.sub(lambda match: f"`{match[1].rsplit('.', 1)[-1]}`", text)
    text = SKIP.sub("", text)
    text = LITERAL.sub(lambda match: f":\n{match[1]}", text)
    return DOCTEST.sub(lambda match: f"```pycon\n{match[0]}\n```", text)
