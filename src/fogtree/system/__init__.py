"""What the operating system offers: files, locks, memory, processes, signals, foreign code."""
