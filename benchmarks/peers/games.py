"""The benchmark's games, by the names fogtree and OpenSpiel give them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class BenchmarkGame:
    """One game as both sides load it.

    ``infosets`` is what it has in OpenSpiel. A worker whose library tells the
    number is not measured when it differs.
    """

    name: str
    title: str
    fogtree: str
    openspiel: str
    infosets: int
    large: bool = False


def _goofspiel(cards: int) -> str:
    inner = (
        f"goofspiel(imp_info=True,num_cards={cards},points_order=descending,returns_type=win_loss)"
    )
    return f"turn_based_simultaneous_game(game={inner})"


# OpenSpiel's own Leduc has a fixed deck; its universal poker with these settings
# and three ranks has the same 9,457 histories and 936 information sets.
_LEDUC_TEN_RANKS = (
    "universal_poker(betting=limit,numPlayers=2,numRounds=2,blind=1 1,firstPlayer=1 1,"
    "numSuits=2,numRanks=10,numHoleCards=1,numBoardCards=0 1,raiseSize=2 4,maxRaises=2 2)"
)

GAMES = {
    game.name: game
    for game in (
        BenchmarkGame("kuhn", "Kuhn", "kuhn_poker", "kuhn_poker", 12),
        BenchmarkGame("leduc", "Leduc", "leduc_poker", "leduc_poker", 936),
        BenchmarkGame("goofspiel4", "Goofspiel-4", "goofspiel(cards=4)", _goofspiel(4), 162),
        BenchmarkGame("goofspiel5", "Goofspiel-5", "goofspiel(cards=5)", _goofspiel(5), 2124),
        BenchmarkGame(
            "liars_dice", "Liar's dice", "liars_dice", "liars_dice(numdice=1)", 24576, large=True
        ),
        BenchmarkGame(
            "leduc10",
            "Leduc, 10 ranks",
            "leduc_poker(ranks=10)",
            _LEDUC_TEN_RANKS,
            11520,
            large=True,
        ),
    )
}
