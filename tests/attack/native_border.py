"""Random calls of everything in the native core: no argument kills the process."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter

from tests.attack.part import Case, Finding, Part
from tests.support.paths import ROOT

CALLS = 1000


class NativeBorder(Part):
    """Calls of the native core with random arguments, a thousand in a process."""

    name = "native_border"
    goal = 200
    short = 3
    chunk = 1

    def attack(self, case: Case) -> Counter[str]:
        log = case.folder / "calls.txt"
        done = subprocess.run(
            [sys.executable, "-m", "tests.attack.native_calls", str(case.seed), str(CALLS), log],
            cwd=ROOT,
            capture_output=True,
            text=True,
            errors="replace",
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
            check=False,
        )
        raised = re.search(r"(\d+) raised", done.stdout)
        if done.returncode != 0 or raised is None:
            last = log.read_text(errors="replace").splitlines()[-1:] if log.exists() else []
            raise Finding(f"ended with {done.returncode} in {last}\n{done.stderr[-4000:]}")
        return Counter({"answered": CALLS - int(raised[1]), "refused": int(raised[1])})
