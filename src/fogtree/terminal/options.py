"""Options that several commands share, and checks that run before any work begins."""

from __future__ import annotations

import inspect
import math
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fogtree.errors import OptionError
from fogtree.text.choices import Averaging, Device, Precision

if TYPE_CHECKING:
    from fogtree.agents.budget import Budget

MOST_THREADS = 256
MOST_ITERATIONS = 10**15
LARGEST_SEED = 2**63 - 1


def at_most(most: int, least: int | None = None) -> Callable[[int | None], int | None]:
    """An option's callback that refuses numbers above ``most`` or below ``least``. Unlike ``max``
    it adds no range to the option's help, for bounds that nobody comes near."""

    def check(value: int | None) -> int | None:
        """Refuse a number outside the bounds."""
        if value is not None and value > most:
            raise typer.BadParameter(f"{value} is more than {most:,}.")
        if value is not None and least is not None and value < least:
            raise typer.BadParameter(f"{value} is less than {least:,}.")
        return value

    return check


GameArgument = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        show_default=False,
        help="A game that 'fogtree games' lists, as in NAME or 'NAME(parameter=value)'; "
        "'openspiel:NAME' or 'efg:FILE'; or your own: 'my_game.py:MyGame'.",
    ),
]
Seed = Annotated[int, typer.Option(min=0, callback=at_most(LARGEST_SEED), help="Random seed.")]
Processes = Annotated[
    int | None,
    typer.Option(min=1, max=MOST_THREADS, help="Processes.", show_default="one per core"),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
ALGORITHMS = (
    "cfr, cfr+, lcfr, dcfr, dcfr+, pcfr+, sapcfr+, pdcfr+, normalhedge, normalhedge+, hedge"
)
SAMPLED = (
    "mccfr-external, -outcome, -outcome-baseline, -chance, -robust, -average, "
    "each also with the suffix +, -linear or -discounted"
)
Algorithm = Annotated[
    str,
    typer.Option(
        "--algorithm",
        "-a",
        help=f"One of {ALGORITHMS}; sampled: {SAMPLED}; or your own: 'file.py:Name'.",
    ),
]
Iterations = Annotated[
    int | None,
    typer.Option(
        "--iterations",
        "-n",
        min=0,
        callback=at_most(MOST_ITERATIONS),
        help="Number of iterations.",
    ),
]


def _not_negative(value: float | None) -> float | None:
    """Refuse a negative value, or one that is not a number, of an option."""
    if value is not None and not value >= 0:
        raise typer.BadParameter(f"{value} is not a number of at least 0.")
    return value


Until = Annotated[
    float | None,
    typer.Option(callback=_not_negative, help="Stop at this exploitability (NashConv / players)."),
]
Seconds = Annotated[
    float | None,
    typer.Option(
        callback=_not_negative, help="Stop after this solving time; measuring is not counted."
    ),
]
Every = Annotated[
    int | None,
    typer.Option(
        min=1,
        callback=at_most(MOST_ITERATIONS),
        help="Iterations between measurements.",
        show_default="at 1, 2, 5, 10, 20, ...",
    ),
]
AveragingOption = Annotated[
    Averaging | None,
    typer.Option(help="Averaging of iterates, instead of the algorithm's own."),
]
DeviceOption = Annotated[
    Device | None,
    typer.Option(
        help="Where to solve: on the processor or on an NVIDIA GPU.",
        show_default="gpu for large games where there is one",
    ),
]
Threads = Annotated[int, typer.Option(min=1, max=MOST_THREADS, help="Number of threads.")]
TabularPrecision = Annotated[Precision, typer.Option(help="Floating-point type of the solver.")]
PrecisionOption = Annotated[
    Precision | None,
    typer.Option(
        help="Floating-point type of the solver.", show_default="float64; sampled: float32"
    ),
]
Digits = Annotated[int, typer.Option(min=0, max=15, help="Decimal places in tables.")]
Rounding = Annotated[
    int | None,
    typer.Option(
        min=0, max=15, help="Show, write and measure probabilities rounded to this many decimals."
    ),
]
Plot = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write a picture: .png, .svg or .pdf.")
]
Output = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write the strategy: .json, .csv or .npz (binary)."),
]
GameOption = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="GAME",
        help="The game, if fogtree cannot find it by the name in the file.",
    ),
]


