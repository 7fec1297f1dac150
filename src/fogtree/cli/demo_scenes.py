"""The scenes of ``fogtree demo``: each shows one part of the product in some seconds.

A scene prints to a console and returns its findings as JSON data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import fogtree
from fogtree.cli.compare import find_algorithms, run_comparison

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from fogtree.report.analysis import AnalysisReport, Marginals
    from fogtree.solvers import Run

Scene = Callable[["Console"], dict[str, Any]]

GAME = "kuhn_poker"
ALGORITHMS = "cfr,cfr+,normalhedge,normalhedge+"
ITERATIONS = 10_000
KUHN_VALUE = -1 / 18
SAMPLED, SAMPLER = "leduc_poker", "mccfr-external"
SAMPLE_SECONDS = 6.0
TRAIN_SECONDS = 8.0
SEARCH_SECONDS = 4.0
OPENING = ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6")
SEATS = ("memory_heuristic", "greedy")
CONTESTANTS = ("random", "greedy", "memory_heuristic")
GAMES = 60


def solve(console: Console) -> dict[str, Any]:
    """Solve Kuhn poker by four algorithms."""
    from fogtree.cli.comparison_report import comparison_document, summary_table
    from fogtree.terminal.text_chart import log_chart

    console.print(
        "Kuhn poker: three cards, one each, one bet. The first player loses 1/18 of a chip per "
        "game if both play perfectly, and perfect play bluffs, so it must randomise. Four "
        f"algorithms, {ITERATIONS:,} iterations each; how much could a perfect opponent win?\n"
    )
    tree = fogtree.compile(GAME)
    comparison = run_comparison(tree, find_algorithms(ALGORITHMS), ITERATIONS)
    if comparison.interrupted:
        raise KeyboardInterrupt
    curves = {
        one.run.algorithm: [(c.iteration, c.exploitability) for c in one.run.curve]
        for one in comparison.contenders
    }
    console.print("exploitability over iterations")
    console.print(log_chart(curves, width=_room(console)))
    console.print()
    console.print(summary_table(comparison, tree.players))
    console.print(f"the value is known: -1/18 = {KUHN_VALUE:.7f}", style="dim")
    return {**comparison_document(comparison, tree.players), "known_value": KUHN_VALUE}


def _room(console: Console) -> int:
    """The columns left for a chart beside its labels."""
    return max(10, min(60, console.width - 8))


def explain(console: Console) -> dict[str, Any]:
    """Follow one step of an algorithm with all its numbers."""
    from fogtree.cli.explain_report import show

    console.print(
        "What happens in such an iteration? The first decision of the deal jack - queen.\n"
    )
    found = fogtree.explain(GAME, "cfr+", deals=["JQ"])
    first = replace(found, steps=found.steps[:1], left_out=len(found.steps) - 1)
    show(first, console)
    console.print(f"\nThis deal has {len(found.steps)} such steps.", style="dim")
    return {"steps": [step.to_dict() for step in first.steps]}


def sample(console: Console) -> dict[str, Any]:
    """Solve a larger game by sampling it."""
    from fogtree.terminal.text_chart import log_chart

    console.print(
        f"Larger games are sampled: {SAMPLER} walks through Leduc poker at random for "
        f"{SAMPLE_SECONDS:g} seconds.\n"
    )
    run = _uninterrupted(fogtree.solve(SAMPLED, SAMPLER, seconds=SAMPLE_SECONDS))
    points = [(check.iteration, check.exploitability) for check in run.curve]
    console.print("exploitability over walks")
    console.print(log_chart({SAMPLER: points}, width=_room(console), height=10))
    console.print(f"\n{run.iterations:,} walks; exploitability {run.exploitability:.4f}")
    return {
        "game": run.game,
        "iterations": run.iterations,
        "exploitability": run.exploitability,
    }


def _uninterrupted(run: Run) -> Run:
    """The result of a run; if Ctrl-C interrupted it, that is raised here."""
    if run.stopped == "interrupted":
        raise KeyboardInterrupt
    return run


def train(console: Console) -> dict[str, Any]:
    """Train networks by Deep CFR."""
    console.print(
        "Where tables do not suffice, networks learn the regrets: Deep CFR on Kuhn poker for "
        f"{TRAIN_SECONDS:g} seconds.\n"
    )
    quick = {"steps": 100, "batch": 256}
    options = {
        "run": {"iterations": 1000, "seconds": TRAIN_SECONDS},
        "traversal": {"traversals": 300},
        "network": {"hidden": [32, 32]},
        "regret": quick,
        "average": quick,
        "evaluation": {"interval": 0},
    }
    run = fogtree.train(GAME, options)
    if run.stopped == "interrupted":
        raise KeyboardInterrupt
    tree = fogtree.compile(GAME)
    at_random = fogtree.exploitability(tree, fogtree.Strategy.uniform(tree)).exploitability
    console.print(
        f"{run.iterations:,} iterations, {run.nodes:,} histories; exploitability of what the "
        f"networks play: {run.exploitability:.3f} (all actions equally likely: {at_random:.3f})"
    )
    return {"iterations": run.iterations, "exploitability": run.exploitability}


def search(console: Console) -> dict[str, Any]:
    """Search a position of Fog-of-War chess."""
    from fogtree.report.tables import candidates_table
    from fogtree.terminal.text_tables import terminal_table

    console.print(
        "Fog-of-War chess: you see only where your pieces can go. White has played e4, Nf3 and Bc4 "
        f"and searches for {SEARCH_SECONDS:g} seconds.\n"
    )
    report = fogtree.analyse("fog_chess", moves=list(OPENING), time=SEARCH_SECONDS)
    console.print("What White sees (? is fog), and where the search believes Black's pieces are:\n")
    if report.marginals is not None and report.sketch:
        console.print(belief_picture(report.sketch, report.marginals))
    decision = report.analysis.decision
    console.print(terminal_table(candidates_table(decision.candidates, report.names.action, 5)))
    console.print(f"\n{_search_facts(report)}")
    return {"action": str(decision.action), "value": decision.value, "nodes": decision.nodes}


def _search_facts(report: AnalysisReport) -> str:
    """A sentence about a search: the action it plays, and the size of its tree."""
    decision = report.analysis.decision
    return (
        f"It plays {report.names.action(str(decision.action))}, worth {decision.value:+z.3f} (1 is "
        f"a sure win), after {decision.nodes:,} nodes. {decision.belief_size} positions are "
        "possible."
    )


def belief_picture(sketch: str, marginals: Marginals) -> Text:
    """The board as one side sees it; on squares in the fog the likeliest piece of the other side
    with its probability in percent, brighter where it is likelier."""
    from rich.text import Text

    picture = Text()
    for line in sketch.splitlines():
        rank, *cells = line.split()
        picture.append(f"{rank if rank.isdigit() else ' '} ")
        if not rank.isdigit():
            cells = [rank, *cells]
        for file, cell in zip("abcdefgh", cells, strict=False):
            text, style = (f"{cell:>3} ", "")
            if cell == "?" and rank.isdigit():
                text, style = _fogged(marginals, f"{file}{rank}")
            picture.append(text, style)
        picture.append("\n")
    return picture


def _fogged(marginals: Marginals, square: str) -> tuple[str, str]:
    """The text and the style of a square in the fog: its likeliest piece with a percentage, or a
    question mark if that rounds to 0 %."""
    row = marginals.weighted[list(marginals.places).index(square)]
    shares = {kind: float(row[list(marginals.kinds).index(kind)]) for kind in marginals.listed}
    kind = max(shares, key=lambda one: shares[one])
    percent = round(100 * shares[kind])
    if percent < 1:
        return " ?  ", "dim"
    style = "bold reverse" if percent >= 80 else "reverse" if percent >= 40 else "dim reverse"
    return f"{kind}{min(percent, 99):<2} ", style


def cambia(console: Console) -> dict[str, Any]:
    """Watch a game of Cambia from one seat."""
    from fogtree.arena.record import result_text
    from fogtree.terminal.console import printable

    first, second = SEATS
    console.print(
        f"Cambia: remember, swap and snap cards; the lowest hand wins. {first} (you) against "
        f"{second}, told as your seat may know it.\n"
    )
    record = fogtree.play("cambia", list(SEATS), seed=3)
    game = fogtree.load_game("cambia")
    for state in fogtree.replay(record):
        news = state.news(0)
        if news:
            console.print(f"  {printable(news)}", soft_wrap=True)
    console.print(f"\n{state.show(0)}", soft_wrap=True)
    console.print(f"{result_text(game, record, state)}.")
    return {"agents": list(record.agents), "returns": list(record.returns)}


def arena(console: Console) -> dict[str, Any]:
    """Play a small tournament with ratings."""
    from fogtree.cli.arena import print_tournament, tournament_document

    console.print(
        f"Who plays it best? {GAMES} games of each pair, every deal once from each seat.\n"
    )
    game = fogtree.load_game("cambia")
    found = fogtree.tournament(game, list(CONTESTANTS), games=GAMES)
    print_tournament(found, game, console)
    return tournament_document(found)


SCENES: Mapping[str, Scene] = {
    "solve": solve,
    "explain": explain,
    "sample": sample,
    "train": train,
    "search": search,
    "cambia": cambia,
    "arena": arena,
}
"""All scenes in their order."""
