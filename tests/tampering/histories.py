"""The forger's best: one changed input, and all later events decided again by the rules."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec import Raw
from msgspec.structs import replace

from affray.engine.commands import Amend, Intent, Redo, Undo
from affray.engine.integrity.commitment import find_promise
from affray.events import (
    Amended,
    Answered,
    Asked,
    AskingSet,
    Declared,
    DiceAwaited,
    DiceEntered,
    Event,
    FightOpened,
    Passed,
    Recorded,
    Rolled,
    Ruled,
)
from tests.forging import command_at, list_commands, rechain_log, with_old_hashes
from tests.tampering.anew import Anew, Loaded, rewritten
from tests.tampering.edits import Site, Tampered, edits, rewritten_from
from tests.tampering.fights import OTHER_SEED, Closed


@edits
def another_word(fight: Closed) -> Iterator[Site]:
    """Put another answer, other entered dice, another declaration or ruling in the place of each that was said."""
    for command in list_commands(fight.log)[1:-1]:
        for what, events in _otherwise(fight, command[0]):
            yield Site(f"{what}, decided anew", partial(_said_otherwise, fight, command, what, events))
        if isinstance(command[0].event, Declared | Passed | Ruled | AskingSet):
            yield Site("a command struck out, decided anew", partial(_never_said, fight, command))


def _otherwise(fight: Closed, one: Recorded) -> Iterator[tuple[str, list[Event]]]:
    """Yield the input, and its alternatives, some of which the rules may refuse."""
    event = one.event
    before = [other.event for other in fight.log[: one.position - 1]]
    if isinstance(event, Answered):
        asked = next(other for other in reversed(before) if isinstance(other, Asked))
        for option in asked.options:
            if option.choice != event.choice:
                yield "an answer", [replace(event, choice=option.choice, fields={})]
    elif isinstance(event, DiceEntered):
        awaited = next(other for other in reversed(before) if isinstance(other, DiceAwaited))
        sides = [dice.sides for dice in awaited.dice for _ in range(dice.count)]
        turned = tuple(face % most + 1 for face, most in zip(event.faces, sides, strict=True))
        yield "an entered roll", [replace(event, faces=turned)]
    elif isinstance(event, Declared):
        said = (other.event for other in fight.log if isinstance(other.event, Declared))
        yield "a declaration", [other for other in said if other.actor == event.actor and other != event]
    elif isinstance(event, Ruled):
        yield "a ruling", [replace(event, reason="so it was ruled")]


def _said_otherwise(fight: Closed, command: list[Recorded], what: str, events: list[Event]) -> Tampered | None:
    """Say the first thing that the rules do not refuse there."""
    first = command[0].position
    for event in events:
        anew = Anew(fight.log[: first - 1], fight.seed)
        if anew.say([replace(command[0], event=event)]):
            anew.say_all(fight.log[command[-1].position :])
            return _found_at(f"decided anew: {what}", fight, anew, first)
    return None


def _never_said(fight: Closed, command: list[Recorded]) -> Tampered:
    first = command[0].position
    forged = rewritten(fight.log[: first - 1], fight.log[command[-1].position :], fight.seed)
    return _instead("decided anew: a command left out", fight, forged, first)


NOTED = Ruled(kind="note", params=Raw(b'{"text":"x"}'), reason="so it was ruled")


@edits
def an_input_more(fight: Closed) -> Iterator[Site]:
    """Insert an input: a note, or an undo, a redo or an amendment with the commands it takes back."""
    for command in list_commands(fight.log)[1:-1]:
        one = command[0]
        if not isinstance(one.event, Declared | Ruled) or one.audience is not None or one.known_to is not None:
            continue
        undo, event = Undo(to=one.position - 1), one.event
        more: dict[str, list[Intent]] = {"an input": [NOTED], "an undo": [undo, event], "a redo": [undo, Redo()]}
        if isinstance(event, Ruled):
            corrected = replace(event, reason="so it was ruled")
            more["an amendment"] = [Amend(position=one.position, instead=(corrected,), reason="so it was")]
        for what, intents in more.items():
            yield Site(f"{what} put in, decided anew", partial(_put_in, fight, command, what, intents))


def _put_in(fight: Closed, command: list[Recorded], what: str, intents: list[Intent]) -> Tampered | None:
    last = command[-1]
    anew = Anew(fight.log[: last.position], fight.seed)
    if not anew.put_in(intents, last.time):
        return None
    anew.say_all(fight.log[last.position :])
    return _instead(f"decided anew: {what} put in", fight, list(anew.fight.history.recorded), last.position + 1)


def _instead(row: str, fight: Closed, forged: list[Recorded], first: int) -> Tampered:
    return Tampered(row, with_old_hashes(forged, fight.log), first, forged, first, first)


@edits
def dice_called_real(fight: Closed) -> Iterator[Site]:
    """Call a die of the engine's a real one, and enter a face that pleases; or throw one more than the rules want."""
    for one in fight.log[fight.opening :]:
        first, last = command_at(fight.log, one.position)
        command = list(fight.log[first - 1 : last])
        if isinstance(one.event, Rolled) and one.event.source == "engine" and not isinstance(command[0].event, Amended):
            yield Site("a die called real", partial(_called_real, fight, command, one.event))
            yield Site("a die more, decided anew", partial(_one_more, fight, command, one.event))


