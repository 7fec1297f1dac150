"""Files that version 0.1.0 wrote before the packages were rearranged are still read.

They are in ``data``. The commands that wrote them, in that folder::

    solve kuhn_poker -a cfr+ -n 50 --save kuhn_poker_cfr_plus
    solve kuhn_poker -a cfr+ -n 80 --output kuhn_poker.npz        (and .json, .csv)
    solve leduc_poker -a mccfr-external -n 2000 --seed 1 --workers 1 --save leduc_poker_external
    solve leduc_poker -a mccfr-external -n 4000 --seed 1 --workers 1 --output leduc_poker.npz
    solve cambia -a mccfr-outcome -n 40 --batch 40 --seed 1 --workers 1 --save cambia_outcome
    solve cambia -a mccfr-outcome -n 80 --batch 40 --seed 1 --workers 1 --output cambia.npz
    train kuhn_poker --config kuhn_training.toml --save kuhn_poker_networks
    arena kuhn_poker --agents random,tabular:kuhn_poker.npz --games 4 --seed 1
        --records kuhn_poker_games.jsonl --file kuhn_poker_match.jsonl
    arena cambia --agents random,imperfect_greedy --games 2 --seed 1 --records cambia_games.jsonl
    arena fog_chess --agents random,greedy --games 2 --seed 1
        --records fog_chess_games.jsonl --pgn fog_chess_games.pgn
    evaluator random --width 128 --stacks 1 --king-buckets 1 network.fognet    (then xz -9e)
    safety kuhn_poker --steps 20 --presets chess --gadgets resolve --orders 1 --file safety.jsonl
    ablate fog_chess --games 2 --nodes 20 --only "no gifts" --file ablation.jsonl
"""

from __future__ import annotations

import json
import lzma
import shutil
from pathlib import Path

import numpy as np
import pytest

from fogtree import Strategy
from fogtree.strategy.hashed import HashedStrategy
from tests.support.command_line import Command

