"""``fogtree evaluator``: what values positions of Fog-of-War chess."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fogtree.cli import options
from fogtree.cli.console import output, print_json

app = typer.Typer(help="Get what evaluators of Fog-of-War chess need.")


@app.callback()
def _group() -> None:
    """A group of commands, even while it has one."""


@app.command()
def export_stockfish_net(
    stockfish: Annotated[
        str | None,
        typer.Option(metavar="PROGRAM", help="Your Stockfish 15.1; else the one on the path."),
    ] = None,
    output_file: Annotated[
        Path | None,
        typer.Option("--output", metavar="FILE", help="Where to; else where evaluators look."),
    ] = None,
    json: options.Json = False,
) -> None:
    """Have your own Stockfish 15.1 write its network, and check it."""
    from fogtree.fogchess import export_stockfish_net as export
    from fogtree.fogchess.stockfish_net import NET_SHA256

    options.check_file(output_file)
    path = export(stockfish, output_file)
    if json:
        print_json({"path": path, "bytes": path.stat().st_size, "sha256": NET_SHA256})
        return
    output().print(f"The network is in {path}; use it as evaluator  stockfish-net", soft_wrap=True)
