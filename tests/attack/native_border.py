"""Random calls of everything in the native core: no argument kills the process."""

from __future__ import annotations

import re
from collections import Counter

from tests.attack.native_calls import call_at_random
from tests.attack.part import Case, Finding, Part
from tests.attack.processes import Setting, run_forked

CALLS = 1000


class NativeBorder(Part):
    """Calls of the native core with random arguments, a thousand in a process."""

    name = "native_border"
    goal = 200
    short = 3
    chunk = 1

    def attack(self, case: Case) -> Counter[str]:
        log = case.folder / "calls.txt"

        def work() -> int:
            call_at_random(case.seed, CALLS, log)
            return 0

        ended = run_forked(work, Setting(case.folder, limited=False))
        raised = re.search(r"(\d+) raised", ended.output)
        if ended.status != 0 or raised is None:
            last = log.read_text(errors="replace").splitlines()[-1:] if log.exists() else []
            raise Finding(f"ended with {ended.status} in {last}\n{ended.errors[-4000:]}")
        return Counter({"answered": CALLS - int(raised[1]), "refused": int(raised[1])})
