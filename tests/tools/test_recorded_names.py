"""Names as they are recorded: their normal form, spellings that look the same, and joiners."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import msgspec
import pytest
from msgspec import Raw

from affray.engine import Command, FileStore, begin_fight
from affray.engine.errors import Unusable
from affray.engine.integrity.audit import audit
from affray.engine.texts import find_invisible_fault, is_joiner
from affray.events import Joined, Ruled
from affray.tools.parse.typed_names import words_of
from tests.tools.program import affray
from tests.tools.test_typed_names import ENCOUNTER

NFC, NFD = "José", "Jose\u0301"


def test_names_are_recorded_in_their_normal_form() -> None:
    """For an encounter, newcomers, and authors."""
    content = msgspec.toml.decode(ENCOUNTER)
    content["combatant"][0]["name"] = NFD
    fight = begin_fight("names", content, who=NFD, seed=bytes(32))
    later = {"combatant": {"name": "Zoe\u0308", "side": "a", "block": "raider"}}
    ruled = Ruled(kind="join", params=Raw(msgspec.json.encode(later)), reason="so")
    fight.submit(Command(id="join", who=NFD, intent=ruled))
    joined = [one.event.name for one in fight.history.recorded if isinstance(one.event, Joined)]
    assert joined[0] == NFC
    assert joined[-1] == "Zoë"
    assert {one.who for one in fight.history.recorded} == {NFC}
    assert all(unicodedata.is_normalized("NFC", name) for name in joined)


@pytest.mark.parametrize("other", [NFD, "JOSÉ", "José ", "  José"])
def test_typed_names_that_look_alike_are_refused(other: str) -> None:
    """In any spelling; at the beginning, and when a combatant joins."""
    content = msgspec.toml.decode(ENCOUNTER)
    content["combatant"][0]["name"] = NFC
    fight = begin_fight("names", content, who="gm", seed=bytes(32))
    later = {"combatant": {"name": other, "side": "a", "block": "raider"}}
    with pytest.raises(Unusable, match="the id josé, which is taken already"):
        fight.submit(
            Command(id="join", who="gm", intent=Ruled(kind="join", params=Raw(msgspec.json.encode(later)), reason="so"))
        )
    content["combatant"][1]["name"] = other
    with pytest.raises(Unusable, match="the id josé, which is taken already"):
        begin_fight("names", content, who="gm", seed=bytes(32))


SPELT_TWICE = {
    "Malayalam chillu": ("\u0d05\u0d35\u0d7b", "\u0d05\u0d35\u0d28\u0d4d\u200d"),
    "Bengali khanda ta": ("\u09b8\u09ce", "\u09b8\u09a4\u09cd\u200d"),
    "Devanagari eyelash ra": ("\u0926\u0931\u094d\u092f", "\u0926\u0930\u094d\u200d\u092f"),
    "Tamil au": ("\u0b94\u0bb5\u0bc8", "\u0b92\u0bb3\u0bb5\u0bc8"),
    "Tamil vowel sign": ("\u0b95\u0bcc", "\u0b95\u0bc6\u0bb3"),
    "Thai am under a tone": ("\u0e19\u0e49\u0e33", "\u0e19\u0e4d\u0e49\u0e32"),
    "final ya": ("\u0639\u0644\u0649", "\u0639\u0644\u06cc"),
    "ya inside": ("\u0639\u064a\u0646", "\u0639\u06cc\u0646"),
    "Yiddish double vav": ("\u05d5\u05d5\u05d0\u05dc\u05e3", "\u05f0\u05d0\u05dc\u05e3"),
    "Burmese wa and zero": ("\u1019\u101d", "\u1019\u1040"),
    "stroke": ("Bj\u00f8rn", "Bjo\u0338rn"),
    "comma below": ("\u0137arl", "k\u0326arl"),
    "dotless i with a dot": ("im", "\u0131\u0307m"),
    "capital eth": ("\u00d0ura", "\u0110ura"),
    "stroke under an acute": ("B\u01ff", "Bo\u0301\u0338"),
    "Khmer subscript": ("\u1780\u17d2\u178f", "\u1780\u17d2\u178a"),
    "palochka": ("\u0406\u0432\u0430\u043d", "\u04c0\u0432\u0430\u043d"),
}
"""Names of one alphabet, each as two keyboards or two versions of Unicode write it."""


@pytest.mark.parametrize("names", SPELT_TWICE.values(), ids=SPELT_TWICE)
def test_two_spellings_of_one_name_are_refused(names: tuple[str, str]) -> None:
    content = msgspec.toml.decode(ENCOUNTER)
    content["combatant"][0]["name"], content["combatant"][1]["name"] = names
    with pytest.raises(Unusable, match="looks the same as"):
        begin_fight("names", content, who="gm", seed=bytes(32))


def test_a_capital_i_and_a_small_l_are_told_apart_by_nobody() -> None:
    """They look alike in many fonts; this stands among what is open."""
    content = msgspec.toml.decode(ENCOUNTER)
    content["combatant"][0]["name"], content["combatant"][1]["name"] = "Ilse", "llse"
    assert begin_fight("names", content, who="gm", seed=bytes(32)).state.combatants.keys() >= {"ilse", "llse"}


def test_letters_of_two_alphabets_that_look_the_same_are_told_apart_by_nobody() -> None:
    """A Latin and a Cyrillic name can look alike; this stands among what is open."""
    content = msgspec.toml.decode(ENCOUNTER)
    content["combatant"][0]["name"] = "B\u043eb"
    assert begin_fight("names", content, who="gm", seed=bytes(32)).state.combatants.keys() >= {"bob", "b\u043eb"}


def test_an_encounter_names_its_combatants_by_name_or_id() -> None:
    """In melees, distances and views."""
    content = msgspec.toml.decode(ENCOUNTER)
    content["distance"] = [{"between": ["Bob the Great", "O'Brien"], "feet": 40}]
    content["view"] = [{"viewer": "Mal’ganis", "target": "bob", "view": "blocked"}]
    fight = begin_fight("names", content, who="gm", seed=bytes(32))
    assert fight.state.distances["bob-the-great"]["o-brien"] == 40
    assert fight.state.views == {"mal-ganis": {"bob": "blocked"}}


@pytest.mark.parametrize("mark", ["'a ", "“a ", '"a" '])
def test_no_line_is_read_for_ever(mark: str) -> None:
    """A step of a scenario may have any length; from each opened quote the rest of it is read."""
    with pytest.raises(Unusable, match="at most 16384 characters"):
        words_of(mark * 100_000)


def test_no_key_is_looked_for_for_ever(tmp_path: Path) -> None:
    """A key of endless dots is cut part by part to find its line."""
    path = tmp_path / "dots.toml"
    path.write_text(f'system = "wwn"\n[[combatant]]\n"{"." * 200_000}" = 1\n', "utf-8")
    assert affray(tmp_path, "new", "dots.toml").code == 2


# --- joiners ---


def test_joiners_without_end_take_no_longer_each() -> None:
    """As a log may hold them; each is judged by its neighbours alone."""
    assert "character 1 is U+200C" in find_invisible_fault("\u200c" * 200_000)
    assert not any(is_joiner("\u0645" + "\u200c" * 200_000, at) for at in range(2, 200_000))


JOINED = {
    "Sri": "\u0dc1\u0dca\u200d\u0dbb\u0dd3",
    "mi-khaham": "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "arjun": "\u0d05\u0d30\u0d4d\u200d\u0d1c\u0d41\u0d28\u0d4d\u200d",
    "medic": "Ann \U0001f469\u200d\u2695\ufe0f",
    "rainbow": "\U0001f3f3\ufe0f\u200d\U0001f308 Bo",
}
"""Names that need a joiner: Sinhala, Persian, Malayalam, and two emoji."""

WITHOUT_PURPOSE = [
    "Bo\u200db", "Bo\u200cb", "\u200dBob", "Bob\u200c", "Bob\ufe0f", "\u062f\u200c\u0627", "\u0645\u06cc\u200c",
    "\u0915\u200d\u0916", "\u2695\u200dx", "B\u2060ob", "\u202eBob",
]  # fmt: skip
"""Invisible characters that change nothing where they stand."""


@pytest.mark.parametrize("name", JOINED.values(), ids=JOINED)
def test_a_name_may_hold_the_joiners_it_needs(tmp_path: Path, name: str) -> None:
    """It opens, plays, is shown as it is, and what was recorded is clean."""
    content = msgspec.toml.decode(ENCOUNTER)
    content["combatant"][0]["name"] = name
    store = FileStore(tmp_path)
    fight = begin_fight("names", content, who=name, seed=bytes(32), store=store)
    note = Raw(msgspec.json.encode({"text": f"here comes {name}"}))
    fight.submit(Command(id="note", who=name, intent=Ruled(kind="note", params=note, reason=name)))
    report = audit(lambda: store.lines("names"), seed=bytes(32))
    assert (report.verdict, report.findings) == ("clean", ())
    assert name in affray(tmp_path, "show", "names.jsonl").out
    assert name in affray(tmp_path, "log", "names.jsonl").out


@pytest.mark.parametrize("name", WITHOUT_PURPOSE, ids=ascii)
def test_an_invisible_character_without_a_purpose_is_refused(name: str) -> None:
    """Also where it joins what never joins, or ends a word."""
    content = msgspec.toml.decode(ENCOUNTER)
    content["combatant"][0]["name"] = name
    with pytest.raises(Unusable, match="must be one line of visible characters"):
        begin_fight("names", content, who="gm", seed=bytes(32))
    assert find_invisible_fault(name, now=False)
    assert find_invisible_fault(f'"{name}"', now=False)
