"""Without an optional package, the error names the extra that brings it."""

from __future__ import annotations

import subprocess
import sys
import tomllib

import pytest

from tests.support.paths import ROOT

USES = {
    "plot": "fogtree.plot.convergence([fogtree.solve('kuhn_poker', iterations=2)])",
    "frames": "fogtree.solve('kuhn_poker', iterations=2).to_frame()",
    "openspiel": "fogtree.load_game('openspiel:kuhn_poker')",
    "pettingzoo": "fogtree.to_pettingzoo('kuhn_poker')",
    "gymnasium": "fogtree.to_gymnasium('kuhn_poker', ['random', 'random'])",
    "ray": "fogtree.solve('kuhn_poker', 'mccfr-external', iterations=2, backend='ray')",
    "deep": "import fogtree.system.jax_device",
    "gpu": "fogtree.solve('kuhn_poker', device='gpu')",
    "tensorboard": "import fogtree.deep.tensorboard",
    "web": "import fogtree.cli; fogtree.cli.serve(browser=False, port=0)",
}
MODULES = {
    "plot": ["matplotlib"],
    "frames": ["pandas"],
    "openspiel": ["pyspiel", "open_spiel"],
    "pettingzoo": ["pettingzoo"],
    "gymnasium": ["gymnasium"],
    "ray": ["ray"],
    "deep": ["jax"],
    "gpu": ["cupy"],
    "tensorboard": ["tensorboardX"],
    "web": ["uvicorn"],
}


def test_every_extra_is_here() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(USES) == set(project["optional-dependencies"]) - {"test", "dev", "docs"}


@pytest.mark.parametrize("extra", USES)
def test_the_error_names_the_extra(extra: str) -> None:
    hidden = "".join(f"sys.modules[{name!r}] = None\n" for name in MODULES[extra])
    code = (
        f"import sys\n{hidden}import fogtree\n"
        f"try:\n    {USES[extra]}\n"
        "except fogtree.FogtreeError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert f"pip install 'fogtree[{extra}]'" in done.stdout
