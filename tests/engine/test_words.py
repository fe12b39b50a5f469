"""Free text: as visible as the event that carries it, except from senders who know more."""

from __future__ import annotations

import tomllib
from random import Random

import msgspec
import pytest
from msgspec import Raw

from affray.engine import Amend, Close, Command, Fight, Redo, Undo, begin_fight
from affray.engine.analysis.policies import choose_sensibly
from affray.engine.commands import Outcome
from affray.engine.core.loading import load, template
from affray.engine.errors import Refused, Unusable
from affray.engine.visibility import Viewer, can_read, has_words, project_state, wire_line
from affray.engine.visibility.audiences import find_audiences
from affray.events import (
    Answered,
    Declared,
    DiceEntered,
    Noted,
    PoolChanged,
    Recorded,
    Released,
    Ruled,
    TurnBegan,
    names,
)
from affray.tools.text.printable import printable
from tests.engine.fights import SEED, noon, submit_accepted
from tests.engine.test_hiding import GM, SPECTATOR, open_duel, open_to, rule
from tests.rulesets.systems import PRESENT

ANNA = Viewer(role="player", owns=("ilse",))
MARA = Viewer(role="player", owns=("brand", "ilse"))
BRAND = Viewer(role="player", owns=("brand",))


def talk(**entry: object) -> Fight:
    """Return a duel of Verdigris, which permits free text in actions, with a hidden fact about Brand."""
    people = [
        {"name": "Ilse", "side": "party", "pc": True, "weapons": ["broad-sword"]},
        {"name": "Brand", "side": "enemies", "weapons": ["broad-sword"], **entry},
    ]
    fight = begin_fight("talk", {"system": "verdigris", "combatant": people}, who="gm", seed=SEED, clock=noon)
    rule(fight, "dice", owner="*", source="entered")
    submit_accepted(fight, Declared(actor="gm", kind="begin", params=Raw(b"{}")))
    submit_accepted(fight, Declared(actor="ilse", kind="roll_initiative", params=Raw(b"{}")))
    assert fight.state.awaited is not None
    submit_accepted(fight, DiceEntered(roll=fight.state.awaited.roll, faces=(6,)))
    submit_accepted(fight, Declared(actor="ilse", kind="begin_turn", params=Raw(b"{}")))
    return fight


def says(fight: Fight, what: str, *knows: str, id: str = "said") -> Outcome:
    """Let Ilse's player, who plays these, say what she does."""
    params = Raw(msgspec.json.encode({"what": what}))
    declared = Declared(actor="ilse", kind="improvise", params=params)
    return fight.submit(Command(id=id, who="Anna", intent=declared, knows=knows))


def read_all_texts(fight: Fight, viewer: Viewer) -> str:
    """Return all text of a fight that a viewer can read: its present lines, and its state."""
    opened = fight.history.opened
    lines = [wire_line(viewer, one, msgspec.json.encode(one.event), opened=opened) for one in fight.history.recorded]
    return msgspec.json.encode((lines, project_state(viewer, fight.state))).decode()


SAID = "swings from the lamp at Brand"


def test_words_of_somebody_who_knows_of_nobody_hidden_are_as_visible_as_what_carries_them() -> None:
    """They may name any combatant, with or without a hidden one; they have no mark."""
    for concealed in (True, False):
        fight = talk(concealed=concealed)
        recorded = says(fight, SAID, "ilse").recorded
        assert {one.audience for one in recorded} == {None}
        assert not any(getattr(one.event, "confided", False) for one in recorded)
        assert read_all_texts(fight, SPECTATOR).count(f'{{"what":"{SAID}"}}') == 3  # declared, stacked, pending
        assert fight.state.question is not None
        assert project_state(ANNA, fight.state).question == fight.state.question


