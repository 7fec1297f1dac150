"""Make puzzles of Fog-of-War chess: decisions of engine games at which one move is clearly best.

Usage: python scripts/fog_puzzles.py FILE.jsonl --games 40 --seed 1

Two search agents of different strength play, after a few random moves in every second game. A
decision where the mover saw a gap between its best move and the others is searched again with what
its side knew, longer and with two seeds. It becomes a puzzle if both searches play the same move
nearly always, and value it clearly above all others; a move that takes back what has just taken is
left out. Searches are counted in steps, so that the
same seed gives the same puzzles. Puzzles that the file has already are kept; the easiest come
first. The file of the package was made by runs with several seeds.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import Pool
from pathlib import Path
from random import Random

from fogtree.agents.budget import Budget
from fogtree.agents.protocol import Observation
from fogtree.arena.puzzles import Puzzle, PuzzleMove, read_puzzles, write_puzzles
from fogtree.game import TERMINAL, History
from fogtree.games.fog_chess.agents import Greedy
from fogtree.games.fog_chess.game import FogChess
from fogtree.search.agent import SearchAgent, search_settings
from fogtree.search.analysis import follow_history
from fogtree.search.decision import Candidate, SearchDecision

STEPS = (150, 800)  # of the weaker and of the stronger agent for each move
QUICK, LONG = 2_000, 10_000  # steps of the search that rules most decisions out, and of the others
SHORT = 100  # steps of the search that says how hard a puzzle is
SEEDS = ("first", "second")
OPENING = 6  # random moves at the start of odd games
FIRST_PLY, LAST_PLY = 8, 70
FEWEST_MOVES = 8
FIRST_GAP = 0.1  # seen while playing
GAP = 0.12  # between the best move and the second in both long searches
SHARE = 0.9  # of the mix that the best move must have in both
DECIDED = 0.97  # a value beyond this, either way, is no longer interesting
PER_GAME = 3
EASY = 5  # only every so many games may give puzzles that are solved by taking what is in sight
APART = 6  # plies between two puzzles of a game


@dataclass(frozen=True)
class Found:
    """A decision that may become a puzzle."""

    history: History
    played: str


def main() -> None:
    parser = argparse.ArgumentParser(description="Puzzles from engine games.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    found = {one.id: one for one in read_puzzles(asked.file)} if asked.file.exists() else {}
    with Pool(asked.workers) as pool:
        seeds = range(asked.seed, asked.seed + asked.games)
        for seed, puzzles in pool.imap_unordered(puzzles_of_game, seeds):
            found |= {puzzle.id: puzzle for puzzle in puzzles}
            print(f"game {seed}: {len(puzzles)} puzzles, {len(found)} together", flush=True)
            write_puzzles(asked.file, sorted(found.values(), key=place))


def place(puzzle: Puzzle) -> tuple[int, bool, str]:
    """The key that orders puzzles in the file: the easiest first, and on each level those last in
    which the best move takes the piece that has just moved."""
    return puzzle.level, takes_back(puzzle.history(), puzzle.best.action), puzzle.id


def puzzles_of_game(seed: int) -> tuple[int, list[Puzzle]]:
    """Play one game and check its decisions."""
    made: list[Puzzle] = []
    last = -APART
    for one in decisions(seed):
        if len(made) == PER_GAME or len(one.history.steps) < last + APART:
            continue
        puzzle = check(one, seed)
        if puzzle is not None:
            made.append(puzzle)
            last = len(puzzle.steps)
    return seed, made


def decisions(seed: int) -> Iterator[Found]:
    """Play the game with this seed and yield the decisions at which the mover's search saw a move
    that is clearly best; the agents change sides every two games."""
    game, luck = FogChess(), Random(f"puzzles {seed}")
    strong = seed // 2 % 2
    agents = [SearchAgent(game, search_settings(game, threads=1)) for _ in range(2)]
    for side, agent in enumerate(agents):
        agent.start(game, side, f"puzzles {seed} {side}")
    state, states, steps = game.root(), [game.root()], list[str]()
    while state.player != TERMINAL and len(steps) <= LAST_PLY:
        mover = state.player
        for side, agent in enumerate(agents):
            actions = tuple(state.actions()) if side == mover else ()
            agent.observe(Observation(side, state.observation(side), actions))
        history = History(game, tuple(states), tuple(steps))
        if len(steps) < OPENING * (seed % 2):
            move = luck.choice(list(state.actions()))
            agents[mover].follow(move)
        else:
            decision = agents[mover].act(Budget(steps=STEPS[mover == strong]))
            move = str(decision.action)
            if len(steps) >= FIRST_PLY and promising(history, decision):
                yield Found(history, move)
        state = state.child(move)
        states.append(state)
        steps.append(move)
    for agent in agents:
        agent.close()


def promising(history: History, decision: SearchDecision) -> bool:
    """Whether the search that was played saw one move that is clearly best and not trivial."""
    moves = ranked(decision)
    if len(moves) < FEWEST_MOVES or abs(moves[0].value) > DECIDED:
        return False
    if takes_king(history, moves[0].action) or takes_back(history, moves[0].action):
        return False
    return moves[0].probability >= SHARE and gap(moves) >= FIRST_GAP


def takes_king(history: History, move: str) -> bool:
    """Whether a move takes a king that the mover sees."""
    after = history.end.child(move)
    return bool(after.player == TERMINAL)


def takes_back(history: History, move: str) -> bool:
    """Whether a move takes the piece that has just moved: most such decisions are exchanges."""
    return bool(history.steps) and move[2:4] == str(history.steps[-1])[2:4]


def ranked(decision: SearchDecision) -> list[Candidate]:
    """All moves, the best first."""
    return sorted(decision.candidates, key=lambda c: (-c.probability, -c.value))


def gap(moves: list[Candidate]) -> float:
    """How much more the first of these moves is worth than the best of the others."""
    return moves[0].value - max(move.value for move in moves[1:])


def search(history: History, steps: int, seed: str) -> SearchDecision:
    """Search at the end of a history for ``steps`` expansions, with what the side to move saw. Its
    decision before that is searched too, because a search begins with the last one's tree."""
    agent = SearchAgent(history.game, search_settings(history.game, threads=1))
    agent.settings = search_settings(history.game, threads=1, budget=Budget(steps=STEPS[1]))
    follow_history(agent, history, earlier=1, seed=seed)
    decision = agent.act(Budget(steps=steps))
    agent.close()
    return decision


