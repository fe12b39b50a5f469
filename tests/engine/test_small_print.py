"""Answers, faces and chances at their edges."""

from __future__ import annotations

import hmac
from random import Random
from typing import Any

import pytest
from msgspec import Raw

from affray.engine.analysis.policies import choose_anything, choose_sensibly, make_input
from affray.engine.core.state import Awaited, Question
from affray.engine.errors import Refused, Unusable
from affray.engine.fight import Fight
from affray.engine.history.log_validation import FAULTS, OFF_THE_MAP
from affray.engine.integrity.audit.derivation import derive_dice
from affray.engine.runtime.dice import RANGE, NamedDice, decode_seed, derive_key
from affray.engine.runtime.offers import AwaitedDice, LegalAction, OpenPass, OpenQuestion, list_legal_actions
from affray.engine.runtime.validation import check_answer, check_faces
from affray.events import (
    Answered,
    Asked,
    Declared,
    Dice,
    DiceAwaited,
    DiceEntered,
    Event,
    Field,
    Joined,
    Moved,
    Option,
    Passed,
    Rolled,
)
from affray.events import Faces as Shown
from tests.engine.fights import SEED
from tests.engine.phases import in_turn

OPTION = Option(
    choice="pay",
    says="pay",
    fields=(
        Field(name="ep", kind="int", low=1, high=3),
        Field(name="why", kind="text", optional=True),
        Field(name="whom", kind="id", among=("bo", "cy"), optional=True),
    ),
)
QUESTION = Question(
    id="1/ilse/1/pay", of=("ilse", "ada"), about="pay_now:ilse", options=(OPTION, Option(choice="no", says="no"))
)


def make_answered(choice: str = "pay", by: str = "ilse", **fields: Any) -> Answered:
    return Answered(question=QUESTION.id, by=by, choice=choice, fields=fields)


@pytest.mark.parametrize(
    "answer",
    [
        make_answered(ep=1),
        make_answered(ep=3, by="ada"),
        make_answered("no", by="gm"),
        make_answered(ep=2, why="so", whom="cy"),
        make_answered(ep=2, whom="bo"),
    ],
)
def test_an_answer_that_fits_is_taken(answer: Answered) -> None:
    check_answer(QUESTION, answer)


@pytest.mark.parametrize(
    ("answer", "field", "says"),
    [
        (make_answered("perhaps"), "choice", "perhaps is no answer to pay now; there are pay, no"),
        (make_answered(), "fields.ep", "must be a whole number from 1 to 3"),
        (make_answered(ep=0), "fields.ep", "must be a whole number from 1 to 3"),
        (make_answered(ep=4), "fields.ep", "must be a whole number from 1 to 3"),
        (make_answered(ep=True), "fields.ep", "must be a whole number from 1 to 3"),
        (make_answered(ep="2"), "fields.ep", "must be a whole number from 1 to 3"),
        (make_answered(ep=2, why=" "), "fields.why", "must be a text"),
        (make_answered(ep=2, why=3), "fields.why", "must be a text"),
        (make_answered(ep=2, whom="di"), "fields.whom", "must be one of bo, cy"),
        (make_answered(ep=2, b=1, a=1), "fields", "pay does not take a, b"),
        (make_answered("no", ep=2), "fields", "no does not take ep"),
    ],
)
def test_an_answer_that_does_not_fit_says_where(answer: Answered, field: str, says: str) -> None:
    with pytest.raises(Unusable) as found:
        check_answer(QUESTION, answer)
    assert (found.value.field, found.value.message) == (field, says)


def test_only_those_asked_answer_and_the_rules_speak_first() -> None:
    with pytest.raises(Refused, match="bo was not asked; ilse or ada may answer") as found:
        check_answer(QUESTION, make_answered("no", by="bo"))
    assert (found.value.code, found.value.source) == ("not_asked", QUESTION.id)

    def refuses(answer: Answered) -> None:
        raise Refused("too_dear", "VES-001", "nobody has that much")

    for by in ("ilse", "gm"):
        with pytest.raises(Refused, match="nobody has that much"):
            check_answer(QUESTION, make_answered("perhaps", by=by), refuses)


AWAITED = Awaited(roll="r", by="ilse", purpose="attack", dice=(Dice(count=2, sides=6), Dice(count=1, sides=20)))


