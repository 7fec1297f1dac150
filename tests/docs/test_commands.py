"""Every command line on a page is one that the program understands: its options exist."""

from __future__ import annotations

import re
import shlex

import pytest
import typer

from fogtree.cli import app
from tests.support.paths import DOCS, ROOT

LINE = re.compile(r"^\$ fogtree (.+)$", re.MULTILINE)
COMMANDS = [
    pytest.param(shlex.split(line.removesuffix("&"), comments=True), id=f"{page.stem}: {line}")
    for page in (ROOT / "README.md", *sorted(DOCS.rglob("*.md")))
    for line in LINE.findall(page.read_text(encoding="utf-8"))
]


def parse(words: list[str]) -> None:
    """Read a command line as the program does, without running the command."""
    command = typer.main.get_command(app)
    context = command.context_class(command, info_name="fogtree")
    while hasattr(command, "get_command"):
        found = command.get_command(context, words[0])
        assert found is not None, f"there is no command {words[0]}"
        command, context = found, found.context_class(found, info_name=words[0], parent=context)
        words = words[1:]
    command.parse_args(context, list(words))


@pytest.mark.parametrize("words", COMMANDS)
def test_a_command_is_understood(words):
    parse(words)


@pytest.mark.parametrize("words", [["slove"], ["solve", "kuhn_poker", "--untill", "1"], ["solve"]])
def test_a_mistake_is_found(words):
    with pytest.raises(Exception, match=r"no command|No such option|[Mm]issing"):
        parse(words)
