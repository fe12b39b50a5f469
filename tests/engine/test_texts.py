"""Invisible characters are refused in every entered text, with their place; old logs are read."""

from __future__ import annotations

import unicodedata
from typing import Any

import msgspec
import pytest
from msgspec import Raw
from msgspec.structs import replace

from affray.engine import Command, Fight, begin_fight, read_log
from affray.engine.commands import Amend, Close, Intent, Redo, Stir, Undo
from affray.engine.errors import Unusable
from affray.engine.forking import ForkRequest, fork_fight
from affray.engine.texts import MARKS, comparison_key, compose, find_invisible_fault, find_stacked_mark, normalize
from affray.events import Answered, AskingSet, Declared, DiceEntered, Passed, Rolled, Ruled, seal
from tests.engine.conftest import two
from tests.engine.fights import NAME, SEED, noon
from tests.engine.memory import MemoryStore

UNSEEN = {
    "\n": "U+000A (a line break)",
    "\x1b": "U+001B (a control character)",
    "\x7f": "U+007F (a control character)",
    "\u034f": "U+034F (combining grapheme joiner)",
    "\u200d": "U+200D (zero width joiner)",
    "\u2028": "U+2028 (a line break)",
    "\u202e": "U+202E (right-to-left override)",
    "\u2060": "U+2060 (word joiner)",
    "\u3164": "U+3164 (hangul filler)",
    "\ue000": "U+E000",
    "\ufe0f": "U+FE0F (variation selector-16)",
    "\uffff": "U+FFFF",
    "\U000e0041": "U+E0041 (tag latin capital letter a)",
}
SEEN = ("Zoë", "Zoe\u0308", "Łukasz “the Red”", "影の者\u3000二", "⚔ 1½", "لیلا", "क्षत्रिय", "😀", "a\u00a0b")


def fields(bad: str) -> dict[str, Intent]:
    """Return an intent for every text that a command can hold, by its field."""
    params: dict[str, Any] = {"text": [bad]}
    ruled = Ruled(kind="note", params=Raw(msgspec.json.encode(params)), reason="so")
    return {
        "actor": Declared(actor=bad, kind="wait", params=Raw(b"{}")),
        "kind": Declared(actor="ilse", kind=bad, params=Raw(b"{}")),
        "manner": Declared(actor="ilse", kind="wait", manner=bad, params=Raw(b"{}")),
        "params.text[0]": ruled,
        "params": Ruled(kind="note", params=Raw(msgspec.json.encode({bad: 1})), reason="so"),
        "question": Answered(question=bad, by="ilse", choice="yes"),
        "by": Answered(question="q", by=bad, choice="yes"),
        "choice": Answered(question="q", by="ilse", choice=bad),
        "fields.outcome": Answered(question="q", by="ilse", choice="yes", fields={"outcome": bad}),
        "fields": Answered(question="q", by="ilse", choice="yes", fields={bad: "x"}),
        "window": Passed(window=bad, who="ilse"),
        "who": AskingSet(who=bad, ask="never"),
        "ask": AskingSet(who="ilse", ask=bad),  # type: ignore[arg-type]
        "roll": DiceEntered(roll=bad, faces=(1,)),
        "reason": Undo(reason=bad),
        "words": Stir(words=bad),
    }


def begin_named_fight(**values: Any) -> Fight:
    return begin_fight(NAME, {**two(), **values}, who="gm", seed=SEED, clock=noon)


def sends(fight: Fight, intent: Intent, id: str = "c1", who: str = "gm") -> Unusable:
    """Return how a command is refused."""
    with pytest.raises(Unusable) as found:
        fight.submit(Command(id=id, who=who, intent=intent))
    assert fight.head == len(fight.history.recorded) == len(begin_named_fight().history.recorded)
    return found.value


