"""One picture for each game: its tree, its board, its cards, or what an equilibrium plays."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import fogtree
from fogtree.games.cambia.cards import names_of
from fogtree.games.fog_chess.game import FogChess
from fogtree.games.fog_chess.svg import Board, position_marks
from fogtree.report.mix_bars import Bar, MixBars
from fogtree.text import svg
from pictures import GREY, caption, row, save, save_boards
from pictures.hexagons import hexagons, size

INK, LINE, FILL = "#222222", "#9aa4af", "#eef1f4"
PLAYER_COLOURS = ("#0072B2", "#D55E00")
CELL = 44
CHESS_MOVES = ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "f3g5", "d7d5")


def draw() -> None:
    save("game_matching_pennies.svg", tree_picture(fogtree.load_game("matching_pennies").root()))
    save(
        "game_rock_paper_scissors.svg",
        tree_picture(fogtree.load_game("rock_paper_scissors").root()),
    )
    save("game_kuhn_poker.svg", kuhn_picture())
    save("game_leduc_poker.svg", mixes("leduc_poker", ("Js", "Qs", "Ks"), "holding "))
    save("game_goofspiel.svg", goofspiel_picture())
    save("game_liars_dice.svg", mixes("liars_dice", "123456", "rolled "))
    save("game_battleship.svg", battleship_picture())
    draw_phantom(2, 4)
    draw_hex(3, 3)
    save("game_cambia.svg", cambia_picture())
    draw_chess()


def mixes(game: str, infosets: Sequence[str], words: str) -> str:
    """What an approximate equilibrium plays at some information sets, as bars."""
    strategy = fogtree.solve(game, "cfr+", iterations=2000).strategy
    return bars({f"{words}{name}": strategy[name] for name in infosets})


def bars(mixes_by_name: dict[str, dict[str, float]]) -> str:
    """Bars; actions below one in a hundred are left out of the legend's way."""
    shown = {
        name: {action: share for action, share in mix.items() if share >= 0.01}
        for name, mix in mixes_by_name.items()
    }
    rows = [Bar(name, shares) for name, shares in shown.items()]
    return MixBars(rows, name_width=124, note_width=4)._repr_svg_()


def goofspiel_picture() -> str:
    strategy = fogtree.solve("goofspiel", "cfr+", iterations=5000).strategy
    return bars({f"after {name}": strategy[name] for name in list(strategy.names)[:10]})


def kuhn_picture() -> str:
    """The betting after the first player was dealt a jack and the second a queen."""
    state = fogtree.load_game("kuhn_poker").root()
    for card in ("J", "Q"):
        if state.player == fogtree.CHANCE:
            outcomes = [label for label, _ in state.chance()]
            state = state.child(next(o for o in outcomes if str(o).startswith(card)))
    return tree_picture(state)


def tree_picture(root: fogtree.State) -> str:
    """A whole small tree: decisions in the colour of their player, payoffs at the ends."""
    room = 84 if len(root.actions()) > 2 else 64
    leaves = 0
    parts: list[str] = []
    lines: list[str] = []
    deepest = 0

    def place(state: fogtree.State, depth: int) -> float:
        nonlocal leaves, deepest
        deepest = max(deepest, depth)
        y = 34 + 74 * depth
        if state.player == fogtree.TERMINAL:
            x = 40.0 + room * leaves
            leaves += 1
            paid = f"{state.returns()[0]:+g}".replace("-", "−").replace("+0", "0")
            parts.append(label(paid, x, y + 5, INK))
            return x
        children = [
            (str(action), place(state.child(action), depth + 1)) for action in state.actions()
        ]
        x = sum(at for _, at in children) / len(children)
        for action, at in children:
            lines.append(svg.element("line", x1=x, y1=y, x2=at, y2=y + 60, stroke=LINE))
            lines.append(label(action, (x + at) / 2, y + 38, GREY, halo=True))
        colour = PLAYER_COLOURS[state.player]
        parts.append(svg.element("circle", cx=x, cy=y, r=13, fill=colour))
        parts.append(label(f"{state.player}", x, y + 4, "#ffffff"))
        return x

    place(root, 0)
    below = 34 + 74 * deepest + 40
    width = 80.0 + room * (leaves - 1)
    words = "circles: who moves; ends: payoff of player 0"
    return svg.picture(
        *lines, *parts, caption(words, max(width, 320) / 2, below), width=max(width, 320),
        height=below + 12,
    )  # fmt: skip


def label(words: str, x: float, y: float, fill: str, *, halo: bool = False) -> str:
    around = {"stroke": "#ffffff", "stroke_width": 4, "paint_order": "stroke"} if halo else {}
    return svg.text(words, x, y, text_anchor="middle", font_size=12, fill=fill, **around)


