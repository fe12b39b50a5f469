"""Every event has its sentence, in the words of its rule system."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest
from msgspec import Raw
from msgspec.structs import fields

from affray.engine.core.loading import available
from affray.events import (
    EVENTS,
    Answered,
    ClockSet,
    ConditionChanged,
    Damaged,
    Declared,
    DieStepped,
    Event,
    FightEnded,
    ItemCounted,
    ItemMoved,
    ItemRemoved,
    Judged,
    MarkSet,
    Modifier,
    Noted,
    PhaseEntered,
    PoolChanged,
    RelationSet,
    Rolled,
    Ruled,
    Withdrawn,
)
from affray.events import Faces as Shown
from affray.tools.present.story.actions import phrase, ruling_said
from affray.tools.present.story.narration import tell
from affray.tools.present.story.sentences import SENTENCES
from affray.tools.present.story.story import BOOKKEEPING
from affray.tools.present.story.words import Names, Several
from tests.tools.test_telling import ODD

PEOPLE = {"ilse": "Ilse", "captain": "the Captain", "captain.sword": "sword", "orcs": Several("the orcs")}


def make_names(system: str) -> Names:
    """Return what the people of these tests are called, in the words of a rule system."""
    names = Names(system)
    names.update(PEOPLE)
    return names


NAMES = make_names("vestige")


def test_every_event_has_its_sentence() -> None:
    """A new type of event cannot be forgotten here."""
    assert set(SENTENCES) == set(EVENTS)
    assert set(EVENTS) >= BOOKKEEPING


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (PoolChanged(who="captain", pool="health", before=12, after=10), "The Captain's health 12 → 10"),
        (ConditionChanged(who="ilse", condition="brink", before=0, after=1), "Ilse is at the brink"),
        (ConditionChanged(who="ilse", condition="brink", before=1, after=0), "Ilse is no longer at the brink"),
        (FightEnded(victors="heroes", why="enough"), "The fight is over, won by the heroes: enough"),
        (Judged(roll="r", outcome="miss", margin=-3), "That is a miss by 3"),
        (Judged(roll="r", outcome="miss", margin=0), "That is a miss"),
        (
            Ruled(kind="pool", params=Raw(b'{"who":"ilse","pool":"health","by":-2}'), reason="she fell"),
            "The game master rules: change Ilse's health by −2 – “she fell”",
        ),
        (
            Ruled(kind="join", params=Raw(b'{"combatant":{"name":"Grim","side":"enemies","pc":false}}'), reason="late"),
            "The game master rules: bring into the fight Grim for the enemies – “late”",
        ),
        (
            Ruled(
                kind="view",
                params=Raw(b'{"viewer":"ilse","target":"captain","view":"blocked","both":false}'),
                reason="x",
            ),
            "The game master rules: let Ilse see the Captain as hidden – “x”",
        ),
        (Declared(actor="orcs", kind="improvise", params=Raw(b'{"what":"a net"}')), "The orcs improvise: “a net”"),
        (Damaged(who="ilse", terms=(), amount=0), "Ilse takes nothing"),
        (
            Damaged(who="ilse", terms=(Modifier(value=1, label="shock_floor"),), amount=1),
            "Ilse takes 1: 1 shock floor",
        ),
        (ItemCounted(item="captain.sword", counter="rating", before=1, after=0), "The Captain's sword: rating 1 → 0"),
        (
            ItemCounted(item="captain.sword", counter="loaded", before=1, after=0),
            "The Captain's sword is no longer loaded",
        ),
        (ItemRemoved(item="captain.sword"), "The Captain no longer has sword"),
        (Withdrawn(what="1/ilse/1/attack"), "Nothing is wanted for attack any more"),
        (Noted(text="the bridge creaks"), "Note: “the bridge creaks”"),
        (
            Rolled(roll="r", by="orcs", purpose="attack", dice=(Shown(sides=20, faces=(2,)),), total=2, against=12),
            "The orcs' roll for attack: 2 against 12",
        ),
        (
            Rolled(roll="r", by="ilse", purpose="luck", reading="highest", dice=(Shown(sides=6, faces=(3,)),), total=3),
            "Ilse rolls for “luck”: 3",
        ),
    ],
)
def test_a_sentence_names_people_and_numbers(event: Event, sentence: str) -> None:
    assert tell(event, NAMES) == sentence


@pytest.mark.parametrize(
    ("system", "event", "sentence"),
    [
        (
            "verdigris",
            Declared(actor="captain", kind="free_attack", params=Raw(b'{"target":"ilse"}'), manner="free"),
            "The Captain makes a free attack on Ilse",
        ),
        (
            "verdigris",
            Declared(
                actor="ilse",
                kind="called_shot",
                params=Raw(b'{"target":"captain","purpose":"effect","condition":"deaths_door","count":2}'),
                manner="called",
            ),
            "Ilse aims at the Captain: effect, at Death's Door 2 times",
        ),
        (
            "verdigris",
            ConditionChanged(who="ilse", condition="hand_out", before=0, after=1),
            "Ilse is without the use of a hand",
        ),
        (
            "verdigris",
            RelationSet(relation="seat-ilse", kind="seat", members=()),
            "Nobody has that seat any more",
        ),
        (
            "wwn",
            ItemMoved(item="captain.sword", owner="captain", before="hand", after="thrown"),
            "The Captain's sword is thrown now",
        ),
        (
            "wwn",
            ItemCounted(item="captain.sword", counter="count", before=12, after=11),
            "The Captain's sword: 12 → 11",
        ),
        ("wwn", ConditionChanged(who="ilse", condition="downed", before=0, after=1), "Ilse goes down"),
        (
            "hexblade",
            Answered(
                question="1/captain/1/effect",
                by="gm",
                choice="state",
                fields={"who": "captain", "condition": "shaken", "rounds": 1},
            ),
            "The game master: state (the Captain, shaken, for one round)",
        ),
        (
            "wwn",
            Ruled(kind="condition", params=Raw(b'{"who":"ilse","condition":"helpless","count":0}'), reason="free"),
            "The game master rules: let Ilse no longer be helpless – “free”",
        ),
        (
            "verdigris",
            Ruled(kind="condition", params=Raw(b'{"who":"ilse","condition":"bleeding","count":2}'), reason="a vein"),
            "The game master rules: let Ilse be bleeding 2 – “a vein”",
        ),
        (
            "hexblade",
            Ruled(kind="effect", params=Raw(b'{"who":"ilse","condition":"blinded","rounds":1}'), reason="dust"),
            "The game master rules: let Ilse be blinded for 1 round – “dust”",
        ),
        (
            "vestige",
            Ruled(kind="dice", params=Raw(b'{"owner":"*","source":"engine"}'), reason="back again"),
            "The game master rules: let everybody's dice be the engine's – “back again”",
        ),
        (
            "vestige",
            Ruled(kind="cancel", params=Raw(b'{"item":"3/ilse/1"}'), reason="out of sight"),
            "The game master rules: call off what Ilse means to do – “out of sight”",
        ),
        (
            "vestige",
            Ruled(kind="secret_roll", params=Raw(b'{"dice":"2d6","plus":1,"purpose":"listening"}'), reason="ears"),
            "The game master rules: throw 2d6 +1 in secret: “listening” – “ears”",
        ),
        (
            "vestige",
            Ruled(kind="give", params=Raw(b'{"item":"captain.sword","to":"ilse","where":"pack"}'), reason="a gift"),
            "The game master rules: give sword to Ilse, in the pack – “a gift”",
        ),
        (
            "vestige",
            Declared(actor="ilse", kind="swap", params=Raw(b'{"weapon":"ilse.bow","pay":"ep"}')),
            "Ilse changes to ilse.bow, for energy",
        ),
        (
            "hexblade",
            Answered(
                question="1/ilse/1/effect",
                by="gm",
                choice="harm",
                fields={"who": "captain", "amount": 4, "used_up": "yes"},
            ),
            "The game master: harm (the Captain, 4, used up: yes)",
        ),
        (
            "hexblade",
            Answered(question="2/captain/1/fate:captain", by="gm", choice="dead"),
            "The game master on the Captain: dead",
        ),
        (
            "wyrd",
            Answered(question="1/ilse/1/defence", by="ilse", choice="counter", fields={"weapon": "ilse.a+ilse.b"}),
            "Ilse: counter (ilse.a and ilse.b)",
        ),
        ("vestige", Judged(roll="r", outcome="hit", margin=0), "That is a hit"),
        ("vestige", FightEnded(victors="", why="ruled"), "The fight is over, won by nobody: so the game master ruled"),
        (
            "hexblade",
            FightEnded(victors="party", why="one_side"),
            "The fight is over, won by the party: only one side can still fight",
        ),
        (
            "wyrd",
            FightEnded(victors="", why="one_side"),
            "The fight is over, won by nobody: no side can still fight",
        ),
        ("wyrd", DieStepped(item="captain.sword", before=4, after=0), "The Captain's sword: destroyed"),
        (
            "verdigris",
            ClockSet(clock="turns", owner="ilse", about="captain", before=0, after=3),
            "Clock Ilse, captain, turns: 0 → 3 (+3)",
        ),
        (
            "hexblade",
            Rolled(
                roll="r",
                by="ilse",
                purpose="evade",
                dice=(Shown(sides=20, faces=(18, 9, 16), fates=("discarded", "kept", "discarded")),),
                total=9,
                against=12,
            ),
            "Ilse rolls to evade: 9 (18 and 16 discarded) = 9 against 12",
        ),
        (
            "verdigris",
            Rolled(
                roll="r",
                by="ilse",
                purpose="dodge/push",
                reading="sixes",
                dice=(Shown(sides=6, faces=(6, 1), kind="save", fates=("set aside", "set aside")),),
                total=1,
            ),
            "Ilse rolls for pushed dodge: sixes of (6 and 1 set aside) = 1",
        ),
        ("unheard_of", PoolChanged(who="ilse", pool="inner_fire", before=3, after=2), "Ilse's inner fire 3 → 2"),
        (
            "unheard_of",
            Declared(actor="ilse", kind="sing", params=Raw(b'{"what":"a song"}')),
            "Ilse sings: what “a song”",
        ),
    ],
)
def test_a_sentence_is_in_the_words_of_the_rules(system: str, event: Event, sentence: str) -> None:
    """Words of a system that is not installed are shown as in the log."""
    assert tell(event, make_names(system)) == sentence


@pytest.mark.parametrize("system", available())
def test_what_is_a_yes_or_a_no_is_said_in_words(system: str) -> None:
    """In every action and ruling, even if no recorded fight has it."""
    names = make_names(system)
    for says, forms in ((phrase, names.actions), (ruling_said, names.rulings)):
        for kind, form in forms.items():
            for answer in (True, False):
                given = {one.encode_name: answer for one in fields(form) if bool in (one.type, *get_args(one.type))}
                told = says(kind, Raw(msgspec.json.encode(given)), names)
                assert not ODD.search(told), f"{kind}: {told}"


@pytest.mark.parametrize(
    "event",
    [PhaseEntered(phase="turn", trigger="resume"), MarkSet(owner="ilse", key="acted", value=True)],
)
def test_book_keeping_is_told_only_to_those_who_ask(event: Event) -> None:
    assert tell(event, NAMES) is None
    assert tell(event, NAMES, verbose=True)


def test_an_entered_die_is_marked_and_what_adds_nothing_is_left_out() -> None:
    roll = Rolled(
        roll="1/ilse/1/attack",
        by="ilse",
        purpose="attack",
        dice=(Shown(sides=20, faces=(14,)),),
        modifiers=(Modifier(value=0, label="accuracy"), Modifier(value=-1, label="great axe")),
        total=13,
        against=12,
        source="entered",
    )
    assert tell(roll, NAMES) == "Ilse rolls for attack: 14 (entered) −1 great axe = 13 against 12"