@pytest.mark.parametrize("bad", UNSEEN)
def test_no_field_of_a_command_takes_what_nobody_sees(bad: str) -> None:
    """It is named by its number, with the field and its place in it; nothing is recorded."""
    fight = begin_named_fight()
    for field, intent in fields(f"ab{bad}c").items():
        error = sends(fight, intent)
        assert error.field == field
        assert f"character 3 is {UNSEEN[bad]}" in error.message
    for whole in (Redo(reason=bad), Close(reason=bad), Amend(position=2, reason=bad)):
        assert sends(fight, whole).field == "reason"
    inside = fields(bad)["params.text[0]"]
    for amend in (Amend(position=2, instead=(inside,)), Amend(position=2, answers=(inside,))):  # type: ignore[arg-type]
        assert sends(fight, amend).field == "params.text[0]"
    assert UNSEEN[bad] in sends(fight, Undo(), id=bad).message
    assert UNSEEN[bad] in sends(fight, Undo(), who=bad).message


@pytest.mark.parametrize("bad", UNSEEN)
def test_no_text_of_an_encounter_takes_what_nobody_sees(bad: str) -> None:
    """Nor who opens it, nor the name under which it is kept."""
    person = two()["combatant"][0]
    entries = ({**person, "name": f"Il{bad}se"}, {**person, "side": bad}, {**person, "weapons": [bad]})
    whole: tuple[dict[str, Any], ...] = ({"name": bad}, {"weapon": {bad: {}}}, {bad: 1})
    for values in (*({"combatant": [one]} for one in entries), *whole):
        with pytest.raises(Unusable):
            begin_named_fight(**values)
    for name, who in ((f"a{bad}", "gm"), ("a", f"g{bad}m")):
        with pytest.raises(Unusable, match=r"U\+"):
            begin_fight(name, two(), who=who, seed=SEED, clock=noon)


@pytest.mark.parametrize("field", ["name", "who", "reason"])
def test_no_text_of_a_fork_takes_what_nobody_sees(field: str) -> None:
    store = MemoryStore()
    begin_fight(NAME, two(), who="gm", seed=SEED, store=store, clock=noon)
    wanted = replace(ForkRequest(parent=NAME, name="other", who="gm", reason="so"), **{field: "a\nb"})
    with pytest.raises(Unusable, match=r"character 2 is U\+000A") as found:
        fork_fight(wanted, store, store, fresh=SEED, clock=noon)
    assert found.value.field == field
    assert store.fights() == [NAME]


@pytest.mark.parametrize("text", SEEN)
def test_whatever_can_be_seen_may_be_written(text: str) -> None:
    """In any script; a name is composed where it was not."""
    assert find_invisible_fault(text) == ""
    fight = begin_named_fight(name=text)
    params = Raw(msgspec.json.encode({"text": text}))
    fight.submit(Command(id="c1", who="gm", intent=Ruled(kind="note", params=params, reason=text)))
    assert fight.state.fight == normalize(text)


def test_every_category_that_nobody_sees_is_refused() -> None:
    """And no letter, number, punctuation or symbol but the fillers is."""
    for code in range(0x110000):
        one, category = chr(code), unicodedata.category(chr(code))
        if category in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp"):
            assert find_invisible_fault(one)
            assert find_invisible_fault(one, now=False)
        elif category[0] in "LNPS" and find_invisible_fault(one):
            assert one in "\u115f\u1160\u2800\u3164\uffa0\U00016fe4\U0001d159"


@pytest.mark.parametrize("one", ["\U0001fae8", "\U0001343a", "\u0378", "\xa0", "é", "😀"])
def test_an_audit_says_the_same_of_a_text_under_every_python(one: str) -> None:
    """Characters of a later Unicode are refused on input only; format marks are always found."""
    found = find_invisible_fault(one, now=False)
    assert found.endswith("U+1343A (a control character)") if one == "\U0001343a" else not found


def test_an_audit_calls_a_character_the_same_under_every_python() -> None:
    """A joiner of hieroglyphs has had its name only since Unicode 12."""
    assert find_invisible_fault("\U00013430").endswith("(egyptian hieroglyph vertical joiner)")
    assert find_invisible_fault("\U00013430", now=False).endswith("(a control character)")


