"""Dice that are looked at before they fall: the record keeps each look, and no words change such dice."""

from __future__ import annotations

from random import Random

import pytest
from msgspec import Raw
from msgspec.structs import replace

from affray.engine import Command, Fight, Refused, Reused, Undo, begin_fight, open_fight, opening
from affray.engine.commands import Amend, AnswerUndo, Intent, Stir
from affray.engine.errors import StoreFailed, Unusable
from affray.engine.forking import ForkRequest, fork_fight
from affray.engine.history.amend import Amendment
from affray.engine.integrity.audit import audit
from affray.engine.integrity.commitment import Promise
from affray.events import (
    Declared,
    EntropyAdded,
    Event,
    Id,
    Passed,
    Previewed,
    Rolled,
    Ruled,
    ShownDice,
    dice_scheme_of,
)
from affray.tools.parse.intent_parser import intent as spoken
from tests.engine.conftest import two
from tests.engine.fights import NAME, SEED, noon
from tests.engine.memory import MemoryStore
from tests.engine.phases import in_turn
from tests.engine.phases import submit_lines as moment
from tests.old_formats import writing

BEGIN = Declared(actor="gm", kind="begin", params=Raw(b"{}"))
NEVER = Declared(actor="gm", kind="no_such_action", params=Raw(b"{}"))


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def fight(store: MemoryStore) -> Fight:
    """Return a duel before initiative is rolled. Its last command can be corrected."""
    begun = begin_fight(NAME, two(), who="gm", seed=SEED, store=store, clock=noon)
    send_as_gm(begun, "stand brand never")
    return begun


def send_as_gm(fight: Fight, said: str | Intent, id: str = "") -> tuple[Event, ...]:
    """Send a command of the game master; return the events of its record."""
    meant = spoken(fight, said, "so be it") if isinstance(said, str) else said
    sent = fight.submit(Command(id=id or f"c{fight.head}", who="gm", intent=meant))
    return tuple(one.event for one in sent.recorded)


def amend_initiative(fight: Fight, *more: Event) -> Amend:
    """Return the amendment that begins the fight in place of the last command, and then does more."""
    return Amend(position=fight.history.path[-1], instead=(BEGIN, *more), reason="a look")


def look_at_initiative(fight: Fight) -> Amendment:
    """Look at the dice of initiative."""
    return fight.preview(amend_initiative(fight), "gm", f"look at {fight.head}")


def faces(events: tuple[Event, ...]) -> dict[Id, tuple[int, ...]]:
    """Return the faces of each roll."""
    return {one.roll: one.dice[0].faces for one in events if isinstance(one, Rolled)}


def list_recorded_looks(fight: Fight) -> list[Event]:
    """Return the looks on record."""
    return [one.event for one in fight.history.recorded if isinstance(one.event, Previewed)]


# --- a refusal tells of the dice behind it ---


def test_a_refused_preview_is_a_look_at_the_dice_it_drew(fight: Fight, store: MemoryStore) -> None:
    head, before = fight.head, fight.state
    with pytest.raises((Refused, Unusable)):
        fight.preview(amend_initiative(fight, NEVER), "Anna", "look")
    (looked,) = list_recorded_looks(fight)
    rolls = faces(look_at_initiative(fight).events)
    assert isinstance(looked, Previewed)
    assert (looked.position, set(looked.rolls)) == (fight.history.path[-1], set(rolls))
    assert (fight.history.at(head + 1).who, fight.history.at(head + 1).cause) == ("Anna", "look")
    assert (fight.head, fight.state) == (head + 1, before)
    assert faces(send_as_gm(fight, BEGIN)) == rolls
    assert audit(lambda: store.lines(NAME), seed=SEED).clean


def test_the_same_refused_preview_is_recorded_once(fight: Fight) -> None:
    for _ in range(3):
        with pytest.raises((Refused, Unusable)):
            fight.preview(amend_initiative(fight, NEVER), "Anna", "look")
    assert len(list_recorded_looks(fight)) == 1


def test_a_refused_amendment_is_a_look_and_changes_nothing_else(fight: Fight, store: MemoryStore) -> None:
    """Its id stays free: the sender corrects the command and sends it again."""
    head, before = fight.head, fight.state
    with pytest.raises((Refused, Unusable)):
        send_as_gm(fight, amend_initiative(fight, NEVER), "amends")
    assert (fight.head, fight.state, len(list_recorded_looks(fight))) == (head + 1, before, 1)
    send_as_gm(fight, amend_initiative(fight), "amends")
    assert fight.history.at(fight.history.commands["amends"]).event != list_recorded_looks(fight)[0]
    assert len(list_recorded_looks(fight)) == 1
    assert audit(lambda: store.lines(NAME), seed=SEED).clean


