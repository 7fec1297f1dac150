"""Cambia (also Cabo, Cambio): a card game of memory, with a reference and a native engine."""

from fogtree.games.cambia.rules_text import rules_text
from fogtree.registry import AgentEntry, GameEntry

_HERE = "fogtree.games.cambia"
_SCRIPTED = ("imperfect_greedy", "memory_heuristic", "aggressive_snap")

ENTRY = GameEntry(
    name="cambia",
    game=f"{_HERE}.game:Cambia",
    rules=rules_text,
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
