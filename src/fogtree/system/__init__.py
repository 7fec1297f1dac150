"""Files, locks, memory, processes, signals and users' code."""
