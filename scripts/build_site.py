"""Builds the documentation site of the project in this folder; a warning is a failure.

Usage: python scripts/build_site.py

Zensical now and then crashes while Python shuts down, when the site is complete
(https://github.com/zensical/zensical/issues/71); so this process ends without shutting down.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from zensical import build

SITE = Path("build/site")
CODE = re.compile(r"<pre\b.*?</pre>|<code>([^<]*)</code>", re.DOTALL)
OPTION = re.compile(r"(?<![\w-])--?[a-z][\w-]*")
WHOLE = r'<span class="whole">\g<0></span>'
SHORT = 28


def keep_whole(page: str) -> str:
    """Mark options, and short code in sentences, as not to be broken between two lines.

    Browsers break lines after the dashes of an option.

    >>> keep_whole("<code>fogtree</code>")
    '<code class="whole">fogtree</code>'
    """

    def marked(match: re.Match[str]) -> str:
        text = match[1]
        if text is None:  # a block
            return match[0]
        whole = ' class="whole"' if len(text) <= SHORT else ""
        return f"<code{whole}>{OPTION.sub(WHOLE, text)}</code>"

    return CODE.sub(marked, page)


def main() -> int:
    try:
        build(str(Path("zensical.toml").resolve()), {"clean": True, "strict": True})
        # It lists addresses, which a site without an address of its own does not have.
        (SITE / "sitemap.xml").unlink(missing_ok=True)
        for file in SITE.rglob("*.html"):
            file.write_text(keep_whole(file.read_text(encoding="utf-8")), encoding="utf-8")
    except Exception as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
