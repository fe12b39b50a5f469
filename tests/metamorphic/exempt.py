"""In what a ruling made meanwhile may differ from the same one made before, and why."""

from __future__ import annotations

from typing import NamedTuple

from affray.events import Declared, Event, Ruled

COUNTED = {
    r"(?<=/gm/)[a-z_.]+\.\d+": ("_", "rulings are counted, and in the other order one more came before"),
    r"(?<=/window)#\d+": ("", "windows are counted, and one that a ruling changed is opened anew"),
    r'(?<="nth":)\d+(?=,"to")': ("0", "so are they in the record of their opening"),
    r"#\d+": ("", "what is asked once more has the next number, for its first asking is on record"),
    r'(?<=")\d+/[^/"]+/[\w.]+/(?=over"|(?:consequence|morale|outcome|paradox|setback|wear):)': (
        "",
        "what is asked when a command is done is named after it, and in the other order that is the other one",
    ),
    r"(?<=/mount_check/)(?:instinct|morale)": (
        "_",
        "a die that is awaited keeps its name when a ruling makes it another check",
    ),
    r' \{"type":"PhaseEntered",[^{}]*"trigger":"resume"\}': (
        "",
        "that a phase goes on is recorded as soon as nothing is asked, which may be before or after",
    ),
}
"""Names in the record that count something: what stands in their place, and why they may differ."""

IN_TURN = frozenset({"consequence", "morale", "outcome", "paradox", "setback", "wear"})
"""Questions to the game master that are asked one after another once an action is done, in the order in which they came
up: what a ruling brings up comes first if it was made first. All of them are asked in either order."""

LAST = "over"
"""The question whether a fight is over: it waits for whatever is asked already."""

MOOT = frozenset({"pool"})
"""Rulings that may change nothing meanwhile, since the command has brought about what is ruled: an action that has been
spent counts, though before there would have been none to spend. Others are refused with ``no_change`` then."""

LISTED = frozenset({"modify"})
"""Rulings whose numbers a roll lists in the order in which they were granted: two of a kind are listed as they came."""

CHOSEN = frozenset({"drop", "give", "put_away", "take_away", "to_hand"})
"""Rulings on a thing with which an action was declared: it stays the one that was chosen, and is missing. Before, the
action would have been declared with another one."""

ACTS = frozenset({"free_attack"})
"""Rulings that declare an action, with the things that there are by then."""

ENDS = "end"
"""The ruling that withdraws what is awaited, free dice too; dice that are wanted once the fight is over are awaited."""

AT_START = frozenset({"ablaze", "bleeding", "bleeding out", "broken", "recovery"})
"""Rolls of Verdigris for what conditions do at the start of a turn, in the order of their table: one that is ruled when
its place has passed has its roll after the others. All of them are rolled in either order."""


class Refused(NamedTuple):
    """Rulings that may be refused meanwhile though they were possible before: the codes, and why."""

    rulings: frozenset[str]
    codes: frozenset[str]
    why: str


ANY: frozenset[str] = frozenset()

