"""A comparison of algorithms as tables and as a JSON document."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rich.text import Text

from fogtree.cli.report import run_numbers
from fogtree.solvers.solvable import not_solvable
from fogtree.terminal.console import printable
from fogtree.terminal.number_table import NumberTable
from fogtree.text.amounts import duration

if TYPE_CHECKING:
    from rich.console import Console

    from fogtree import GameTree
    from fogtree.solvers.compare import Comparison, Contender
    from fogtree.solvers.nearest_equilibrium import MixDistance

MOST_MIXES = 12
"""Information sets in the table of mixes; of more, those furthest from the equilibrium."""
SOLVED_TO = 1e-7
"""Accuracy of the linear program; smaller differences count as 0."""
MIXED = 1e-3
"""Least probability of two actions for which an information set counts as mixed."""


def comparison_document(comparison: Comparison, players: int) -> dict[str, Any]:
    """A comparison as a JSON document."""
    return {
        "game": comparison.game,
        "iterations": comparison.iterations,
        "exploitability_is": f"NashConv / {players}",
        "equilibrium_value": comparison.value,
        "interrupted": comparison.interrupted,
        "algorithms": [_contender(one) for one in comparison.contenders],
    }


def _contender(one: Contender) -> dict[str, Any]:
    """The entry of one algorithm in the JSON document."""
    return {
        **run_numbers(one.run),
        "milestones": [asdict(milestone) for milestone in one.milestones],
        "distance": one.nearest.distance if one.nearest else None,
        "largest_weighted_distance": one.nearest.largest if one.nearest else None,
        "mixes": [_mix(mix) for mix in one.nearest.mixes] if one.nearest else None,
        "curve": [asdict(check) for check in one.run.curve],
    }


def _mix(mix: MixDistance) -> dict[str, Any]:
    """The entry of one information set in the JSON document."""
    return {
        "infoset": mix.infoset,
        "player": mix.player,
        "own_reach": mix.own_reach,
        "distance": mix.distance,
        "actions": {
            action: {"probability": share, "nearest": near}
            for action, share, near in zip(mix.actions, mix.mix, mix.nearest, strict=True)
        },
    }


def print_comparison(
    console: Console,
    comparison: Comparison,
    tree: GameTree,
    digits: int,
    distances: bool | None = None,
) -> None:
    """Print a comparison; ``distances`` says whether the user asked for distances."""
    console.print(f"{comparison.game}, {comparison.iterations:,} iterations", style="bold")
    console.print(summary_table(comparison, tree.players))
    console.print()
    console.print(f"iterations and time to an exploitability (NashConv / {tree.players})")
    console.print(milestone_table(comparison))
    console.print()
    if comparison.value is None:
        console.print(_no_distance_note(tree, distances), style="dim")
        return
    console.print("mixed actions: probability, and its difference from the nearest equilibrium")
    table, note = mix_table(comparison, digits)
    console.print(table)
    if note:
        console.print(note, style="dim")


def _no_distance_note(tree: GameTree, distances: bool | None) -> str:
    """Why distances from equilibrium were not measured."""
    if distances is False:
        return "distances from equilibrium left out, as asked"
    if why := not_solvable(tree):
        return f"no distance from equilibrium: the game {why}"
    return "distances from equilibrium left out: the game is large (ask with --distances)"


def summary_table(comparison: Comparison, players: int) -> NumberTable:
    """One row per algorithm: final exploitability, value, speed and, where measured, distances."""
    titles = ["algorithm", f"exploitability\n(NashConv / {players})", "value", "per second"]
    measured = comparison.value is not None
    table = NumberTable(*titles, *(["distance", "largest mix"] if measured else []))
    for one in comparison.contenders:
        run = one.run
        near = [f"{one.nearest.distance:.3g}", f"{one.nearest.largest:.3g}"] if one.nearest else []
        pace = run.iterations / run.seconds if run.seconds > 0 else 0.0
        table.add_row(
            run.algorithm,
            Text(f"{run.exploitability:.4g}", style="bold"),
            f"{run.value:.7f}",
            f"{pace:,.0f}",
            *near,
        )
    if comparison.value is not None:
        table.add_row("equilibrium", "0", f"{comparison.value:.7f}", "", "0", "0", style="dim")
    return table


def milestone_table(comparison: Comparison) -> NumberTable:
    """One row per algorithm: iterations and time to each target of exploitability."""
    targets = [milestone.target for milestone in comparison.contenders[0].milestones]
    table = NumberTable("algorithm", *(f"{target:g}" for target in targets))
    for one in comparison.contenders:
        cells = []
        for milestone in one.milestones:
            if milestone.iteration is None or milestone.seconds is None:
                cells.append(Text("-", style="dim"))
                continue
            cell = Text(f"{milestone.iteration:,}")
            cells.append(cell.append(f"  {duration(milestone.seconds)}", style="dim"))
        table.add_row(one.run.algorithm, *cells)
    return table


def mix_table(comparison: Comparison, digits: int) -> tuple[NumberTable, str]:
    """The table of the information sets where an equilibrium mixes, with what each algorithm plays
    there, and a note on those left out, which may be empty. If there are more than MOST_MIXES, the
    furthest from the equilibrium come first."""
    names = [one.run.algorithm for one in comparison.contenders]
    table = NumberTable("information set", "action", *names, keys=2)
    rows = _mixed_rows(comparison)
    shown = rows
    if len(rows) > MOST_MIXES:
        shown = sorted(rows, key=lambda sets: -max(mix.weighted for mix in sets))[:MOST_MIXES]
    for sets in shown:
        for k, action in enumerate(sets[0].actions):
            cells = [_share(mix, k, digits) for mix in sets]
            table.add_row(printable(sets[0].infoset) if k == 0 else "", printable(action), *cells)
    left = len(rows) - len(shown)
    return table, f"the {len(shown)} furthest; {left:,} more are mixed" if left else ""


def _mixed_rows(comparison: Comparison) -> list[tuple[MixDistance, ...]]:
    """The information sets where an equilibrium mixes, each with all algorithms' distances."""
    columns = [one.nearest.mixes for one in comparison.contenders if one.nearest]
    rows = [sets for sets in zip(*columns, strict=True) if any(map(_is_mixed, sets))]
    return sorted(rows, key=lambda sets: sets[0].player)


def _is_mixed(mix: MixDistance) -> bool:
    """Whether the nearest equilibrium plays more than one action here."""
    return mix.distance is not None and max(mix.nearest) < 1 - MIXED


def _share(mix: MixDistance, k: int, digits: int) -> Text:
    """A cell with the probability of action ``k``, and dimmed its difference from the nearest
    equilibrium, or "any" at an information set that this equilibrium never reaches, where every mix
    is as good."""
    text = Text(f"{mix.mix[k]:.{digits}f}")
    change = mix.mix[k] - mix.nearest[k]
    note = f"{change:+.2g}" if abs(change) >= SOLVED_TO else "0"
    note = "any" if mix.distance is None else note
    return text.append(f"  {note:>8}", style="dim")