def _called_real(fight: Closed, command: list[Recorded], roll: Rolled) -> Tampered | None:
    first = command[0].position
    if not any(group.thrown for group in roll.dice):
        return None
    anew = Anew(fight.log[: first - 1], fight.seed, load_dice(fight, roll))
    said = anew.say(command)
    if not said:  # the ruling about dice before it leaves nothing to be declared so
        return None
    awaited = said[-1].position
    faces = tuple(group.sides for group in roll.dice if group.thrown for _ in group.faces)
    entered = replace(command[0], cause="forged", event=DiceEntered(roll=roll.roll, faces=faces))
    anew.say_all([entered, *fight.log[command[-1].position :]])
    return _found_at("decided anew: a die called a real one", fight, anew, awaited)


def _one_more(fight: Closed, command: list[Recorded], roll: Rolled) -> Tampered | None:
    first = command[0].position
    if not any(group.thrown for group in roll.dice):
        return None
    anew = Anew(fight.log[: first - 1], fight.seed, load_dice(fight, roll, more=1))
    try:
        anew.say_all(fight.log[first - 1 :])
    except LookupError:
        return None  # what the rules look up by this roll is not there
    fell = (one.event for one in anew.fight.history.recorded[first - 1 :])
    nth = next(nth for nth, event in enumerate(fell) if isinstance(event, Rolled) and event.roll == roll.roll)
    return _found_at("decided anew: a die more", fight, anew, first + nth)


def load_dice(fight: Closed, roll: Rolled, more: int = 0) -> Loaded:
    return Loaded(find_promise(fight.log).dice(fight.seed), roll.roll, more)


def _found_at(row: str, fight: Closed, anew: Anew, at: int) -> Tampered:
    forged = list(anew.fight.history.recorded)
    first = rewritten_from(forged, fight.log)
    return Tampered(row, with_old_hashes(forged, fight.log), first, forged, at, first)


@edits
def another_seed(fight: Closed) -> Iterator[Site]:
    """Fight the whole fight again under another seed."""
    yield Site("another seed, decided anew", partial(_under_another_seed, fight))


def _under_another_seed(fight: Closed) -> Tampered:
    opened = fight.log[0].event
    assert isinstance(opened, FightOpened)
    event = replace(opened, commitment=find_promise(fight.log[: fight.opening]).commit_to(OTHER_SEED))
    opening = rechain_log([replace(fight.log[0], event=event), *fight.log[1 : fight.opening]])
    forged = rewritten(opening, fight.log[fight.opening :], OTHER_SEED)
    assert rewritten_from(forged, fight.log) == 1
    return _instead("decided anew: under another seed", fight, forged, 1)