def keyword_option(name: str, kind: Any, option: Any) -> inspect.Parameter:
    """A keyword parameter for :func:`with_options`: an option of the type ``kind``, declared by the
    ``typer.Option`` ``option``; None if it is not given."""
    keyword = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, keyword, default=None, annotation=Annotated[kind | None, option])


def with_options(
    command: Callable[..., None], more: Iterable[inspect.Parameter]
) -> Callable[..., None]:
    """The command, changed so that the options ``more`` take the place of its ``**keywords`` on
    the command line."""
    signature = inspect.signature(command, eval_str=True)
    named = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
    vars(command)["__signature__"] = signature.replace(parameters=[*named, *more])
    return command


def listed(text: str) -> list[str]:
    """The parts of a list that is written with commas."""
    return [part.strip() for part in text.split(",") if part.strip()]


def move_budget(seconds: float | None, nodes: int | None) -> Budget | None:
    """The budget of a move from the options --seconds and --nodes; None if neither is given."""
    if seconds is None and nodes is None:
        return None
    if seconds is not None and not (seconds > 0 and math.isfinite(seconds)):
        raise OptionError(f"--seconds must be above 0, not {seconds}")
    from fogtree.agents.budget import Budget

    return Budget(seconds=seconds or 0.0, nodes=nodes or 0)


def check_file(path: Path | None) -> None:
    """Raise an error if a file cannot be written; None, which stands for no file, passes."""
    if path is None:
        return
    folder = path.parent
    if not folder.is_dir():
        raise OptionError(f"cannot write '{path}': there is no folder '{folder}'")
    target = os.path.realpath(path)
    folder = Path(target).parent
    in_place = os.path.exists(target) and not os.path.isfile(target)  # a device or a pipe
    if not in_place and not os.access(folder, os.W_OK | os.X_OK):
        raise OptionError(f"cannot write '{path}': the folder '{folder}' is not writable")
    from fogtree.system.files import check_writable

    check_writable(path)


def check_different(*paths: Path | None) -> None:
    """Raise an error if two of these outputs are the same file; the same device is allowed."""
    found = [Path(os.path.realpath(path)) for path in paths if path is not None]
    for path in found:
        if found.count(path) > 1 and (path.is_file() or not path.exists()):
            raise OptionError(f"'{path.name}' is named twice: one file cannot hold both")


def check_new_file(path: Path | None) -> None:
    """Raise an error if a file cannot be written or exists already."""
    check_file(path)
    if path is not None and path.is_file():
        raise OptionError(f"cannot write '{path}': it is there already; choose another name")


def check_plot(path: Path | None) -> None:
    """Raise an error if a picture cannot be written: its format is unknown, matplotlib is missing,
    or the file is not writable."""
    if path is not None:
        from fogtree.plot.figure import check_format

        check_format(path)
        check_file(path)


def check_folder(path: Path | None) -> None:
    """Raise an error if a folder cannot be made or written to."""
    if path is None:
        return
    if path.is_symlink() and not path.exists():
        raise OptionError(f"cannot make folder '{path}': it is a link that leads nowhere")
    there = path
    while not there.exists() and there != there.parent:
        there = there.parent
    if not there.is_dir():
        raise OptionError(f"cannot make folder '{path}': '{there}' is a file")
    if os.access(there, os.W_OK | os.X_OK):
        return
    if there == path:
        raise OptionError(f"cannot write into folder '{path}': it is not writable")
    raise OptionError(f"cannot make folder '{path}': '{there}' is not writable")
