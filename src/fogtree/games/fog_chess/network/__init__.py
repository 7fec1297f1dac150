"""Networks that value positions: their format, a reference in NumPy, checks and Stockfish's."""