def test_faces_are_entered_group_by_group() -> None:
    assert check_faces(AWAITED, DiceEntered(roll="r", faces=(1, 6, 20))) == ((1, 6), (20,))
    for faces, says in (
        ((1, 6), "2d6 1d20 wanted for attack, 2 faces entered"),
        ((1, 6, 20, 1), "2d6 1d20 wanted for attack, 4 faces entered"),
        ((0, 6, 20), "a d6 cannot show 0"),
        ((1, 7, 20), "a d6 cannot show 7"),
        ((1, 6, 21), "a d20 cannot show 21"),
    ):
        with pytest.raises(Unusable) as found:
            check_faces(AWAITED, DiceEntered(roll="r", faces=faces))
        assert (found.value.field, found.value.message) == ("faces", says)


# --- what makes no sense by itself ---


def make_shown_roll(*dice: Shown) -> Rolled:
    return Rolled(roll="r", by="ilse", purpose="attack", dice=dice, total=0)


def make_dice_awaited(*dice: Dice) -> DiceAwaited:
    return DiceAwaited(roll="r", by="ilse", purpose="attack", dice=dice)


FINE = Shown(sides=6, faces=(1, 6))


@pytest.mark.parametrize(
    ("event", "fault"),
    [
        (make_shown_roll(), ""),
        (make_shown_roll(FINE, Shown(sides=1_000, faces=(1_000,)), Shown(sides=1, faces=(1,), fates=("kept",))), ""),
        (make_shown_roll(FINE, Shown(sides=0, faces=())), "there is no die of 0 sides"),
        (make_shown_roll(Shown(sides=1_001, faces=(1,))), "there is no die of 1001 sides"),
        (make_shown_roll(Shown(sides=6, faces=(1, 0))), "a die of 6 sides shows no 0"),
        (make_shown_roll(Shown(sides=6, faces=(7,))), "a die of 6 sides shows no 7"),
        (make_shown_roll(Shown(sides=6, faces=(1, 2), fates=("kept",))), "2 dice have 1 fates"),
        (make_dice_awaited(Dice(count=0, sides=1), Dice(count=1_000, sides=1_000)), ""),
        (make_dice_awaited(Dice(count=1, sides=6), Dice(count=1, sides=0)), "there is no die of 0 sides"),
        (make_dice_awaited(Dice(count=1, sides=1_001)), "there is no die of 1001 sides"),
        (make_dice_awaited(Dice(count=-1, sides=6)), "nobody throws -1 dice"),
        (make_dice_awaited(Dice(count=1_001, sides=6)), "nobody throws 1001 dice"),
        (Asked(question="q", of=("ilse",), about="x", options=(OPTION,)), ""),
        (Asked(question="q", of=(), about="x", options=(OPTION,)), "nobody is asked, or nothing can be answered"),
        (Asked(question="q", of=("ilse",), about="x", options=()), "nobody is asked, or nothing can be answered"),
        (Declared(actor="ilse", kind="x", params=Raw(b"{}")), ""),
        (Declared(actor="ilse", kind="x", params=Raw(b"{")), "its parameters cannot be read: Input data was truncated"),
    ],
)
def test_a_fact_that_cannot_be_is_named(event: Event, fault: str) -> None:
    assert FAULTS[type(event)](event) == fault


@pytest.mark.parametrize(
    ("place", "fits"),
    [
        ("", True),
        ("-3,14", True),
        ("9999,-9999", True),
        ("10000,1", False),
        ("0,-999999999", False),
        ("01,1", False),
        ("cave", False),
    ],
)
def test_a_place_on_a_map_is_two_numbers_within_its_edge(place: str, fits: bool) -> None:
    joined = Joined(who="ilse", name="Ilse", side="a", stats={}, pools={}, place=place)
    for event in (joined, Moved(who="ilse", before="", after=place)):
        assert OFF_THE_MAP[type(event)](event) == ("" if fits else f"{place} is no place on this map")


# --- dice by their names ---


def compute_die(name: str, nth: int) -> int:
    block = hmac.digest(SEED, name.encode(), "sha256")
    return int.from_bytes(block[4 * nth :][:4], "big")


