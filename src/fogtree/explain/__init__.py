"""An algorithm's iterations step by step: reaches, values, regrets, next strategies.

>>> from fogtree import load_game                                        # doctest: +SKIP
>>> steps = explain(load_game("kuhn_poker"), "cfr+", deals=["JQ", "QK"]).steps   # doctest: +SKIP
>>> steps[0].infoset, steps[0].cumulative_regret                         # doctest: +SKIP
('J', (0.0, 0.375))
"""

from fogtree.explain.deals import Deal, read_deal
from fogtree.explain.record import Explanation, Step
from fogtree.explain.walk import explain

__all__ = ["Deal", "Explanation", "Step", "explain", "read_deal"]
