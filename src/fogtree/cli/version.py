"""``fogtree --version``: the version, and with ``--verbose`` what a bug report needs."""

from __future__ import annotations

import json as json_text
import platform
import re
from importlib import metadata
from typing import Any

import typer


def show_version(verbose: bool, json: bool) -> None:
    """Print the version, or all facts about this installation."""
    from fogtree import __version__

    if not verbose:
        typer.echo(json_text.dumps({"version": __version__}) if json else f"fogtree {__version__}")
        return
    facts = installation_facts()
    if json:
        typer.echo(json_text.dumps(facts, indent=2))
        return
    typer.echo(f"fogtree {facts.pop('version')}")
    for name, value in facts.items():
        if isinstance(value, dict):
            typer.echo(f"{name}:")
            width = max(map(len, value), default=0)
            for part, text in value.items():
                typer.echo(f"  {part:<{width}}  {text}")
        else:
            typer.echo(f"{name}: {value}")


def installation_facts() -> dict[str, Any]:
    """Versions, the machine, how the core was built and which of its kernels run here."""
    from fogtree import __version__, _core
    from fogtree.system.cores import cores

    return {
        "version": __version__,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "platform": platform.platform(),
        "machine": f"{platform.machine()}, {cores()} cores",
        "core": _core.build_facts(),
        "packages": _packages(),
    }


def _packages() -> dict[str, str]:
    """The installed versions of the packages that fogtree can use."""
    try:
        requirements = metadata.requires("fogtree") or []
    except metadata.PackageNotFoundError:  # imported from its sources
        requirements = []
    names = {re.split(r"[^\w.-]", text)[0] for text in requirements} - {"fogtree"}
    found = {}
    for name in sorted(names, key=str.lower):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found
