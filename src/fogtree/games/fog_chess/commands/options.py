"""Options that several commands of Fog-of-War chess share."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer


class Color(StrEnum):
    """A side of a game of chess, as options name it."""

    white = "white"
    black = "black"

    @property
    def player(self) -> int:
        """The player's number; white is player 0."""
        return list(Color).index(self)


Viewer = Annotated[
    Color, typer.Option("--as", show_default=False, help="The side whose view it is.")
]
Rules = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="Rule set: chesscom, openspiel, fairy, attacks or stalemate-wins.",
    ),
]
