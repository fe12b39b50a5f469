"""The list of what only a checkpoint can catch is complete: every scalar of a log is altered, and the audit judges."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from affray.engine.integrity.audit import Parent, audit
from affray.events import Previewed
from tests.forging import encode_log, fitting, rechain_log
from tests.rulesets.systems import PRESENT
from tests.scalars.altering import TYPES, Place, altered, places, with_value
from tests.scalars.listed import LISTED, OPENING, SELDOM, VERIFY
from tests.scalars.ruled import FORKS, ruled_fight
from tests.tampering.fights import SEED, Closed, closed_fight, recorded_fight

THOROUGH = os.environ.get("AFFRAY_PROFILE") == "thorough"
PLACES_PER_KIND = 1_000_000 if THOROUGH else 1
NEW_FIGHTS = (*PRESENT, "ruled", "fork of a closed fight", "fork", "vestige/asked-first")
OLD_FIGHTS = ("vestige/closed-bridge", *(("wwn/closed-cellar",) if THOROUGH else ()))
"""Fights of format 4, whose dice know nothing of the opening."""

CHOICES = {"verdigris": 4}
"""How people choose in a fight, so that somebody is hurt for a while."""

ONLY_IN_OLD_FIGHTS = {"FormatRaised", "RulesetAdopted"}


class Altered(NamedTuple):
    """A scalar, and the value that was put in its place."""

    place: Place
    value: object


def fight_of(name: str) -> Closed:
    """Return a closed fight."""
    if name == "ruled":
        return ruled_fight()
    if name in FORKS:
        return FORKS[name]()[0]
    return recorded_fight(name) if "/" in name else closed_fight(name, CHOICES.get(name))


def is_clean(name: str, lines: Sequence[bytes]) -> bool:
    """Tell whether the audit calls a log clean, given all that is known beside it."""
    parents = [Parent(name="parent", lines=lambda: FORKS[name]()[1], key=SEED)] if name in FORKS else []
    return audit(lambda: lines, parents=parents).verdict == "clean"


@cache
def clean_alterations(name: str) -> tuple[Altered, ...]:
    """Return the alterations of a fight that the audit calls clean."""
    known = set() if THOROUGH else {kind for other in _before(name) for kind in places_of(other)} - LISTED.keys()
    kept = fight_of(name).opening if name in OLD_FIGHTS else 0
    wanted = [found for kind, found in places_of(name).items() if kind not in known or found[0].line < kept]
    return tuple(_clean_alterations(name, wanted))


def _before(name: str) -> Sequence[str]:
    """Return the fights that are altered before this one. The thorough run alters their kinds of scalars here too.

    Of an old fight the whole opening is altered here as well.
    """
    return NEW_FIGHTS[: NEW_FIGHTS.index(name)] if name in NEW_FIGHTS else NEW_FIGHTS


@cache
def places_of(name: str) -> dict[str, list[Place]]:
    """Return the scalars of a fight by kind."""
    by_kind: dict[str, list[Place]] = defaultdict(list)
    for place in places(fight_of(name).lines):
        by_kind[place.kind].append(place)
    return by_kind


def _clean_alterations(name: str, kinds: Sequence[list[Place]]) -> Iterator[Altered]:
    lines = fight_of(name).lines
    for found in kinds:
        values = list(dict.fromkeys(place.value for place in found))
        for place in found[:: max(1, len(found) // PLACES_PER_KIND)]:
            for value in altered(place, values):
                if is_clean(name, with_value(lines, place, value)):
                    yield Altered(place, value)


@pytest.mark.parametrize("name", NEW_FIGHTS)
def test_every_scalar_that_can_be_altered_is_listed(name: str) -> None:
    """Any other alteration, also of the opening, is found by the dice, the rules or the record."""
    assert is_clean(name, fight_of(name).lines)
    assert [one for one in clean_alterations(name) if one.place.kind not in LISTED] == []


@pytest.mark.parametrize("name", NEW_FIGHTS)
def test_nothing_of_a_new_opening_can_be_altered(name: str) -> None:
    """The dice fall under the opening: names, labels, places, settings, format, author and time alike."""
    opening = fight_of(name).opening
    assert [one for one in clean_alterations(name) if one.place.line < opening] == []


@pytest.mark.parametrize("name", OLD_FIGHTS)
def test_the_opening_of_an_old_fight_is_listed(name: str) -> None:
    """Up to format 4 nothing binds the facts of an opening, names among them; the list says so."""
    opening = fight_of(name).opening
    clean = clean_alterations(name)
    assert [one for one in clean if one.place.kind not in LISTED and one.place.line >= opening] == []
    assert [one for one in clean if one.place.kind == "Joined.name" and one.place.line < opening]


@pytest.mark.parametrize("name", [*PRESENT, *OLD_FIGHTS])
def test_a_truth_does_not_pass_for_a_number(name: str) -> None:
    """Python treats them as equal, in any field that can hold both."""
    fight = fight_of(name)
    marks = (one for one in places_of(name)["MarkSet.value"] if one.line >= fight.opening)
    mark = next((one for one in marks if one.value in (0, 1)), None)
    if mark is None:
        assert name == "wyrd", "its marks are words and structs"
        return
    lines = with_value(fight.lines, mark, int(mark.value) if isinstance(mark.value, bool) else bool(mark.value))
    found = audit(lambda: lines).findings
    assert (found[0].code, found[0].line) == ("other", mark.line + 1)


@pytest.mark.parametrize("field", ["stats", "pools"])
def test_the_numbers_of_a_newcomer_keep_their_order(field: str) -> None:
    """A table is equal to the same one in another order; the rules fill it in one order only."""
    lines = recorded_fight("vestige/second-wave").lines
    joined = max(nth for nth, line in enumerate(lines) if json.loads(line)["event"]["type"] == "Joined")
    numbers = json.loads(lines[joined])["event"][field]
    assert len(numbers) > 1
    place = Place(joined, ("event", field), f"Joined.{field}", numbers)
    log = with_value(lines, place, dict(reversed(numbers.items())))
    found = audit(lambda: log).findings
    assert (found[0].code, found[0].line) == ("other", joined + 1)


def test_every_line_of_the_list_is_needed_and_stands_in_the_document() -> None:
    """Every listed kind was seen to be altered without a trace."""
    seen = {one.place.kind for name in (*NEW_FIGHTS, *OLD_FIGHTS) for one in clean_alterations(name)}
    assert sorted(set(LISTED) - seen - SELDOM) == []
    text = " ".join(VERIFY.read_text("utf-8").split())
    assert [line for line in {*LISTED.values(), OPENING} if line not in text] == []


def test_every_type_of_event_is_altered() -> None:
    seen = {json.loads(line)["event"]["type"] for name in NEW_FIGHTS for line in fight_of(name).lines}
    assert set(TYPES) - seen == ONLY_IN_OLD_FIGHTS


@pytest.mark.parametrize("name", PRESENT)
def test_a_look_can_be_left_out_or_put_in_where_the_program_could_have_recorded_it(name: str) -> None:
    """The list says so. Found are looks at what cannot be amended, and at dice that were known."""
    fight = fight_of(name)
    at, look = next((one.position, one.event) for one in fight.log if isinstance(one.event, Previewed))
    assert is_clean(name, encode_log(rechain_log(fitting([*fight.log[: at - 1], *fight.log[at:]]))))

    def is_clean_with(another: Previewed) -> bool:
        line = replace(fight.log[at - 1], cause="another look", event=another)
        return is_clean(name, encode_log(rechain_log(fitting([*fight.log[:at], line, *fight.log[at:]]))))

    more = replace(look.dice[0], count=look.dice[0].count + 1)
    unseen = replace(look, rolls=(more.roll,), dice=(more,))
    assert is_clean_with(unseen)
    assert not is_clean_with(look)
    assert not is_clean_with(replace(unseen, position=2))