def test_a_log_that_holds_them_is_read() -> None:
    """A log with them can always be read."""
    store = MemoryStore()
    fight = begin_fight(NAME, two(), who="gm", seed=SEED, store=store, clock=noon)
    noted = fields("a\u2060\nb")["params.text[0]"]
    assert isinstance(noted, Ruled)
    _, lines = seal(
        [noted],
        after=fight.head,
        previous=fight.history.head_hash,
        time=noon(),
        who="a\u202eb",
        cause="c1",
    )
    read = read_log([*store.read(NAME), *lines])
    assert read[-1].who == "a\u202eb"
    assert read[-1].event == noted


@pytest.mark.parametrize(
    "purpose", ["attack:ann", "attack/ann", "listening#2", "2/ann/attack.1/attack", "fear@ann", "::"]
)
@pytest.mark.parametrize("kind", ["roll", "secret_roll"])
def test_what_a_roll_is_for_cannot_read_as_the_name_of_another_roll(kind: str, purpose: str) -> None:
    fight = begin_named_fight()
    said = (
        {"dice": "d20", "purpose": purpose} if kind == "secret_roll" else {"who": "gm", "dice": "d20", "for": purpose}
    )
    wrong = sends(fight, Ruled(kind=kind, params=Raw(msgspec.json.encode(said)), reason="so"))
    assert wrong.field in ("for", "purpose")
    plain = wrong.message.rpartition("such as ")[2].strip('"')
    said = {name: plain if text == purpose else text for name, text in said.items()}
    fight.submit(
        Command(id="c1", who="gm", intent=Ruled(kind=kind, params=Raw(msgspec.json.encode(said)), reason="so"))
    )
    assert isinstance(rolled := fight.history.recorded[-1].event, Rolled)
    assert rolled.purpose == plain


def test_nesting_has_an_end() -> None:
    """In the parameters of a command as in an encounter."""
    deep: Any = 1
    for _ in range(900):
        deep = [deep]
    ruled = Ruled(kind="note", params=Raw(msgspec.json.encode({"text": deep})), reason="so")
    assert "at most 32 lists and tables" in sends(begin_named_fight(), ruled).message
    with pytest.raises(Unusable):
        begin_named_fight(config={"ep_max": deep})


STACKED = ("\u0301", "\u0323", "\u0f73", "\uff9e", "\u064b")
"""Marks of different classes, some of which only decompose into such."""


@pytest.mark.parametrize("pair", [(one, other) for one in STACKED for other in STACKED], ids=repr)
def test_marks_are_sorted_only_while_they_are_few(pair: tuple[str, str]) -> None:
    """More than a script ever puts on one letter are refused on input, and left as they are in logs."""
    few = "A" + "".join(pair) * (MARKS // 2) + "z"
    assert find_stacked_mark(few) == 0
    assert compose("NFKC", few) == unicodedata.normalize("NFKC", few)
    assert not find_invisible_fault(few)
    many = "A" + "".join(pair) * MARKS + "z"
    assert find_stacked_mark(many) == len("A") + MARKS + 1
    assert "at most 30 accents on one letter, and character 32" in find_invisible_fault(many)
    assert not find_invisible_fault(many, now=False)
    endless = "A" + pair[0] * 60_000 + pair[1] * 60_000
    assert normalize(endless) == endless
    assert comparison_key(endless) == comparison_key(endless.upper())


def test_an_encounter_with_endless_accents_is_refused_at_its_field() -> None:
    """Which nobody could wait for if they were sorted first."""
    name = "A" + "\u0301" * 2_000 + "\u0323" * 2_000
    for told in (name, name[:40]):
        raider = {"name": told, "side": "raiders", "block": "raider"}
        with pytest.raises(Unusable) as found:
            begin_fight("x", {"system": "wwn", "combatant": [raider]}, who="gm", seed=SEED)
        assert found.value.field == "combatant[0].name"
