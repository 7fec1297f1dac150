"""``fogtree play``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fogtree.arena import read_records
from fogtree.registry import game_names, load_game
from tests.support.command_line import play

ANY = "1\n2\n3\n4\n"
"""One of these is possible wherever at least one action has one of the first four numbers."""


def test_play_shows_what_you_know_and_what_you_may_do(
    command: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = play(command, monkeypatch, "1\nfly\nq\n", "cambia", "--seed", "6")
    assert "You look at your card 1" in out
    assert "0: " not in out
    assert "3: ?   4: ?" in out
    assert "[1] draw" in out
    assert "You draw " in out
    assert "'fly' is not one of them" in out
    assert out.rstrip().endswith("You left the game.")


def test_play_to_the_end(command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first action again and again ends a game sooner or later."""
    out = play(command, monkeypatch, "1\n" * 400, "cambia", "--seed", "6")
    assert any(f"You {word}." in out for word in ("win", "lose", "draw"))
    assert "margin" in out


def test_play_against_a_level(command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    out = play(command, monkeypatch, "e2e4\nresign\n", "fog_chess", "--against", "level:3")
    assert "against level:3" in out
    outcome = command("play", "fog_chess", "--against", "level:11")
    assert outcome.status == 2
    assert "fog_chess has levels 1 to 10, not '11'" in outcome.errors


def test_play_works_for_any_game(command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    out = play(command, monkeypatch, "1\n" * 4, "kuhn_poker", "--seed", "1", "--as", "1")
    assert any(f"You {word} {chips}." in out for word in ("win", "lose") for chips in (1, 2))


@pytest.mark.parametrize("game", sorted(set(game_names()) - {"fog_chess", "cambia"}))
def test_play_says_what_is_shown_and_what_was_won(
    command: Any, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    reading = load_game(game).reading
    assert reading
    out = play(command, monkeypatch, "help\n" + ANY * 10, game, "--seed", "3")
    assert out.count(f"You are shown {reading}.") == 2  # at the start, and when asked for
    assert "None" not in out
    record = play(command, monkeypatch, ANY * 10, game, "--seed", "3", "--record", "game.jsonl")
    assert "The game is in game.jsonl." in record
    [gain, _] = next(iter(read_records(Path("game.jsonl")))).returns
    word = f"You win {gain:g}." if gain > 0 else f"You lose {-gain:g}." if gain < 0 else "You draw."
    assert word in out.splitlines()


def test_play_of_chess_and_cambia_tells_no_amount(
    command: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    chess = play(command, monkeypatch, "resign\n", "fog_chess", "--seed", "1")
    assert chess.splitlines()[-1] == "You lose."
    cambia = play(command, monkeypatch, "1\n" * 400, "cambia", "--seed", "6")
    assert {"You win.", "You lose.", "You draw."} & set(cambia.splitlines())


def test_actions_are_numbered_from_one(command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    out = play(command, monkeypatch, "0\n3\n2\nq\n", "kuhn_poker", "--seed", "1")
    assert "[1] check   [2] bet" in out
    assert "'0' is not one of them" in out
    assert "'3' is not one of them" in out
    assert "'2' is not one of them" not in out


def test_cards_of_a_hand_are_counted_from_one(
    command: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in the web app; a record counts them from 0."""
    typed = "draw\nreplace 0\nreplace 1\n" + "1\n" * 400
    recorded = ("--seed", "6", "--record", "game.jsonl")
    out = play(command, monkeypatch, typed, "cambia", *recorded)
    assert "replace 1   " in out
    assert "'replace 0' is not one of them" in out
    assert "You replace your card 1, discarding " in out
    steps = next(iter(read_records(Path("game.jsonl")))).steps
    assert next(step for step in steps if step.startswith("replace")) == "replace 0"


def test_cards_that_are_numbers_are_chosen_by_their_names(
    command: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the 2 was bid, a typed 3 is the card and not the third action."""
    out = play(command, monkeypatch, "2\n3\nq\n", "goofspiel", "--seed", "1")
    assert "\n1   2   3   4\n" in out
    assert "\n1   3   4\n" in out
    assert "\n1   4\n" in out


def test_play_against_the_search(command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    against = ["leduc_poker", "--against", "search(steps=50)", "--seed", "2"]
    out = play(command, monkeypatch, "1\n" * 8, *against)
    assert "first player against search(steps=50)." in out
    assert any(line.startswith(("You win ", "You lose ", "You draw")) for line in out.splitlines())


def test_the_seed_is_told_after_the_game(command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before, the seed would tell what the others were dealt."""
    monkeypatch.setattr("secrets.token_hex", lambda count: "ab" * count)
    seed = "ab" * 16
    left = play(command, monkeypatch, "q\n", "kuhn_poker")
    assert seed not in left
    played = play(command, monkeypatch, "1\n" * 4, "kuhn_poker")
    assert played.splitlines()[-1] == f"The same deal again: --seed {seed}"
    again = play(command, monkeypatch, "1\n" * 4, "kuhn_poker", "--seed", seed)
    assert again.splitlines() == played.splitlines()[:-1]


def test_a_seed_that_no_record_could_hold_is_refused(command: Any) -> None:
    outcome = command("play", "kuhn_poker", "--seed", "\udcff")
    assert outcome.status == 2
    assert outcome.errors == "fogtree: --seed has letters that cannot be written\n"
