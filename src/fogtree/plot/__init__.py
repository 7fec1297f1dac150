"""Pictures: how runs converge, and what strategies do. Needs the extra ``fogtree[plot]``.

Functions return a :class:`matplotlib.figure.Figure` and leave pyplot's global state alone.
"""

from fogtree.plot.curves import convergence
from fogtree.plot.figure import require_matplotlib, save_figure
from fogtree.plot.strategies import mix_bars, mix_map, side_by_side

__all__ = [
    "convergence",
    "mix_bars",
    "mix_map",
    "require_matplotlib",
    "save_figure",
    "side_by_side",
]
