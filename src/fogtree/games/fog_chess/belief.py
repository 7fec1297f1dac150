"""The belief: the set of positions that are consistent with everything a player has seen.

B. H. Zhang & T. Sandholm, "General search techniques without common knowledge for
imperfect-information games, and application to superhuman Fog of War chess" (2025).
*Deviations:* beyond a cap the set becomes a uniform random subset, not ``complete``; that a game
ended by repetition or the fifty-move rule, which players are informed of, rules out no position.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fogtree._core import FogChessBelief, FogChessPosition
from fogtree.errors import OptionError
from fogtree.games.fog_chess.observation import FogObservation
from fogtree.games.fog_chess.rules import (
    DEFAULT_PRESET,
    START_FEN,
    as_notation_errors,
    preset,
    read_fen,
)
from fogtree.games.fog_chess.svg import Board

SQUARE_KINDS = ("", *"PNBRQKpnbrqk")
"""Contents of a square, by column of :meth:`FogBelief.marginals`; the first is empty."""


def opponent_kinds(player: int) -> str:
    """The letters of the opponent's pieces, the king first."""
    return "kqrbnp" if player == 0 else "KQRBNP"


def opponent_columns(player: int) -> list[int]:
    """The columns of :meth:`FogBelief.marginals` with the opponent's pieces, the king first."""
    return [SQUARE_KINDS.index(letter) for letter in opponent_kinds(player)]


@dataclass(frozen=True)
class BeliefLimits:
    """The largest size of a belief, and the threads that update it."""

    cap: int = 2_000_000
    """Positions kept at most; 48 bytes each."""
    threads: int = 0
    """Threads to use; 0 is one for each processor. The result does not depend on it."""
    seed: int = 0
    """Seed of the random choice that is made beyond the cap."""

    def __post_init__(self) -> None:
        """Refuse numbers that the native core cannot take."""
        if not 1 <= self.cap < 2**32:
            raise OptionError(f"cap must be at least 1, not {self.cap}")
        if not 0 <= self.threads <= 256:
            raise OptionError(f"threads must be 0 to 256, not {self.threads}")
        if not 0 <= self.seed < 2**64:
            raise OptionError(f"seed must be a 64-bit number, not {self.seed}")


_DEFAULT_LIMITS = BeliefLimits()
_MOST_SAMPLES = 1 << 24  # of 48 bytes each


@dataclass(frozen=True, slots=True, repr=False)
class FogBelief:
    """A set of positions that give the player the same view; updates make new beliefs.

    Positions count as equal when board, side to move, castling rights and an en passant capture
    that can be made are equal. The halfmove clock of a position is that of one history that leads
    to it.
    """

    native: FogChessBelief

    @classmethod
    def start(
        cls,
        player: int,
        *,
        fen: str = START_FEN,
        rules: str = DEFAULT_PRESET,
        limits: BeliefLimits = _DEFAULT_LIMITS,
    ) -> FogBelief:
        """The belief at the start of a game, when the whole position is known."""
        return cls.of([read_fen(fen)], player, rules=rules, limits=limits)

    @classmethod
    def of(
        cls,
        positions: Iterable[FogChessPosition],
        player: int,
        *,
        rules: str = DEFAULT_PRESET,
        limits: BeliefLimits = _DEFAULT_LIMITS,
    ) -> FogBelief:
        """The belief that consists of these positions, which must all give the player the same
        view."""
        with as_notation_errors():
            return cls(
                FogChessBelief.of(
                    list(positions),
                    player,
                    preset(rules).sight,
                    cap=limits.cap,
                    seed=limits.seed,
                    threads=limits.threads,
                )
            )

    @classmethod
    def from_view(
        cls,
        view: FogObservation,
        *,
        promotions: int | None = None,
        samples: int = 100_000,
        limit: int | None = None,
        rules: str = DEFAULT_PRESET,
        limits: BeliefLimits = _DEFAULT_LIMITS,
    ) -> FogBelief:
        """Every position that a single view allows, whatever came before.

        The other side has at most the pieces of the start and ``promotions`` more that were once
        pawns (``None``: only those that are seen). If more positions than ``limit``, or than the
        cap, are possible, ``samples`` are drawn uniformly, and the belief is not complete.
        """
        if promotions is not None and not 0 <= promotions <= 8:
            raise OptionError(f"promotions must be 0 to 8, not {promotions}")
        if not 1 <= samples <= _MOST_SAMPLES:
            raise OptionError(f"samples must be 1 to {_MOST_SAMPLES}, not {samples}")
        with as_notation_errors():
            return cls(
                FogChessBelief.from_view(
                    view.native,
                    preset(rules).sight,
                    promotions=promotions,
                    samples=samples,
                    limit=min(limits.cap, limit or limits.cap),
                    cap=limits.cap,
                    seed=limits.seed,
                    threads=limits.threads,
                )
            )

    def after_own_move(self, move: str, view: FogObservation) -> FogBelief:
        """The belief after the player's own move (UCI) and the view that it led to."""
        with as_notation_errors():
            if not len(self):
                raise ValueError("the belief is empty: there is nothing to move in")
            return FogBelief(self.native.after_own_move(self.native[0].read_uci(move), view.native))

    def after_other_move(self, view: FogObservation) -> FogBelief:
        """The belief after a move of the other side, of which only the new view is known."""
        with as_notation_errors():
            return FogBelief(self.native.after_other_move(view.native))

    @property
    def view(self) -> FogObservation:
        """The view that all positions give the player."""
        return FogObservation(self.native.view)

    @property
    def complete(self) -> bool:
        """Whether the belief holds every possible position; False once the cap was reached."""
        return self.native.complete

    def marginals(self) -> NDArray[np.float64]:
        """For every square (a1 to h8) the probability of every content if all positions are equally
        likely; shape (64, 13), with the columns of ``SQUARE_KINDS``."""
        return self.native.marginals()

    def sample(self, count: int, *, seed: int = 0) -> list[FogChessPosition]:
        """``count`` different positions, equally likely; all of them if there are fewer."""
        return self.native.sample(count, seed)

    def __len__(self) -> int:
        return len(self.native)

    def __iter__(self) -> Iterator[FogChessPosition]:
        return (self.native[index] for index in range(len(self)))

    def __contains__(self, position: object) -> bool:
        """Whether a position is in the belief."""
        return isinstance(position, FogChessPosition) and self.native.contains(position)

    def _repr_svg_(self) -> str:
        """The player's own pieces, and how likely every square holds a piece of the opponent."""
        shades = self.marginals()[:, opponent_columns(self.view.player)].sum(axis=1)
        marks = self.view.own_marks()
        return Board(marks, flipped=self.view.player == 1, shades=shades.tolist())._repr_svg_()

    def __repr__(self) -> str:
        kind = "complete" if self.complete else "sampled"
        return f"<FogBelief: {len(self)} positions, {kind}, {self.view.fog_fen}>"
