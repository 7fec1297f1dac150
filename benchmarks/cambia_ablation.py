"""What each choice of Deep CFR buys on full-size Cambia: one change at a time, for the same time.

    python benchmarks/cambia_ablation.py --seconds 75 --device gpu --workers 14

Every run trains for so many seconds from the same seed with `examples/cambia_training.toml` and one
change, and then plays paired games (each deal from both seats) against the baselines, with the
average strategy and with the last one. Prints a Markdown table; a win rate's 95 % interval is
± 0.016 or less at 2,000 games of each baseline. On a processor alone:

    python benchmarks/cambia_ablation.py --small --iterations 30
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

from fogtree import load_game
from fogtree.deep.config import options_from, read_options
from fogtree.deep.policy import Policy
from fogtree.deep.train import Device, TrainingRun, train
from fogtree.deep.win_rates import win_rates
from fogtree.games.cambia.game import Cambia
from fogtree.games.cambia.training import CambiaTraining

CONFIGURATION = Path(__file__).parent.parent / "examples" / "cambia_training.toml"
BASELINES = ("mi5", "mi3")
MANY = {"traversals": 100_000, "value_traversals": 100_000}

SMALL: dict[str, dict[str, Any]] = {
    "traversal": {"traversals": 2000, "value_traversals": 2000},
    "network": {"hidden": [128, 128], "value_hidden": [128, 128]},
    "regret": {"steps": 200, "batch": 1024, "capacity": 1_000_000},
    "average": {"steps": 2000, "batch": 1024, "capacity": 1_000_000},
    "value": {"steps": 150, "batch": 1024, "capacity": 300_000},
}

CHANGES: dict[str, dict[str, dict[str, Any]]] = {
    "escher, network average (base)": {},
    "outcome": {"traversal": {"sampling_method": "outcome", "exploration": 0.6}},
    "robust, 2 actions, 8 decisions": {
        "traversal": {"sampling_method": "robust", "depth": 8, "traversals": 2000}
    },
    "rollout": {"traversal": {"sampling_method": "rollout", "traversals": 3000}},
    "single: stored networks": {"run": {"average": "single"}},
    "values of actions": {"network": {"action_values": True}},
    "pipelined": {"run": {"pipelined": True}},
    "pipelined, ten times the walks": {"run": {"pipelined": True}, "traversal": MANY},
    "walks on the device": {"traversal": {"inference": "device"}},
    "regret weights 0": {"regret": {"weight_exponent": 0.0}},
    "average weights 1": {"average": {"weight_exponent": 1.0}},
    "no exploration of values": {"traversal": {"value_exploration": 0.0}},
    "hidden 512 × 512": {"network": {"hidden": [512, 512], "value_hidden": [512, 512]}},
    "hidden 64 × 64": {"network": {"hidden": [64, 64], "value_hidden": [64, 64]}},
}


def changed_options(change: dict[str, dict[str, Any]], given: argparse.Namespace) -> Any:
    """The training options of the configuration file with one change, without evaluation while the
    clock runs."""
    sections = read_options(CONFIGURATION).to_dict()
    sections["run"].update(
        iterations=given.iterations or 1_000_000,
        seconds=0.0 if given.iterations else given.seconds,
        seed=given.seed,
        checkpoint_seconds=1e9,
    )
    sections["traversal"]["inference"] = "native"
    sections["evaluation"].update(interval=0, baselines=[])
    for part in (SMALL if given.small else {}, change):
        for section, values in part.items():
            sections[section].update(values)
    for section in sections.values():
        for name, value in section.items():
            section[name] = list(value) if isinstance(value, tuple) else value
    sections["network"].pop("shared")
    return options_from(sections)


def rates(policy: Policy, games: int, workers: int) -> list[float]:
    """The win rates of a policy against BASELINES."""
    support = CambiaTraining(Cambia())
    found = win_rates(policy, support, BASELINES, games=games, seed=1, threads=workers)
    return [found[name].value for name in BASELINES]


def row(name: str, run: TrainingRun, average: list[float], last: list[float]) -> str:
    """A row of the table: the win rates of the average and of the last strategy, and the work."""
    numbers = " | ".join(f"{rate:.3f}" for rate in (*average, *last))
    speed = run.nodes / max(run.seconds, 1e-9)
    return f"| {name} | {numbers} | {run.iterations:,} | {run.nodes / 1e6:.1f} | {speed:,.0f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=75.0, help="of training, each")
    parser.add_argument("--iterations", type=int, default=0, help="instead of seconds")
    parser.add_argument("--small", action="store_true", help="smaller fits and fewer walks")
    parser.add_argument("--games", type=int, default=2000, help="against each baseline")
    parser.add_argument("--device", choices=("cpu", "gpu"), default="cpu")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", nargs="*", default=list(CHANGES), help="names of changes")
    options = parser.parse_args()
    device: Device = options.device
    columns = [f"{name}, {which}" for which in ("average", "last") for name in BASELINES]
    print(f"| change | {' | '.join(columns)} | iterations | million nodes | nodes/s |")
    print("| --- |" + " ---: |" * (len(columns) + 3), flush=True)
    for name in options.only:
        with tempfile.TemporaryDirectory() as folder:
            run = train(
                load_game("cambia"),
                changed_options(CHANGES[name], options),
                folder=folder,
                device=device,
                workers=options.workers,
            )
            last = Policy.load(Path(folder) / "latest.npz")
        found = [rates(policy, options.games, options.workers) for policy in (run.policy, last)]
        print(row(name, run, *found), flush=True)


if __name__ == "__main__":
    main()
