"""``python -m fogtree`` is the command line."""

import sys

from fogtree.cli import main

sys.exit(main())