DATA = Path(__file__).parent / "data"
# What the same version printed for the whole run, or read back from its own files.
KUHN_AFTER_80 = 0.0011161364603193558
LEDUC_AFTER_4000 = 0.6296913700242391
NETWORKS_AFTER_2 = 0.45344250229972677
NETWORKS_AFTER_4 = 0.4541330028837474
RUNS = ("kuhn_poker_cfr_plus", "leduc_poker_external", "cambia_outcome")
RECORDS = ("kuhn_poker_games.jsonl", "cambia_games.jsonl", "fog_chess_games.jsonl")


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A copy of the files, which a test may change; commands run in the same folder."""
    return Path(shutil.copytree(DATA, tmp_path, dirs_exist_ok=True))


def test_a_tabular_run_is_resumed(old: Path, done: Command) -> None:
    found = done("resume", old / "kuhn_poker_cfr_plus", "-n", 80, "--json").document
    assert found["iterations"] == 80
    assert found["exploitability"] == pytest.approx(KUHN_AFTER_80, abs=1e-12)


def test_a_sampled_run_is_resumed(old: Path, done: Command) -> None:
    run = old / "leduc_poker_external"
    found = done("resume", run, "-n", 4000, "--output", "resumed.npz", "--json").document
    assert found["exploitability"] == pytest.approx(LEDUC_AFTER_4000, abs=1e-6)
    whole, resumed = Strategy.load(old / "leduc_poker.npz"), Strategy.load(old / "resumed.npz")
    assert resumed.probabilities == pytest.approx(whole.probabilities, abs=1e-6)


def test_a_run_without_a_tree_is_resumed(old: Path, done: Command) -> None:
    done("resume", old / "cambia_outcome", "-n", 80, "--output", "resumed.npz", "--json")
    whole, resumed = (HashedStrategy.load(old / name) for name in ("cambia.npz", "resumed.npz"))
    assert np.array_equal(resumed.keys, whole.keys)
    assert np.array_equal(resumed.counts, whole.counts)
    assert resumed.probabilities == pytest.approx(whole.probabilities, abs=1e-6)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("kuhn_poker.npz", KUHN_AFTER_80),
        ("kuhn_poker.json", KUHN_AFTER_80),
        ("kuhn_poker_networks/strategy.npz", NETWORKS_AFTER_2),
    ],
)
def test_strategies_are_measured(old: Path, done: Command, name: str, expected: float) -> None:
    found = done("exploitability", "kuhn_poker", "--strategy", old / name, "--json").document
    assert found["exploitability"] == pytest.approx(expected, abs=1e-7)


def test_a_csv_file_is_written_as_before(old: Path, done: Command) -> None:
    """Other programs find the same columns."""
    done("strategy", "export", old / "kuhn_poker.npz", "--output", "again.csv")
    assert (old / "again.csv").read_text() == (old / "kuhn_poker.csv").read_text()


def test_a_training_run_is_resumed(old: Path, command: Command) -> None:
    options = (old / "kuhn_training.toml").read_text().replace("iterations = 2", "iterations = 4")
    (old / "longer.toml").write_text(options)
    folder = old / "kuhn_poker_networks"
    outcome = command("resume", folder, "--config", "longer.toml", "--json")
    assert outcome.status == 0, outcome.errors
    assert outcome.document["iterations"] == 4
    assert outcome.document["exploitability"] == pytest.approx(NETWORKS_AFTER_4, abs=1e-5)


def test_networks_and_tables_play(old: Path, done: Command) -> None:
    played = ("--games", 4, "--workers", 1, "--json")
    for game, agent in (
        ("kuhn_poker", f"deep:{old / 'kuhn_poker_networks'}"),
        ("kuhn_poker", f"tabular:{old / 'kuhn_poker.npz'}"),
        ("cambia", f"tabular:{old / 'cambia.npz'}"),
    ):
        found = done("arena", game, "--agents", f"random,{agent}", *played).document
        assert found["matches"][0]["games"] == 4


@pytest.mark.parametrize("name", [*RECORDS, "fog_chess_games.pgn"])
def test_recorded_games_are_replayed(old: Path, done: Command, name: str) -> None:
    for number in (1, 2):
        found = done("replay", old / name, "--game", number, "--json").document
        assert found["returns"] in ([1.0, -1.0], [-1.0, 1.0], [2.0, -2.0], [-2.0, 2.0])


def test_a_match_goes_on(old: Path, done: Command) -> None:
    """Its two deals are read, not played again, and two more are added."""
    before = (old / "kuhn_poker_match.jsonl").read_text()
    names = "random,tabular:kuhn_poker.npz"
    found = done(
        "arena", "kuhn_poker", "--agents", names, "--games", 8, "--seed", 1,
        "--workers", 1, "--file", "kuhn_poker_match.jsonl", "--json",
    ).document  # fmt: skip
    assert found["matches"][0]["games"] == 8
    after = (old / "kuhn_poker_match.jsonl").read_text()
    assert after.startswith(before)
    assert len(after.splitlines()) == len(before.splitlines()) + 2


def test_a_network_of_fog_chess_is_read(old: Path, done: Command) -> None:
    (old / "network.fognet").write_bytes(lzma.decompress((old / "network.fognet.xz").read_bytes()))
    found = done("chess", "evaluator", "inspect", "network.fognet", "--json").document
    assert (found["width"], found["king_buckets"], found["stacks"]) == (128, 1, 1)
    done("chess", "evaluator", "check", "network.fognet", "--json")


def test_a_study_of_safety_goes_on(old: Path, done: Command) -> None:
    before = (old / "safety.jsonl").read_text()
    options = ("--steps", 20, "--presets", "focus", "--gadgets", "resolve", "--orders", 1)
    options += ("--seeds", 1)  # all that there was when the file was written
    done("study", "safety", "kuhn_poker", *options, "--file", "safety.jsonl", "--json")
    assert (old / "safety.jsonl").read_text() == before  # nothing was measured again


def test_a_study_of_ablations_goes_on(old: Path, done: Command) -> None:
    before = (old / "ablation.jsonl").read_text()
    options = ("--games", 2, "--nodes", 20, "--only", "no gifts", "--file", "ablation.jsonl")
    options += ("--evaluator", "simple")  # the default when the file was written
    found = done("study", "ablate", "fog_chess", *options, "--json").document
    assert found["results"][0]["games"] == 2
    assert (old / "ablation.jsonl").read_text() == before


def newer(path: Path) -> None:
    """Raise the version in a file whose first line, or whole text, is JSON."""
    text = path.read_text()
    assert '"version": 1' in text
    path.write_text(text.replace('"version": 1', '"version": 99'))


@pytest.mark.parametrize("name", RUNS)
def test_runs_of_another_version_are_refused_in_one_line(
    old: Path, command: Command, name: str
) -> None:
    newer(old / name / "manifest.json")
    outcome = command("resume", old / name)
    assert (outcome.status, outcome.output) == (2, "")
    assert outcome.errors.count("\n") == 1
    assert "99" in outcome.errors


@pytest.mark.parametrize("name", RECORDS)
def test_records_of_another_version_are_refused_in_one_line(
    old: Path, command: Command, name: str
) -> None:
    newer(old / name)
    outcome = command("replay", old / name)
    assert (outcome.status, outcome.output) == (2, "")
    assert outcome.errors.count("\n") == 1
    assert "99" in outcome.errors


def test_a_match_of_another_version_is_refused_in_one_line(old: Path, command: Command) -> None:
    newer(old / "kuhn_poker_match.jsonl")
    outcome = command(
        "arena", "kuhn_poker", "--agents", "random,tabular:kuhn_poker.npz", "--games", 4,
        "--seed", 1, "--file", "kuhn_poker_match.jsonl",
    )  # fmt: skip
    assert outcome.status == 2
    assert outcome.errors.count("\n") == 1
    assert "99" in outcome.errors


def test_a_training_run_of_another_version_is_refused_in_one_line(
    old: Path, command: Command
) -> None:
    folder = old / "kuhn_poker_networks"
    newer(folder / "manifest.json")
    outcome = command("resume", folder)
    assert outcome.status == 2
    assert outcome.errors.count("\n") == 1
    assert "99" in outcome.errors


def test_all_files_say_what_they_are() -> None:
    """Every JSON file names its kind and version, so that a later version can refuse it."""
    for path in (*DATA.rglob("manifest.json"), *DATA.glob("*.jsonl")):
        lines = path.read_text().splitlines()
        first = json.loads(lines[0] if path.suffix == ".jsonl" else "".join(lines))
        assert first["version"] == 1, path
        assert isinstance(first["fogtree"], str), path