def test_an_answer_that_nothing_asks_for_is_refused_behind_dice(fight: Fight) -> None:
    """The amendment was decided to its end before the answer is found to be of no use."""
    lost = Passed(window="1/nobody/1/window", who="brand")
    amend = Amend(position=fight.history.path[-1], instead=(BEGIN,), answers=(lost,), reason="a look")
    with pytest.raises(Unusable, match="nothing asks for Passed"):
        send_as_gm(fight, amend)
    assert len(list_recorded_looks(fight)) == 1


def test_an_amendment_that_needs_an_answer_has_drawn_its_dice() -> None:
    """Brand is asked only after Ilse's blow, so to refuse for his answer tells how the blow fell."""
    fight = moment(in_turn(), "rule pool ilse health to=6", "rule pool nell health by=-1")
    strike = spoken(fight, "ilse attack brand", "")
    moment(fight, "ilse end_turn")
    mistaken = [one.position for one in fight.history.effective() if isinstance(one.event, Ruled)][-1]
    ends = [one.event for one in fight.history.effective() if isinstance(one.event, Declared)][-1]
    assert isinstance(strike, Declared)
    lets = Passed(window="2/ilse/attack.1/window", who="brand")
    with pytest.raises(Refused, match="answer_needed"):
        send_as_gm(fight, Amend(position=mistaken, instead=(strike, lets, ends), reason="a look"))
    roll = "2/ilse/attack.1/attack"
    shown = ShownDice(roll=roll, count=1, sides=20, kind="attack")
    assert list_recorded_looks(fight) == [Previewed(position=mistaken, rolls=(roll,), dice=(shown,))]


def test_a_refusal_before_any_die_is_no_look(fight: Fight) -> None:
    head = fight.head
    amend = Amend(position=fight.history.path[-1], instead=(NEVER,), reason="a look")
    for id in ("one", "two"):
        with pytest.raises((Refused, Unusable)):
            fight.preview(amend, "gm", id)
        with pytest.raises((Refused, Unusable)):
            send_as_gm(fight, amend)
    assert fight.head == head


def test_a_look_that_cannot_be_recorded_tells_nothing(fight: Fight, store: MemoryStore) -> None:
    """The failure of the store is all that the viewer hears, not the refusal."""

    def fail(*_: object) -> None:
        raise StoreFailed("the disk is full")

    store.append = fail  # type: ignore[assignment, method-assign]
    with pytest.raises(StoreFailed):
        fight.preview(amend_initiative(fight, NEVER), "gm", "look")
    with pytest.raises(StoreFailed):
        send_as_gm(fight, amend_initiative(fight, NEVER))
    assert not list_recorded_looks(fight)


def test_a_refused_look_needs_an_id_of_its_own(fight: Fight) -> None:
    with pytest.raises(Reused):
        fight.preview(amend_initiative(fight, NEVER), "gm", fight.history.at(fight.head).cause)
    assert not list_recorded_looks(fight)


# --- every die that nobody had seen is on record ---


def thrown_instead(fight: Fight, dice: str) -> Amend:
    """Return the amendment that lets the game master throw dice behind the last command."""
    last = fight.history.at(fight.history.path[-1]).event
    throw = spoken(fight, f"rule roll gm {dice} luck", "so be it")
    return Amend(position=fight.history.path[-1], instead=(last, throw), reason="a look")


def throw(fight: Fight, dice: str) -> tuple[int, ...]:
    """Look at dice; return their faces."""
    (fell,) = faces(fight.preview(thrown_instead(fight, dice), "gm", f"look at {fight.head}").events).values()
    return fell


def test_dice_of_another_size_or_more_of_them_are_another_look(fight: Fight, store: MemoryStore) -> None:
    """A roll's dice are named by size and index, so a game master could choose among previewed ones."""
    recorded = []
    for dice in ("1d4", "1d6", "1d4", "2d6", "1d6", "2d6", "9d6", "1d20"):
        before = len(list_recorded_looks(fight))
        assert throw(fight, dice) == throw(fight, dice)
        recorded += [dice] * (len(list_recorded_looks(fight)) - before)
    assert recorded == ["1d4", "1d6", "2d6", "9d6", "1d20"]
    shown = [one.dice for one in list_recorded_looks(fight) if isinstance(one, Previewed)]
    assert [f"{one.count}d{one.sides}" for (one,) in shown] == recorded
    seen = throw(fight, "3d6")
    assert faces(send_as_gm(fight, "rule roll gm 3d6 luck")) == {shown[0][0].roll: seen}
    report = audit(lambda: store.lines(NAME), seed=SEED)
    assert (report.clean, len(report.looks)) == (True, 5)


def test_dice_of_a_roll_that_fell_otherwise_are_a_look(fight: Fight) -> None:
    """Dice that fell in any lane are known; others are not."""
    send_as_gm(fight, "rule roll gm 2d6 luck")
    send_as_gm(fight, Undo())
    for dice, many in (("1d6", 0), ("2d6", 0), ("3d6", 1), ("1d8", 2), ("1d8", 2)):
        throw(fight, dice)
        assert len(list_recorded_looks(fight)) == many, dice


