"""Other origins that a server allows to use it, or to show its page in a frame."""

from __future__ import annotations

from litestar.config.cors import CORSConfig
from msgspec import Struct

PREFLIGHT_SECONDS = 600
"""Seconds for which a browser remembers what another origin may send."""


class OtherOrigins(Struct, frozen=True, kw_only=True):
    """The other origins that a server allows, such as ``https://table.example``.

    Attributes:
        requests: The origins whose pages may use the API and the feed, and load the client and pictures.
        frames: The origins whose pages may show the server's page in a frame.
    """

    requests: tuple[str, ...] = ()
    frames: tuple[str, ...] = ()

    def build_cors_config(self) -> CORSConfig | None:
        """Build the answers to preflights; None if no other origin is allowed.

        No cookie is used: each request says who sends it in its ``Authorization`` header.
        """
        if not self.requests:
            return None
        return CORSConfig(
            allow_origins=[*self.requests],
            allow_methods=["GET", "POST", "PUT", "DELETE"],
            allow_headers=["Authorization", "Content-Type", "Last-Event-ID"],
            expose_headers=["Retry-After", "ETag", "Content-Disposition"],
            allow_credentials=False,
            max_age=PREFLIGHT_SECONDS,
        )
