"""Hidden things: what is recorded for some eyes only, and what each viewer may see of a fight."""

from __future__ import annotations

from .audiences import SECRET_ROLL, Audience, Salts, Sender, audiences, begins_hiding, fresh_salt, sealed
from .beginning import Hidden, hiding, whole, without_hidden
from .betrayal import unmarked, without_guesses
from .guesses import TELLING, as_guess, own_in, same_words
from .redacting import bands, betrays, seen_by
from .viewers import Viewer, hides_some, knows_sender, opened_at_close, visible
from .wire import WireLine, verify_wire, wire_line

__all__ = [
    "Audience",
    "Hidden",
    "SECRET_ROLL",
    "Salts",
    "Sender",
    "TELLING",
    "Viewer",
    "WireLine",
    "as_guess",
    "audiences",
    "bands",
    "begins_hiding",
    "betrays",
    "fresh_salt",
    "hides_some",
    "hiding",
    "knows_sender",
    "opened_at_close",
    "own_in",
    "same_words",
    "sealed",
    "seen_by",
    "unmarked",
    "verify_wire",
    "visible",
    "whole",
    "wire_line",
    "without_guesses",
    "without_hidden",
]
