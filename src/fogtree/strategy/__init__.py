"""Strategies: a probability for every action of every information set."""

from fogtree.strategy.complete import Strategy

__all__ = ["Strategy"]
