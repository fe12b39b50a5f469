"""Texts of formats up to 5 are read as structs, and written for digests of such fights."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from affray.events import (
    Answered,
    AnySource,
    Asked,
    ClockSet,
    Damaged,
    DiceAwaited,
    Feature,
    ItemAdded,
    Joined,
    MarkSet,
    Rolled,
    SideTrait,
    Source,
    TraitChanged,
    choose_decoder,
    read_line,
    split_sides,
    split_traits,
    write_clock,
    write_feature,
    write_field,
    write_mark,
    write_side,
    write_source,
    write_trait,
)

REPLAYS = Path(__file__).parents[2] / "replays"

OLD = [path for path in sorted(REPLAYS.glob("*/*.jsonl")) if b'"format":6' not in path.read_bytes().split(b"\n", 1)[0]]


@pytest.mark.parametrize("system", sorted({path.parent.name for path in OLD}))
def test_every_recorded_trait_is_read_and_written_back(system: str) -> None:
    """No released fight loses a word of what it said, and none keeps one that holds several things."""
    told = 0
    for path in OLD:
        lines = path.read_bytes().splitlines() if path.parent.name == system else []
        for number, line in enumerate([one for one in lines if b'"type":"ItemAdded"' in one], 1):
            written = msgspec.json.decode(bytes(read_line(line).event))
            event = choose_decoder(5)(line, number).event
            assert isinstance(event, ItemAdded)
            assert not any(":" in trait for trait in event.traits)
            assert [*event.traits, *map(write_feature, event.features)] == written.get("traits", [])
            told += 1
    assert told


@pytest.mark.parametrize(
    ("trait", "feature"),
    [
        ("uses:arrow", Feature(kind="uses", of="arrow")),
        ("adds:hit|1|stab|melee,shoot|L|a: b|c", None),
        ("adds:damage|0|shoot|shoot,throw||", None),
        ("adds:shock|-1||||blunt", None),
        ("adds:hit", Feature(kind="adds", of="hit")),
    ],
)
def test_a_feature_is_one_of_the_declared_kinds(trait: str, feature: Feature | None) -> None:
    """A label may hold the marks that parted the others; other texts with a colon are words."""
    words, features = split_traits(["hard:3", trait, "L"])
    assert words == ("hard:3", "L")
    assert features == ((feature,) if feature else features)
    if trait.count("|"):
        assert write_feature(features[0]) == trait


def test_a_bonus_has_its_parts() -> None:
    """Empty parts are left out."""
    (bonus,) = split_traits(["adds:hit|1|stab|melee,shoot||a: b|c"])[1]
    assert bonus.parts == {"value": 1, "skill": "stab", "modes": ("melee", "shoot"), "label": "a: b|c"}


@pytest.mark.parametrize(
    ("key", "value", "since"),
    [
        ("beaten", "ogre;orc-a", {"value": ["ogre", "orc-a"]}),
        ("beaten", "", {"value": []}),
        ("next_turn", None, {"value": None}),
        ("blow", "6+4", {"value": ["6", "4"]}),
        ("turn", "2/piers", {"value": None, "parts": {"round": 2, "who": "piers"}}),
        ("acted", 3, {"value": 3}),
        ("allowed/VES-020", "a/b", {"key": "allowed", "about": "VES-020"}),
        ("brink/sides", 6, {"key": "brink", "about": "sides"}),
        (
            "prompt/setback:1/mira/2",
            "mira>orc|WYR-041",
            {
                "key": "setback prompt",
                "about": "1/mira/2",
                "value": None,
                "parts": {"who": ["mira", "orc"], "rule": "WYR-041"},
            },
        ),
        (
            "prompt/outcome:1/mira/2",
            "Mira: a|b>c|WYR-012",
            {
                "key": "outcome prompt",
                "about": "1/mira/2",
                "value": None,
                "parts": {"what": "Mira: a|b>c", "rule": "WYR-012"},
            },
        ),
        (
            "own_weapon/kris",
            '{"name":"Kris","shock":null,"modifiers":[{"to":"hit","modes":["melee"]}]}',
            {
                "key": "own_weapon",
                "about": "kris",
                "value": None,
                "parts": {"name": "Kris", "shock": None, "modifiers": [{"to": "hit", "modes": ["melee"]}]},
            },
        ),
        (
            "modifier/rain#2",
            -1,
            {"key": "modifier", "about": "rain#2", "value": None, "parts": {"value": -1, "label": "rain"}},
        ),
        ("modifier/rain", None, {"key": "modifier", "about": "rain", "value": None}),
        ("gear/rope", '{"name": "Rope"}', {"key": "gear", "about": "rope", "value": '{"name": "Rope"}'}),
        ("prompt/morale:the:orcs", "half of them", {"key": "morale prompt", "about": "the:orcs"}),
        ("prompt/wear:1/mira/2", None, {"key": "wear prompt", "about": "1/mira/2", "value": None}),
    ],
)
def test_a_mark_of_an_earlier_format_is_read_and_written_back(key: str, value: object, since: dict[str, Any]) -> None:
    """Both lead to the same state, and to the digest that it had then."""
    old = encode_old_line({"type": "MarkSet", "owner": "fight", "key": key, "value": value})
    event = choose_decoder(5)(old, 1).event
    assert isinstance(event, MarkSet)
    written = msgspec.json.decode(msgspec.json.encode(event))
    assert written == {"type": "MarkSet", "owner": "fight", "key": key, "value": value, **since}
    assert write_mark(event.key, event.about, event.parts or event.value) == (key, value)


def test_an_answer_about_combatants_is_read_by_whom_it_is_about() -> None:
    """A bare id was the distance; a word before a colon named another value; ``rest`` stays a field of its own."""
    fields = {"orc": 5, "view:orc": "clear", "rest": 30}
    said = {"type": "Answered", "question": "1/mira/move.1/distances", "by": "gm", "choice": "stated", "fields": fields}
    event = choose_decoder(5)(encode_old_line(said), 1).event
    assert isinstance(event, Answered)
    assert (event.fields, event.about) == ({"rest": 30}, {"orc": {"distance": 5, "view": "clear"}})
    option = {"choice": "stated", "says": "", "fields": [{"name": name, "kind": "int"} for name in fields]}
    asked = {"type": "Asked", "question": said["question"], "of": ["gm"], "about": "distances", "options": [option]}
    question = choose_decoder(5)(encode_old_line(asked), 1).event
    assert isinstance(question, Asked)
    found = question.options[0].fields
    assert [(one.about, one.name) for one in found] == [("orc", "distance"), ("orc", "view"), ("", "rest")]
    assert [write_field(one.about, one.name) for one in found] == [*fields]


def test_a_feature_of_a_sheet_is_read_and_written_back_in_its_place() -> None:
    """Its kind stood before a colon; other words with a colon are words."""
    traits = ["pc", "class:wizard", "soft_cover", "a:b"]
    joined = {"type": "Joined", "who": "ada", "name": "Ada", "side": "party", "stats": {}, "pools": {}}
    event = choose_decoder(5)(encode_old_line({**joined, "traits": traits}), 1).event
    assert isinstance(event, Joined)
    assert event.traits == ("pc", Feature(kind="class", of="wizard"), "soft_cover", "a:b")
    assert [write_trait(one) for one in event.traits] == traits
    changed = {"type": "TraitChanged", "who": "ada", "trait": "tenacious:strength", "present": False}
    event = choose_decoder(5)(encode_old_line(changed), 1).event
    assert isinstance(event, TraitChanged)
    assert event.trait == Feature(kind="tenacious", of="strength")


def encode_old_line(event: dict[str, Any]) -> bytes:
    """Return a line that holds an event; its hash does not matter here."""
    line = {"position": 1, "time": "t", "who": "gm", "cause": "c", "hash": "", "event": event}
    return msgspec.json.encode(line)


def test_the_traits_of_the_sides_of_a_hex_are_read_and_written_back() -> None:
    """A number behind a colon was the side; other traits with a colon are words."""
    words, sides = split_sides(("smoke", "soft:2", "a:b"))
    assert words == ("smoke", "a:b")
    assert sides == (SideTrait(side=2, trait="soft"),)
    assert [write_side(one) for one in sides] == ["soft:2"]


@pytest.mark.parametrize(
    ("clock", "parts"),
    [
        ("seconds", ("", "seconds", "")),
        ("bram.sword/weeks", ("bram.sword", "weeks", "")),
        ("bram/bowel torn/turns", ("bram", "turns", "bowel torn")),
    ],
)
def test_a_clock_of_an_earlier_format_is_read_and_written_back(clock: str, parts: tuple[str, str, str]) -> None:
    """Its owner, its kind, and what it is about are fields now."""
    event = choose_decoder(5)(encode_old_line({"type": "ClockSet", "clock": clock, "before": 0, "after": 3}), 1).event
    assert isinstance(event, ClockSet)
    assert (event.owner, event.clock, event.about) == parts
    assert write_clock(event.owner, event.clock, event.about) == clock


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("ilse.sword", "ilse.sword"),
        ("sl", "sl"),
        ("ilse>orc", Source(of="ilse", to="orc")),
        ("3,1|4,1", Source(of="3,1", to="4,1")),
        ("ilse/arm torn", Source(of="ilse", name="arm torn")),
        ("ilse/modifier/rain#2", Source(of="ilse", name="modifier", about="rain#2")),
        ("1/ilse/attack.1/modifier/a>b/c", Source(of="1/ilse/attack.1", name="modifier", about="a>b/c")),
    ],
)
def test_a_source_of_an_earlier_format_is_read_and_written_back(text: str, source: AnySource) -> None:
    """A mark, a cause, a view or a side of a hex stood in one text."""
    number = {"value": 1, "label": "x", "source": text}
    dice = {"roll": "r", "by": "ilse", "purpose": "attack", "dice": []}
    said = (
        {"type": "Rolled", **dice, "total": 1, "pool": [number], "modifiers": [number]},
        {"type": "Damaged", "who": "orc", "terms": [number, number], "amount": 2},
        {"type": "DiceAwaited", **dice, "sources": [text, text]},
        {"type": "Asked", "question": "q", "of": ["gm"], "about": "push", "options": [], "sources": [text, text]},
    )
    for one in said:
        event = choose_decoder(5)(encode_old_line(one), 1).event
        if isinstance(event, Asked | DiceAwaited):
            assert event.sources == (source, source)
        else:
            assert isinstance(event, Rolled | Damaged)
            numbers = event.terms if isinstance(event, Damaged) else (*event.pool, *event.modifiers)
            assert [number.source for number in numbers] == [source, source]
    assert write_source(source) == text
