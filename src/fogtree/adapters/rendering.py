"""Pictures of games in environments of other libraries: text, printed or returned."""

from __future__ import annotations

from collections.abc import Iterable

from fogtree.adapters.episode import Episode
from fogtree.errors import OptionError

RENDER_MODES = ("ansi", "human")
"""``ansi`` returns the text, ``human`` prints it."""


def check_render_mode(mode: str | None) -> None:
    """Raise an error for an unknown render mode."""
    if mode is not None and mode not in RENDER_MODES:
        raise OptionError(f"render_mode must be ansi, human or None, not {mode!r:.40}")


def view_text(episode: Episode, players: Iterable[int]) -> str:
    """The views of these players as text, with the payoffs once the game is over."""
    state = episode.state
    lines = [f"player_{player}:\n{state.show(player)}".rstrip() for player in players]
    if episode.returns is not None:
        payoffs = ", ".join(f"{value:g}" for value in episode.returns)
        lines += [state.result_text(), f"payoffs: {payoffs}"]
    return "\n".join(line for line in lines if line)


def rendered(mode: str | None, text: str) -> str | None:
    """Return a text (mode ``ansi``), print it (``human``) or do neither (None)."""
    if mode == "human":
        print(text)
    return text if mode == "ansi" else None
