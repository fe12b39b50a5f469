"""All sentences about recorded fights, and all words of the rules, are plain English."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import msgspec
import pytest

from affray.engine.core.loading import load
from affray.engine.core.vocabulary import faults
from affray.engine.history.log import read_log
from affray.events import (
    Answered,
    ClockSet,
    ConditionChanged,
    Event,
    MarkSet,
    Member,
    Moved,
    Noted,
    PhaseEntered,
    RelationSet,
    Resolved,
)
from affray.tools.present.story.narration import detail, tell_story
from affray.tools.present.story.sentences import SENTENCES
from affray.tools.present.story.words import Names, capital, learn, names_of
from tests.rulesets.systems import PRESENT

REPLAYS = sorted((Path(__file__).parents[2] / "replays").glob("*/*.jsonl"))


@cache
def tell_system_stories(system: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """List the story lines of a system's recorded fights, and each event as a sentence."""
    lines, events = dict[str, None](), dict[str, None]()
    for file in REPLAYS:
        if file.parent.name == system:
            recorded = read_log(file.read_bytes().splitlines(keepends=True))
            names = names_of(recorded)
            lines.update(dict.fromkeys(map(str, tell_story(recorded, names))))
            events.update(dict.fromkeys(detail(one, names) for one in recorded))
    return tuple(lines), tuple(events)


DOES = r"lets|makes|takes|rolls|sets|holds|keeps|avoids|strikes|concentrates|dodges|gives|lies|goes|leaves|fights|adds"


@pytest.mark.parametrize("system", PRESENT)
def test_what_somebody_chooses_is_told_as_something_they_do(system: str) -> None:
    """No colon stands before what they do: `Hild lets the roll stand`, and no `Hild: lets the roll stand`."""
    lines, _ = tell_system_stories(system)
    assert lines
    assert [one for one in lines if re.search(rf"^ *[A-Z][\w' ]+: ({DOES}) (?!no test|a barrel)", one)] == []


@pytest.mark.parametrize("system", PRESENT)
def test_nothing_is_told_by_its_id(system: str) -> None:
    """Neither a pending action, a seat nor a melee; and a lone player is not called `only`."""
    _, events = tell_system_stories(system)
    assert [one for one in events if re.search(r"\b\d+/[a-z-]+/\d+\b(?!/)|= seat-|: only \S+$|Seat:", one)] == []


def say_event(system: str, event: Event, *before: Event) -> str:
    """Return an event as a sentence, after others that give names."""
    names = Names(system)
    names.update({"ilse": "Ilse", "bram": "Bram"})
    for one in before:
        learn(names, one)
    return capital(SENTENCES[type(event)](event, names))


SEAT = RelationSet(relation="seat-ilse", kind="seat", members=(Member(who="ilse"), Member(who="bram")))


