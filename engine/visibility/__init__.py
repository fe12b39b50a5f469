"""Hidden facts: audiences of events, and each viewer's projection of a fight."""

from .audiences import Audience, find_audiences, has_hiding, list_known_concealed
from .command_seals import Salts, fresh_salt, seal_command
from .encounter_hiding import HiddenEntry, add_open_parts, hide_entries, split_hidden
from .foes import FOE_DETAILS, FOES, list_foes, list_hero_sides, set_foes, veil_of_side
from .hidden import MARGINED, find_veiled, hide_margin, is_about_concealed, list_veiled_sources
from .privileged_text import free_texts, has_words, is_same_intent, mark_privileged, unmark_privileged
from .redacting import concealed_from, leave_out, list_bands, names_hidden, project_for_sending, project_state
from .viewers import (
    OPENS, SECRET_ROLL, Openings, Viewer, can_read, has_hidden_part, is_sealed_for_words, knows_sender,
    list_sealed_words,
)  # fmt: skip
from .wire import WireLine, verify_wire, wire_line

__all__ = [
    "Audience", "FOES", "FOE_DETAILS", "HiddenEntry", "MARGINED", "OPENS", "Openings", "SECRET_ROLL", "Salts", "Viewer",
    "WireLine", "add_open_parts", "can_read", "concealed_from", "find_audiences", "find_veiled", "free_texts",
    "fresh_salt", "has_hidden_part", "has_hiding", "has_words", "hide_entries", "hide_margin",
    "is_about_concealed", "is_same_intent", "is_sealed_for_words", "knows_sender", "leave_out", "list_bands",
    "list_foes", "list_hero_sides", "list_known_concealed", "list_sealed_words", "list_veiled_sources",
    "mark_privileged", "names_hidden", "project_for_sending", "project_state", "seal_command", "set_foes",
    "split_hidden", "unmark_privileged", "veil_of_side", "verify_wire", "wire_line",
]  # fmt: skip
