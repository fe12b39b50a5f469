"""The promise of a record's dice, and the readers of its events: read from handwritten records."""

from __future__ import annotations

from typing import Any, NoReturn

import pytest
from msgspec.structs import replace

from affray.engine.commands import Close, Stir
from affray.engine.errors import Refused, Unusable
from affray.engine.history.timeline import History
from affray.engine.integrity.commitment import decide_closing, decide_entropy, engine_dice, find_promise
from affray.engine.runtime.dice import DiceSource, EnteredDice, LostDice, NamedDice, commitment_of
from affray.engine.texts import BLANK, find_invisible_fault
from affray.engine.visibility import Openings, Viewer, can_read, has_hidden_part, knows_sender
from affray.events import Closed, Dice, DiceRenewed, EntropyAdded, Event, Forked, Noted, Recorded, Released
from tests.engine.histories import OPENED, history, make_roll

SEED = bytes(range(32))
PROMISE = commitment_of(SEED)
MINE = replace(OPENED, commitment=PROMISE)
ENTERED = replace(OPENED, commitment="")
ONE = (Dice(count=1, sides=20),)


def make_forked(promise: str) -> Forked:
    return Forked(fight="mine", parent="theirs", position=1, commitment=promise)


@pytest.mark.parametrize(
    ("events", "promise", "words"),
    [
        ((), PROMISE, ()),
        ((EntropyAdded(words="a"), EntropyAdded(words="b")), PROMISE, ("a", "b")),
        ((EntropyAdded(words="a"), make_forked("other"), EntropyAdded(words="c")), "other", ("c",)),
        ((EntropyAdded(words="a"), make_forked(PROMISE), EntropyAdded(words="c")), PROMISE, ("a", "c")),
        ((EntropyAdded(words="a"), make_forked("")), "", ()),
    ],
)
def test_words_belong_to_the_seed_that_is_promised_then(
    events: tuple[Event, ...], promise: str, words: tuple[str, ...]
) -> None:
    told = history(*events, opened=MINE)
    assert (find_promise(told.recorded).commitment, find_promise(told.recorded).words) == (promise, [*words])
    dice = engine_dice(told.recorded, SEED)
    assert dice.faces("r", ONE) == NamedDice(SEED, words).faces("r", ONE)
    assert isinstance(engine_dice(told.recorded, None), LostDice if promise else EnteredDice)


def test_dice_without_their_seed_are_lost_and_real_ones_are_waited_for() -> None:
    real: DiceSource = EnteredDice()
    assert real.faces("r", ONE) is None
    with pytest.raises(Unusable, match="the seed of the dice for r is not kept here") as found:
        LostDice().faces("r", ONE)
    assert found.value.field == "dice"


NO_DICE = replace(make_roll("r", 1), dice=())
REAL = replace(make_roll("r", 1), source="entered")


@pytest.mark.parametrize(
    ("before", "code", "source"),
    [
        ((), "", ""),
        ((NO_DICE, REAL), "", ""),
        ((make_roll("r", 1),), "dice_have_fallen", "2"),
        ((NO_DICE, make_roll("r", 1), make_roll("s", 1)), "dice_have_fallen", "3"),
        ((make_roll("r", 1), make_forked("other")), "", ""),
        ((make_roll("r", 1), make_forked(PROMISE)), "dice_have_fallen", "2"),
        ((make_roll("r", 1), make_forked("other"), make_roll("s", 1)), "dice_have_fallen", "4"),
        ((make_forked(""),), "no_seed", ""),
    ],
)
def test_words_are_stirred_in_before_the_first_die(before: tuple[Event, ...], code: str, source: str) -> None:
    told = history(*before, opened=MINE)
    if not code:
        assert decide_entropy(told, Stir(words="salt")) == [EntropyAdded(words="salt")]
        return
    with pytest.raises(Refused) as found:
        decide_entropy(told, Stir(words="salt"))
    assert (found.value.code, found.value.source) == (code, source)


@pytest.mark.parametrize("words", ["", " ", "a\nb", "x" * 201])
def test_what_is_stirred_in_are_words(words: str) -> None:
    decide_entropy(history(opened=MINE), Stir(words="x" * 200))
    with pytest.raises(Unusable) as found:
        decide_entropy(history(opened=MINE), Stir(words=words))
    assert found.value.field == "words"


def test_a_record_ends_with_the_seed_that_it_promised() -> None:
    def ended(told: History, seed: bytes | None, *, over: bool, unfinished: bool = False) -> list[Event]:
        return decide_closing(told, seed, Close(unfinished=unfinished, reason="late"), over=over)

    mine, real = history(opened=MINE), history(opened=ENTERED)
    due = [Closed(seed=SEED.hex(), reason="late")]
    assert ended(mine, SEED, over=True) == ended(mine, SEED, over=False, unfinished=True) == due
    assert ended(real, None, over=True) == ended(real, SEED, over=True) == [Closed(reason="late")]
    for seed in (None, bytes(32)):
        with pytest.raises(Refused, match="the dice seed is not kept here") as found:
            ended(mine, seed, over=True)
        assert found.value.code == "no_seed"
    with pytest.raises(Refused, match="the fight is not over") as found:
        ended(mine, SEED, over=False)
    assert found.value.code == "not_over"


# --- who may read what ---


def make_seed_line(
    audience: tuple[str, ...] | None, known_to: tuple[str, ...] | None, event: Event | None = None
) -> Recorded:
    return Recorded(1, "t", "gm", "", "", event or Noted(text="x"), 0, audience, "s", known_to, "m")


SPECTATOR, GM = Viewer(role="spectator"), Viewer(role="gm")
ILSE, BOTH = Viewer(role="player", owns=("ilse",)), Viewer(role="player", owns=("bo", "ilse", "cy"))


