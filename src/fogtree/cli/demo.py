"""``fogtree demo``: a tour of the product in the terminal, about a minute long."""

from __future__ import annotations

import sys
from pathlib import Path
from shutil import which
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fogtree.errors import MissingExtraError, UnknownNameError
from fogtree.terminal import options
from fogtree.terminal.console import messages, output, print_json
from fogtree.terminal.outcome import INTERRUPTED

if TYPE_CHECKING:
    from rich.console import Console

_TWICE = 1.0  # seconds in which a second Ctrl-C ends the tour

NEXT = """What next:
  fogtree serve                              all of this in the browser, and chess to play
  fogtree games                              every game and its parameters
  fogtree solve leduc_poker --until 1e-3     a larger game, until good enough
  fogtree solve kuhn_poker --save runs/kuhn  keep the run; Ctrl-C loses nothing
  fogtree compare leduc_poker -n 2000 --plot leduc.png
  fogtree explain kuhn_poker --deals JQ QK   two iterations with every number
  fogtree train cambia --save runs/cambia    networks for a large game
  fogtree analyse fog_chess --moves e2e4,e7e5 --time 5
  fogtree play fog_chess                     play in the terminal
  fogtree --help"""


def demo(
    *,
    only: Annotated[
        str | None,
        typer.Option(
            metavar="SCENE,SCENE,...",
            help="Scenes: solve, explain, sample, train, search, cambia, arena.",
            show_default="all of them",
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """A tour in seven scenes, about a minute; Ctrl-C goes to the next scene, twice ends it."""
    from fogtree.cli.demo_scenes import SCENES

    names = list(SCENES) if only is None else [name.strip() for name in only.split(",")]
    for name in names:
        if name not in SCENES:
            raise UnknownNameError("scene", name, SCENES)
    shown, found = _Tour(output(), quiet=json), []
    for number, name in enumerate(names, 1):
        found.append({"scene": name, **shown.play(name, f"{number} of {len(names)}")})
    if json:
        print_json({"scenes": found})
    else:
        output().print(f"\n{_next()}", soft_wrap=True)


class _Tour:
    """Plays scenes one after the other, each of which can be skipped."""

    def __init__(self, console: Console, *, quiet: bool) -> None:
        from rich.console import Console

        self._console = Console(quiet=True) if quiet else console
        self._skipped_at = -_TWICE

    def play(self, name: str, place: str) -> dict[str, Any]:
        """Play a scene by its name; ``place`` is shown before its title, as in "2 of 7". Returns
        the scene's facts as JSON data, or why it was skipped."""
        from fogtree.cli.demo_scenes import SCENES

        scene = SCENES[name]
        title = f"{place}: {(scene.__doc__ or name).strip().rstrip('.')}"
        hint = "   (Ctrl-C: next scene)" if self._console.is_terminal else ""
        self._console.print()
        self._console.rule()
        self._console.print(f"{title}{hint}", style="bold")
        try:
            return scene(self._console)
        except KeyboardInterrupt:
            if monotonic() - self._skipped_at < _TWICE:
                messages().print("interrupted")
                raise typer.Exit(INTERRUPTED) from None
            self._skipped_at = monotonic()
            self._console.print("skipped")
            return {"skipped": "Ctrl-C"}
        except MissingExtraError as error:
            self._console.print(f"skipped: {error}", soft_wrap=True)
            return {"skipped": str(error)}


def _next() -> str:
    """Commands to try next, and where fogtree is if it is not on the path."""
    called = Path(sys.argv[0])
    known = which("fogtree") is not None or not called.name.startswith("fogtree")
    if known:
        return NEXT
    return f"{NEXT}\n(fogtree is not on your path yet: it is {called})"
