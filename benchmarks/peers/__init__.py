"""Tabular solvers behind one interface, each run in a process of its own."""
