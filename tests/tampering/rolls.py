"""Dice: faces, modifiers, totals, what was entered, the seed and the words stirred into it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from affray import events
from affray.engine.integrity.commitment import find_promise
from affray.engine.runtime.rolls import READINGS
from affray.events import SET_ASIDE, Dice, DiceEntered, EntropyAdded, Event, FightOpened, Recorded, Rolled
from tests.forging import Log, rechain_log, replace_event
from tests.tampering.edits import UNFELT, Site, Tampered, edits, left_alone, one_line
from tests.tampering.fights import OTHER_SEED, Closed
from tests.tampering.varied import list_fight_ids, vary_value


@edits
def rolls(fight: Closed) -> Iterator[Site]:
    """Change each face, modifier, total and number to reach of each roll."""
    for one in fight.log:
        if isinstance(one.event, Rolled):
            for row, event in rolled_otherwise(one.event):
                yield Site(row, partial(one_line, row, fight, one.position, event))


def rolled_otherwise(roll: Rolled) -> Iterator[tuple[str, Rolled]]:
    """Yield a roll with each of its numbers changed in turn, and the row of each."""
    for nth, group in enumerate(roll.dice):
        for at, face in enumerate(group.faces):
            faces = (*group.faces[:at], face % group.sides + 1, *group.faces[at + 1 :])
            dice = (*roll.dice[:nth], replace(group, faces=faces), *roll.dice[nth + 1 :])
            what = "a face" if roll.source == "engine" else "an entered face, in the roll alone"
            if SET_ASIDE in group.fates:
                what = "a face that lay there"
            yield f"roll: {what}", replace(roll, dice=dice)
            yield f"roll: {what}, total right", _added_up(replace(roll, dice=dice))
    for nth, modifier in enumerate(roll.modifiers):
        better = replace(modifier, value=modifier.value + 1)
        modifiers = (*roll.modifiers[:nth], better, *roll.modifiers[nth + 1 :])
        yield "roll: a modifier", replace(roll, modifiers=modifiers)
        yield "roll: a modifier, total right", _added_up(replace(roll, modifiers=modifiers))
    yield "roll: its total", replace(roll, total=roll.total + 1)
    if roll.against is not None:
        yield "roll: the number to reach", replace(roll, against=roll.against - 1)


def _added_up(roll: Rolled) -> Rolled:
    counted = [face for group in roll.dice for face in group.counted]
    return replace(roll, total=READINGS[roll.reading](counted) + sum(one.value for one in roll.modifiers))


@edits
def more_dice(fight: Closed) -> Iterator[Site]:
    """Throw a die more than the rules want, which shows what the seed says it would; or a die fewer."""
    dice = find_promise(fight.log).dice(fight.seed)
    for one in fight.log:
        roll = one.event
        if isinstance(roll, Rolled) and roll.source == "engine" and len(roll.dice) == 1 and not roll.dice[0].fates:
            group = roll.dice[0]
            for row, count in (("roll: a die more", 1), ("roll: a die fewer", -1)):
                wanted = Dice(count=len(group.faces) + count, sides=group.sides, kind=group.kind, item=group.item)
                faces = dice.faces(roll.roll, (wanted,))[0]
                if faces:
                    event = _added_up(replace(roll, dice=(replace(group, faces=faces),)))
                    yield Site(row, partial(one_line, row, fight, one.position, event))


@edits
def roll_fields(fight: Closed) -> Iterator[Site]:
    """Change the other fields of a roll: the roller, the purpose, the sources of dice, the clauses."""
    for one in fight.log:
        if isinstance(one.event, Rolled):
            for field in ("by", "purpose", "pool", "rules"):
                for value in vary_value(getattr(one.event, field), list_fight_ids(fight), field):
                    event = replace(one.event, **{field: value})
                    row = "roll: what else it says"
                    yield Site(row, partial(one_line, row, fight, one.position, event))


@edits
def entered_rolls(fight: Closed) -> Iterator[Site]:
    """Change a face that was entered: where it was entered alone, or in the roll as well."""
    for one, two in zip(fight.log, fight.log[1:], strict=False):
        if isinstance(one.event, DiceEntered) and isinstance(two.event, Rolled):
            yield Site("entered alone", partial(forge_entered, fight, one, one.event, two.event, both=False))
            yield Site("entered and rolled", partial(forge_entered, fight, one, one.event, two.event, both=True))


def forge_entered(fight: Closed, one: Recorded, entered: DiceEntered, roll: Rolled, *, both: bool) -> Tampered:
    position = one.position
    thrown = next(nth for nth, group in enumerate(roll.dice) if group.thrown)
    group = roll.dice[thrown]
    face = group.faces[0] % group.sides + 1
    changed = replace(entered, faces=(face, *entered.faces[1:]))
    entries = replace_event(fight.log, position, changed)
    if not both:
        return Tampered("roll: an entered face, as entered alone", entries, position, entries, position + 1, position)
    dice = (*roll.dice[:thrown], replace(group, faces=(face, *group.faces[1:])), *roll.dice[thrown + 1 :])
    entries = replace_event(entries, position + 1, _added_up(replace(roll, dice=dice)))
    return left_alone("roll: an entered face, in both", UNFELT, fight, entries, entries, position)


@edits
def tamper_with_seeds(fight: Closed) -> Iterator[Site]:
    """Change the seed, its commitment, both, or the words stirred in."""
    log = fight.log
    opened, closed = log[0].event, log[-1].event
    assert isinstance(opened, FightOpened)
    assert isinstance(closed, events.Closed)
    seed = replace(closed, seed=OTHER_SEED.hex())
    promise = replace(opened, commitment=find_promise(log[: fight.opening]).commit_to(OTHER_SEED))
    end = len(log)
    yield Site("seed", partial(one_line, "dice: the seed", fight, end, seed))
    yield Site("no seed", partial(one_line, "dice: the seed", fight, end, replace(closed, seed="")))
    yield Site("commitment", partial(one_line, "dice: the commitment", fight, 1, promise, at=end))
    both = replace_event(replace_event(log, 1, promise), end, seed)
    throw = first_other_throw(both, OTHER_SEED)
    yield Site("both", partial(Tampered, "dice: seed and commitment", both, 1, both, throw, 1))
    for one in log:
        if isinstance(one.event, EntropyAdded):
            words = replace(one.event, words=f"{one.event.words}!")
            yield Site("words", partial(_words, fight, one.position, words))


def _words(fight: Closed, position: int, words: Event) -> Tampered:
    entries = replace_event(fight.log, position, words)
    throw = first_other_throw(entries, fight.seed)
    return Tampered("dice: words stirred in", entries, position, entries, throw, position)


def first_other_throw(log: Log, seed: bytes) -> int:
    """Return the position of the first roll that falls otherwise under a seed and the words a log tells."""
    dice = find_promise(rechain_log(log)).dice(seed)
    for one in log:
        if isinstance(one.event, Rolled) and one.event.source == "engine":
            thrown = [group for group in one.event.dice if group.thrown]
            wanted = tuple(
                Dice(count=len(group.faces), sides=group.sides, kind=group.kind, item=group.item) for group in thrown
            )
            if dice.faces(one.event.roll, wanted) != tuple(group.faces for group in thrown):
                return one.position
    raise AssertionError("all dice fall as they fell")
