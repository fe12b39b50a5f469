"""Hidden facts: audiences of events, and each viewer's projection of a fight."""

from .audiences import Audience, Salts, find_audiences, has_hiding, fresh_salt, list_known_concealed, seal_command
from .encounter_hiding import HiddenEntry, hide_entries, add_open_parts, split_hidden
from .privileged_text import mark_privileged, free_texts, has_words, is_same_intent, unmark_privileged
from .hidden import is_about_concealed
from .redacting import list_bands, concealed_from, names_hidden, leave_out, project_state, project_for_sending
from .viewers import (
    OPENS, SECRET_ROLL, Openings, Viewer, is_sealed_for_words, has_hidden_part, knows_sender, list_sealed_words, can_read,
)  # fmt: skip
from .wire import WireLine, verify_wire, wire_line

__all__ = [
    "Audience", "HiddenEntry", "OPENS", "Openings", "SECRET_ROLL", "Salts", "Viewer", "WireLine", "find_audiences",
    "list_bands",
    "has_hiding", "concealed_from", "mark_privileged", "is_sealed_for_words", "free_texts", "fresh_salt", "has_words", "names_hidden",
    "has_hidden_part", "hide_entries", "is_about_concealed",
    "list_known_concealed", "knows_sender", "leave_out", "list_sealed_words", "is_same_intent", "seal_command",
    "project_state", "project_for_sending", "verify_wire", "can_read", "wire_line", "add_open_parts",
    "unmark_privileged", "split_hidden",
]  # fmt: skip
