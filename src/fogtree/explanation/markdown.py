"""An explanation as a Markdown document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fogtree.explanation import rules, words
from fogtree.explanation.record import Explanation, Step
from fogtree.explanation.words import number, signed


def markdown(explanation: Explanation) -> str:
    """The whole walk-through: the rules, every step with its numbers, and tables of
    regrets and strategies after each iteration."""
    lines = [*_opening(explanation)]
    for steps in explanation.by_iteration():
        lines += [f"## {words.heading(steps)}", ""]
        for step in steps:
            lines += _step(explanation, step)
        lines += _summary(steps)
    return "\n".join(lines).rstrip() + "\n"


def _opening(explanation: Explanation) -> list[str]:
    """The heading, and the formulas of the algorithm."""
    row = explanation.recipe
    rule = rules.weight_rule(row)
    return [
        f"# {explanation.game} with {explanation.algorithm}, step by step",
        "",
        words.ground_rules(explanation),
        "",
        f"{rule.summary} With `σ` the strategy in use, `v` the values of actions for the player "
        "who moves, `r` the regret of this iteration, `R` all regret so far and `t` the number of "
        "the iteration:",
        "",
        *_block(rules.formulas(row)),
        "At first all regrets are 0 and every action is equally likely.",
        "",
        words.averaging(explanation),
        "",
    ]


def _step(explanation: Explanation, step: Step) -> Iterator[str]:
    """The section about one step: the situation, the table of actions, and the calculation."""
    yield f"### `{step.infoset}`, player {step.player}"
    yield ""
    yield words.situation(step)
    yield ""
    rows = [
        (action, words.next_nodes(to), number(share), number(value))
        for action, to, share, value in zip(
            step.actions, step.leads_to, step.strategy, step.values, strict=True
        )
    ]
    yield from _table(("action", "leads to", "σ", "v"), rows)
    yield words.judgement(step)
    yield ""
    row = explanation.recipe
    yield from _block(
        [
            *rules.expected_value(step),
            *rules.regrets(step),
            "",
            *rules.updates(row, step),
            "",
            *rules.weight_rule(row).filled(step),
            "",
            *rules.next_strategy(step),
        ]
    )
    yield words.conclusion(step)
    yield ""


def _summary(steps: tuple[Step, ...]) -> Iterator[str]:
    """The table of regrets, next and average strategies after an iteration."""
    yield f"### After iteration {steps[0].iteration}"
    yield ""
    scaled = any(step.scale is not None for step in steps)  # NormalHedge
    scale = ["scale c"] if scaled else []
    mixes = ["next strategy σ", "average strategy"]
    header = ["information set", "player", "regret R", *scale, *mixes]
    rows = []
    for step in steps:
        regret = ", ".join(
            f"{action} {signed(value)}"
            for action, value in zip(step.actions, step.cumulative_regret, strict=True)
        )
        cells = [f"`{step.infoset}`", str(step.player), regret]
        cells += [number(step.scale or 0.0)] if scaled else []
        cells += [words.mix(step.actions, step.next_strategy)]
        rows.append((*cells, words.mix(step.actions, step.average_strategy)))
    yield from _table(header, rows)


def _block(lines: Sequence[str]) -> list[str]:
    """Lines as a Markdown code block, with an empty line after it."""
    return ["```", *lines, "```", ""]


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a Markdown table, with an empty line after it."""
    cells = [[cell.replace("|", "\\|") for cell in row] for row in (header, *rows)]
    lines = [f"| {' | '.join(row)} |" for row in cells]
    return [lines[0], "|" + "---|" * len(header), *lines[1:], ""]
