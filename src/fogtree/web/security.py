"""Who may talk to the server: host, origin and token checks, and the headers of every answer."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from urllib.parse import urlsplit

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; connect-src 'self'; media-src 'self' data:; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""Sent with every answer. Inline styles are needed for computed widths and colours."""

LOOPBACK = ("127.0.0.1", "localhost", "[::1]", "::1")


@dataclass(frozen=True, slots=True)
class Access:
    """The addresses and the token by which a server may be reached."""

    hosts: tuple[str, ...]
    token: str | None = None

    def host_allowed(self, host: str | None) -> bool:
        """Whether a Host header names this server; others could be a rebound DNS name."""
        return host is not None and (_name(host) in self.hosts or "*" in self.hosts)

    def origin_allowed(self, origin: str | None, host: str | None) -> bool:
        """Whether a request comes from a page of this server; programs send no Origin."""
        if origin is None:
            return True
        return host is not None and urlsplit(origin).netloc == host

    def token_allowed(self, given: str | None) -> bool:
        """Whether the access token is right, if the server has one."""
        if self.token is None:
            return True
        return given is not None and secrets.compare_digest(
            given.encode(errors="replace"), self.token.encode()
        )


def _name(host: str) -> str:
    """A Host header without its port."""
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.rpartition(":")[0] if ":" in host else host
