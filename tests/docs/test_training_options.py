"""The page of options names every option, with the default that it has."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import fields

from fogtree import load_game
from fogtree.deep.config import TrainingOptions, default_options, options_from, read_options
from tests.support.paths import ROOT

PAGE = (ROOT / "docs" / "reference" / "training_options.md").read_text(encoding="utf-8")


def written(value):
    if value is None:
        return "–"
    return f"`{json.dumps(list(value) if isinstance(value, tuple) else value)}`"


def on_the_page():
    found = {}
    for part in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]:
        title, *lines = part.splitlines()
        sections = re.findall(r"\[(\w+)\]", title)
        for line in lines:
            row = re.match(r"\| `(\w+)` \| (.*) \|$", line)
            if row:
                cells = row[2].split(" | ")
                for section, default in zip(sections, cells[:-1], strict=True):
                    found[section, row[1]] = default
    return found


def block(number):
    """One of the page's blocks of TOML."""
    return PAGE.split("```toml\n")[number + 1].split("```")[0]


def test_every_option_is_there():
    options = TrainingOptions()
    expected = {
        (section.name, entry.name): written(getattr(getattr(options, section.name), entry.name))
        for section in fields(options)
        for entry in fields(getattr(options, section.name))
    }
    assert on_the_page() == expected


def test_what_full_size_cambia_has_instead():
    assert options_from(tomllib.loads(block(1))) == default_options(load_game("cambia"))


def test_what_compiled_games_have_instead():
    for name in ("kuhn_poker", "cambia(preset='tiny1')"):
        assert options_from(tomllib.loads(block(0))) == default_options(load_game(name))


def test_examples_can_be_read():
    for path in sorted((ROOT / "examples").glob("*training.toml")):
        assert read_options(path).run.iterations > 0
