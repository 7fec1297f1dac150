"""A name with parameters in brackets, read without running anything: ``leduc_poker(ranks=10)``."""

from __future__ import annotations

import ast

from fogtree.errors import OptionError


def parse_spec(spec: str) -> tuple[str, dict[str, object]]:
    """The name, and the parameters given."""
    bad = OptionError(f"cannot read game {spec[:80]!r}; write it like  leduc_poker(ranks=10)")
    try:
        tree = ast.parse(spec.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise bad from None
    if isinstance(tree, ast.Name):
        return tree.id, {}
    if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name) or tree.args:
        raise bad
    values: dict[str, object] = {}
    for keyword in tree.keywords:
        if keyword.arg is None or keyword.arg in values:
            raise bad
        values[keyword.arg] = _value(tree.func.id, keyword.arg, keyword.value)
    return tree.func.id, values


def _value(game: str, name: str, node: ast.expr) -> object:
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, MemoryError, RecursionError):
        message = f"{game}: {name} must be a plain number, text in quotes, True or False, or a list"
        raise OptionError(message) from None
    return tuple(value) if isinstance(value, list) else value
