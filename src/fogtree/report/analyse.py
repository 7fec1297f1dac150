"""Analyse one decision of any game: run a search there and report its numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from fogtree.agents.budget import Budget
from fogtree.errors import OptionError
from fogtree.game import Game
from fogtree.registry import entry_of, resolve
from fogtree.report.analysis import AnalysisReport, AnalysisSource
from fogtree.report.compiled import CompiledSource
from fogtree.report.played import PlayedSource
from fogtree.search.analysis import LOOKS
from fogtree.text.validation import names_of
from fogtree.tree import AnyGame, GameTree, compile, game_of

_DECISIONS = ("infoset", "moves", "history")
"""Names of the options by which games without an analysis of their own name a decision."""


def analyse(
    game: AnyGame, *, budget: Budget | None = None, looks: int = LOOKS, **options: Any
) -> AnalysisReport:
    """Search at one decision of a game and report the mix, its values and the search tree.

    ``options`` name the decision: ``infoset="Qcb"`` in a game that is compiled, the actions and
    chance outcomes so far, as in ``moves=["a1", "b2"]``, or ``history=History.of(game, steps)``
    (the fields of the game's :class:`~fogtree.report.analysis.AnalysisSource`). Others are settings
    of the search, as of the search agent: ``steps=200``, ``time=5``, ``evaluator="net"``,
    ``preset="paper"``, ``knowledge=3``. ``looks`` is the number of snapshots while it runs.

    >>> import fogtree
    >>> fogtree.analyse("kuhn_poker", infoset="Jb", steps=200)
    <AnalysisReport: kuhn_poker, Jb: player 1; fold 1.000; value -1.0000>
    """
    subject = game if isinstance(game, GameTree) else game_of(game)
    if options.get("compile") is False:
        options = {"moves": (), **options}
    kind = source_kind(subject, [name for name in options if name in _DECISIONS])
    known = names_of(kind)
    place = {name: value for name, value in options.items() if name in known}
    settings = kind.defaults.read({k: value for k, value in options.items() if k not in known})
    Budget.check(budget)
    if budget is not None:
        settings = replace(settings, budget=budget)
    if kind is CompiledSource:
        return CompiledSource(game=compile(subject), **place).analyse(settings, looks)
    return kind(game=subject, **place).analyse(settings, looks)


def source_kind(
    game: Game | GameTree, given: Iterable[str], write: Callable[[str], str] = str
) -> type[AnalysisSource]:
    """The kind of source that reads these options: the game's own; without one, or if an
    information set is named, the one for compiled games or that for moves and records. An option
    that it does not have is refused; ``write`` says how its name is written in the error."""
    own = None if isinstance(game, GameTree) else entry_of(game).analysis
    names = list(given)
    kind: type[AnalysisSource] = CompiledSource
    if "infoset" not in names and own is not None:
        kind = resolve(own)
    elif "infoset" not in names and not {"moves", "history"}.isdisjoint(names):
        kind = PlayedSource
    known = names_of(kind)
    for name in names:
        if name in known:
            continue
        if kind is CompiledSource and (own is not None or name in _DECISIONS):
            raise OptionError(f"{write(name)} does not go with {write('infoset')}")
        places = " or ".join(map(write, kind.places))
        raise OptionError(f"{write(name)} is not for {game_of(game)}: say {places}")
    return kind