REFUSED = (
    Refused(
        frozenset({"free_attack", "harm", "morale", "recover", "roll", "test", "trigger"}),
        frozenset({"HEX-001", "VER-071", "VER-072", "VER-089", "VER-S04", "action_pending", "answer_pending"}),
        "it rolls or asks by itself, so the answer that is awaited comes first",
    ),
    Refused(
        frozenset({"verdict"}),
        frozenset({"decided"}),
        "the command came to its outcome; it is taken back before another one is ruled",
    ),
    Refused(
        frozenset({"surprise"}),
        frozenset({"VER-012"}),
        "it is said when the order is due, so the answer that is awaited comes first; or the command was to say it",
    ),
    Refused(
        frozenset({"free_attack"}),
        frozenset({"VER-023", "VER-T32"}),
        "the command felled who would attack, or be attacked",
    ),
    Refused(
        frozenset({"free_attack"}),
        frozenset({"HEX-016", "VER-094", "VER-T30"}),
        "the command took who would attack out of the fight, or who would be attacked off the map",
    ),
    Refused(
        frozenset({"join"}),
        frozenset({"HEX-071"}),
        "the command blocked the place where they would join",
    ),
    Refused(
        frozenset({"morale"}),
        frozenset({"nobody_checks"}),
        "the command put the last who would check out of the fight",
    ),
    Refused(
        frozenset({"split"}),
        frozenset({"not_grouped"}),
        "the command took the last but one out of the group, and so dissolved it",
    ),
    Refused(
        frozenset({"stray"}),
        frozenset({"VER-049", "wrong_victim"}),
        "the command said at whom the shot goes: it does not stray to its target, nor beyond the target's melee",
    ),
    Refused(
        frozenset({"damage"}),
        frozenset({"VER-089"}),
        "the command felled one of those who would be harmed",
    ),
    Refused(
        frozenset({"quick"}),
        frozenset({"already_begun"}),
        "the command began the fight, and the dice for the order have been thrown",
    ),
    Refused(
        frozenset({"secret_roll"}),
        frozenset({"real_dice"}),
        "the command was that real dice are thrown from now on",
    ),
    Refused(
        frozenset({"leave"}),
        frozenset({"VER-T32", "action_pending"}),
        "nobody leaves who is asked, or has something pending; that is answered or cancelled first",
    ),
    Refused(
        frozenset({"split"}),
        frozenset({"action_pending"}),
        "nobody leaves a group while something is pending: the order stays as it is until that is done",
    ),
    Refused(
        frozenset({"late_delay", "place_slot"}),
        frozenset({"action_pending", "answer_pending", "not_delayed"}),
        "what is asked comes first, or what was declared counts: the turn has been used, or given up",
    ),
    Refused(
        frozenset({"close"}),
        frozenset({"answer_pending", "no_such_window"}),
        "the window was closed by the command; or what it would let resolve waits for the answer to a question on top",
    ),
    Refused(
        ANY,
        frozenset({"HEX-G03", "dead", "fight_over", "incapacitated", "not_active", "target_out", "VER-T32"}),
        "the command felled somebody, or ended the fight",
    ),
    Refused(
        frozenset({"turn"}),
        frozenset({"no_turns"}),
        "the command ended the fight",
    ),
    Refused(
        frozenset({"melee"}),
        frozenset({"VER-031", "VER-T20", "VER-T32", "undone"}),
        "the command felled one of those who are put into a melee, or put it into another zone",
    ),
    Refused(
        frozenset({"forbid", "grant"}),
        frozenset({"HEX-001", "VER-004", "VER-015", "fight_over", "not_your_turn"}),
        "the command ended the turn or the fight, or used the action that is taken",
    ),
    Refused(
        frozenset({"repair"}),
        frozenset({"HEX-042"}),
        "the command broke the thing for good",
    ),
    Refused(
        frozenset({"step"}),
        frozenset({"destroyed"}),
        "the command used the piece up, or wore it out for good",
    ),
    Refused(
        frozenset({"recover"}),
        frozenset({"in_combat"}),
        "the command began the fight anew",
    ),
    Refused(
        ANY,
        frozenset({"VER-090", "VER-S09", "no_change"}),
        "the command has brought about what is ruled",
    ),
)  # fmt: skip


def is_about_different_things(one: str, other: str) -> bool:
    """Tell whether two questions are about different things that are asked one after another."""
    return one != other and (_topics(one, other) <= IN_TURN or LAST in _topics(one, other))


def thrown_in_turn(one: str, other: str) -> bool:
    """Tell whether two rolls that are awaited are for different things that are thrown for one after another."""
    return one != other and _topics(one, other) <= AT_START


def _topics(*purposes: str) -> set[str]:
    return {purpose.partition(":")[0] for purpose in purposes}


def is_listed_together(command: Event, ruling: Ruled) -> bool:
    """Tell whether a command is a ruling that stands in one list with another of its kind, in the order they came."""
    return isinstance(command, Ruled) and command.kind == ruling.kind and ruling.kind in LISTED


def is_chosen(command: Event, ruling: Ruled) -> bool:
    """Tell whether a thing may be taken with which an action was declared, or would have been declared."""
    if isinstance(command, Ruled) and ruling.kind in ACTS:
        return command.kind in {*CHOSEN, "item"}
    return isinstance(command, Declared) and ruling.kind in CHOSEN


def is_ended(command: Event, ruling: Ruled) -> bool:
    """Tell whether a ruling ends the fight while dice are awaited that a command wants after the end as well."""
    return isinstance(command, Ruled) and command.kind == "roll" and ruling.kind == ENDS


def exempt(ruling: str, code: str) -> bool:
    """Tell whether a ruling of a kind may be refused like this meanwhile though it was possible before."""
    return any(code in one.codes and ruling in (one.rulings or {ruling}) for one in REFUSED)
