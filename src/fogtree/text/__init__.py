"""How games, agents and their settings are written as text."""
