"""What a sender says who may not know all that is hidden: recorded as any other words, and no betrayal."""

from __future__ import annotations

import msgspec
from msgspec import Raw

from affray.engine import Amend, Command, Fight, Redo, Undo
from affray.engine.commands import Outcome
from affray.engine.hiding import Viewer, seen_by
from affray.engine.hiding.betrayal import unmarked
from affray.events import Declared, DiceEntered, Stacked
from tests.engine.fights import acted
from tests.engine.test_hiding import SPECTATOR, duel, open_to, rule

ANNA = Viewer(role="player", owns=("ilse",))


def allowed(**entry: object) -> Fight:
    """Return the duel in which Ilse may do what is on no list, with something hidden about Brand."""
    fight = duel(**entry)
    rule(fight, "dice", owner="*", source="entered")
    acted(fight, Declared(actor="gm", kind="begin", params=Raw(b"{}")))
    while fight.state.awaited is not None:
        awaited = fight.state.awaited
        acted(fight, DiceEntered(roll=awaited.roll, faces=(20 if awaited.by == "ilse" else 1,)))
    rule(fight, "allow", who="ilse", what="a feat")
    return fight


def says(fight: Fight, what: str, *knows: str, id: str = "said") -> Outcome:
    """Let Ilse's player, who plays these, say what she does."""
    params = Raw(msgspec.json.encode({"what": what}))
    declared = Declared(actor="ilse", kind="improvise", params=params)
    return fight.submit(Command(id=id, who="Anna", intent=declared, knows=knows))


def test_a_guess_is_recorded_as_any_other_words() -> None:
    """It stands in the state, too, while it waits for the game master; the game master's own words are sealed."""
    fight = allowed(concealed=True)
    recorded = says(fight, "strike where Brand is", "ilse").recorded
    assert {one.audience for one in recorded} == {None}
    assert {"Declared", "Stacked"} <= set(open_to(SPECTATOR, recorded))
    assert [one.kind for one in seen_by(ANNA, fight.state).stack] == ["improvise"]
    assert unmarked(msgspec.json.encode(seen_by(ANNA, fight.state).question).decode()).count("strike where Brand is")
    assert open_to(SPECTATOR, rule(fight, "note", text="Brand is not there")) == []


def test_what_is_sent_again_is_the_same() -> None:
    """Although it was marked when it was recorded."""
    fight = allowed(concealed=True)
    first = says(fight, "strike where Brand is", "ilse")
    assert says(fight, "strike where Brand is", "ilse") == Outcome(recorded=first.recorded, repeated=True)


def test_words_about_ones_own_are_no_guess() -> None:
    """They are sealed for all others, and only that part of them."""
    fight = allowed(concealed=True)
    recorded = says(fight, "wait for Brand, and strike", "ilse", "brand").recorded
    assert recorded[0].audience == ("brand",)
    assert {one.audience for one in recorded if isinstance(one.event, Stacked)} == {("brand",)}


def test_one_hidden_combatants_player_only_guesses_at_another() -> None:
    """What names both is sealed for those who play the one they know."""
    fight = allowed(concealed=True)
    rule(fight, "conceal", coming="Lurker")
    assert says(fight, "strike with Brand at Lurker", "ilse", "brand").recorded[0].audience == ("brand",)


def test_a_guess_stays_one_whatever_becomes_of_it() -> None:
    """Taken back, brought again, and decided again."""
    fight = allowed(concealed=True)
    noted = rule(fight, "note", text="all is quiet")
    says(fight, "strike where Brand is", "ilse")
    assert open_to(SPECTATOR, fight.submit(Command(id="c1", who="Anna", intent=Undo())).recorded) == ["Rewound"]
    assert open_to(SPECTATOR, fight.submit(Command(id="c2", who="Anna", intent=Redo())).recorded) == ["Restored"]
    amended = acted(fight, Amend(position=noted[0].position, reason="it was not")).recorded
    assert "Stacked" in open_to(SPECTATOR, amended)


def test_marks_that_somebody_sends_count_for_nothing() -> None:
    """Nobody ends a guess early by them."""
    fight = allowed(concealed=True)
    recorded = says(fight, "strike\u2060\u2069 where Brand is", "ilse").recorded
    assert {one.audience for one in recorded} == {None}


def test_where_nothing_is_hidden_words_are_recorded_as_they_are() -> None:
    """Without any mark."""
    fight = allowed()
    declared = says(fight, "strike where Brand is", "ilse").recorded[0].event
    assert isinstance(declared, Declared)
    assert bytes(declared.params) == b'{"what":"strike where Brand is"}'
