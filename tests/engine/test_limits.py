"""Each limit lets through what lies exactly at it, and refuses one more; the numbers are the documented ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec import Raw
from msgspec.structs import replace

from affray.engine import commands, texts
from affray.engine import limits as bounds
from affray.engine.analysis import what_if as regress
from affray.engine.analysis.stats.fairness import ENOUGH, WORK, WORK_OF_ALL
from affray.engine.analysis.stats.summary import MOST_FACES
from affray.engine.commands import Command
from affray.engine.core.coordinates import parse_cell
from affray.engine.core.draft import Draft
from affray.engine.core.effects import Roll, Rule
from affray.engine.core.loading import load
from affray.engine.core.references import must_be_a_count, must_be_a_number, range_of
from affray.engine.core.state import State
from affray.engine.core.table import Table
from affray.engine.errors import Refused, Unusable
from affray.engine.history import log_validation as sense
from affray.engine.integrity.audit.effort import A_LINE, CHEAP, FREE, Effort, Exhausted
from affray.engine.integrity.audit.findings import MOST as MOST_FINDINGS
from affray.engine.kit.rulings.values import Bonus, Change, Count, Many, Word
from affray.engine.limits import check_bounds, check_command, check_encounter_size
from affray.engine.runtime.frame import Frame, do_nothing
from affray.engine.runtime.interpreter import Interpreter
from affray.engine.stores import input_files, lines
from affray.engine.visibility.command_seals import SALT_BYTES
from affray.events import Answered, Attempted, Declared, Dice, Ruled, Scalar

SAID = {
    "1,000,000": bounds.MOST,
    "2,000": bounds.LONGEST,
    "32": bounds.DEEPEST,
    "1,000 dice": bounds.MOST_DICE,
    "1,000 sides": bounds.MOST_SIDES,
    "1,000 combatants": bounds.MOST_COMBATANTS,
    "100,000": bounds.MOST_EVENTS,
    "200": commands.MANY,
    "1,000 findings": MOST_FINDINGS,
    "200,000": FREE,
    "100 a line": A_LINE,
    "50 for one": CHEAP,
    "500,000": MOST_FACES,
    "10,000": regress.MOST_PASSES,
    "20 tries": sense.TRIES,
    "16,777,216": lines.LONGEST_LINE,
    "64": lines.SHORTEST_LINE,
    "16,777,216 bytes": input_files.MOST_BYTES,
    "16 bytes": SALT_BYTES,
    "5": ENOUGH,
    "600,000,000": int(WORK),
    "6,000,000,000": int(WORK_OF_ALL),
}
"""What ``docs/security.md`` and others promise."""


@pytest.mark.parametrize("said", SAID)
def test_a_limit_is_the_one_that_is_promised(said: str) -> None:
    assert int(said.partition(" ")[0].replace(",", "")) == SAID[said]


def nest_text(deep: int) -> Any:
    """Return a text in so many lists."""
    inner: Any = "x"
    for _ in range(deep):
        inner = [inner]
    return inner


@pytest.mark.parametrize(
    ("fits", "beyond"),
    [
        (1_000_000, 1_000_001),
        (-1_000_000, -1_000_001),
        (1e6, 1000000.5),
        ("x" * 2_000, "x" * 2_001),
        (nest_text(32), nest_text(33)),
        ({"x" * 2_000: 1}, {"x" * 2_001: 1}),
        ([1, 1_000_000, 2], [1, 1_000_001, 2]),
        ((True, None), (True, 10**9)),
    ],
    ids=str,
)
def test_what_lies_at_a_limit_may_be_said(fits: object, beyond: object) -> None:
    check_bounds(fits)
    with pytest.raises(Unusable, match=r"at most|from -1000000 to 1000000"):
        check_bounds(beyond)


def test_where_something_goes_too_far_is_said_in_full() -> None:
    """Its path from the field on, each name cut where it would be endless itself."""
    with pytest.raises(Unusable) as found:
        check_bounds({"a": [0, {"b" * 300: 10**7}]}, "params")
    assert found.value.field == f"params.a[1].{'b' * 200}"
    with pytest.raises(Unusable, match="a name must have at most 2000 characters") as found:
        check_bounds({"a": {"x" * 2_001: 1}})
    assert found.value.field == "a"
    with pytest.raises(Unusable, match="at most 32 lists and tables within each other") as found:
        check_bounds({"a": nest_text(33)})
    assert found.value.field == "a" + "[0]" * 31


def test_what_a_player_sends_is_short_enough_to_be_read_at_once() -> None:
    """Others wait for as long as it is read; the game master may rule more at a time."""
    fits, beyond = (Raw(b'{"x":"' + b"y" * count + b'"}') for count in (16 * 1024 - 8, 16 * 1024 - 7))
    answers: list[dict[str, Scalar]] = [{f"who:{nth}": 1 for nth in range(count)} for count in (1_000, 1_001)]
    sent = [
        (Declared(actor="a", kind="b", params=beyond), "params", "16384 bytes"),
        (Attempted(actor="a", kind="b", params=beyond), "params", "16384 bytes"),
        (Answered(question="q", by="gm", choice="c", fields=answers[1]), "fields", "1000 entries"),
    ]
    for intent, field, says in sent:
        with pytest.raises(Unusable, match=f"must have at most {says}") as found:
            check_command(Command(id="c", who="gm", intent=intent))
        assert found.value.field == field
    check_command(Command(id="c", who="gm", intent=Answered(question="q", by="gm", choice="c", fields=answers[0])))
    check_command(
        Command(id="c", who="gm", intent=Ruled(kind="b", params=Raw(b'{"x":' + b" " * 20_000 + b"1}"), reason=""))
    )
    with pytest.raises(Unusable, match="at most 2000 characters"):
        check_command(Command(id="c", who="gm", intent=Declared(actor="a", kind="b", params=fits)))


@pytest.mark.parametrize(
    ("params", "field", "says"),
    [
        (b'{"to":1000000}', "", ""),
        (b'{"to":1000001}', "params.to", "from -1000000 to 1000000"),
        (b'{"to":1e9}', "params.to", "from -1000000 to 1000000"),
        (b'{"to":1E9}', "params.to", "from -1000000 to 1000000"),
        (b'{"to":999999}', "", ""),
        (b'{"to":"\\u202e"}', "params.to", "U+202E"),
        ('{"to":"\u202e"}'.encode(), "params.to", "U+202E"),
        (b'{"to":\n1}', "params", "must be JSON on one line"),
        (b'{"to":"\xff"}', "params", "must be JSON"),
        (b'{"to":1000000', "params", "must be JSON"),
        (b'{"to":"' + b"x" * 2_000 + b'"}', "", ""),
        (b'{"to":"' + b"x" * 2_001 + b'"}', "params.to", "at most 2000"),
        (b'{"a":' + b"[" * 31 + b"]" * 31 + b"}", "", ""),
        (b'{"a":' + b"[" * 33 + b"1" + b"]" * 33 + b"}", "params.a" + "[0]" * 31, "within each other"),
        (b'{"a":' + b"[" * 60_000, "params", "lists and tables"),
        (b'{"a":' + b"[" * 100_000, "params", "must have at most 65536 bytes"),
    ],
    ids=lambda one: repr(one)[:20],
)
def test_parameters_have_the_same_limits(params: bytes, field: str, says: str) -> None:
    command = Command(id="c", who="gm", intent=Ruled(kind="note", params=Raw(params), reason="so"))
    if not says:
        return check_command(command)
    with pytest.raises(Unusable) as found:
        check_command(command)
    assert found.value.field == field
    assert says in found.value.message
    return None


@pytest.mark.parametrize("field", ["id", "who"])
def test_a_name_has_up_to_200_characters(field: str) -> None:
    note = Ruled(kind="note", params=Raw(b"{}"), reason="so")
    for text in ("x", "x" * 200):
        check_command(replace(Command(id="c", who="gm", intent=note), **{field: text}))
    for text in ("", " ", "x" * 201, "a\nb"):
        with pytest.raises(Unusable) as found:
            check_command(replace(Command(id="c", who="gm", intent=note), **{field: text}))
        assert found.value.field == field
        assert [texts.is_word(text, 200, format) for format in (3, 4)] == [text == " ", False]


@pytest.mark.parametrize(
    "entries",
    [
        [{"count": 1_000}],
        [{"count": 999}, {}],
        [{"count": 600}, {"count": 400}],
        ["no entry", {"count": "many"}],
        "no list",
        None,
    ],
)
def test_an_encounter_brings_a_thousand_and_no_more(entries: object) -> None:
    """A malformed entry or count is refused by the code that reads it."""
    content = {"combatant": entries} if entries is not None else {}
    check_encounter_size(content)
    if isinstance(entries, list):
        with pytest.raises(Unusable, match="at most 1000 combatants") as found:
            check_encounter_size({"combatant": [*entries, {"count": 1_000}, {}]})
        assert found.value.field == "combatant"


def test_the_entries_of_an_encounter_count_for_each_of_their_combatants() -> None:
    """One entry with long labels would become a log and a state of a hundred times its size."""
    entry = {"name": "Bog Raider", "modifiers": [{"label": "x" * 1_900, "value": 1}] * 30}
    check_encounter_size({"combatant": [{**entry, "count": 60}]})
    with pytest.raises(Unusable, match="at most 4,194,304 bytes together") as found:
        check_encounter_size({"combatant": [{**entry, "count": 80}]})
    assert found.value.field == "combatant"


@pytest.mark.parametrize(("count", "fits"), [(1_000, True), (1_001, False)])
def test_a_roll_has_a_thousand_dice_and_no_more(count: int, fits: bool) -> None:
    class Shown:
        def faces(self, roll: str, dice: tuple[Dice, ...]) -> tuple[tuple[int, ...], ...]:
            return tuple((1,) * one.count for one in dice)

    def rolls() -> Rule[None]:
        yield Roll(dice=(Dice(count=count - 1, sides=6), Dice(count=1, sides=8)), purpose="strength", by="ilse")

    runner = Interpreter(load("vestige"), Draft(State()), None, Shown())
    frame = Frame("1/ilse/1", rolls(), do_nothing)
    if fits:
        runner.run(frame)
        assert len(runner.events) == 1
    else:
        with pytest.raises(Refused) as found:
            runner.run(frame)
        assert (found.value.code, found.value.source) == ("too_many_dice", "1/ilse/1/strength")
        assert runner.events == []


@pytest.mark.parametrize(
    ("kind", "low", "high"), [(Count, 0, 9_999), (Change, -9_999, 9_999), (Bonus, -99, 99), (Many, 0, 500)]
)
def test_a_ruling_goes_so_far_and_no_farther(kind: Any, low: int, high: int) -> None:
    for value in (low, high):
        assert msgspec.convert(value, kind) == value
    for value in (low - 1, high + 1):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(value, kind)


def test_a_word_has_1_to_200_characters() -> None:
    for text in ("x", "x" * 200):
        assert msgspec.convert(text, Word) == text
    for text in ("", "x" * 201):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(text, Word)


def test_a_number_of_a_sheet_that_nothing_bounds_goes_from_minus_99_to_999() -> None:
    draft = Draft(State(system="vestige"))
    table = Table(draft, None)
    assert range_of(load("vestige"), "unheard of") == (-99, 999)
    for value in (-99, 999):
        must_be_a_number(table, "unheard of", value, "to")
    must_be_a_count(table, "unheard of", 999, "to")
    for value in (-100, 1_000):
        with pytest.raises(Unusable, match=f"must be from -99 to 999, not {value}"):
            must_be_a_number(table, "unheard of", value, "to")
    with pytest.raises(Unusable, match="must be from 0 to 999, not 1000"):
        must_be_a_count(table, "unheard of", 1_000, "to")


@pytest.mark.parametrize("place", ["9999,-9999", " 9999 , -9999 ", "+9999,-09999"])
def test_a_map_ends_at_9999(place: str) -> None:
    assert parse_cell(place, "at") == "9999,-9999"


@pytest.mark.parametrize("place", ["10000,0", "0,10000", "-10000,0", "0,-10000"])
def test_nothing_lies_beyond_the_edge_of_a_map(place: str) -> None:
    with pytest.raises(Unusable, match="no farther than 9999 from 0,0") as found:
        parse_cell(place, "at")
    assert found.value.field == "at"


def spends(effort: Effort, much: int) -> None:
    effort.spend(much)


def spend_effort(effort: Effort, much: int) -> None:
    effort.keep(much)


@pytest.mark.parametrize("use", [spends, spend_effort])
def test_an_audit_does_so_much_and_no_more(use: Callable[[Effort, int], None]) -> None:
    for extra in (0, 1):
        one = Effort()
        one.allow_line()
        if extra:
            with pytest.raises(Exhausted):
                use(one, 200_101)
        else:
            use(one, 200_100)


def test_what_is_kept_costs_a_fiftieth_to_put_aside_and_makes_room_again() -> None:
    one = Effort()
    one.keep(200_000)
    one.drop(200_000)
    one.spend(200_000 - 4_000)
    with pytest.raises(Exhausted):
        one.spend(1)
    other = Effort()
    other.copy(50 * 200_000 + 49)
    with pytest.raises(Exhausted):
        other.copy(50)
