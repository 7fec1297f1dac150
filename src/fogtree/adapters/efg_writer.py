"""Writes games in Gambit's format for extensive games (see :mod:`fogtree.adapters.efg_reader`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

from fogtree.adapters.efg_game import EfgGame
from fogtree.adapters.efg_numbers import exact, exact_shares
from fogtree.errors import GameError
from fogtree.game import CHANCE, TERMINAL
from fogtree.registry import entry_of
from fogtree.system.files import whole_file
from fogtree.tree import AnyGame, GameTree, compile, game_of


def write_efg(game: AnyGame, path: str | Path) -> Path:
    """Write a game that can be compiled as a file of Gambit, and return the file's path.

    Probabilities and payoffs are written as the simplest fractions that are the same numbers.

    >>> import fogtree, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = fogtree.write_efg("matching_pennies", f"{folder}/pennies.efg")
    ...     print(file.read_text().splitlines()[0])
    EFG 2 R "matching_pennies" { "player 0" "player 1" }
    """
    rules = game.rules if isinstance(game, GameTree) else game_of(game)
    lines = _stored_lines(rules) if isinstance(rules, EfgGame) else _lines(compile(game))
    with whole_file(Path(path)) as out:
        for line in lines:
            out.write(f"{line}\n".encode())
    return Path(path)


def _lines(tree: GameTree) -> Iterator[str]:
    """The lines of the file for a compiled game, whose nodes are in the file's order already."""
    title = tree.game.replace('"', "'")  # OpenSpiel's reader knows no quotes within quotes
    yield _header(title, _seat_names(tree))
    children: list[list[int]] = [[] for _ in range(len(tree.parent))]
    for node, above in enumerate(tree.parent.tolist()):
        if above >= 0:
            children[above].append(node)
    numbers = _numbers_in_turn(tree.infoset_player.tolist())
    outcomes = _Outcomes()
    chances = 0
    for node, player in enumerate(tree.player.tolist()):
        index = int(tree.index[node])
        if player == TERMINAL:
            payoffs = [exact(value) for value in tree.payoffs[index].tolist()]
            yield f't "" {outcomes.text(payoffs)}'
        elif player == CHANCE:
            chances += 1
            labels = [tree.labels[tree.label[child]] for child in children[node]]
            shares = exact_shares([float(tree.chance[child]) for child in children[node]])
            yield _chance_line(chances, "", labels, shares)
        else:
            name, actions = tree.infoset_names[index], tree.infoset_labels[index]
            yield _player_line(player, numbers[index], name, actions)


def _stored_lines(game: EfgGame) -> Iterator[str]:
    """The lines of the file for a game that was itself read from a file: with its exact fractions
    and its own numbers of information sets."""
    yield _header(game.title, game.player_names)
    outcomes = _Outcomes()
    for infoset, payoffs in zip(game.tree.infosets, game.tree.payoffs, strict=True):
        if infoset is None:
            yield f't "" {outcomes.text(payoffs)}'
        elif infoset.player == CHANCE:
            yield _chance_line(infoset.number, infoset.name, infoset.actions, infoset.shares)
        else:
            yield _player_line(infoset.player, infoset.number, infoset.name, infoset.actions)


class _Outcomes:
    """Numbers the outcomes of a file: equal payoffs are one outcome."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[Fraction, ...], int] = {}

    def text(self, payoffs: Sequence[Fraction]) -> str:
        """The outcome of these payoffs as Gambit writes it: number, name and payoffs."""
        number = self._numbers.setdefault(tuple(payoffs), len(self._numbers) + 1)
        return f'{number} "" {{ {", ".join(str(value) for value in payoffs)} }}'


def _numbers_in_turn(players: list[int]) -> list[int]:
    """The number of each information set among those of its player, from 1."""
    counts: dict[int, int] = {}
    out = []
    for player in players:
        counts[player] = counts.get(player, 0) + 1
        out.append(counts[player])
    return out


def _seat_names(tree: GameTree) -> list[str]:
    """The players' names in the file's header: those of the game, or numbers."""
    seats = entry_of(tree.rules).seats if tree.rules is not None else ()
    return list(seats) or [f"player {player}" for player in range(tree.players)]


def _header(title: str, names: Sequence[str]) -> str:
    """The first line of an EFG file: its version, the title and the players' names."""
    return f"EFG 2 R {_quoted(title)} {{ {' '.join(map(_quoted, names))} }}"


def _chance_line(number: int, name: str, labels: Sequence[str], shares: Sequence[Fraction]) -> str:
    """A chance node's line: the number and name of its information set, then each outcome with its
    probability."""
    pairs = zip(labels, shares, strict=True)
    inner = " ".join(f"{_quoted(label)} {share}" for label, share in pairs)
    return f'c "" {number} {_quoted(name)} {{ {inner} }} 0'


def _player_line(player: int, number: int, name: str, actions: Sequence[str]) -> str:
    """A decision node's line: the player counted from 1, the number and name of its information
    set, then the actions."""
    inner = " ".join(map(_quoted, actions))
    return f'p "" {player + 1} {number} {_quoted(name)} {{ {inner} }} 0'


def _quoted(text: str) -> str:
    """A text in quotes; a name that Gambit's format cannot express is an error."""
    if '\\"' in text or text.endswith("\\"):
        raise GameError(f"Gambit's files cannot hold the name {text!r:.60}")
    escaped = text.replace('"', '\\"')
    return f'"{escaped}"'
