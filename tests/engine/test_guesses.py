"""What a sender says who may not know all that is hidden: recorded as any other words, and no betrayal."""

from __future__ import annotations

import msgspec
import pytest
from msgspec import Raw

from affray.engine import Amend, Command, Fight, Redo, Undo, begin_fight
from affray.engine.commands import Outcome
from affray.engine.errors import Unusable
from affray.engine.visibility import Viewer, seen_by
from affray.engine.visibility.betrayal import unmarked
from affray.events import Declared, DiceEntered
from affray.tools.printing import printable
from tests.engine.fights import SEED, acted, noon
from tests.engine.test_hiding import SPECTATOR, open_to, rule

ANNA = Viewer(role="player", owns=("ilse",))


def talk(**entry: object) -> Fight:
    """Return a duel of Verdigris, where one may try whatever one says, with something hidden about Brand."""
    people = [
        {"name": "Ilse", "side": "party", "pc": True, "weapons": ["broad-sword"]},
        {"name": "Brand", "side": "enemies", "weapons": ["broad-sword"], **entry},
    ]
    fight = begin_fight("talk", {"system": "verdigris", "combatant": people}, who="gm", seed=SEED, clock=noon)
    rule(fight, "dice", owner="*", source="entered")
    acted(fight, Declared(actor="gm", kind="begin", params=Raw(b"{}")))
    acted(fight, Declared(actor="ilse", kind="roll_initiative", params=Raw(b"{}")))
    assert fight.state.awaited is not None
    acted(fight, DiceEntered(roll=fight.state.awaited.roll, faces=(6,)))
    acted(fight, Declared(actor="ilse", kind="begin_turn", params=Raw(b"{}")))
    return fight


def says(fight: Fight, what: str, *knows: str, id: str = "said") -> Outcome:
    """Let Ilse's player, who plays these, say what she does."""
    params = Raw(msgspec.json.encode({"what": what}))
    declared = Declared(actor="ilse", kind="improvise", params=params)
    return fight.submit(Command(id=id, who="Anna", intent=declared, knows=knows))


def test_a_guess_is_recorded_as_any_other_words() -> None:
    """It stands in the state, too, while it waits for the game master; the game master's own words are sealed."""
    fight = talk(concealed=True)
    recorded = says(fight, "strike where Brand is", "ilse").recorded
    assert {one.audience for one in recorded} == {None}
    assert {"Declared", "Stacked"} <= set(open_to(SPECTATOR, recorded))
    assert [one.kind for one in seen_by(ANNA, fight.state).stack] == ["improvise"]
    assert unmarked(msgspec.json.encode(seen_by(ANNA, fight.state).question).decode()).count("strike where Brand is")
    assert open_to(SPECTATOR, rule(fight, "note", text="Brand is not there")) == []


def test_what_is_sent_again_is_the_same() -> None:
    """Although it was marked when it was recorded."""
    fight = talk(concealed=True)
    first = says(fight, "strike where Brand is", "ilse")
    assert says(fight, "strike where Brand is", "ilse") == Outcome(recorded=first.recorded, repeated=True)


def refused(fight: Fight, what: str, *knows: str) -> Unusable:
    """Return how the words of Ilse's player are refused."""
    with pytest.raises(Unusable) as found:
        says(fight, what, *knows)
    return found.value


@pytest.mark.parametrize(
    "what", ["wait for Brand, and strike", "BRAND!", "Brands", "ｂｒａｎｄ", "strike with brand at Lurker"]
)
def test_words_about_ones_own_are_refused(what: str) -> None:
    """Others would read them; nothing is recorded."""
    fight = talk(concealed=True)
    head = fight.head
    assert refused(fight, what, "ilse", "brand").field == "params.what"
    assert fight.head == head
    assert {one.audience for one in says(fight, what, "ilse").recorded} == {None}


@pytest.mark.parametrize("coming", ["Lurker", "Brandish", "Brand the Second", "Brands", "Old Brand"])
@pytest.mark.parametrize("what", ["at {}", "{}", "behind {}s", "old brand the second", "brandish it", "a brandisher"])
def test_one_hidden_combatants_player_learns_nothing_of_another(coming: str, what: str) -> None:
    """What they say is refused, or open, as it is where nobody else is hidden, however alike the names are."""
    said = what.format(coming)
    came: list[object] = []
    for others in ([coming], []):
        fight = talk(concealed=True)
        for other in others:
            rule(fight, "conceal", coming=other)
        try:
            came.append({one.audience for one in says(fight, said, "ilse", "brand").recorded})
        except Unusable as error:
            came.append(str(error))
    assert came[0] == came[1]


def test_a_guess_stays_one_whatever_becomes_of_it() -> None:
    """Taken back, brought again, and decided again."""
    fight = talk(concealed=True)
    noted = rule(fight, "note", text="all is quiet")
    says(fight, "strike where Brand is", "ilse")
    assert open_to(SPECTATOR, fight.submit(Command(id="c1", who="Anna", intent=Undo())).recorded) == ["Rewound"]
    assert open_to(SPECTATOR, fight.submit(Command(id="c2", who="Anna", intent=Redo())).recorded) == ["Restored"]
    amended = acted(fight, Amend(position=noted[0].position, reason="it was not")).recorded
    assert "Stacked" in open_to(SPECTATOR, amended)


@pytest.mark.parametrize("marks", ["\u2060\u2069", "\u2060\u2060\u2069\u2069", "\u2068\u2060"])
def test_nobody_sends_marks(marks: str) -> None:
    """Nobody ends a guess early by them, doubled or not: they are refused, whatever is hidden."""
    for fight in (talk(concealed=True), talk()):
        unseen = refused(fight, f"strike{marks} where Brand is", "ilse")
        assert (unseen.field, "character 7 is U+20" in unseen.message) == ("params.what", True)


def test_words_are_marked_whether_or_not_something_is_hidden() -> None:
    """Else what was said before somebody was hidden would vanish with them, and so name them."""
    fight = talk()
    says(fight, "strike where Lurker is", "ilse")
    rule(fight, "conceal", coming="Lurker")
    assert [one.kind for one in seen_by(ANNA, fight.state).stack] == ["improvise"]
    assert seen_by(ANNA, fight.state).question is not None


def test_a_guess_is_printed_as_its_words() -> None:
    """Its marks are nobody's words."""
    declared = says(talk(), "strike where Lurker is", "ilse").recorded[0].event
    assert isinstance(declared, Declared)
    assert printable(bytes(declared.params).decode()) == '{"what":"strike where Lurker is"}'
