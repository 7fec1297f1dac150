"""Pictures of the terminal and of matplotlib figures, for the tutorial and the reference."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys

import matplotlib
from rich.console import Console
from rich.text import Text

import fogtree
from pictures import FOLDER, save

UNTIL = "1e-4"
COMMAND = ("solve", "kuhn_poker", "--until", UNTIL)
"""What the tutorial solves; the bars are of the same strategy."""
FONT_FACE = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)


def draw() -> None:
    draw_terminal()
    draw_plots()


def draw_terminal() -> None:
    """What ``fogtree solve kuhn_poker`` prints."""
    done = subprocess.run(
        [sys.executable, "-m", "fogtree", *COMMAND],
        env={**os.environ, "COLUMNS": "80", "FORCE_COLOR": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    console = Console(record=True, width=80, file=io.StringIO())
    console.print(Text("$ fogtree " + " ".join(COMMAND), style="bold"))
    console.print(Text.from_ansi(done.stdout.rstrip()))
    picture = console.export_svg(title="fogtree")
    save("terminal_solve.svg", FONT_FACE.sub("", picture))  # nothing is loaded from elsewhere


def draw_plots() -> None:
    """The figures of ``fogtree.plot`` that its page shows."""
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "fogtree"})
    tree = fogtree.compile("kuhn_poker")
    runs = {name: fogtree.solve(tree, name, iterations=300) for name in ("cfr", "cfr+", "pcfr+")}
    curves = {name: run.curve for name, run in runs.items()}
    figure = fogtree.plot.convergence(curves, title="Kuhn poker")
    fogtree.plot.save_figure(figure, FOLDER / "plot_convergence.svg")
    reports = fogtree.inspect(tree, fogtree.solve(tree, until=float(UNTIL)).strategy)
    for player in (0, 1):
        figure = fogtree.plot.mix_bars([one for one in reports if one.player == player])
        fogtree.plot.save_figure(figure, FOLDER / f"plot_mix_bars_{player}.svg")
