"""The options of the UCI server: their defaults, their declaration, and ``setoption``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from fogtree.agents import agent, agent_entries, agent_names, sees_everything
from fogtree.agents.levels import level_of_elo
from fogtree.agents.protocol import Agent, Clairvoyant
from fogtree.errors import OptionError
from fogtree.games.fog_chess.evaluators import DEFAULT_EVALUATOR
from fogtree.games.fog_chess.game import FogChess
from fogtree.games.fog_chess.levels import LEVELS
from fogtree.games.fog_chess.rules import DEFAULT_PRESET, PRESETS
from fogtree.games.fog_chess.uci.messages import read_spin
from fogtree.search.settings import default_threads
from fogtree.text.specs import parse_spec

FOG_OF_WAR = "fogofwar"
CHESS = "chess"
VARIANTS = (FOG_OF_WAR, CHESS)
"""Names of variants as chess programs write them."""
DEFAULT_AGENT = "search"
"""The strongest agent that needs nothing installed beside fogtree."""


@dataclass(frozen=True, slots=True)
class UciOptions:
    """The options that ``setoption`` can change."""

    agent: str = DEFAULT_AGENT
    evaluator: str = DEFAULT_EVALUATOR
    variant: str = FOG_OF_WAR
    rules: str = DEFAULT_PRESET
    known_start: bool = False  # whether a FEN that is sent is known to both sides
    overhead: int = 30  # milliseconds for sending a move
    threads: int = field(default_factory=default_threads)
    hash: int = 0  # megabytes for the search's tree; 0: no bound
    multi_pv: int = 1  # moves that are reported with their scores
    seed: int = 0
    limit_strength: bool = False
    elo: int = LEVELS[-1].elo  # the strength if it is limited

    @property
    def player(self) -> str:
        """The agent that plays: the chosen one or, if the strength is limited, that of the
        strongest level with at most the chosen rating."""
        return level_of_elo(LEVELS, self.elo).agent if self.limit_strength else self.agent

    def load(self) -> Agent:
        """Make the agent; settings in its own spec take precedence over these options."""
        game = FogChess(rules=self.rules)
        made = agent(self.player, game, **self._settings(game))
        if isinstance(made, Clairvoyant):
            raise OptionError(f"{self.player} would have to see the whole board")
        return made

    def check(self) -> None:
        """Raise an error unless the agent can be loaded, also without a limit of the strength."""
        for options in {self, replace(self, limit_strength=False)}:
            options.load().close()

    def _settings(self, game: FogChess) -> dict[str, object]:
        """The settings of the agent that its own spec leaves open. A level has been measured with
        the default evaluator and keeps it."""
        spec = parse_spec(self.player, "agent")
        entry = agent_entries(game).get(spec.name)
        if entry is None or spec.argument:
            return {}
        if entry.settings:
            evaluator = DEFAULT_EVALUATOR if self.limit_strength else self.evaluator
            own = {"evaluator": evaluator, "threads": self.threads, "memory": self.hash << 20}
            return {name: value for name, value in own.items() if name not in spec.settings}
        return {entry.argument: self.evaluator} if entry.argument else {}

    def same_game(self, other: UciOptions) -> bool:
        """Whether a running agent can continue its game under other options: they may differ only
        in the client's rules, the output and the clock."""
        return self._agent_options() == other._agent_options()

    def _agent_options(self) -> UciOptions:
        """These options with the defaults of all that do not concern the agent and its game."""
        elo = self.elo if self.limit_strength else LEVELS[-1].elo
        return replace(self, variant=FOG_OF_WAR, multi_pv=1, overhead=0, elo=elo)

    def declared(self) -> Iterator[str]:
        """The lines that declare the options to the program at the other end."""
        known = players()
        names = known if self.agent in known else [*known, self.agent]
        yield _combo("Agent", self.agent, names)
        yield f"option name Evaluator type string default {self.evaluator}"
        yield _combo("UCI_Variant", self.variant, VARIANTS)
        yield _combo("Rules", self.rules, PRESETS)
        yield "option name Known Start type check default false"
        yield "option name Ponder type check default false"
        limited = str(self.limit_strength).lower()
        yield f"option name UCI_LimitStrength type check default {limited}"
        for name in ("UCI_Elo", "Move Overhead", "MultiPV", "Threads", "Hash", "Seed"):
            spin, low, high = _SPINS[name.lower()]
            now = getattr(self, spin)
            yield f"option name {name} type spin default {now} min {low} max {high}"

    def changed(self, name: str, text: str) -> UciOptions:
        """The options with one of them set from text; ``name`` is in lower case."""
        changes: dict[str, Any] = {}
        if name in ("agent", "evaluator", "rules"):
            changes = {name: text}
        elif name in _CHECKS and text in ("true", "false"):
            changes = {_CHECKS[name]: text == "true"}
        elif name in _SPINS:
            spin, low, high = _SPINS[name]
            changes = {spin: read_spin(name, text, low, high)}
        elif name == "uci_variant" and text.lower() in VARIANTS:
            changes = {"variant": text.lower()}
        elif name == "ponder" and text in ("true", "false"):
            pass  # the program decides when to ponder
        elif name in (*_CHECKS, "uci_variant", "ponder"):
            raise OptionError(f"option '{name}' cannot be '{text[:40]}'")
        else:
            raise OptionError(f"there is no option '{name[:40]}'")
        return replace(self, **changes)


_CHECKS = {"known start": "known_start", "uci_limitstrength": "limit_strength"}
"""Options that are true or false, and their fields."""
_SPINS = {
    "uci_elo": ("elo", LEVELS[0].elo, LEVELS[-1].elo),
    "move overhead": ("overhead", 0, 5000),
    "multipv": ("multi_pv", 1, 256),
    "threads": ("threads", 1, 256),
    "hash": ("hash", 0, 1_000_000),
    "seed": ("seed", 0, 1_000_000_000),
}
"""Options that are numbers: the field, the smallest and the largest."""


def _combo(name: str, now: str, choices: Iterable[str]) -> str:
    """The line that declares an option with a list of values."""
    values = " ".join(f"var {choice}" for choice in choices)
    return f"option name {name} type combo default {now} {values}"


def players() -> list[str]:
    """The names of the agents that can play over UCI: all but those that see the whole board."""
    game = FogChess()
    return [name for name in agent_names(game) if not sees_everything(game, name)]
