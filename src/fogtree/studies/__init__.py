"""Experiments with the search: ablation matches, and the exploitability of its play."""
