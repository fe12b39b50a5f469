"""Hidden facts: audiences of events, and each viewer's projection of a fight."""

from .audiences import Audience, Salts, audiences, begins_hiding, fresh_salt, known_of, sealed
from .beginning import Hidden, hiding, with_open_parts, without_hidden
from .confiding import confided, free_texts, has_words, same_words, without_confiding
from .hidden import is_about_concealed
from .redacting import bands, concealed_from, hides, leave_out, seen_by, sent_to
from .viewers import (
    OPENS, SECRET_ROLL, Openings, Viewer, for_words, hides_some, knows_sender, list_sealed_words, visible,
)  # fmt: skip
from .wire import WireLine, verify_wire, wire_line

__all__ = [
    "Audience", "Hidden", "OPENS", "Openings", "SECRET_ROLL", "Salts", "Viewer", "WireLine", "audiences",
    "bands",
    "begins_hiding", "concealed_from", "confided", "for_words", "free_texts", "fresh_salt", "has_words", "hides",
    "hides_some", "hiding", "is_about_concealed",
    "known_of", "knows_sender", "leave_out", "list_sealed_words", "same_words", "sealed",
    "seen_by", "sent_to", "verify_wire", "visible", "wire_line", "with_open_parts",
    "without_confiding", "without_hidden",
]  # fmt: skip