@pytest.mark.parametrize("knows", [("ilse", "brand"), None])
def test_words_of_somebody_who_knows_are_for_those_who_know(knows: tuple[str, ...] | None) -> None:
    """A hidden combatant's player, or the game master; the action is visible without the words."""
    fight = talk(concealed=True)
    declared = Declared(actor="ilse", kind="improvise", params=Raw(msgspec.json.encode({"what": SAID})))
    recorded = fight.submit(Command(id="c", who="Mara", intent=declared, knows=knows)).recorded
    assert {"Declared", "Stacked", "Asked"}.isdisjoint(open_to(SPECTATOR, recorded))
    assert {"Declared", "Stacked", "Asked"} <= {*open_to(BRAND, recorded)}
    assert SAID not in read_all_texts(fight, ANNA)
    assert SAID in read_all_texts(fight, MARA)
    assert SAID in read_all_texts(fight, GM)
    (pending,) = project_state(ANNA, fight.state).stack
    assert (pending.actor, pending.kind, bytes(pending.params)) == ("ilse", "improvise", '{"what":"…"}'.encode())
    answer = Answered(question=fight.state.question.id, by="gm", choice="settled", fields={"text": "it works"})  # type: ignore[union-attr]
    answered = fight.submit(Command(id="d", who="gm", intent=answer)).recorded
    assert {"Answered", "Noted"}.isdisjoint(open_to(ANNA, answered))
    assert "Resolved" in open_to(ANNA, answered)
    assert "works" not in read_all_texts(fight, ANNA)


def test_what_follows_from_a_ruling_is_seen_without_its_reason() -> None:
    """While no combatant is hidden, the reason is visible too; a note consists of words only."""
    fight = open_duel()
    assert open_to(SPECTATOR, rule(fight, "pool", who="ilse", pool="health", by=-1)) == ["Ruled", "PoolChanged"]
    assert open_to(SPECTATOR, rule(fight, "note", text="Brand stands by")) == ["Ruled", "Noted"]
    rule(fight, "conceal", who="brand")
    assert open_to(SPECTATOR, rule(fight, "pool", who="ilse", pool="health", by=-1)) == ["PoolChanged"]
    assert open_to(SPECTATOR, rule(fight, "note", text="all is quiet")) == []
    assert open_to(BRAND, rule(fight, "note", text="all is quiet")) == ["Ruled", "Noted"]
    rule(fight, "reveal", who="brand")
    assert open_to(SPECTATOR, rule(fight, "note", text="Brand steps out")) == ["Ruled", "Noted"]


def now_open(fight: Fight, recorded: tuple[Recorded, ...]) -> list[str]:
    """Return what a spectator may read of a command by now."""
    return [type(one.event).__name__ for one in recorded if can_read(SPECTATOR, one, fight.history.opened)]


def test_words_are_released_one_by_one_or_all_at_once() -> None:
    """They stay released after an undo of the release; hidden combatants stay sealed."""
    fight = open_duel(concealed=True)
    first, second = (rule(fight, "note", text=text) for text in ("the bell rings", "the fog lifts"))
    about = rule(fight, "pool", who="brand", pool="health", by=-1)
    release = rule(fight, "release", positions=[first[0].position])
    assert open_to(SPECTATOR, release) == ["Released"]
    assert (now_open(fight, first), now_open(fight, second)) == (["Ruled", "Noted"], [])
    submit_accepted(fight, Undo())
    assert (now_open(fight, first), now_open(fight, second)) == (["Ruled", "Noted"], [])
    rule(fight, "release")
    assert (now_open(fight, second), now_open(fight, about)) == (["Ruled", "Noted"], [])
    assert now_open(fight, rule(fight, "note", text="the bell rings again")) == []


def release(positions: list[int]) -> Ruled:
    """Return the ruling that releases the words of some commands."""
    return Ruled(kind="release", params=Raw(msgspec.json.encode({"positions": positions})), reason="so be it")


def test_a_release_that_opens_nothing_is_refused_with_a_line_that_opens_something() -> None:
    """As a command, a preview and an amendment; a recorded release is decided again regardless."""
    fight = open_duel(concealed=True)
    for positions in ([], [1]):
        with pytest.raises(Refused, match="no words are sealed: every viewer can read all words so far"):
            submit_accepted(fight, release(positions))
    first, second = (rule(fight, "note", text=text) for text in ("the bell rings", "the fog lifts"))
    opened = rule(fight, "release", positions=[first[0].position])
    at, own = second[0].position, opened[0].position  # the reason of the release is sealed, too
    there = f"but at {at}, {own}; say: rule release positions="
    for wrong, said in (
        ([at, first[0].position, 10_000], f"no words are sealed at {first[0].position}, 10000, {there}{at} "),
        ([1], f"no words are sealed at 1, {there}{at},{own} "),
    ):
        amend = Amend(position=at, instead=(release(wrong),), reason="misheard")
        with pytest.raises(Refused, match=said):
            submit_accepted(fight, release(wrong))
        with pytest.raises(Refused, match=said):
            fight.preview(amend, "gm", "look")
        with pytest.raises(Refused, match=said):
            submit_accepted(fight, amend)
    assert fight.head == opened[-1].position
    dropped = submit_accepted(fight, Amend(position=first[0].position, reason="no bell")).recorded
    assert [type(one.event).__name__ for one in dropped].count("Released") == 1
    submit_accepted(fight, Undo())
    submit_accepted(fight, Redo())
    rule(fight, "release", positions=[at])


