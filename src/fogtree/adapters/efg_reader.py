"""Reads extensive games in Gambit's format, version 2.

T. L. Turocy et al., "Gambit: the package for computation in game theory", section "The extensive
game (.efg) file format" of its manual.
*Deviations:* games without perfect recall are refused, because information sets are derived from
what players remember. Names of nodes are not kept. Actions of one information set whose labels are
equal or empty get their number added.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256
from pathlib import Path

from fogtree.adapters.efg_game import EfgGame, EfgTree, Infoset, Payoffs
from fogtree.adapters.efg_numbers import is_moderate, is_probability_mix, read_number
from fogtree.errors import FileFormatError, require
from fogtree.game import CHANCE
from fogtree.game.checks import MOST_PLAYERS
from fogtree.system.file_reader import read_text
from fogtree.system.memory import usual_memory

_MEMORY_PER_BYTE = 60
"""Bytes of memory that a byte of a file may become: a node takes at least seven bytes there."""

_TOKEN = re.compile(r'\s*(?:"([^"\\]*(?:\\.[^"\\]*)*)"|([{},])|([^\s"{},]+)|(\S))', re.DOTALL)
_LARGEST = 10**9
"""The largest number of an information set or an outcome."""


def read_efg(path: str | Path) -> EfgGame:
    """A game from a file of Gambit (``.efg``); ``load_game("efg:PATH")`` does the same by name.

    Numbers are kept exactly as they stand in the file.

    >>> import fogtree, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = fogtree.write_efg("kuhn_poker", f"{folder}/kuhn.efg")
    ...     fogtree.compile(fogtree.read_efg(file)).sizes().infosets
    (6, 6)
    """
    require(path, (str, Path), "the path of a file")
    text = read_text(Path(path), most=usual_memory() // _MEMORY_PER_BYTE)
    return _Reader(str(path), text).game()


@dataclass(slots=True)
class _Node:
    """A node whose children are still being read. ``memories`` has for every player the last
    information set before this node, with the number of the action that was taken there."""

    infoset: Infoset
    children: list[int]
    payoffs: Payoffs
    memories: tuple[tuple[int, int] | None, ...]

    @property
    def is_complete(self) -> bool:
        """Whether all children have been read."""
        return len(self.children) == len(self.infoset.actions)


@dataclass(slots=True)
class _Reader:
    """Reads one file from its beginning to its end."""

    path: str
    text: str
    place: int = 0
    start: int = 0
    """Where the last token began, for the number of its line."""
    infosets: dict[tuple[int, int], Infoset] = field(default_factory=dict)
    remembered: dict[tuple[int, int], tuple[int, int] | None] = field(default_factory=dict)
    """What the player remembers at each information set: the one before, and the own action."""
    outcomes: dict[int, Payoffs] = field(default_factory=dict)
    players: int = 0

    def error(self, problem: str) -> FileFormatError:
        """An error that names the file and the line of the last token."""
        line = self.text.count("\n", 0, self.start) + 1
        return FileFormatError(f"'{self.path}', line {line}: {problem}")

    def game(self) -> EfgGame:
        """The whole game."""
        for expected in ("EFG", "2"):
            if self.word("a file of Gambit begins with  EFG 2 R") != expected:
                raise self.error("a file of Gambit begins with  EFG 2 R")
        if self.word("R is missing") not in ("R", "D"):
            raise self.error("after  EFG 2  there must be R or D")
        title = self.string("the title in quotes is missing")
        names = self.strings("the list of players is missing")
        if not 1 <= len(names) <= MOST_PLAYERS:
            raise self.error(f"there must be 1 to {MOST_PLAYERS} players, not {len(names)}")
        self.players = len(names)
        if self.peek() == '"':
            self.string("")  # a comment
        tree = self.tree()
        fingerprint = sha256(self.text.encode()).hexdigest()
        return EfgGame(self.path, title, len(names), tuple(names), tree, fingerprint)

    # The tree, node by node.

    def tree(self) -> EfgTree:
        """The nodes, each before its children."""
        tree = EfgTree()
        open_nodes: list[_Node] = []
        while self.peek():
            begin = self.start
            above = self._above(open_nodes, len(tree.infosets))
            infoset, payoffs = self._node(above)
            tree.infosets.append(infoset)
            tree.payoffs.append(payoffs)
            tree.children.append([])
            if infoset is not None:
                self.start = begin  # an error is of this node, not of what follows
                memories = self._memories(above, infoset)
                open_nodes.append(_Node(infoset, tree.children[-1], payoffs, memories))
            while open_nodes and open_nodes[-1].is_complete:
                open_nodes.pop()
        if open_nodes or not tree.infosets:
            raise self.error("the file ends before the tree is complete")
        return tree

    def _above(self, open_nodes: list[_Node], node: int) -> _Node | None:
        """The parent of the next node (None: it is the root), which is the last node whose children
        are not all read yet; the number ``node`` is added to its children."""
        if not open_nodes:
            if node > 0:
                raise self.error("the tree is complete, but more follows")
            return None
        open_nodes[-1].children.append(node)
        return open_nodes[-1]

    def _node(self, above: _Node | None) -> tuple[Infoset | None, Payoffs]:
        """One node: its information set, and the sum of payoffs down to it."""
        kind = self.word("a node must begin with c, p or t")
        if kind not in ("c", "p", "t"):
            raise self.error(f"a node must begin with c, p or t, not '{kind:.20}'")
        self.string('the name of the node is missing; it may be empty: ""')
        infoset = None
        if kind == "c":
            infoset = self._infoset(CHANCE)
        elif kind == "p":
            player = self.integer("the number of the player", 1, self.players) - 1
            infoset = self._infoset(player)
        before = (Fraction(),) * self.players if above is None else above.payoffs
        added = self._outcome()
        if added is None or not any(before):
            return infoset, before if added is None else added
        total = tuple(a + b for a, b in zip(before, added, strict=True))
        if not all(is_moderate(value) for value in total):
            raise self.error("the sum of payoffs on the way is too large or too long a fraction")
        return infoset, total

    def _infoset(self, player: int) -> Infoset:
        """The information set of a node; its name and actions may be left out when it is known."""
        number = self.integer("the number of the information set", 1, _LARGEST)
        name = self.string("") if self.peek() == '"' else ""
        known = self.infosets.get((player, number))
        if self.peek() != "{":
            if known is None:
                raise self.error(f"information set {number} is new and has no list of actions")
            return known
        labels, shares = self._actions(player)
        actions = _distinct(labels)
        if known is None:
            known = Infoset(player, number, name, actions, shares)
            self.infosets[player, number] = known
        elif (known.actions, known.shares) != (actions, shares):
            raise self.error(f"information set {number} has other actions here than before")
        return known

    def _actions(self, player: int) -> tuple[list[str], tuple[Fraction, ...]]:
        """The labels of actions in brackets, at chance's nodes each with its probability."""
        self.expect("{")
        labels: list[str] = []
        shares: list[Fraction] = []
        while self.peek() == '"':
            labels.append(self.string(""))
            if player == CHANCE:
                shares.append(self.number("a probability"))
        self.expect("}")
        if not labels:
            raise self.error("an information set must have at least one action")
        if player == CHANCE and not is_probability_mix(shares):
            total = float(sum(shares))
            raise self.error(f"probabilities must be at least 0 and sum to 1, not {total:.9g}")
        return labels, tuple(shares)

    def _memories(
        self, above: _Node | None, infoset: Infoset
    ) -> tuple[tuple[int, int] | None, ...]:
        """The players' memories at a node with this information set, below the node ``above``: each
        player's last information set and action. It is an error if the file makes the node's player
        forget something."""
        memories: tuple[tuple[int, int] | None, ...] = (None,) * self.players
        if above is not None:
            memories = above.memories
            mover = above.infoset.player
            if mover >= 0:
                step = (above.infoset.number, len(above.children))
                memories = (*memories[:mover], step, *memories[mover + 1 :])
        if infoset.player >= 0:
            key, now = (infoset.player, infoset.number), memories[infoset.player]
            if self.remembered.setdefault(key, now) != now:
                raise self.error(
                    f"player {infoset.player + 1} would forget an own action at information set "
                    f"{infoset.number}; games without perfect recall cannot be read"
                )
        return memories

    def _outcome(self) -> Payoffs | None:
        """The payoffs of a node's outcome; None if it has none."""
        number = self.integer("the number of the outcome", 0, _LARGEST)
        if self.peek() == '"':
            self.string("")
        if self.peek() != "{":
            if number and number not in self.outcomes:
                raise self.error(f"outcome {number} is new and has no payoffs")
            return self.outcomes.get(number)
        self.expect("{")
        payoffs: list[Fraction] = []
        while self.peek() not in ("}", ""):
            if self.peek() == ",":
                self.expect(",")
            payoffs.append(self.number("a payoff"))
        self.expect("}")
        if len(payoffs) != self.players:
            raise self.error(f"{len(payoffs)} payoffs for {self.players} players")
        found = tuple(payoffs)
        if number == 0:
            raise self.error("outcome 0 stands for no outcome and has no payoffs")
        if self.outcomes.setdefault(number, found) != found:
            raise self.error(f"outcome {number} has other payoffs here than before")
        return self.outcomes[number]

    # Tokens.

    def peek(self) -> str:
        """The first letter of the next token; empty at the end of the file."""
        found = _TOKEN.match(self.text, self.place)
        if found is None:
            self.start = len(self.text)
            return ""
        self.start = found.end() - len(found[0].lstrip())
        return self.text[self.start]

    def take(self) -> tuple[str | None, str]:
        """The next token: the content of a text in quotes (else None), and the token itself."""
        first = self.peek()
        found = _TOKEN.match(self.text, self.place)
        if not first or found is None:
            return None, ""
        if found[4] is not None:
            raise self.error(
                "a text in quotes does not end" if first == '"' else f"unexpected '{first}'"
            )
        self.place = found.end()
        inner = None if found[1] is None else found[1].replace('\\"', '"')
        return inner, found[0].strip()

    def word(self, problem: str) -> str:
        """The next token, which must be a word: no text in quotes, bracket or comma. Otherwise the
        error says ``problem``."""
        inner, token = self.take()
        if inner is not None or token in ("", "{", "}", ","):
            raise self.error(problem)
        return token

    def string(self, problem: str) -> str:
        """The content of the next token, which must be a text in quotes; otherwise the error says
        ``problem``."""
        inner, _ = self.take()
        if inner is None:
            raise self.error(problem)
        return inner

    def strings(self, problem: str) -> list[str]:
        """The contents of texts in quotes within brackets, as in ``{ "a" "b" }``."""
        if self.peek() != "{":
            raise self.error(problem)
        self.expect("{")
        found: list[str] = []
        while self.peek() == '"':
            found.append(self.string(""))
        self.expect("}")
        return found

    def expect(self, wanted: str) -> None:
        """Read the next token, which must be this symbol."""
        inner, token = self.take()
        if inner is not None or token != wanted:
            raise self.error(f"'{wanted}' is missing" + (f" before '{token:.20}'" if token else ""))

    def integer(self, what: str, least: int, most: int) -> int:
        """The next token, which must be a whole number from ``least`` to ``most``; an error calls
        it ``what``."""
        inner, token = self.take()
        ok = inner is None and token.isascii() and token.isdigit() and len(token) <= 10
        if not ok or not least <= int(token) <= most:
            raise self.error(f"{what} must be a whole number from {least} to {most}")
        return int(token)

    def number(self, what: str) -> Fraction:
        """The next token, which must be a number; an error calls it ``what``."""
        inner, token = self.take()
        number = read_number(token) if inner is None else None
        if number is None:
            raise self.error(f"{what} must be a number, not '{token:.40}'")
        return number


def _distinct(labels: list[str]) -> tuple[str, ...]:
    """Labels that differ: one that is empty or occurs twice gets the number of its action."""
    counts = Counter(labels)
    taken = {label for label, count in counts.items() if label and count == 1}
    out: list[str] = []
    for number, label in enumerate(labels, 1):
        if label not in taken:
            label = f"{label} ({number})".strip()  # noqa: PLW2901
            while label in taken:
                label += "*"  # noqa: PLW2901
            taken.add(label)
        out.append(label)
    return tuple(out)