@pytest.mark.parametrize(
    ("readers", "who"),
    [
        (None, (True, True, True, True)),
        ((), (False, False, False, True)),
        (("ilse",), (False, True, True, True)),
        (("ilse", "bo"), (False, False, True, True)),
        (("gm",), (False, False, False, True)),
        (("gm", "*words"), (False, False, False, True)),
        (("ilse", "*words"), (False, True, True, True)),
        (("*words", "bo"), (False, False, True, True)),
    ],
)
def test_who_plays_all_that_a_line_is_about_may_read_it(readers: tuple[str, ...] | None, who: tuple[bool, ...]) -> None:
    for viewer, may in zip((SPECTATOR, ILSE, BOTH, GM), who, strict=True):
        assert (
            can_read(viewer, make_seed_line(readers, None))
            == knows_sender(viewer, make_seed_line(None, readers))
            == may
        )
        assert (
            has_hidden_part(viewer, make_seed_line(readers, None))
            == has_hidden_part(viewer, make_seed_line(None, readers))
            == (not may)
        )
        assert has_hidden_part(viewer, make_seed_line(readers, readers)) == (not may)
        assert can_read(viewer, make_seed_line(readers, None), {1})
        assert knows_sender(viewer, make_seed_line(None, readers), {1}) == (may or readers == ())
        assert not has_hidden_part(viewer, make_seed_line(readers, None), {1})


def opened_by(recorded: list[Recorded]) -> dict[int, int]:
    """Return the position of the opening event for each line that all viewers may read by now."""
    openings = Openings()
    for nth, one in enumerate(recorded):
        openings.add(one, recorded[:nth])
    return openings.by


def make_seed_lines(*told: Recorded) -> list[Recorded]:
    """Return lines in this order, each in a separate command."""
    return [replace(one, position=at, cause=one.cause or f"c{at}") for at, one in enumerate(told, 1)]


def test_what_only_the_game_master_knew_is_opened_at_the_end() -> None:
    """Secret contents and senders are opened; hidden combatants and unreleased words stay sealed."""
    told = (
        make_seed_line((), None),
        make_seed_line(None, ()),
        make_seed_line(("ilse",), ("gm",)),
        make_seed_line(("ilse", "*words"), None),
        make_seed_line(None, None),
    )
    assert opened_by(make_seed_lines(*told)) == {}
    assert opened_by(make_seed_lines(*told, make_seed_line(None, None, Closed()))) == {1: 6, 2: 6}


def test_words_are_opened_by_the_first_release_that_names_their_command() -> None:
    """Or by one that names none, and so all before it; by any position of the command."""
    words = make_seed_line(("ilse", "*words1f"), ("ilse", "*words"))
    repeated = replace(words, cause="same", audience=None)
    told = (replace(words, cause="same"), repeated, words, make_seed_line(("ilse",), None), make_seed_line((), None))
    assert opened_by(make_seed_lines(*told, make_seed_line(None, None, Released(positions=(2,))))) == {1: 6}
    both = make_seed_lines(
        *told, make_seed_line(None, None, Released(positions=(3, 99))), make_seed_line(None, None, Released()), words
    )
    assert opened_by(both) == {1: 7, 3: 6}


def test_no_release_looks_through_the_record_again() -> None:
    """A log may hold thousands of them: each looks at the lines that it names, and opens what was sealed since."""

    class Read(list[Recorded]):
        reads = 0

        def __getitem__(self, at: Any) -> Any:
            self.reads += 1
            return super().__getitem__(at)

        def __iter__(self) -> NoReturn:
            raise AssertionError("the whole record was looked through")

    pair = (make_seed_line(("ilse", "*words"), None), make_seed_line(None, None, Released()))
    told, openings = Read(make_seed_lines(*pair * 300)), Openings()
    for nth in range(len(told)):
        openings.add(told[nth], told)
    assert openings.by == {at: at + 1 for at in range(1, 600, 2)}
    assert told.reads == len(told)


# --- what nobody sees ---

IGNORABLE = """00AD 034F 061C 115F-1160 17B4-17B5 180B-180F 200B-200F 202A-202E 2060-206F 3164 FE00-FE0F FEFF FFA0
FFF0-FFF8 1BCA0-1BCA3 1D173-1D17A E0000-E0FFF"""
"""Unicode's property Default_Ignorable_Code_Point: may be left out where a text is shown."""
FORMATS = "0600-0605 06DD 070F 0890-0891 08E2 FFF9-FFFB 110BD 110CD 13430-1343F"
"""Those of the category of formats that are no part of it."""
EMPTY = "2800 13440 16FE4 1D159 FDD0-FDEF"
"""What shows nothing all the same: an empty pattern, marks without ink; and what is no character."""


def test_the_table_of_what_nobody_sees_is_that_of_unicode() -> None:
    due = {0x10000 * plane + last for plane in range(17) for last in (0xFFFE, 0xFFFF)}
    for span in f"{IGNORABLE} {FORMATS} {EMPTY}".split():
        first, _, last = span.partition("-")
        due |= set(range(int(first, 16), int(last or first, 16) + 1))
    assert {ord(one) for one in BLANK} == due
    assert find_invisible_fault("ab\u200b") == (
        "must be one line of visible characters, and character 3 is U+200B (zero width space)"
    )


def test_a_generation_of_dice_is_no_word_and_no_roll() -> None:
    """The event that renews the dice belongs to the present seed."""
    told = history(EntropyAdded(words="a"), DiceRenewed(generation=1), opened=MINE)
    assert (find_promise(told.recorded).commitment, find_promise(told.recorded).words) == (PROMISE, ["a"])
    assert decide_entropy(told, Stir(words="b")) == [EntropyAdded(words="b")]