def test_who_knows_one_of_two_hidden_ones_keeps_their_words_to_those_who_know_that_one() -> None:
    """The game master knows both, and so may have either in mind."""
    fight = talk(concealed=True)
    rule(fight, "conceal", coming="Lurker")
    said = says(fight, SAID, "ilse", "brand").recorded
    assert "Declared" in open_to(BRAND, said)
    assert open_to(BRAND, rule(fight, "note", text="all is quiet")) == []
    assert open_to(Viewer(role="player", owns=("brand", "lurker")), rule(fight, "note", text="x")) == ["Ruled", "Noted"]


def test_a_note_is_about_what_was_told_before_it_in_its_turn() -> None:
    """Neither what follows it, nor what was told before a turn began, seals it."""
    fight = open_duel(concealed=True)
    hidden, turn = PoolChanged(who="brand", pool="health", before=5, after=4), TurnBegan(slot="ilse", members=("ilse",))
    input_, note = Declared(actor="ilse", kind="end_turn", params=Raw(b"{}")), Noted(text="all is quiet")
    for events, sealed in (([note, hidden], False), ([hidden, note], True), ([hidden, turn, note, hidden], False)):
        _, readers = find_audiences(fight.state, [input_, *events], fight.state_at)
        assert (readers[1 + events.index(note)] is not None) is sealed


def test_what_is_sent_again_is_the_same() -> None:
    """Regardless of the sender's knowledge when it was recorded."""
    for knows in (("ilse",), ("ilse", "brand")):
        fight = talk(concealed=True)
        first = says(fight, SAID, *knows)
        assert says(fight, SAID, *knows) == Outcome(recorded=first.recorded, repeated=True)
        amend = Amend(position=first.recorded[0].position, instead=(replace_words(first, "ducks"),))
        amended = fight.submit(Command(id="a", who="gm", intent=amend))
        assert fight.submit(Command(id="a", who="gm", intent=amend)) == Outcome(
            recorded=amended.recorded, repeated=True
        )
        assert "ducks" not in read_all_texts(fight, ANNA)


def replace_words(said: Outcome, what: str) -> Declared:
    """Return a declaration with other words."""
    declared = said.recorded[0].event
    assert isinstance(declared, Declared)
    return msgspec.structs.replace(declared, params=Raw(msgspec.json.encode({"what": what})), confided=False)


def test_nobody_says_themselves_that_they_confide_something() -> None:
    """It follows from what they know alone."""
    fight = talk(concealed=True)
    declared = Declared(actor="ilse", kind="improvise", params=Raw(b'{"what":"a feat"}'), confided=True)
    recorded = fight.submit(Command(id="c", who="Anna", intent=declared, knows=("ilse",))).recorded
    assert {one.audience for one in recorded} == {None}


def test_confided_words_stay_so_whatever_becomes_of_them() -> None:
    """Taken back, brought again, and decided again; so do those that are open."""
    for knows, open_ in (("ilse",), True), (("ilse", "brand"), False):
        fight = talk(concealed=True)
        noted = rule(fight, "note", text="all is quiet")
        says(fight, SAID, *knows)
        assert open_to(SPECTATOR, fight.submit(Command(id="c1", who="Anna", intent=Undo())).recorded) == ["Rewound"]
        assert open_to(SPECTATOR, fight.submit(Command(id="c2", who="Anna", intent=Redo())).recorded) == ["Restored"]
        amended = submit_accepted(fight, Amend(position=noted[0].position, reason="it was not")).recorded
        assert ("Stacked" in open_to(SPECTATOR, amended)) == open_


