"""Every history of a game with what each player remembers there, derived as compile() does."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field

from fogtree.game import CHANCE, TERMINAL, Action, Game, State

Memory = tuple[Hashable, ...]


@dataclass(frozen=True)
class Visit:
    """One history: its state, the actions that led there, and each player's memory."""

    state: State
    path: tuple[Action, ...]
    memories: tuple[Memory, ...]


@dataclass
class Sizes:
    """How many histories, endings and information sets there are."""

    histories: int = 0
    endings: int = 0
    infosets: list[set[Memory]] = field(default_factory=list)

    def row(self) -> tuple[int, int, list[int]]:
        return self.histories, self.endings, [len(infosets) for infosets in self.infosets]


def walk(game: Game) -> Iterator[Visit]:
    """Every history, parents before children."""
    stack = [(game.root(), (), ((),) * game.players)]
    while stack:
        state, path, before = stack.pop()
        visit = Visit(state, path, tuple(see(state, p, m) for p, m in enumerate(before)))
        yield visit
        for action in outcomes(state):
            memories = list(visit.memories)
            if state.player >= 0:
                memories[state.player] = (*memories[state.player], ("act", action))
            stack.append((state.child(action), (*path, action), tuple(memories)))


def play(game: Game, generator: random.Random) -> Iterator[Visit]:
    """One play with random actions, from the root to its end."""
    state, path, memories = game.root(), (), ((),) * game.players
    while True:
        memories = tuple(see(state, p, m) for p, m in enumerate(memories))
        yield Visit(state, path, memories)
        if state.player == TERMINAL:
            return
        action = generator.choice(outcomes(state))
        if state.player != CHANCE:
            remembered = list(memories)
            remembered[state.player] = (*memories[state.player], ("act", action))
            memories = tuple(remembered)
        state, path = state.child(action), (*path, action)


def see(state: State, player: int, memory: Memory) -> Memory:
    """The player's memory after a look at the state: a view equal to the last one adds nothing."""
    view = state.observation(player)
    last = next((event[1] for event in reversed(memory) if event[0] == "see"), None)
    return memory if view == last else (*memory, ("see", view))


def outcomes(state: State) -> list[Action]:
    if state.player == TERMINAL:
        return []
    if state.player == CHANCE:
        return [action for action, _ in state.chance()]
    return list(state.actions())


def measure(game: Game) -> Sizes:
    sizes = Sizes(infosets=[set() for _ in range(game.players)])
    for visit in walk(game):
        sizes.histories += 1
        player = visit.state.player
        if player == TERMINAL:
            sizes.endings += 1
        elif player != CHANCE:
            sizes.infosets[player].add(visit.memories[player])
    return sizes


def states(game: Game, path: Sequence[Action]) -> list[State]:
    found = [game.root()]
    for action in path:
        found.append(found[-1].child(action))
    return found
