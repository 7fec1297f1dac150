"""``fogtree chess perft``, ``see`` and ``belief``: move counts, views and beliefs."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fogtree.errors import NotationError, OptionError
from fogtree.games.fog_chess.commands.options import Rules, Viewer
from fogtree.system.termination import exit_at_once
from fogtree.terminal import options
from fogtree.terminal.console import output, print_json
from fogtree.terminal.outcome import INTERRUPTED
from fogtree.text.amounts import duration

if TYPE_CHECKING:
    from fogtree._core import FogChessPosition
    from fogtree.games.fog_chess.belief import FogBelief
    from fogtree.games.fog_chess.game import FogChessState
    from fogtree.games.fog_chess.observation import FogObservation

START = "startpos"
MOST_DEPTH = 12

Fen = Annotated[
    str,
    typer.Option(
        "--fen", metavar="FEN", help="The position; 'startpos' is the usual starting position."
    ),
]


def perft(
    fen: Fen = START,
    depth: Annotated[int, typer.Option(min=0, max=MOST_DEPTH, help="Depth in plies.")] = 5,
    json: options.Json = False,
) -> None:
    """Count the move sequences of a given length, as chess engines do to test move generation; a
    captured king ends a sequence."""
    from fogtree.games.fog_chess.rules import read_fen

    position = read_fen(_fen(fen))
    began = time.perf_counter()
    nodes = _counted(position, depth)
    seconds = time.perf_counter() - began
    if json:
        print_json({"fen": position.fen, "depth": depth, "nodes": nodes, "seconds": seconds})
        return
    pace = f", {nodes / seconds / 1e6:,.0f} M/s" if seconds > 1e-3 else ""
    lines = "line" if nodes == 1 else "lines"
    output().print(f"{nodes:,} {lines} of {depth} plies in {duration(seconds)}{pace}")


def _counted(position: FogChessPosition, depth: int) -> int:
    """The number of move sequences, counted in a thread: the native count cannot be interrupted, so
    Ctrl-C ends the whole process."""
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(position.perft(depth)), daemon=True)
    try:
        thread.start()
        thread.join()
    except KeyboardInterrupt:
        exit_at_once(INTERRUPTED)
    return found[0]


def see(
    as_: Viewer,
    fen: Fen = START,
    rules: Rules = "chesscom",
    json: options.Json = False,
) -> None:
    """Show what one side sees of a position."""
    from fogtree.games.fog_chess.observation import SQUARES, FogObservation
    from fogtree.games.fog_chess.rules import preset, read_fen

    position = read_fen(_fen(fen))
    view = FogObservation.of(position, as_.player, preset(rules))
    if not json:
        output().print(str(view))
        output().print(view.fog_fen, soft_wrap=True)
        return
    print_json(
        {
            "as": str(as_),
            "rules": rules,
            "fog_fen": view.fog_fen,
            "visible": [square for square in SQUARES if square in view.seen],
            "blocked": [square for square in SQUARES if square in view.blocked],
        }
    )


def belief(
    *,
    moves: Annotated[
        str,
        typer.Option(
            metavar="MOVE,MOVE,...",
            show_default=False,
            help="UCI moves from the starting position.",
        ),
    ],
    as_: Viewer,
    fen: Fen = START,
    rules: Rules = "chesscom",
    cap: Annotated[
        int,
        typer.Option(
            min=1, max=2**32 - 1, help="Most positions to keep; beyond that a random sample."
        ),
    ] = 2_000_000,
    threads: Annotated[
        int, typer.Option(min=0, max=options.MOST_THREADS, help="Threads; 0 uses all cores.")
    ] = 0,
    seed: Annotated[int, typer.Option(min=0, help="Random seed of the sample.")] = 0,
    json: options.Json = False,
) -> None:
    """Show how many positions one side cannot rule out after every ply of a game."""
    from fogtree.games.fog_chess.belief import BeliefLimits, FogBelief
    from fogtree.games.fog_chess.game import FogChess

    player = as_.player
    state = FogChess(rules=rules, fen=_fen(fen)).root()
    limits = BeliefLimits(cap=cap, threads=threads, seed=seed)
    held: FogBelief | None = FogBelief.start(player, fen=state.fen, rules=rules, limits=limits)
    plies = [_ply(None, held, state, 0.0)]
    for move in options.listed(moves):
        if state.player < 0:
            raise OptionError(f"the game is over before '{move}'")
        own, state = state.player == player, state.child(move)
        view = state.observation(player)
        began = time.perf_counter()
        held = _followed(held, move if own else None, view)
        plies.append(_ply(move, held, state, time.perf_counter() - began))
    if json:
        print_json({"as": str(as_), "rules": rules, "plies": plies, **_total(plies)})
    else:
        _print(plies)


def _followed(held: FogBelief | None, own: str | None, view: FogObservation) -> FogBelief | None:
    """The belief after the next move, of which ``own`` is None if the opponent made it; None once a
    sampled belief has run empty."""
    if held is None or (not len(held) and not held.complete):
        return None
    try:
        return held.after_own_move(own, view) if own else held.after_other_move(view)
    except NotationError:
        if held.complete:
            raise
        return None


def _fen(text: str) -> str:
    """The position that an option names: a FEN, or the usual start."""
    from fogtree.games.fog_chess.rules import START_FEN

    return START_FEN if text.strip() == START else text


def _ply(
    move: str | None, held: FogBelief | None, state: FogChessState, seconds: float
) -> dict[str, Any]:
    """The row of one ply: the size of the belief after the move, and whether the true position is
    in it."""
    return {
        "move": move,
        "size": 0 if held is None else len(held),
        "complete": held is not None and held.complete,
        "truth_inside": held is not None and state.position in held,
        "seconds": seconds,
    }


def _total(plies: list[dict[str, Any]]) -> dict[str, Any]:
    """The summary over all plies."""
    return {
        "truth_always_inside": all(ply["truth_inside"] for ply in plies),
        "seconds": sum(ply["seconds"] for ply in plies),
    }


def _print(plies: list[dict[str, Any]]) -> None:
    """Print a row for every ply."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for column in ("ply", "move", "positions", "", "truth", "time"):
        table.add_column(column, justify="right" if column in ("ply", "positions") else "left")
    for number, ply in enumerate(plies):
        table.add_row(
            str(number),
            ply["move"] or "",
            f"{ply['size']:,}",
            "" if ply["complete"] else "sampled",
            "inside" if ply["truth_inside"] else "missing",
            duration(ply["seconds"]) if number else "",
        )
    output().print(table)