@pytest.mark.parametrize("ended", [False, True], ids=["still hidden", "revealed meanwhile"])
def test_confided_words_stay_so_though_nobody_was_ever_hidden(ended: bool) -> None:
    """An amendment that retracts the concealment decides them again without it; only a release opens them."""
    fight = talk()
    concealed = rule(fight, "conceal", who="brand")
    noted = rule(fight, "note", text="the mayor pays the assassins")
    about = Ruled(kind="pool", params=Raw(b'{"who":"brand","pool":"hp","by":-1}'), reason="the mayor poisoned him")
    submit_accepted(fight, about)
    says(fight, SAID, "ilse", "brand")
    if ended:
        rule(fight, "reveal", who="brand")
    for position, instead in (
        (noted[0].position, (Ruled(kind="note", params=Raw(b'{"text":"the mayor pays an assassin"}'), reason="so"),)),
        (concealed[0].position, ()),
    ):
        again = fight.history.at(position).position
        amended = submit_accepted(fight, Amend(position=again, instead=instead, reason="the wrong one")).recorded
        told = b"".join(
            msgspec.json.encode(one.event) for one in amended if can_read(SPECTATOR, one, fight.history.opened)
        )
        assert b"the mayor" not in told
        assert SAID.encode() not in told
    assert not any(isinstance(one.event, Released) for one in fight.history.recorded)


def test_the_reason_of_what_says_which_events_count_is_everybodys() -> None:
    """Like the event itself, which is always open; where it is written it is said so."""
    fight = open_duel(concealed=True)
    rule(fight, "note", text="all is quiet")
    for intent in (Undo(reason="not yet"), Redo(reason="well"), Close(unfinished=True, reason="late")):
        (recorded,) = submit_accepted(fight, intent).recorded
        assert can_read(SPECTATOR, recorded)


def test_words_on_a_sheet_are_for_its_player_whoever_wrote_them() -> None:
    """The line is sealed, since the game master may give away who is hidden; others do not read the words at all."""
    npc = {"grace": 4, "power": 4, "weapons": ["spear"]}
    told = {"system": "wyrd", "name": "n", "combatant": [
        {"name": "Ilse", "side": "heirs", "pc": True, **npc},
        {"name": "Goblin", "side": "goblins", **npc},
        {"name": "Lurker", "side": "goblins", "concealed": True, **npc},
    ]}  # fmt: skip
    fight = begin_fight("mill", told, who="gm", seed=SEED, clock=noon)
    recorded = rule(fight, "consequence", who="ilse", text="a torn sleeve")
    assert open_to(ANNA, recorded) == []
    assert "a torn sleeve" in project_state(ANNA, fight.state).marks["ilse"]["consequence"].values()
    assert "consequence" not in project_state(SPECTATOR, fight.state).marks.get("ilse", {})


def test_what_holds_words() -> None:
    """A ruling always does; a declaration where a parameter of it is said freely, an answer where a field is text."""
    fight = talk()
    actions = fight.ruleset.actions
    assert has_words(Ruled(kind="note", params=Raw(b"{}"), reason="x"), actions, fight.state)
    for params, words in ((b'{"what":"a feat"}', True), (b"{}", False), (b"not json", False)):
        assert has_words(Declared(actor="ilse", kind="improvise", params=Raw(params)), actions, fight.state) == words
    assert not has_words(Declared(actor="ilse", kind="attack", params=Raw(b'{"target":"x"}')), actions, fight.state)
    assert not has_words(Declared(actor="ilse", kind="none", params=Raw(b'{"what":"x"}')), actions, fight.state)
    says(fight, "a feat")
    assert fight.state.question is not None
    for choice, fields, words in (("settled", {"text": "x"}, True), ("heals", {"hp": 1}, False)):
        answer = Answered(question=fight.state.question.id, by="gm", choice=choice, fields=fields)  # type: ignore[arg-type]
        assert has_words(answer, actions, fight.state) == words


@pytest.mark.parametrize("marks", ["\u2060\u2069", "\u2060\u2060\u2069\u2069", "\u2068\u2060"])
def test_nobody_sends_characters_that_nobody_sees(marks: str) -> None:
    """In fights with or without hidden combatants."""
    for fight in (talk(concealed=True), talk()):
        with pytest.raises(Unusable) as found:
            says(fight, f"strike{marks} where Brand is", "ilse")
        assert (found.value.field, "character 7 is U+20" in found.value.message) == ("params.what", True)


def test_words_that_an_earlier_version_marked_are_printed_without_the_marks() -> None:
    """They were about what a player said, who might not know all that was hidden."""
    assert printable("strike \u2068\u2060where Lurker is\u2060\u2069") == "strike where Lurker is"


