"""Chess programs that use fogtree as their engine."""

from __future__ import annotations

import subprocess
import sys

import chess

from tests.support.processes import HANGS

ENGINE = [sys.executable, "-m", "fogtree", "uci"]


class FogBoard(chess.Board):
    """Fog-of-War chess for python-chess: no check, and a king can be taken."""

    uci_variant = "fogofwar"

    def generate_legal_moves(
        self, from_mask: chess.Bitboard = chess.BB_ALL, to_mask: chess.Bitboard = chess.BB_ALL
    ):
        if not self.is_variant_end():
            yield from self.generate_pseudo_legal_moves(from_mask, to_mask)

    def is_legal(self, move: chess.Move) -> bool:
        return not self.is_variant_end() and self.is_pseudo_legal(move)

    def is_variant_end(self) -> bool:
        return self.king(chess.WHITE) is None or self.king(chess.BLACK) is None


class TextClient:
    """Sends lines to the engine as a program with pipes does, and reads its answers."""

    def __init__(self, *options: str) -> None:
        self._process = subprocess.Popen(
            [*ENGINE, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> TextClient:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        self._process.communicate()

    def send(self, *lines: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("".join(f"{line}\n" for line in lines))
        self._process.stdin.flush()

    def until(self, word: str) -> list[str]:
        """The lines up to and including the first that begins with a word."""
        assert self._process.stdout is not None
        said: list[str] = []
        for line in self._process.stdout:
            said.append(line.strip())
            if said[-1].split()[:1] == [word]:
                return said
        raise AssertionError(f"no {word} in {said}")

    def status(self) -> int:
        """The exit status, once the engine has ended by itself."""
        return self._process.wait(HANGS)
