"""Fog-of-War chess: rules, views, beliefs, evaluators, agents, search and commands."""

from fogtree.games.fog_chess.rules_text import rules_text
from fogtree.registry import LEVEL_AGENT, AgentEntry, AnalysisOption, CommandGroup, GameEntry

_HERE = "fogtree.games.fog_chess"

ENTRY = GameEntry(
    name="fog_chess",
    game=f"{_HERE}.game:FogChess",
    rules=rules_text,
    seats=("white", "black"),
    agents=(
        AgentEntry(name="greedy", make=f"{_HERE}.agents:Greedy", level="easy"),
        AgentEntry(
            name="belief-vote",
            make=f"{_HERE}.agents:BeliefVote",
            argument="evaluator",
            title="Belief vote",
            level="medium",
        ),
        AgentEntry(
            name="search",
            make="fogtree.search.agent:search_agent",
            for_game=True,
            argument="evaluator",
            settings=True,
            level="hard",
        ),
        AgentEntry(name="all-seeing", make=f"{_HERE}.agents:AllSeeing", argument="evaluator"),
        LEVEL_AGENT,
    ),
    levels=f"{_HERE}.levels:LEVELS",
    analysis=f"{_HERE}.analysis:FogChessSource",
    analysis_options=(
        AnalysisOption(
            name="fen",
            metavar="FEN",
            help="A start known to both sides, or a fog FEN: the view of one side.",
        ),
        AnalysisOption(name="rules", metavar="NAME", help="Rules of vision and castling by name."),
    ),
    search=f"{_HERE}.search:FogChessAdapter",
    view_features=f"{_HERE}.learner_view:features",
    human=f"{_HERE}.human_agent:ChessPlayer",
    web=f"{_HERE}.web:VIEW",
    puzzles=f"{_HERE}.puzzles:puzzles",
    openings=f"{_HERE}.openings:find_openings",
    record_formats={".pgn": f"{_HERE}.pgn:PGN"},
    commands=CommandGroup(
        name="chess",
        app=f"{_HERE}.commands:app",
        help="Look at rules, views, beliefs and evaluators of Fog-of-War chess; train networks.",
    ),
    top_commands={"uci": f"{_HERE}.commands.uci:uci"},
)