def check(one: Found, seed: int) -> Puzzle | None:
    """The puzzle of a decision, if two long searches agree on it."""
    if seed % EASY and greedy_move(one.history) == one.played:
        return None
    if not is_clear(ranked(search(one.history, QUICK, "quick"))):
        return None
    tables = []
    for name in SEEDS:
        decision = search(one.history, LONG, f"{name} {seed}")
        moves = ranked(decision)
        if not is_clear(moves):
            return None
        tables.append(({move.action: move for move in moves}, moves[0].action, decision))
    (first, best, decision), (second, other, _) = tables
    if best != other:
        return None
    mean = [
        PuzzleMove(
            action,
            round((move.probability + second[action].probability) / 2, 3),
            round((move.value + second[action].value) / 2, 3),
        )
        for action, move in first.items()
    ]
    mean.sort(key=lambda move: (-move.probability, -move.value))
    return Puzzle(
        game=str(one.history.game),
        agents=tuple(f"search(steps={steps})" for steps in ordered(seed)),
        steps=tuple(map(str, one.history.steps)),
        played=one.played,
        positions=decision.belief_size or 0,
        level=level(one.history, best),
        moves=tuple(mean),
    )


def is_clear(moves: list[Candidate]) -> bool:
    """Whether the best move is nearly always played and clearly better than the others."""
    best = moves[0]
    return best.probability >= SHARE and gap(moves) >= GAP and abs(best.value) <= DECIDED


def ordered(seed: int) -> tuple[int, int]:
    """The expansions per decision of White and of Black in the game with this seed."""
    return STEPS if seed // 2 % 2 else (STEPS[1], STEPS[0])


def level(history: History, best: str) -> int:
    """How hard a puzzle is, as :class:`Puzzle` says."""
    if greedy_move(history) == best:
        return 1
    return 2 if ranked(search(history, SHORT, "level"))[0].action == best else 3


def greedy_move(history: History) -> str:
    """The move of the agent that takes the most valuable piece in sight."""
    greedy, side = Greedy(), history.end.player
    greedy.start(history.game, side, "level")
    view, actions = history.end.observation(side), tuple(history.end.actions())
    greedy.observe(Observation(side, view, actions))
    return str(greedy.act().action)


if __name__ == "__main__":
    main()
