"""The Universal Chess Interface: fogtree as an engine, and other engines as evaluators."""
