"""Mutants that an audit once called clean, raised at, or never came back from."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from tests.forging import encode_obj, fit_lines, rechain_lines
from tests.fuzz_audit.bases import base
from tests.fuzz_audit.draft import Draft, insert
from tests.fuzz_audit.forged import the_best_rolls
from tests.fuzz_audit.mutant import Mutant, first_changed
from tests.fuzz_audit.record import MINE, promise_mine
from tests.fuzz_audit.ways import Way


class Slipped(NamedTuple):
    """A mutant that slipped through.

    Attributes:
        found: What has to come of it: a layer that finds it, or ``incomplete``.
        name: Of the honest log.
        mutate: Changes it.
        end: After how many of its commands the log is cut; 0 leaves it whole.
    """

    found: str
    name: str
    mutate: Callable[[Draft], None]
    end: int = 0


SLIPPED: dict[str, Slipped] = {}
"""Every one, by what it is."""


def slipped(found: str, name: str, end: int = 0) -> Callable[[Callable[[Draft], None]], Callable[[Draft], None]]:
    """Add a mutant that slipped through."""

    def add(mutate: Callable[[Draft], None]) -> Callable[[Draft], None]:
        SLIPPED[mutate.__name__] = Slipped(found, name, mutate, end)
        return mutate

    return add


def remade(what: str) -> Mutant:
    """Return a mutant that slipped through, with everything made to fit."""
    one = SLIPPED[what]
    honest = base(one.name)
    end = honest.ends[one.end - 1] if one.end else len(honest.lines)
    draft = Draft(honest, end, Random(1))
    draft.parent = None
    given = draft.key, draft.parent
    one.mutate(draft)
    lines = fit_lines(draft.lines) if what not in AS_THEY_ARE else draft.lines
    first = first_changed(lines, honest.lines[:end])
    rechain_lines(lines, first)
    return Mutant(what, honest, end, (Way("", one.mutate),), "fitted", lines, draft.key, None, given, first + 1)


def _put(draft: Draft, nth: int, **event: Any) -> None:
    obj = draft.obj(nth)
    obj["event"].update(event)
    draft.put(nth, obj)


def _spell(draft: Draft, nth: int, old: bytes, new: bytes) -> None:
    assert old in draft.lines[nth]
    draft.lines[nth] = draft.lines[nth].replace(old, new, 1)


@slipped("incomplete", "verdigris", 40)
def dice_left_to_a_parent_that_nobody_has(draft: Draft) -> None:
    last = len(draft.lines)
    insert(draft, last - 1, {"type": "Forked", "fight": "x", "parent": "y", "position": last, "commitment": "00"})
    promise_mine(draft, last)
    insert(draft, last, {"type": "Closed", "seed": MINE.hex()})
    draft.key = None


@slipped("dice", "verdigris", 40)
def loaded_dice_beside_another_key(draft: Draft) -> None:
    the_best_rolls(draft)
    draft.key = MINE


@slipped("dice", "verdigris", 40)
def loaded_dice_beside_half_the_key(draft: Draft) -> None:
    the_best_rolls(draft)
    assert draft.key is not None
    draft.key = draft.key[:16]


@slipped("dice", "verdigris", 40)
def another_version(draft: Draft) -> None:
    _put(draft, 0, version="99")


@slipped("dice", "verdigris", 40)
def another_system(draft: Draft) -> None:
    _put(draft, 0, system="x")


@slipped("dice", "verdigris", 40)
def an_unknown_setting(draft: Draft) -> None:
    _put(draft, 0, config={**draft.obj(0)["event"]["config"], "x": 1})


@slipped("dice", "verdigris", 40)
def loaded_dice_without_a_promise(draft: Draft) -> None:
    the_best_rolls(draft)
    obj = draft.obj(0)
    del obj["event"]["commitment"]
    draft.put(0, obj)
    draft.key = None


@slipped("record", "verdigris")
def the_end_spelt_otherwise(draft: Draft) -> None:
    _spell(draft, -1, b'"Closed"', b'"\\u0043losed"')


@slipped("record", "verdigris")
def two_events_in_a_line(draft: Draft) -> None:
    _spell(draft, -1, b'"event":', b'"event":{"type":"Noted","text":"x"},"event":')


@slipped("record", "vestige", 40)
def a_default_written_out(draft: Draft) -> None:
    nth = draft.typed("Rolled")
    _put(draft, nth, source="engine")


@slipped("record", "vestige", 40)
def a_key_that_nobody_knows(draft: Draft) -> None:
    _put(draft, draft.typed("Rolled"), extra=1)


@slipped("record", "vestige", 12)
def dice_ground_in_an_amendment(draft: Draft) -> None:
    nth = next(nth for nth, line in enumerate(draft.lines) if b'"kind":"note"' in line)
    first, last = draft.command(nth)
    del draft.lines[last:]
    said = [draft.obj(at)["event"] for at in range(first, last)]
    head = {"type": "Amended", "position": first + 1, "to": first, "lane": last}
    insert(draft, last - 1, head, {"type": "DiceRenewed", "generation": 4743}, *said)


@slipped("rules", "vestige/closed-bridge")
def an_order_that_was_never_set(draft: Draft) -> None:
    del draft.lines[draft.typed("OrderSet")]


@slipped("record", "fork of closed vestige")
def a_count_within_a_command(draft: Draft) -> None:
    draft.put(60, {**draft.obj(60), "more": 5})


@slipped("record", "vestige")
def without_its_opening(draft: Draft) -> None:
    del draft.lines[0]


@slipped("incomplete", "vestige", 30)
def a_later_format(draft: Draft) -> None:
    insert(draft, len(draft.lines) - 1, {"type": "FormatRaised", "format": 99})


@slipped("record", "vestige", 30)
def an_earlier_format(draft: Draft) -> None:
    insert(draft, len(draft.lines) - 1, {"type": "FormatRaised", "format": 2})


@slipped("record", "vestige", 30)
def a_time_in_weeks(draft: Draft) -> None:
    for nth in range(*draft.command(len(draft.lines) - 1)):
        draft.put(nth, {**draft.obj(nth), "time": "2026-W01-1T00:00:00Z"})


@slipped("record", "vestige", 30)
def a_line_break_in_an_author(draft: Draft) -> None:
    for nth in range(*draft.command(len(draft.lines) - 1)):
        draft.put(nth, {**draft.obj(nth), "who": "Anna\nMarta"})


@slipped("record", "vestige", 30)
def an_id_twice(draft: Draft) -> None:
    cause = draft.obj(draft.command(len(draft.lines) // 2)[0])["cause"]
    for nth in range(*draft.command(len(draft.lines) - 1)):
        draft.put(nth, {**draft.obj(nth), "cause": cause})


@slipped("rules", "vestige", 30)
def the_version_there_was(draft: Draft) -> None:
    opening = draft.obj(0)["event"]
    adopted = {"type": "RulesetAdopted", "version": opening["version"], "digest": opening["digest"]}
    insert(draft, len(draft.lines) - 1, adopted)


@slipped("incomplete", "vestige", 1)
def a_version_that_nobody_knows(draft: Draft) -> None:
    insert(draft, len(draft.lines) - 1, {"type": "RulesetAdopted", "version": "9", "digest": "00" * 32})


@slipped("dice", "vestige", 1)
def no_words_stirred_in(draft: Draft) -> None:
    insert(draft, len(draft.lines) - 1, {"type": "EntropyAdded", "words": ""})


@slipped("rules", "vestige", 30)
def an_opening_in_the_middle_of_something(draft: Draft) -> None:
    opened = {"type": "WindowOpened", "window": "w", "about": "x", "nth": 1, "to": ["odo"], "what": "interrupt"}
    last = draft.command(0)[1]
    draft.lines.insert(last, encode_obj({**draft.obj(last - 1), "event": opened}))


@slipped("dice", "vestige", 30)
def three_hundred_empty_lines(draft: Draft) -> None:
    draft.lines[5:5] = [b""] * 300


AS_THEY_ARE = {"the_end_spelt_otherwise", "two_events_in_a_line", "a_count_within_a_command", "without_its_opening"}
"""Those whose spelling, positions or counts are what is wrong."""
