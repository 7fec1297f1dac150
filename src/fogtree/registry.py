"""The games that fogtree knows by name, and what each of them brings along.

A game registers one :class:`GameEntry`: its class and, as far as it has them, its own agents,
search, training, views and commands. Everything but the name may be a reference, written
``"module:attribute"`` and imported when it is first needed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from inspect import isabstract
from typing import Any, Literal, TypeAlias

from fogtree.errors import OptionError, UnknownNameError, require
from fogtree.game import Game, Parameter, ParameterGame
from fogtree.game.checks import checked_short_name
from fogtree.system.user_code import (
    is_user_code,
    load_user_object,
    prints_to_stderr,
    user_game_errors,
)
from fogtree.text.specs import parse_spec

Reference: TypeAlias = Any
"""A ``"module:attribute"`` text, or the object itself."""

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")

_CATALOGUES = ["fogtree.games", "fogtree.adapters"]
"""Modules with a mapping ``GAMES`` (name of a game to the module with its ``ENTRY``) or
``PREFIXES`` (prefix to the function that makes another library's game)."""


def resolve(reference: Reference) -> Any:
    """The object that a reference names; anything but a text is returned as it is."""
    if not isinstance(reference, str):
        return reference
    module, _, attribute = reference.partition(":")
    return getattr(import_module(module), attribute)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentEntry:
    """An agent that plays a game, by name."""

    name: str
    make: Reference
    """Called with the settings as keyword arguments; returns an agent."""
    for_game: bool = False
    """Whether the game is handed to ``make`` as its first argument."""
    argument: str | None = None
    """The setting that ``name:value`` stands for; None if nothing may follow a colon."""
    settings: bool = False
    """Whether ``name(key=value)`` is allowed."""
    slow: bool = False
    """Whether it takes time for every decision; ``all`` leaves such agents out."""
    two_players: str | None = None
    """Why it plays games of two players only, to follow its name in an error; None if it
    plays any number of players."""
    listed: bool = True
    """Whether lists of agents show it; an agent that needs a file is not listed."""
    title: str = ""
    """What people call it; by default its name in words."""
    level: Literal["easy", "medium", "hard"] | None = None
    """How strong it is against a person; None if that is not known."""

    @property
    def words(self) -> str:
        """The agent's name for people: its title, or else its name with spaces."""
        name = self.name.replace("_", " ")
        return self.title or name[:1].upper() + name[1:]


EQUILIBRIUM_AGENT = AgentEntry(
    name="equilibrium",
    make="fogtree.agents.equilibrium:EquilibriumAgent",
    for_game=True,
    level="hard",
    two_players="is for two players",
)
"""Plays the exact equilibrium of a game that is small enough to be solved at once."""


LEVEL_AGENT = AgentEntry(
    name="level",
    make="fogtree.agents.levels:level_agent",
    for_game=True,
    argument="NUMBER",
    listed=False,
)
"""Plays at one of a game's levels of strength: ``level:3``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisOption:
    """An option of ``fogtree analyse`` for one game: a field of its analysis source."""

    name: str
    metavar: str
    help: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandGroup:
    """Commands of one game: ``fogtree NAME COMMAND``."""

    name: str
    app: Reference
    """A ``typer.Typer``."""
    help: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEntry:
    """Everything that a game registers. Only ``name`` and ``game`` are required."""

    name: str
    game: Reference
    """The game's class, a :class:`~fogtree.game.Game`."""
    rules: str | Callable[[Any], str] = ""
    """The rules in a few sentences, for somebody who has never played the game: a text, or a
    function of the game that returns it, for rules that depend on the game's parameters."""
    seats: tuple[str, ...] = ()
    """Names of the seats, where they have any: white and black."""
    agents: tuple[AgentEntry, ...] = (EQUILIBRIUM_AGENT,)
    """Agents beside those that play every game; by default the exact equilibrium, which refuses a
    game that is too large for it."""
    levels: Reference | None = None
    """Strengths of opponents from the weakest to the strongest: a sequence of
    ``fogtree.agents.levels.Level``. A game that has some also registers :data:`LEVEL_AGENT`."""
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Named groups of opponents over which results are averaged."""
    search: Reference | None = None
    """The game's own search, a ``fogtree.search.adapter.SearchAdapter``; without one the game is
    compiled to be searched."""
    analysis: Reference | None = None
    """The decisions that ``analyse`` can search, a ``fogtree.report.analysis.AnalysisSource``."""
    analysis_options: tuple[AnalysisOption, ...] = ()
    """Options of ``fogtree analyse`` beside those that every game has."""
    training: Reference | None = None
    """Training without compiling: called with the game, returns a
    ``fogtree.deep.support.TrainingSupport``, or None if this one is small enough to compile."""
    view_features: Reference | None = None
    """How learners of other libraries see the game, if it has no ``features`` for its own training:
    called with a player's view, returns numbers from 0 to 1, always equally many."""
    human: Reference | None = None
    """The class of a player at the keyboard, if the general one does not suit."""
    web: Reference | None = None
    """How the game is shown in a browser, a ``fogtree.web.views.GameView``."""
    sizes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Versions that the page of a new game offers, by their descriptions, the first one chosen:
    parameters that differ from the game's defaults, as texts. Empty: only the defaults."""
    puzzles: Reference | None = None
    """Decisions of played games to be solved: a function without arguments that returns
    ``fogtree.arena.puzzles.Puzzle`` objects."""
    openings: Reference | None = None
    """Starting positions of matches, a ``fogtree.arena.openings.FindOpenings``."""
    record_formats: Mapping[str, Reference] = field(default_factory=dict)
    """Other formats of game records by their file ending, each a
    ``fogtree.arena.record_files.RecordFormat``."""
    commands: CommandGroup | None = None
    top_commands: Mapping[str, Reference] = field(default_factory=dict)
    """Commands of the game that are called without its name: ``fogtree uci``."""


@dataclass(frozen=True)
class GameInfo:
    """One row of a list of games."""

    name: str
    summary: str
    parameters: tuple[Parameter, ...]
    rules: str = ""

    @property
    def signature(self) -> str:
        """The game's spec with every parameter at its default."""
        given = ", ".join(str(parameter) for parameter in self.parameters)
        return f"{self.name}({given})" if given else self.name


_registered: dict[str, GameEntry] = {}


def register_game(entry: GameEntry) -> GameEntry:
    """Add a game, and return its entry; from now on :func:`load_game` and everything else knows
    its name.

    >>> import fogtree
    >>> class MyPennies(type(fogtree.load_game("matching_pennies"))):
    ...     short_name = "my_pennies"
    >>> entry = fogtree.register_game(fogtree.GameEntry(name="my_pennies", game=MyPennies))
    >>> fogtree.solve("my_pennies", iterations=10).game
    'my_pennies'
    >>> fogtree.registry.unregister_game("my_pennies")
    """
    require(entry, GameEntry, "a GameEntry")
    if entry.name in game_names():
        raise OptionError(f"there is already a game called '{entry.name}'")
    _registered[entry.name] = entry
    return entry


def unregister_game(name: str) -> None:
    """Remove a game that :func:`register_game` added."""
    if name not in _registered:
        raise UnknownNameError("registered game", name, _registered)
    del _registered[name]


def game_names() -> tuple[str, ...]:
    """The names that :func:`load_game` knows: built-in games from the smallest to the largest,
    then those that were registered.

    >>> import fogtree
    >>> "leduc_poker" in fogtree.game_names()
    True
    """
    return (*_catalogue("GAMES"), *_registered)


def find_entry(name: str) -> GameEntry:
    """The entry of the game with this name."""
    if name in _registered:
        return _registered[name]
    homes = _catalogue("GAMES")
    if name not in homes:
        raise UnknownNameError("game", name, game_names())
    entry: GameEntry = import_module(homes[name]).ENTRY
    return entry


def entry_of(game: Game) -> GameEntry:
    """The entry of a game; for a game that is not registered, an entry with only its class. A game
    that merely has the name of a registered one, but another class, counts as not registered."""
    name = checked_short_name(game)
    if name in _registered or name in _catalogue("GAMES"):
        entry = find_entry(name)
        kind = resolve(entry.game)
        if not isinstance(kind, type) or isinstance(game, kind):
            return entry
    return GameEntry(name=name or type(game).__name__, game=type(game))


def all_entries() -> tuple[GameEntry, ...]:
    """The entries of all games."""
    return tuple(find_entry(name) for name in game_names())


def seat_number(game: Game, seat: str) -> int:
    """The number of a seat, which is given by its name or by its number."""
    names = entry_of(game).seats
    known = {name: number for number, name in enumerate(names)}
    known |= {str(number): number for number in range(game.players)}
    if seat not in known:
        raise UnknownNameError(f"seat of {game.short_name or game}", seat, known)
    return known[seat]


def seat_name(game: Game, seat: int) -> str:
    """The game's own name of a seat, or else its place in the order: ``first player``."""
    names = entry_of(game).seats
    if names:
        return names[seat]
    return f"{_ORDINALS[seat]} player" if seat < len(_ORDINALS) else f"player {seat + 1}"


def rules_of(game: Game) -> str:
    """The rules of a game with its parameters, in a few sentences; empty if it has none in words.

    >>> import fogtree
    >>> fogtree.registry.rules_of(fogtree.load_game("kuhn_poker(ante=3)"))[:40]
    'Each player puts 3 chips into the pot an'
    """
    return _rules_in_words(entry_of(game), lambda: game)


def describe_game(name: str) -> GameInfo:
    """One line about a game, and its rules and parameters with the defaults."""
    entry = find_entry(name)
    game = resolve(entry.game)
    summary = (game.__doc__ or "").strip().splitlines()[:1]
    rules = _rules_in_words(entry, game)
    return GameInfo(name, summary[0] if summary else "", _parameters(game), rules)


def _rules_in_words(entry: GameEntry, make: Callable[[], Game]) -> str:
    """The rules of a game; ``make`` is called only if they depend on its parameters."""
    return entry.rules if isinstance(entry.rules, str) else entry.rules(make())


def load_game(spec: str) -> Game:
    """Make a game from its spec: a name, or a name with parameters in brackets.

    >>> import fogtree
    >>> str(fogtree.load_game("leduc_poker(ranks=10, raises=2)"))
    'leduc_poker(ranks=10)'

    A prefix, as in ``openspiel:hearts``, brings in another library's game.

    ``my_game.py:MyGame(bet=4)`` is a game of your own: a class of games, or a game, in a Python
    file. The file is run, and what it prints goes to standard error. Other functions do not run a
    file for a name; they take the game that this one returns.
    """
    if not isinstance(spec, str) or not is_user_code(spec):
        return game_by_name(spec)
    game = load_user_object(spec, is_game, "game")
    if isinstance(game, type) and issubclass(game, Game):
        with user_game_errors(spec), prints_to_stderr():
            game = game()
    if not isinstance(game, Game):
        raise OptionError(f"'{spec}' is not a game: it should be a fogtree.Game or a class of one")
    return game


def is_game(value: Any) -> bool:
    """Whether an object of a user's file is a game, or a class that makes one."""
    if isinstance(value, type):
        return issubclass(value, Game) and not isabstract(value)
    return isinstance(value, Game)


def game_by_name(spec: str) -> Game:
    """Make a game as :func:`load_game` does, but run no file: for specs that were read from a file
    or that somebody else sent."""
    if isinstance(spec, str) and is_user_code(spec):
        raise OptionError(f"'{spec}' names a Python file, which is not run here")
    read = parse_spec(spec)
    if read.argument and read.name in (foreign := _catalogue("PREFIXES")):
        game: Game = resolve(foreign[read.name])(read.argument)
        return game
    if read.argument:
        raise UnknownNameError("game", spec.strip(), game_names())
    make: Callable[..., Game] = resolve(find_entry(read.name).game)
    known = [parameter.name for parameter in _parameters(make)] if read.settings else []
    for key in read.settings:
        if not known:
            raise OptionError(f"{read.name} takes no parameters, but '{key}' was given")
        if key not in known:
            raise UnknownNameError(f"parameter of {read.name}", key, known)
    return make(**read.settings)


@cache
def _catalogue(table: str) -> dict[str, str]:
    """The mappings called ``table``, which is ``GAMES`` or ``PREFIXES``, of all modules in
    :data:`_CATALOGUES`, merged."""
    found: dict[str, str] = {}
    for catalogue in _CATALOGUES:
        found |= getattr(import_module(catalogue), table, {})
    return found


def _parameters(game: Any) -> tuple[Parameter, ...]:
    """The parameters that a game's class declares; none if it is not a :class:`ParameterGame`."""
    if isinstance(game, type) and issubclass(game, ParameterGame):
        return game.parameters()
    return ()
