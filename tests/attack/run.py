"""The attack: ``python tests/attack/run.py`` runs everything, or the parts that are named.

Every case follows from its part and seed, so ``run.py damaged_files --first 123 --cases 1`` repeats
one. Findings are appended to ``findings.jsonl`` in ``--folder``, and counts are added to those of
``results.json``. A run that was stopped is continued by the same command: it goes on with the next
seeds, until every part has the cases of the long form.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")  # a process with threads must not be forked
os.environ.pop("COLUMNS", None)
os.environ.setdefault("MPLBACKEND", "Agg")
sys.dont_write_bytecode = True
ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))
if "PYTHONPATH" in os.environ:  # processes in other folders need it too
    _paths = os.environ["PYTHONPATH"].split(os.pathsep)
    os.environ["PYTHONPATH"] = os.pathsep.join(os.path.abspath(path) for path in _paths)

from tests.attack.campaign import Campaign, warm  # noqa: E402
from tests.attack.parts import PARTS  # noqa: E402


def main() -> int:
    """Run the attack; the status is 1 if there were findings."""
    names = [part.name for part in PARTS]
    parser = argparse.ArgumentParser(description="Attack fogtree with random abuse.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(names)}")
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--seconds", type=float, help="stop after this time")
    parser.add_argument("--first", type=int, help="the first seed; by default the next unused one")
    parser.add_argument("--cases", type=int, help="cases of each part, instead of those missing")
    parser.add_argument("--short", action="store_true", help="the cases of the short form")
    parser.add_argument(
        "--folder", type=Path, default=ROOT / "build" / "attack", help="for results"
    )
    given = parser.parse_args()
    if unknown := set(given.parts) - set(names):
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    chosen = [part for part in PARTS if not given.parts or part.name in given.parts]
    warm()
    given.folder.mkdir(parents=True, exist_ok=True)
    campaign = Campaign(chosen, given.folder, quiet=given.short)
    try:
        campaign.prepare()
        campaign.run(_seeds(campaign, given), given.workers, given.seconds)
    finally:
        campaign.close()
        print(campaign.results.summary(), flush=True)
    return 1 if campaign.findings else 0


def _seeds(campaign: Campaign, given: argparse.Namespace) -> dict[str, range]:
    """The seeds of each part in this run."""
    found = {}
    for part in campaign.parts:
        score = campaign.results.scores[part.name]
        first = score.next if given.first is None else given.first
        wanted = part.short if given.short else max(0, part.goal - score.cases)
        found[part.name] = range(first, first + (given.cases or wanted))
    return found


if __name__ == "__main__":
    sys.exit(main())