def test_dice_of_a_look_that_names_only_rolls_are_looked_at_anew(fight: Fight, store: MemoryStore) -> None:
    """Earlier releases recorded the roll and not which of its dice were shown."""
    throw(fight, "1d4")
    fight.history.recorded[-1] = replace(
        fight.history.recorded[-1], event=replace(list_recorded_looks(fight)[0], dice=())
    )
    throw(fight, "1d20")
    assert len(list_recorded_looks(fight)) == 2


# --- no words change dice that were looked at ---


def test_no_words_are_stirred_into_dice_that_were_looked_at(fight: Fight) -> None:
    """Else a game master would stir until the dice suit."""
    send_as_gm(fight, Stir(words="good luck"))
    shown = faces(look_at_initiative(fight).events)
    with pytest.raises(Refused, match="before a preview shows the first die") as refused:
        send_as_gm(fight, Stir(words="better luck"))
    assert (refused.value.code, refused.value.source) == ("dice_were_seen", str(fight.head))
    assert faces(send_as_gm(fight, BEGIN)) == shown


@pytest.mark.parametrize(("format", "findings"), [(4, []), (5, ["stirred_late"])])
def test_words_after_a_look_are_found_in_logs_of_the_present_format_alone(
    store: MemoryStore, monkeypatch: pytest.MonkeyPatch, format: int, findings: list[str]
) -> None:
    """Earlier versions took such words. Their logs are read and judged as before, and the dice fall under the words."""
    monkeypatch.setattr(opening, "FORMAT", format)
    monkeypatch.setattr(opening, "DICE_SCHEME", dice_scheme_of(format))
    with writing(format):
        fight = begin_fight(NAME, two(), who="gm", seed=SEED, store=store, clock=noon)
        send_as_gm(fight, "stand brand never")
        shown = faces(look_at_initiative(fight).events)
        with monkeypatch.context() as earlier:
            earlier.setattr(Promise, "looked", property(lambda _: 0, lambda _, __: None), raising=False)
            send_as_gm(fight, Stir(words="better luck"))
        again = look_at_initiative(fight)
        assert set(again.drawn) == set(shown)
        assert faces(send_as_gm(fight, BEGIN)) == faces(again.events) != shown
    report = audit(lambda: store.lines(NAME), seed=SEED)
    assert [one.code for one in report.findings] == findings
    assert report.dice.checked == len(shown)
    assert len(report.looks) == 2
    assert open_fight(NAME, store, clock=noon).state == fight.state


# --- a look holds for the key that the dice fall under ---


def fork_by_name(store: MemoryStore, name: str) -> Fight:
    """Fork the fight under a seed that follows from the fork's name."""
    wanted = ForkRequest(parent=NAME, name=name, who="gm", reason="what if")
    return fork_fight(wanted, store, store, fresh=Random(name).randbytes(32), clock=noon)


def test_each_fork_records_the_look_at_its_own_dice(fight: Fight, store: MemoryStore) -> None:
    """A look in the parent showed the parent's dice alone."""
    seen = faces(look_at_initiative(fight).events)
    for name in ("one", "two"):
        away = fork_by_name(store, name)
        send_as_gm(away, "stand brand always")
        drawn = look_at_initiative(away)
        assert faces(drawn.events) != seen
        assert set(drawn.drawn) == set(seen)
        assert len(list_recorded_looks(away)) == 2


def test_a_fork_takes_words_until_its_own_dice_are_looked_at(fight: Fight, store: MemoryStore) -> None:
    look_at_initiative(fight)
    away = fork_by_name(store, "one")
    assert send_as_gm(away, Stir(words="salt")) == (EntropyAdded(words="salt"),)
    send_as_gm(away, "stand brand always")
    look_at_initiative(away)
    with pytest.raises(Refused, match="before a preview shows"):
        send_as_gm(away, Stir(words="pepper"))


# --- a look is a command, so a waiting undo request is void ---


def test_a_look_voids_the_undo_request_that_waits(store: MemoryStore) -> None:
    """A game master cannot look what an undo would bring, and grant it then."""
    fight = begin_fight(NAME, two(), who="gm", seed=SEED, store=store, clock=noon)
    send_as_gm(fight, "begin")
    up = fight.state.acting[0]
    foe = next(one for one in fight.state.combatants if one != up)
    strike = spoken(fight, f"{up} attack {foe}", "")
    fight.submit(Command(id="strike", who=up, intent=strike, knows=(up,)))
    fight.submit(Command(id="sorry", who=up, intent=Undo(), knows=(up,)))
    assert fight.history.request == fight.head
    position = fight.history.commands["strike"]
    fight.preview(Amend(position=position, instead=(strike, strike), reason="a look"), "gm", "look")
    assert len(list_recorded_looks(fight)) == 1
    assert fight.history.request == 0
    with pytest.raises(Refused, match="no request waits"):
        send_as_gm(fight, AnswerUndo())