@pytest.mark.parametrize("sides", [1, 6, 100, RANGE // 2 + 1, RANGE - 1, RANGE])
def test_each_die_of_a_roll_can_be_followed_to_its_word(sides: int) -> None:
    """A block has eight words; an unfair one is discarded, for any roller."""
    dice = NamedDice(SEED)
    wanted = (Dice(count=19, sides=sides, kind="gear", item="ilse.axe"), Dice(count=1, sides=sides))
    faces = dice.faces("1/ilse/1", wanted)
    groups = [
        Shown(sides=sides, faces=shown, kind=one.kind, item=one.item) for one, shown in zip(wanted, faces, strict=True)
    ]
    lying = Shown(sides=6, faces=(1, 1), fates=("set aside", "set aside"))
    found = list(derive_dice(Rolled(roll="1/ilse/1", by="ilse", purpose="x", dice=(lying, *groups), total=0), dice))
    assert [one.face for one in found] == [one.recorded for one in found] == [*faces[0], *faces[1]]
    limit = RANGE - RANGE % sides
    for index, one in enumerate(found):
        name = f"1/ilse/1/gear:ilse.axe/d{sides}" if index < 19 else f"1/ilse/1/die/d{sides}"
        at = index if index < 19 else 0
        tries = [(f"{name}#{at // 8}", at % 8), *((f"{name}#{at}!{nth}", 0) for nth in range(1, 99))]
        nth = next(nth for nth, (block, word) in enumerate(tries) if compute_die(block, word) < limit)
        assert (one.block, one.nth, one.rejected) == (*tries[nth], nth)
        assert (one.word, one.face, one.sides) == (
            compute_die(*tries[nth]),
            compute_die(*tries[nth]) % sides + 1,
            sides,
        )
    assert any(one.rejected for one in found) == (sides == RANGE // 2 + 1)


@pytest.mark.parametrize("sides", [0, -1, RANGE + 1])
def test_there_is_no_die_beyond_a_word(sides: int) -> None:
    with pytest.raises(Unusable, match=f"must have 1 to {RANGE} sides"):
        NamedDice(SEED).faces("r", (Dice(count=1, sides=sides),))
    with pytest.raises(Unusable, match=f"there is no die of {sides} sides"):
        list(derive_dice(make_shown_roll(Shown(sides=sides, faces=(1,))), NamedDice(SEED)))


def test_words_join_the_seed_and_a_seed_is_bytes() -> None:
    assert derive_key(SEED) == SEED
    assert derive_key(SEED, ("a", "b")) == hmac.digest(SEED, b"a\nb", "sha256")
    assert RANGE == 2**32
    assert (decode_seed("00ff"), decode_seed(""), decode_seed("xyz")) == (b"\x00\xff", None, None)


# --- who picks ---


class Chance(Random):
    """Shows what it is told, and of several always the last."""

    def __init__(self, shows: float) -> None:
        super().__init__(0)
        self.shows = shows

    def random(self) -> float:
        return self.shows

    def choice(self, seq: Any) -> Any:
        return seq[-1]

    def randint(self, a: int, b: int) -> int:
        return b


def fights_on(shows: float) -> tuple[Fight, Event | None]:
    fight = in_turn()
    return fight, choose_anything(fight, Chance(shows))


def test_one_time_in_three_anybody_does_what_looks_best() -> None:
    fight, best = fights_on(0.333)
    assert best == choose_sensibly(fight, Chance(0.333))
    fight, last = fights_on(0.334)
    assert last in [
        one.intent for one in list_legal_actions(fight.ruleset, fight.table) if isinstance(one, LegalAction)
    ]
    assert last != choose_sensibly(fight, Chance(0.334))


def test_what_is_picked_is_filled_in() -> None:
    asked = OpenQuestion(question=QUESTION.id, of=QUESTION.of, about=QUESTION.about, options=QUESTION.options[:1])
    assert make_input(asked, Chance(0.5)) == make_answered(by="ada", ep=3)
    assert make_input(asked, Chance(0.49)) == make_answered(by="ada", ep=3, why="so it happens", whom="cy")
    assert make_input(asked, Chance(0.9), sensibly=True) == make_answered(
        by="ada", ep=1, why="so it happens", whom="bo"
    )
    assert asked.intent(OPTION) == make_answered(ep=1)
    assert asked.intent(OPTION, "ada", ep=2) == make_answered(by="ada", ep=2)
    passing = Passed(window="w", who="ilse")
    assert make_input(OpenPass(intent=passing), Chance(0)) is passing
    wanted = AwaitedDice(roll="r", by="ilse", purpose="attack", dice=AWAITED.dice)
    assert make_input(wanted, Chance(0)) == DiceEntered(roll="r", faces=(6, 6, 20))