@pytest.mark.parametrize(
    ("system", "event", "sentence"),
    [
        ("verdigris", SEAT, "One player plays Ilse and Bram"),
        (
            "verdigris",
            Noted(text="ilse uses lance: it breaks", rules=("VER-100",)),
            "Ilse uses “lance”: “it breaks”",
        ),
        ("verdigris", Noted(text="ilse uses lance: it breaks"), "Note: “ilse uses lance: it breaks”"),
        (
            "verdigris",
            Noted(text="nobody uses lances: a rule: of thumb", rules=("VER-100",)),
            "Note: “nobody uses lances: a rule: of thumb”",
        ),
        ("verdigris", Moved(who="ilse", before="trees", after="road", cost=1), "from the trees to the road for 1 step"),
        (
            "verdigris",
            MarkSet(owner="ilse", key="readied", about="trigger", value="enters_zone"),
            "Ilse: readied, trigger = somebody enters it",
        ),
        ("wyrd", Moved(who="ilse", before="Cold Tor", after="yard"), "Ilse goes from Cold Tor to the yard"),
        (
            "verdigris",
            Answered(question="1/ilse/1/settled", by="gm", choice="settled"),
            "The game master says what comes",
        ),
        (
            "wyrd",
            Answered(question="1/morale:orcs", by="gm", choice="test"),
            "The game master calls for a test of Will",
        ),
        ("wwn", Moved(who="ilse", before="1,1", after="1,3", cost=10), "for 10 feet"),
        ("hexblade", ClockSet(clock="seconds", before=6, after=12), "6 seconds pass"),
        (
            "hexblade",
            ConditionChanged(who="ilse", condition="shaken", before=0, after=1, source="timer 6"),
            "Ilse is shaken (until second 6)",
        ),
        ("wyrd", ClockSet(clock="days", owner="ilse", before=0, after=4), "4 days go by over Ilse"),
        ("vestige", Resolved(item="1/ilse/2"), "What Ilse means to do has taken place"),
        ("vestige", PhaseEntered(phase="upcoming", trigger="spent"), "Phase: what comes next, on spent"),
        ("verdigris", Answered(question="1/ilse/1/push", by="ilse", choice="keep"), "Ilse lets the roll stand"),
        ("wyrd", Answered(question="1/bram/1/damage:ilse", by="gm", choice="take"), "The game master lets Ilse take"),
    ],
)
def test_a_sentence_is_plain(system: str, event: Event, sentence: str) -> None:
    assert sentence in say_event(system, event, SEAT)


@pytest.mark.parametrize("system", PRESENT)
def test_words_are_british_and_no_label_is_an_id(system: str) -> None:
    """Text for people has one spelling; names of the rules are unchanged."""
    words = msgspec.to_builtins(load(system).vocabulary)
    texts = [text for table in words.values() if isinstance(table, dict) for text in _texts(table)]
    texts += [text for one in load(system).clauses.values() for text in (one.title, one.says, one.discretion)]
    plain = [re.sub(r"`[^`]*`|\{[^}]*?[:}]", "", text) for text in texts]
    assert [text for text in plain if re.search(r"\b[Aa]rmor(ed)?\b|\bcolor\b|\bdefense\b", text)] == []


def _texts(found: object) -> list[str]:
    if isinstance(found, str):
        return [found]
    values = (
        [one for key, one in found.items() if key != "quiet"]
        if isinstance(found, dict)
        else found
        if isinstance(found, list | tuple)
        else ()
    )
    return [text for one in values for text in _texts(one)]


BARE = {"by", "pool", "to"}
"""Parameters whose names say nothing by themselves."""


@pytest.mark.parametrize("system", PRESENT)
def test_a_form_asks_in_words(system: str) -> None:
    """The target, the value and the amount of a ruling: no field is labelled `To`, `By` or `Pool`."""
    ruleset = load(system)
    for kind, form in ruleset.rulings.items():
        fields = {one.encode_name for one in msgspec.structs.fields(form)}
        assert BARE & fields <= ruleset.vocabulary.rulings[kind].asks.keys(), kind
    for name in ("ep", "pay"):
        if any(name in {one.encode_name for one in msgspec.structs.fields(form)} for form in ruleset.actions.values()):
            assert ruleset.vocabulary.label("fields", name) != name


def test_what_a_form_asks_names_a_parameter() -> None:
    ruleset = load("wwn")
    words = ruleset.vocabulary
    wrong = msgspec.structs.replace(words.rulings["pool"], asks={"sneaky": "what"})
    found = list(faults(msgspec.structs.replace(words, rulings={**words.rulings, "pool": wrong}), {}, ruleset.rulings))
    assert "rulings.pool: asks for sneaky, which is no parameter" in found


def test_only_what_makes_sense_is_answered_always() -> None:
    """A push is, and what becomes of the fallen; whether a fight is over, or goes on, is looked at each time."""
    assert load("hexblade").vocabulary.questions["fate"].always
    assert load("verdigris").vocabulary.questions["push"].always
    assert not load("verdigris").vocabulary.questions["ending"].always
    assert not load("hexblade").vocabulary.questions["over"].always
