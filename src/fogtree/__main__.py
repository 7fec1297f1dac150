"""``fogtree``, and ``python -m fogtree``: the command line."""

import sys


def main() -> int:
    """Runs one command; Ctrl-C ends it quietly also while it is still being imported."""
    try:
        from fogtree.cli import main as run

        return run()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