def grid(rows: int, columns: int, mark: Callable[[str], str]) -> str:
    """A board with a mark, if any, on every square; columns have letters, rows have numbers."""
    parts = []
    for r in range(rows):
        for c in range(columns):
            name = f"{'abcdefgh'[c]}{r + 1}"
            x, y = 20 + c * CELL, (rows - 1 - r) * CELL
            square = {"x": x, "y": y, "width": CELL, "height": CELL}
            parts.append(svg.element("rect", **square, fill=FILL, stroke=LINE))
            parts.append(label(mark(name), x + CELL / 2, y + CELL / 2 + 5, INK))
            if c == 0:
                parts.append(label(str(r + 1), 10, y + CELL / 2 + 5, GREY))
            if r == 0:
                parts.append(label("abcdefgh"[c], x + CELL / 2, rows * CELL + 16, GREY))
    return svg.picture(*parts, width=20 + columns * CELL, height=rows * CELL + 22)


def battleship_picture() -> str:
    """Ships of both players, and where the other one has shot."""
    record = fogtree.play("battleship", ["random", "random"], seed=5)
    state = list(fogtree.replay(record))[6]
    boards = {}
    for player in (0, 1):
        words = str(state.observation(player)).split()
        marks = dict.fromkeys(words[0].split("-"), "ship")
        marks |= {word.strip("()"): "×" for word in words if word.startswith("(")}
        boards[f"player {player}"] = grid(2, 3, lambda at, marks=marks: marks.get(at, ""))
    return row(boards, width=20 + 3 * CELL, height=2 * CELL + 22, gap=40)


def five_tries(game: str) -> tuple[Callable[[str], int | None], list[set[str]]]:
    """Who has each square after five tries of a game on a hidden board, some of them of taken
    squares, and the squares that each player knows."""
    record = fogtree.play(game, ["random", "random"], seed=5)
    state = list(fogtree.replay(record))[5]
    tries = [str(state.observation(player)).split() for player in (0, 1)]
    own = [{t for t in said if not t.endswith("?")} for said in tries]

    def owner(at: str) -> int | None:
        return next((player for player in (0, 1) if at in own[player]), None)

    return owner, [{t.rstrip("?") for t in said} for said in tries]


def draw_phantom(rows: int, columns: int) -> None:
    """Marks on squares: the truth and what each player knows."""
    owner, known = five_tries("phantom_ttt")

    def truth(at: str) -> str:
        player = owner(at)
        return "" if player is None else "XO"[player]

    def seen(player: int) -> Callable[[str], str]:
        return lambda at: truth(at) if at in known[player] else "?"

    boards = {"the truth": truth, "player 0 knows": seen(0), "player 1 knows": seen(1)}
    drawn = {name: grid(rows, columns, mark) for name, mark in boards.items()}
    width, height = 20 + columns * CELL, rows * CELL + 22
    save_boards("game_phantom_ttt", drawn, width=width, height=height)


def draw_hex(rows: int, columns: int) -> None:
    """Stones on hexagons: the truth and what each player knows."""
    owner, known = five_tries(f"dark_hex(rows={rows}, columns={columns})")
    boards: dict[str, Callable[[str], bool]] = {
        "the truth": lambda _: True,
        "player 0 knows": known[0].__contains__,
        "player 1 knows": known[1].__contains__,
    }
    drawn = {
        name: hexagons(rows, columns, owner, seen, PLAYER_COLOURS) for name, seen in boards.items()
    }
    wide, high = size(rows, columns)
    save_boards("game_dark_hex", drawn, width=wide, height=high)


def cambia_picture() -> str:
    """What player 0 knows of both hands in the middle of a game."""
    record = fogtree.play("cambia", ["random", "random"], seed=5)
    view = list(fogtree.replay(record))[26].observation(0)
    parts = []
    for player, hand in enumerate(view.known):
        y = 20 + 110 * player
        whose = "own hand" if player == view.player else "opponent's hand"
        parts.append(svg.text(whose, 0, y + 45, font_size=14, fill=GREY))
        for slot, number in enumerate(hand):
            parts.append(card(number, 130 + 64 * slot, y))
    parts.append(svg.text("top discard", 0, 285, font_size=14, fill=GREY))
    parts.append(card(view.discard[-1], 130, 240))
    return svg.picture(*parts, width=130 + 64 * 6, height=325)


def card(number: int, x: float, y: float) -> str:
    """A card face up, or its back if the player does not know it."""
    seen = number >= 0
    shape = svg.element(
        "rect", x=x, y=y, width=54, height=80, rx=6, fill="#ffffff" if seen else "#5c6370",
        stroke=LINE,
    )  # fmt: skip
    name = names_of([number], suits=True)[0] if seen else "?"
    return shape + label(name, x + 27, y + 45, INK if seen else "#ffffff")


def draw_chess() -> None:
    """One position three times: for White, as it is, and for Black."""
    state = FogChess().root()
    for move in CHESS_MOVES:
        state = state.child(move)
    boards = {
        "White sees": Board(state.observation(0).marks()),
        "the truth": Board(position_marks(state.position)),
        "Black sees": Board(state.observation(1).marks(), flipped=True),
    }
    drawn = {name: board._repr_svg_() for name, board in boards.items()}
    save_boards("game_fog_chess", drawn, width=378, height=378)
