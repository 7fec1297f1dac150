"""Fog-of-War chess: rules, views, beliefs, evaluators, agents, search and commands."""
