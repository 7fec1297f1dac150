"""Cambia (also Cabo, Cambio): a card game of memory, with a reference and a native engine."""

from fogtree.registry import AgentEntry, GameEntry

_HERE = "fogtree.games.cambia"
_SCRIPTED = ("imperfect_greedy", "memory_heuristic", "aggressive_snap")

ENTRY = GameEntry(
    name="cambia",
    game=f"{_HERE}.game:Cambia",
    rules=(
        "Everybody has four cards face down and has looked at two of them once; the cards that you "
        "have seen stay shown to you, so you need not remember them. The lowest total wins: red "
        "king -1, joker 0, ace 1, jack 11, queen 12, black king 13.\n"
        "In your turn you take a card, either unseen from the stock or the top card of the "
        "discard, and swap it for one of yours or discard it. A card from the stock that you "
        "discard may be used: a 7 or 8 lets you look at an own card, 9 or 10 at an opponent's, "
        "jack and queen swap two cards unseen, a king looks and then swaps.\n"
        "A card of the same rank as the discard may be snapped, your own or an opponent's: it "
        "leaves the hand, and for an opponent's card you give one of yours. A wrong snap puts the "
        "card back, seen by all, and costs two more cards from the stock. You are asked about a "
        "snap only when some card on the table matches, so the question itself tells you "
        "something; with the rule snap window set to always you are asked after every discard.\n"
        "Whoever calls Cambia ends the game after one more turn of the others. The caller's hand "
        "is locked: nobody may swap or snap its cards, nor may the caller. Who starts is drawn by "
        "lot, whichever seat you have: first and second player are names of seats only."
    ),
    agents=(
        AgentEntry(
            name="random_no_cambia",
            make=f"{_HERE}.agents:RandomNoCambia",
            title="Random without Cambia",
            level="easy",
        ),
        AgentEntry(
            name="random_late_cambia",
            make=f"{_HERE}.agents:RandomLateCambia",
            title="Random with late Cambia",
            level="easy",
        ),
        AgentEntry(
            name="imperfect_greedy",
            make=f"{_HERE}.agents:ImperfectGreedy",
            level="medium",
        ),
        AgentEntry(
            name="memory_heuristic",
            make=f"{_HERE}.agents:MemoryHeuristic",
            level="medium",
        ),
        AgentEntry(
            name="aggressive_snap",
            make=f"{_HERE}.agents:AggressiveSnap",
            title="Aggressive snapper",
            level="medium",
        ),
        AgentEntry(
            name="greedy",
            make=f"{_HERE}.agents:Greedy",
            level="hard",
        ),
        AgentEntry(
            name="deep",
            make=f"{_HERE}.training:deep_agent",
            title="Trained network",
            level="hard",
            for_game=True,
            argument="FILE",
            two_players="was trained for two players",
        ),
    ),
    analysis=f"{_HERE}.analysis:CambiaSource",
    web=f"{_HERE}.web:VIEW",
    search=f"{_HERE}.search:CambiaAdapter",
    groups={
        "mi5": ("random_no_cambia", "random_late_cambia", *_SCRIPTED),
        "mi3": _SCRIPTED,
    },
    training=f"{_HERE}.training:training_support",
)
