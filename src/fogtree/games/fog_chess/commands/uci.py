"""``fogtree uci``: an engine for Fog-of-War chess that any chess program can start."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from fogtree.terminal.console import take_any_input


def uci(
    agent: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The agent: search (default), belief-vote, greedy, random or level:NUMBER.",
        ),
    ] = None,
    evaluator: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The evaluator, for agents that use one: net (default), net-static, net:FILE, "
            "simple, stockfish-net, stockfish-net-static or uci:PROGRAM.",
        ),
    ] = None,
    variant: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The rules of the chess program: fogofwar (default), or chess, for a program that "
            "knows no other.",
        ),
    ] = None,
) -> None:
    """Speak UCI (variant fogofwar) on standard input and output."""
    from fogtree.games.fog_chess.uci.options import UciOptions
    from fogtree.games.fog_chess.uci.server import UciServer

    options = UciOptions()
    given = {"agent": agent, "evaluator": evaluator, "uci_variant": variant}
    for name, value in given.items():
        if value is not None:
            options = options.changed(name, value)
    options.load().close()
    server = UciServer(_write, options)
    take_any_input()
    try:
        for line in sys.stdin:
            if not server.handle(line):
                return
        server.wait()
    finally:  # also on Ctrl-C: no search may run while the interpreter shuts down
        server.close()


def _write(line: str) -> None:
    """Write a line of the protocol at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
