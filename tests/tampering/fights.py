"""The closed fights that are tampered with: one of every system played here, and every closed one in ``replays/``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from affray import events
from affray.engine.analysis.policies import choose_anything, choose_best, choose_random_legal
from affray.engine.commands import Amend, Close, Command, Intent, Redo, Stir, Undo
from affray.engine.errors import Refused, Unusable
from affray.engine.fight import Fight
from affray.engine.history.earlier_notes import is_text_of_rules
from affray.engine.history.log import read_log
from affray.engine.opening import begin_fight
from affray.events import AskingSet, Declared, FightEnded, Recorded, Ruled, decode_line
from tests.engine.fights import salt
from tests.forging import command_at, encode_log
from tests.rulesets.systems import PRESENT

ROOT = Path(__file__).parents[2]
SEED = bytes(range(32))
OTHER_SEED = bytes(range(32, 64))
PLAYED = {
    "hexblade": ("common-room", 1, "hp"),
    "verdigris": ("ogre-cave", 1, "hp"),
    "vestige": ("alley", 2, "health"),
    "wwn": ("ford", 13, "hp"),
    "wyrd": ("barrow", 38, "moves"),
}
"""Per system the encounter, how its people choose, and what the game master corrects: so that everything happens."""


class Closed(NamedTuple):
    """A closed fight, before any tampering.

    Attributes:
        name: Which one, for people.
        log: What is recorded.
        lines: The same, as it is written.
        opening: The last position of its opening.
        seed: What it reveals of its dice.
    """

    name: str
    log: tuple[Recorded, ...]
    lines: tuple[bytes, ...]
    opening: int
    seed: bytes


def is_written_as_today(path: Path) -> bool:
    """Tell whether the rules write each fact of a recorded fight as it is recorded: no ending or note as a sentence."""
    lines = path.read_bytes().splitlines()
    log = read_log(lines)
    return encode_log(log) == lines and not any(is_text_of_rules(one.event) for one in log)


RECORDED = {f"{path.parent.name}/{path.stem}": path for path in sorted(ROOT.glob("replays/wyrd/closed-*.jsonl"))}
KEPT = {name: path for name, path in RECORDED.items() if is_written_as_today(path)}
NAMES = (*PRESENT, *KEPT)
"""Every closed fight: those played here are called as their system is."""


@cache
def closed_fight(name: str, choices: int | None = None) -> Closed:
    """Return a closed fight.

    Args:
        choices: How its people choose, where they are to choose otherwise.
    """
    if name in KEPT:
        return recorded_fight(name)
    if choices is not None:
        return closed_lines(name, encode_log(_play(name, choices).history.recorded))
    for nth in count(PLAYED[name][1]):  # the dice are bound to the code of the rules
        with suppress(Refused):
            log = _play(name, nth).history.recorded
            if has_everything(name, [one.event for one in log]):
                return closed_lines(name, encode_log(log))
    raise AssertionError(name)


WANTED = frozenset({
    events.Amended, events.Answered, events.AskingSet, events.ConditionChanged, events.Damaged, events.DiceEntered,
    events.DiceRenewed, events.EntropyAdded, events.Previewed, events.Restored, events.Rewound, events.Rolled,
    events.Ruled,
})  # fmt: skip
"""The types of events that each fight needs to be tampered with."""

THROWN = 12
"""The fewest rolls of the engine in a fight."""


def has_everything(system: str, log: list[events.Event]) -> bool:
    """Tell whether there is something of everything in a fight to tamper with."""
    kinds = {type(event) for event in log}
    rolls = [event for event in log if isinstance(event, events.Rolled) and event.source == "engine"]
    held = any(not group.thrown for event in rolls for group in event.dice)
    return (
        kinds >= WANTED
        and len(rolls) >= THROWN
        and len({event.kind for event in log if isinstance(event, Ruled)}) >= 4
        and (events.Passed in kinds) == (system in {"vestige", "wwn"})
        and (held or system != "verdigris")
    )


def recorded_fight(name: str) -> Closed:
    """Return a closed fight of ``replays/`` as it is."""
    return closed_lines(name, (ROOT / "replays" / f"{name}.jsonl").read_bytes().splitlines())


def closed_lines(name: str, lines: list[bytes]) -> Closed:
    """Return a closed fight that was written as these lines."""
    said = map(decode_line, lines)  # no sentence for an ending can be written back from its word
    log = tuple(
        plain if isinstance(plain.event, FightEnded) else one for plain, one in zip(said, read_log(lines), strict=True)
    )
    revealed = log[-1].event
    assert isinstance(revealed, events.Closed)
    return Closed(name, log, tuple(lines), command_at(log, 1)[1], bytes.fromhex(revealed.seed))


def clock() -> Callable[[], str]:
    """Return a clock that shows five seconds more each time one looks."""
    seconds = count(0, 5)

    def look() -> str:
        now = next(seconds)
        return f"2025-06-01T{12 + now // 3600:02}:{now // 60 % 60:02}:{now % 60:02}.000Z"

    return look


def _play(system: str, choices: int) -> Fight:
    """Play a fight with every kind of event that can be tampered with."""
    name, _, pool = PLAYED[system]
    encounter = msgspec.toml.decode((ROOT / "encounters" / system / f"{name}.toml").read_bytes())
    fight = begin_fight(system, encounter, who="gm", seed=SEED, clock=clock(), salts=salt)
    dice = Random(choices)
    first, second, *_ = fight.state.combatants
    _do(fight, Stir(words="salt over the left shoulder"), "Anna")
    _do(fight, Stir(words="rain on slate"), "Bo")
    _rule(fight, "dice", owner=first, source="entered")
    _rule(fight, "note", text="It had been raining since noon.")
    _do(fight, AskingSet(who=second, ask="targeted"), "Bo")
    _go_on(fight, dice, 12)
    _rule(fight, "pool", who=second, pool=pool, by=-1 if fight.table.pool(second, pool) else 1)
    _rule(fight, "condition", who=first, condition="prone", count=1, own=True)
    _rule(fight, "modify", by=1, label="high ground", who=second)
    _go_on(fight, dice, 5)
    _do(fight, Undo(commands=3, reason="a bad call"))
    _go_on(fight, dice, 4)
    _do(fight, Undo(commands=2, reason="was that right?"))
    _do(fight, Redo(reason="it was"))
    _go_on(fight, dice, 3)
    _do(fight, Undo(commands=1, fresh=True, reason="the dice fell off the table"))
    _go_on(fight, dice, 6)
    _do(fight, AskingSet(who=second, ask="always"), "Bo")
    _amend(fight)
    _go_on(fight, dice, 6)
    _look(fight)
    _rule(fight, "secret_roll", dice="2d6", purpose="listening")
    _go_on(fight, dice, 3)
    _do(fight, Undo(commands=1, reason="one too many"))
    _do(fight, Close(unfinished=True, reason="it is late"))
    return fight


def _do(fight: Fight, intent: Intent, who: str = "gm") -> None:
    fight.submit(Command(id=f"c{fight.head}", who=who, intent=intent))


def _rule(fight: Fight, kind: str, **params: Any) -> None:
    _do(fight, Ruled(kind=kind, params=Raw(msgspec.json.encode(params)), reason="so it is ruled"))


def _go_on(fight: Fight, dice: Random, commands: int) -> None:
    """Let people do what looks best, and now and then anything at all; what is asked they answer as they like."""
    for nth in range(commands):
        asked = fight.table.draft.question is not None
        intent = (choose_random_legal if asked else choose_anything if nth % 3 == 1 else choose_best)(fight, dice)
        if intent is not None:
            _do(fight, intent, ("Anna", "Bo", "gm")[nth % 3])


def _amend(fight: Fight) -> None:
    """Amend the ruling on a pool; where that cannot be, take back the last declaration that can be left out."""
    ruled = next(one for one in fight.history.effective() if isinstance(one.event, Ruled) and one.event.kind == "pool")
    assert isinstance(ruled.event, Ruled)
    params = {**msgspec.json.decode(ruled.event.params), "by": -2}
    instead = replace(ruled.event, params=Raw(msgspec.json.encode(params)))
    for amend in (Amend(position=ruled.position, instead=(instead,), reason="it was two"), *_retractions(fight)):
        try:
            return _do(fight, amend)
        except (Refused, Unusable):
            continue
    raise AssertionError("nothing could be amended")


def _look(fight: Fight) -> None:
    """Preview amendments until one would draw unseen dice."""
    before = fight.head
    for amend in (*_retractions(fight), _dice_instead_of_the_note(fight)):
        with suppress(Refused, Unusable):
            fight.preview(amend, "Bo", f"look {before}")
        if fight.head > before:
            return


def _dice_instead_of_the_note(fight: Fight) -> Amend:
    """Return an amendment that throws unseen dice in place of a note."""
    noted = next(one for one in fight.history.effective() if isinstance(one.event, Ruled) and one.event.kind == "note")
    params = Raw(msgspec.json.encode({"dice": "2d6", "purpose": "weather"}))
    instead = Ruled(kind="secret_roll", params=params, reason="not a note")
    return Amend(position=noted.position, instead=(instead,), reason="not a note")


def _retractions(fight: Fight) -> Iterator[Amend]:
    for one in list(fight.history.effective())[::-1]:
        if isinstance(one.event, Declared):
            yield Amend(position=one.position, reason="never said")
