"""An algorithm's iterations step by step: reaches, values, regrets, next strategies."""

from fogtree.explanation.deals import Deal, read_deal
from fogtree.explanation.record import Explanation, Step
from fogtree.explanation.walk import explain

__all__ = ["Deal", "Explanation", "Step", "explain", "read_deal"]
