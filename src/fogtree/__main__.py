"""``fogtree``, and ``python -m fogtree``: the command line."""

import sys


def main() -> int:
    """Runs one command; Ctrl-C ends it quietly also while it is still being imported."""
    try:
        from fogtree.system.termination import interruptions

        with interruptions() as interrupted:
            try:
                from fogtree.cli import main as run
            except Exception:  # a native module that is interrupted raises another error
                if interrupted():
                    return 130
                raise
        return run()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
