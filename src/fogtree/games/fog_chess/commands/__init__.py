"""Commands that belong to Fog-of-War chess."""
