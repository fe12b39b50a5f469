"""Words stirred into the dice, and the end of the record: when each may be, and what it comes to."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from random import Random

import msgspec
import pytest
from msgspec import Raw

from affray.engine import Amend, Close, Fight, Redo, Refused, Stir, Undo, Unusable, begin_fight, open_fight
from affray.engine.analysis.policies import choose_sensibly
from affray.engine.commands import MANY, Command, Intent
from affray.engine.integrity.commitment import find_promise
from affray.engine.runtime.dice import NamedDice, derive_key
from affray.events import Closed, Declared, Dice, EntropyAdded, Event, Rolled, Ruled
from tests.engine.closed import WORDS, go_on, open_system_fight, shows, submit_to_closed
from tests.engine.conftest import two
from tests.engine.fights import NAME, SEED, noon
from tests.engine.memory import MemoryStore
from tests.rulesets.systems import PRESENT

BEGIN = Declared(actor="gm", kind="begin", params=Raw(b"{}"))
END = Ruled(kind="end", params=Raw(b'{"victors":""}'), reason="it is late")


def find_refusal(fight: Fight, intent: Intent) -> Refused:
    """Why something is refused; nothing is recorded."""
    head, path = fight.head, list(fight.history.path)
    with pytest.raises(Refused) as refused:
        submit_to_closed(fight, intent)
    assert (fight.head, fight.history.path) == (head, path)
    return refused.value


def list_rolled(fight: Fight) -> list[Event]:
    return [one.event for one in fight.history.recorded if isinstance(one.event, Rolled)]


# --- stirring ---


def test_words_are_recorded_and_no_lane_holds_them(duel: Fight) -> None:
    for words in WORDS:
        submit_to_closed(duel, Stir(words=words))
    submit_to_closed(duel, BEGIN)
    submit_to_closed(duel, Undo())
    said = [one.event for one in duel.history.recorded if isinstance(one.event, EntropyAdded)]
    assert [one.words for one in said] == list(WORDS)
    assert not any(isinstance(one.event, EntropyAdded) for one in duel.history.effective())


def test_the_key_is_the_hmac_of_all_words_under_the_seed() -> None:
    """Worked out by hand: HMAC-SHA-256 as RFC 2104 defines it."""
    padded = SEED.ljust(64, b"\0")
    inner = sha256(bytes(one ^ 0x36 for one in padded) + b"salt\npepper").digest()
    assert derive_key(SEED, ("salt", "pepper")) == sha256(bytes(one ^ 0x5C for one in padded) + inner).digest()
    assert derive_key(SEED) == SEED


@pytest.mark.parametrize("other", [(), ("salt",), ("pepper", "salt"), ("salt pepper",)])
def test_other_words_are_other_dice(other: tuple[str, ...]) -> None:
    wanted = (Dice(count=20, sides=20),)
    stirred = NamedDice(SEED, ("salt", "pepper"))
    assert stirred.faces("1/bo/1/attack", wanted) != NamedDice(SEED, other).faces("1/bo/1/attack", wanted)


@pytest.mark.parametrize("system", PRESENT)
def test_dice_fall_under_the_words_also_after_a_restart(system: str) -> None:
    """Restarted before every command, the fight is the same; without the words it is another one."""
    fights = []
    for words, restarted in ((WORDS, False), (WORDS, True), ((), False), (WORDS[::-1], False)):
        store = MemoryStore()
        fight = open_system_fight(system, NAME, store)
        for one in words:
            submit_to_closed(fight, Stir(words=one))
        for nth in range(12):
            if restarted:
                fight = open_fight(NAME, store, clock=noon)
            intent = choose_sensibly(fight, Random(nth))
            if intent is None:  # somebody has won already
                break
            submit_to_closed(fight, intent)
        fights.append(fight)
    plain, restarted_, without, turned = map(list_rolled, fights)
    assert plain == restarted_
    assert len(plain) > 1
    assert plain not in (without, turned)


def test_nothing_is_stirred_in_once_a_die_has_fallen(duel: Fight) -> None:
    submit_to_closed(duel, BEGIN)
    fell = next(one.position for one in duel.history.recorded if isinstance(one.event, Rolled))
    refused = find_refusal(duel, Stir(words="too late"))
    assert (refused.code, refused.source) == ("dice_have_fallen", str(fell))
    submit_to_closed(duel, Undo())
    assert find_refusal(duel, Stir(words="still too late")).code == "dice_have_fallen"


def test_where_all_dice_are_entered_there_is_nothing_to_stir() -> None:
    fight = begin_fight(NAME, two(), who="gm", seed=None, clock=noon)
    assert find_refusal(fight, Stir(words="salt")).code == "no_seed"


@pytest.mark.parametrize("words", ["", "a\nb", "a\tb", "x" * (MANY + 1)])
def test_words_that_are_none(duel: Fight, words: str) -> None:
    """A line end above all: words are joined by them, so two could pass for one."""
    with pytest.raises(Unusable) as unusable:
        submit_to_closed(duel, Stir(words=words))
    assert unusable.value.field == "words"
    assert unusable.value.message.startswith((f"must have 1 to {MANY} ", "must be one line "))


# --- closing ---


def test_a_fight_that_is_over_is_closed_and_its_seed_revealed(duel: Fight) -> None:
    assert find_refusal(duel, Close()).code == "not_over"
    submit_to_closed(duel, END)
    submit_to_closed(duel, Close(reason="good night"))
    assert duel.history.recorded[-1].event == Closed(seed=SEED.hex(), reason="good night")
    assert find_promise(duel.history.recorded).is_kept_by(SEED)


def test_a_fight_that_is_not_over_is_closed_only_if_that_is_meant(duel: Fight) -> None:
    submit_to_closed(duel, BEGIN)
    assert find_refusal(duel, Close(reason="late")).code == "not_over"
    submit_to_closed(duel, Close(unfinished=True, reason="late"))
    assert duel.history.closed == duel.head


def test_a_fight_without_a_seed_is_closed_without_one() -> None:
    fight = begin_fight(NAME, two(), who="gm", seed=None, clock=noon)
    submit_to_closed(fight, Close(unfinished=True))
    assert fight.history.recorded[-1].event == Closed()


def test_a_seed_that_is_not_kept_cannot_be_revealed() -> None:
    store = MemoryStore()
    begin_fight(NAME, two(), who="gm", seed=SEED, store=store, clock=noon)
    del store.seeds[NAME]
    assert find_refusal(open_fight(NAME, store, clock=noon), Close(unfinished=True)).code == "no_seed"


AFTERWARDS: dict[str, Callable[[Fight], Intent]] = {
    "declare": lambda fight: BEGIN,
    "rule": lambda fight: Ruled(kind="note", params=Raw(b'{"text":"rain"}'), reason="mood"),
    "undo": lambda fight: Undo(),
    "undo to": lambda fight: Undo(to=2),
    "redo": lambda fight: Redo(),
    "amend": lambda fight: Amend(position=fight.history.commands["begin"]),
    "stir": lambda fight: Stir(words="salt"),
    "close": lambda fight: Close(unfinished=True),
}


@pytest.mark.parametrize("restarted", [False, True], ids=["at once", "after a restart"])
@pytest.mark.parametrize("what", AFTERWARDS)
def test_a_closed_record_takes_nothing_more(what: str, restarted: bool) -> None:
    store = MemoryStore()
    fight = begin_fight(NAME, two(), who="gm", seed=SEED, store=store, clock=noon)
    fight.submit(Command(id="begin", who="gm", intent=BEGIN))
    fight.submit(Command(id="close", who="gm", intent=Close(unfinished=True)))
    before = store.read(NAME)
    if restarted:
        fight = open_fight(NAME, store, clock=noon)
    refused = find_refusal(fight, AFTERWARDS[what](fight))
    assert (refused.code, refused.source) == ("closed", str(len(before)))
    assert store.read(NAME) == before


def test_closing_twice_with_one_id_is_closing_once(duel: Fight) -> None:
    command = Command(id="c", who="gm", intent=Close(unfinished=True))
    first = duel.submit(command)
    again = duel.submit(command)
    assert (first.repeated, again.repeated, again.recorded) == (False, True, first.recorded)


@pytest.mark.parametrize("system", PRESENT)
def test_the_log_knows_the_seed_only_from_its_end_on(system: str) -> None:
    """Every line, every refusal and every outcome of a fight before that is free of it."""
    store = MemoryStore()
    fight = open_system_fight(system, NAME, store)
    said = [repr(fight.history.recorded), repr(fight)]
    submit_to_closed(fight, Stir(words=WORDS[0]))
    go_on(fight, 6)
    for intent in (
        Stir(words="x"),
        Close(),
        Undo(to=9999),
        Redo(lane=1),
        Declared(actor="x", kind="y", params=Raw(b"{}")),
    ):
        with pytest.raises((Refused, Unusable)) as no:
            submit_to_closed(fight, intent)
        said.append(repr(vars(no.value)) + str(no.value))
    outcome = fight.submit(Command(id="undo", who="gm", intent=Undo()))
    said += [repr(outcome), msgspec.json.encode(outcome).decode(), repr(fight.state)]
    assert shows("\n".join((*said, *(line.decode() for line in store.read(NAME)))), SEED) == []
    submit_to_closed(fight, Close(unfinished=True))
    assert [SEED.hex() in line.decode() for line in store.read(NAME)] == [False] * (fight.head - 1) + [True]
