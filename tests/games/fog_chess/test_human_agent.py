"""What a person at the keyboard is shown depends on that side's view alone."""

from __future__ import annotations

import io

import pytest

from fogtree.arena import play_game
from fogtree.games.fog_chess.game import FogChess
from fogtree.games.fog_chess.human_agent import ChessPlayer
from tests.support.fog_chess_twins import Scripted, Twins, twin_games


def shown(
    twins: Twins,
    line: tuple[str, ...],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> str:
    """Everything a person at the terminal reads while a game goes on, and then resigns."""
    own, other = line[twins.player :: 2], line[1 - twins.player :: 2]
    answers = [part for move in own for part in ("board", "moves", move)] + ["resign"]
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{a}\n" for a in answers)))
    person = ChessPlayer()
    agents = [person, Scripted(other)] if twins.player == 0 else [Scripted(other), person]
    capsys.readouterr()
    played = play_game(FogChess(), agents, seed="1", watch=person.watch(twins.player))
    assert played.record.resigned == twins.player
    return capsys.readouterr().out


@pytest.mark.parametrize("player", [0, 1])
def test_the_terminal_shows_nothing_hidden(
    player: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(3):
        twins = twin_games(player, seed, 20)
        assert twins.first != twins.second
        first, second = (
            shown(twins, line, capsys, monkeypatch) for line in (twins.first, twins.second)
        )
        assert first == second
        assert first.count("?") > 100