WORDY: dict[str, dict[str, object]] = {
    "allow": {"who": "WHO", "what": SAID},
    "condition": {"who": "WHO", "condition": "feverish", "own": True, "source": SAID},
    "consequence": {"who": "WHO", "text": SAID},
    "damage": {"who": ["WHO"], "dice": "1d4", "cause": SAID},
    "harm": {"who": "WHO", "amount": 1, "cause": SAID},
    "modify": {"who": "WHO", "label": SAID, "by": 1},
    "note": {"text": SAID},
    "test": {"who": "WHO", "dice": "1d4", "cause": SAID},
}
"""Per kind of ruling with words of the game master's own how it is ruled; ``WHO`` stands for a known combatant."""

TESTED: dict[str, dict[str, object]] = {
    "hexblade": {"test": "str", "dc": 40},
    "verdigris": {"save": "dodge", "needs": 20},
    "vestige": {"number": "agility", "difficulty": 99},
    "wwn": {"attribute": "str", "skill": "exert", "difficulty": 30},
    "wyrd": {"ability": "power"},
}
"""Per system what is tested, and fails wherever numbers can say so."""

FROM_LISTS = {"gear", "injury"}
"""Rulings whose words must stand in a list of the rules."""

HARMS = ("damage", "harm", "test")
"""Rulings that put an action on the stack, which does harm."""

LABELS = {"modify"}
"""Rulings whose words are a label in the state, which every viewer may read."""


def list_wordy(system: str) -> list[str]:
    """Return the kinds of rulings of a system that have words of the game master's own."""
    worded = {kind for kind, form in load(system).rulings.items() if {"words", "source"} & {*names(form).values()}}
    return sorted(worded - FROM_LISTS)


def begin_turns(fight: Fight) -> None:
    """Let a fight go on until a combatant has the turn, with nothing pending."""
    for _ in range(60):
        if fight.state.round and fight.state.acting and fight.state.quiet:
            return
        intent = choose_sensibly(fight, Random(0))
        assert intent is not None
        submit_accepted(fight, intent)


@pytest.mark.parametrize(("system", "kind"), [(system, kind) for system in PRESENT for kind in list_wordy(system)])
def test_no_open_line_repeats_words_of_a_ruling_while_a_combatant_is_concealed(system: str, kind: str) -> None:
    """The harm is open, its cause is not; as long as no combatant is concealed the words are open, too."""
    for concealed in (True, False):
        encounter = tomllib.loads(template(load(system)))
        encounter["combatant"][-1]["concealed"] = concealed
        fight = begin_fight("words", encounter, who="gm", seed=SEED, clock=noon)
        if kind in HARMS:
            begin_turns(fight)
        who = next(iter(fight.state.combatants))
        params = {**TESTED[system], **WORDY[kind]} if kind == "test" else WORDY[kind]
        said = msgspec.json.encode(params).replace(b"WHO", who.encode())
        recorded = submit_accepted(fight, Ruled(kind=kind, params=Raw(said), reason="so be it")).recorded
        shown = msgspec.json.encode([one.event for one in recorded if can_read(SPECTATOR, one)]).decode()
        assert (SAID in shown) == (not concealed or kind in LABELS)
        assert (SAID in read_all_texts(fight, SPECTATOR)) == (SAID in shown)
        assert "Stacked" in shown or kind not in HARMS


@pytest.mark.parametrize("system", PRESENT)
def test_sources_in_words_stay_apart_while_a_combatant_is_concealed(system: str) -> None:
    """The first is recorded as ``ruling``. Another is refused until the game master says which one is meant."""
    encounter = tomllib.loads(template(load(system)))
    encounter["combatant"][-1]["concealed"] = True
    fight = begin_fight("words", encounter, who="gm", seed=SEED, clock=noon)
    who, other, *_ = [one for one in fight.state.combatants if one not in fight.state.concealed]

    def give(source: str, count: int = 1) -> None:
        rule(fight, "condition", who=who, condition="feverish", own=True, source=source, count=count)

    give(SAID)
    give(other)
    with pytest.raises(Unusable, match='say source=ruling, which it has already, or source="ruling 2"'):
        give("a bad well", 3)
    give("ruling 2", 3)
    assert fight.state.combatants[who].conditions["feverish"] == {"ruling": 1, other: 1, "ruling 2": 3}
    give("ruling", 0)
    assert fight.state.combatants[who].conditions["feverish"] == {other: 1, "ruling 2": 3}
