"""Agents: objects that play one seat of a game, through a common protocol."""

from fogtree.agents.budget import Budget
from fogtree.agents.levels import Level, deciding_agent, levels_of
from fogtree.agents.lookup import (
    AnyAgent,
    agent,
    agent_entries,
    agent_groups,
    agent_names,
    agent_summary,
    quick_agent_names,
    sees_everything,
)
from fogtree.agents.protocol import Agent, Clairvoyant, Decision, Observation
from fogtree.agents.uniform import RandomAgent

__all__ = [
    "Agent",
    "AnyAgent",
    "Budget",
    "Clairvoyant",
    "Decision",
    "Level",
    "Observation",
    "RandomAgent",
    "agent",
    "agent_entries",
    "agent_groups",
    "agent_names",
    "agent_summary",
    "deciding_agent",
    "levels_of",
    "quick_agent_names",
    "sees_everything",
]
