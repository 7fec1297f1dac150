"""``fogtree chess evaluator``: values of moves, and the networks that evaluators need."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fogtree.errors import FileFormatError, OptionError
from fogtree.games.fog_chess.commands.options import Rules
from fogtree.terminal import options
from fogtree.terminal.console import output, print_json, printable
from fogtree.text.amounts import amount

if TYPE_CHECKING:
    from fogtree.games.fog_chess.network.net import FogNet

app = typer.Typer(help="Value moves with an evaluator; inspect, check and export networks.")

Width = Annotated[
    int, typer.Option(min=128, max=1024, help="Hidden values per side; a multiple of 128.")
]
KingBuckets = Annotated[
    int, typer.Option(help="1, 2, 4 or 8 input sets, chosen by the rank of the own king.")
]
Stacks = Annotated[
    int, typer.Option(help="1, 2, 4 or 8 output stacks, chosen by the number of pieces.")
]
NetFile = Annotated[
    Path, typer.Argument(metavar="FILE", show_default=False, help="A network file of fogtree.")
]


@app.command()
def values(
    evaluator: Annotated[
        str | None,
        typer.Argument(
            metavar="EVALUATOR",
            help="net (by default), net-static, simple, net:FILE, stockfish-net, "
            "stockfish-net-static or "
            "uci:PROGRAM.",
        ),
    ] = None,
    fen: Annotated[
        str,
        typer.Option(
            "--fen", metavar="FEN", help="The position; 'startpos' is the usual starting position."
        ),
    ] = "startpos",
    rules: Rules = "chesscom",
    json: options.Json = False,
) -> None:
    """Value every move of a position for the side to move, the best first."""
    from fogtree.games.fog_chess.evaluators import DEFAULT_EVALUATOR, load_evaluator
    from fogtree.games.fog_chess.rules import START_FEN, read_fen

    evaluator = evaluator or DEFAULT_EVALUATOR
    position = read_fen(START_FEN if fen.strip() == "startpos" else fen)
    if not position.moves():
        raise OptionError("there is no move to value: the game is over")
    with load_evaluator(evaluator, rules=rules) as loaded:
        found = loaded.children(position, position.side).tolist()
    ordered = sorted(zip(position.uci_moves(), found, strict=True), key=lambda one: -one[1])
    if json:
        print_json({"fen": position.fen, "evaluator": evaluator, "values": dict(ordered)})
        return
    for move, value in ordered:
        output().print(f"{move:6}{value:+z.3f}")


@app.command()
def inspect(file: NetFile, json: options.Json = False) -> None:
    """Show what a network file contains; a damaged file is refused."""
    from fogtree.games.fog_chess.network.file import read_net

    net = read_net(file)
    facts = {"path": file, "bytes": file.stat().st_size, **_facts(net)}
    if json:
        print_json(facts)
        return
    facts["bytes"] = amount(file.stat().st_size)
    for name, fact in facts.items():
        output().print(f"{name:14}{printable(str(fact))}", soft_wrap=True)


@app.command()
def check(
    file: NetFile,
    positions: Annotated[
        int, typer.Option(min=1, max=100_000, help="Positions of random games to compare.")
    ] = 200,
    seed: options.Seed = 0,
    json: options.Json = False,
) -> None:
    """Compare native inference with the reference in NumPy, number for number, and check that the
    sums of the first layer fit in 16 bits."""
    from fogtree.games.fog_chess.network.check import LARGEST_SUM, check_net
    from fogtree.games.fog_chess.network.file import read_net

    found = check_net(read_net(file), positions=positions, seed=seed)
    if json:
        print_json(
            {
                "path": file,
                "positions": found.positions,
                "inferences": found.inferences,
                "differences": found.differences,
                "largest_sum": found.largest_sum,
                "good": found.good,
            }
        )
    else:
        output().print(
            f"{found.positions} positions, {', '.join(found.inferences)}: "
            f"{found.differences} differences; the largest first-layer sum is "
            f"{found.largest_sum:,} (limit {LARGEST_SUM:,})"
        )
    if not found.good:
        raise FileFormatError(f"'{file}' does not run as it should")


@app.command(name="random")
def random_net(
    file: NetFile,
    *,
    seed: options.Seed = 0,
    width: Width = 256,
    king_buckets: KingBuckets = 1,
    stacks: Stacks = 8,
    json: options.Json = False,
) -> None:
    """Write a network that knows piece values and is random otherwise, for experiments."""
    from fogtree.games.fog_chess.network.file import write_net
    from fogtree.games.fog_chess.network.net import FogNet, buckets_by_square

    by_square = buckets_by_square(king_buckets)
    options.check_new_file(file)
    net = FogNet.random(seed, width=width, king_bucket=by_square, stacks=stacks)
    write_net(net, file)
    if json:
        print_json({"path": file, "bytes": file.stat().st_size, **_facts(net)})
        return
    output().print(f"The network is in {file}; use it as evaluator  net:{file}", soft_wrap=True)


@app.command()
def export_stockfish_net(
    stockfish: Annotated[
        str | None,
        typer.Option(
            metavar="PROGRAM", help="Your Stockfish 15.1.", show_default="the one on the path"
        ),
    ] = None,
    output_file: Annotated[
        Path | None,
        typer.Option(
            "--output",
            metavar="FILE",
            help="File to write.",
            show_default="where evaluators look for it",
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """Have your own Stockfish 15.1 write its network, and check it."""
    from fogtree.games.fog_chess.network.stockfish import NET_SHA256
    from fogtree.games.fog_chess.network.stockfish import export_stockfish_net as export

    options.check_new_file(output_file)
    path = export(stockfish, output_file)
    if json:
        print_json({"path": path, "bytes": path.stat().st_size, "sha256": NET_SHA256})
        return
    spec = "stockfish-net" if output_file is None else f"stockfish-net:{output_file}"
    output().print(f"The network is in {path}; use it as evaluator  {spec}", soft_wrap=True)


def _facts(net: FogNet) -> dict[str, Any]:
    """The facts about a network that its file tells, without running it."""
    from fogtree.games.fog_chess.network.file import VERSION, net_sha256

    return {
        "format": VERSION,
        "description": net.description,
        "sha256": net_sha256(net),
        "width": net.width,
        "king_buckets": net.king_buckets,
        "mirrored": net.mirrored,
        "stacks": net.stacks,
        "unit": net.unit,
        "parameters": sum(array.size for array in net.arrays.values()),
    }
