"""A walk-through as terminal tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console, RenderableType
from rich.rule import Rule
from rich.text import Text

from fogtree.explanation import Explanation, Step, words
from fogtree.explanation.rules import formulas, weight_rule
from fogtree.terminal.console import printable
from fogtree.terminal.number_table import NumberTable


def show(explanation: Explanation, console: Console) -> None:
    """Print a walk-through as tables with a short text beside each."""
    for part in _parts(explanation):
        console.print(part)


def _parts(explanation: Explanation) -> Iterator[RenderableType]:
    """The heading and the formulas, then every step with its table."""
    yield Rule(Text(f"{explanation.game} with {explanation.algorithm}", style="bold"))
    yield Text(words.ground_rules(explanation))
    yield Text(weight_rule(explanation.recipe).summary)
    yield Text("\n".join(f"  {line}" for line in formulas(explanation.recipe)), style="dim")
    for steps in explanation.by_iteration():
        yield Text()
        yield Rule(Text(words.heading(steps), style="bold"))
        for step in steps:
            yield Text()
            yield _prose(words.situation(step))
            yield _title(step)
            yield _table(step)
            yield _prose(f"{words.judgement(step)} {words.conclusion(step)}")
        yield Text()
        yield Text(f"After iteration {steps[0].iteration}", style="bold")
        yield _summary(steps)
    yield Text()
    yield Text(words.averaging(explanation))


def _summary(steps: Sequence[Step]) -> NumberTable:
    """The table after an iteration: each information set's next strategy and average strategy."""
    table = NumberTable("information set", "next strategy", "average strategy", keys=3)
    for step in steps:
        mixes = (step.next_strategy, step.average_strategy)
        table.add_row(
            printable(step.infoset),
            *(printable(words.mix(step.actions, shares)) for shares in mixes),
        )
    return table


def _prose(sentence: str) -> Text:
    """A sentence as Rich text, with names in backquotes bold and without the backquotes."""
    out = Text()
    for number, piece in enumerate(sentence.split("`")):
        out.append(piece, style="bold cyan" if number % 2 else "")
    return out


def _table(step: Step) -> NumberTable:
    """The actions of a step with their numbers, under the symbols of the formulas above: strategy
    σ, value v, regret r, cumulative regret R before and R′ after, weight w, next strategy σ′. The
    last row is the expected value."""
    table = NumberTable("action", "leads to", "σ", "v", "r", "R", "R′", "w", "σ′", keys=2)
    for k, action in enumerate(step.actions):
        table.add_row(
            printable(action),
            _prose(words.next_nodes(step.leads_to[k])),
            words.number(step.strategy[k]),
            words.number(step.values[k]),
            words.signed(step.regret[k]),
            words.signed(step.previous_regret[k]),
            words.signed(step.cumulative_regret[k]),
            words.weight(step.weights[k]),
            words.number(step.next_strategy[k]),
        )
    table.add_row("EV", "", "", words.number(step.expected_value), *[""] * 5, style="bold")
    return table


def _title(step: Step) -> Text:
    """The information set, and the scale or learning rate of its minimizer."""
    title = f"{printable(step.infoset)}, player {step.player}"
    for symbol, value in (("c", step.scale), ("η", step.rate)):
        title += "" if value is None else f", {symbol} = {words.number(value)}"
    return Text(title, style="bold cyan")
