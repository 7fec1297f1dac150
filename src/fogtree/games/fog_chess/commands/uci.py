"""``fogtree uci``: an engine for Fog-of-War chess that any chess program can start."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Annotated

import typer

from fogtree.terminal.console import take_any_input


def uci(
    agent: Annotated[
        str, typer.Option(metavar="NAME", help="The agent: search, belief-vote, greedy or random.")
    ] = "belief-vote",
    evaluator: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The evaluator, for agents that use one: net (default), net-static, net:FILE, "
            "simple, stockfish-net, stockfish-net-static or uci:PROGRAM.",
        ),
    ] = None,
) -> None:
    """Speak UCI (variant fogofwar) on standard input and output."""
    from fogtree.games.fog_chess.uci.server import UciOptions, UciServer

    options = UciOptions(agent=agent)
    if evaluator is not None:
        options = replace(options, evaluator=evaluator)
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
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
