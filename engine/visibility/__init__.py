"""Hidden facts: audiences of events, and each viewer's projection of a fight."""

from .audiences import Audience, Salts, audiences, begins_hiding, fresh_salt, known_of, sealed
from .encounter_hiding import HiddenEntry, hide_entries, add_open_parts, split_hidden
from .privileged_text import mark_privileged, free_texts, has_words, is_same_intent, unmark_privileged
from .hidden import is_about_concealed
from .redacting import bands, concealed_from, hides, leave_out, seen_by, sent_to
from .viewers import (
    OPENS, SECRET_ROLL, Openings, Viewer, for_words, hides_some, knows_sender, list_sealed_words, visible,
)  # fmt: skip
from .wire import WireLine, verify_wire, wire_line

__all__ = [
    "Audience", "HiddenEntry", "OPENS", "Openings", "SECRET_ROLL", "Salts", "Viewer", "WireLine", "audiences",
    "bands",
    "begins_hiding", "concealed_from", "mark_privileged", "for_words", "free_texts", "fresh_salt", "has_words", "hides",
    "hides_some", "hide_entries", "is_about_concealed",
    "known_of", "knows_sender", "leave_out", "list_sealed_words", "is_same_intent", "sealed",
    "seen_by", "sent_to", "verify_wire", "visible", "wire_line", "add_open_parts",
    "unmark_privileged", "split_hidden",
]  # fmt: skip
