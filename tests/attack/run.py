"""The attack: ``python tests/attack/run.py`` runs everything, or the parts that are named.

Every case follows from its part and seed, so ``run.py damaged_files --first 123 --cases 1`` repeats
one. Without ``--cases`` the goals of the long form hold, and ``--first`` goes on after the seeds
that the last summary named. Findings are appended to ``findings.jsonl`` in ``--folder``.
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
sys.path.insert(0, str(Path(__file__).parents[2]))
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
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--cases", type=int, help="cases of each part, instead of its goal")
    parser.add_argument("--short", action="store_true", help="the cases of the short form")
    parser.add_argument("--folder", type=Path, default=Path(), help="where findings go")
    given = parser.parse_args()
    if unknown := set(given.parts) - set(names):
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    chosen = [part for part in PARTS if not given.parts or part.name in given.parts]
    goals = {
        part.name: given.cases or (part.short if given.short else part.goal) for part in chosen
    }
    warm()
    campaign = Campaign(chosen, given.folder, quiet=given.short)
    try:
        campaign.prepare()
        campaign.run(goals, given.first, given.workers, given.seconds)
    finally:
        campaign.close()
    print(campaign.summary())
    return 1 if campaign.findings else 0


if __name__ == "__main__":
    sys.exit(main())
