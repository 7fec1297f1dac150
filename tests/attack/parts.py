"""All parts of the attack."""

from __future__ import annotations

from tests.attack.api_abuses import ApiAbuses
from tests.attack.broken_games import BrokenGames
from tests.attack.command_lines import CommandLines
from tests.attack.damaged_files import DamagedFiles
from tests.attack.fog_pairs import FogPairs
from tests.attack.kills import Kills
from tests.attack.native_border import NativeBorder
from tests.attack.part import Part

PARTS: tuple[Part, ...] = (
    CommandLines(),
    DamagedFiles(),
    BrokenGames(),
    ApiAbuses(),
    NativeBorder(),
    FogPairs(),
    Kills(),
)
