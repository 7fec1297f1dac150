"""The run machine: limits, the loop with its signals, and runs saved in folders."""
