"""The page of options names every option, with the default that it has."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import fields

from fogtree import load_game
from fogtree.deep.config import (
    MIRROR_DESCENT,
    TrainingOptions,
    default_options,
    options_from,
    read_options,
)
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


def block(title, number=0):
    """One of the blocks of TOML below a title of the page."""
    return PAGE.split(f"\n## {title}\n")[1].split("```toml\n")[number + 1].split("```")[0]


def test_every_option_is_there():
    options = TrainingOptions()
    expected = {
        (section.name, entry.name): written(getattr(getattr(options, section.name), entry.name))
        for section in fields(options)
        for entry in fields(getattr(options, section.name))
    }
    assert on_the_page() == expected


def test_what_full_size_cambia_has_instead():
    assert options_from(tomllib.loads(block("Full-size Cambia"))) == default_options(
        load_game("cambia")
    )


def test_what_compiled_games_have_instead():
    for name in ("kuhn_poker", "cambia(preset='tiny1')"):
        assert options_from(tomllib.loads(block("Games that compile"))) == default_options(
            load_game(name)
        )


def test_what_mirror_descent_has_on_top():
    defaults = default_options(load_game("kuhn_poker"))
    tables = tomllib.loads(block("Games that compile", 1))
    tables["run"]["method"] = "mmd"
    assert options_from(tables, defaults) == options_from({"run": {"method": "mmd"}}, defaults)
    assert tables.keys() == MIRROR_DESCENT.keys()


def test_examples_can_be_read():
    for path in sorted((ROOT / "examples").glob("*training.toml")):
        assert read_options(path).run.iterations > 0
