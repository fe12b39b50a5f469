"""The course of a generated fight: begun, meddled with, fought to its end, and looked at from all sides."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import NamedTuple

from msgspec import Raw
from msgspec.json import encode

from affray.engine.analysis.policies import (
    choose_random_action,
    choose_random_legal,
    choose_sensibly,
    list_choices_by_kind,
)
from affray.engine.analysis.stalemate import StalemateDetector
from affray.engine.commands import Close, Redo, Undo
from affray.engine.core.state import digest
from affray.engine.history.amend import AMENDABLE
from affray.engine.history.timeline import split_by_input
from affray.engine.integrity.audit import audit
from affray.events import Event, Recorded, Ruled
from tests.driving import Broken, in_time, locate_failure, must
from tests.engine.fights import NAME, encode_state

from .encounters import begin_generated
from .meddling import act_as_offered, fulfil, meddle, rule_something
from .playing import Playing, check_fold

MEDDLED = (2, 5, 8, 12, 18)
"""So many times a fight is meddled with before it is fought to its end."""

HURT = 0.8
"""How likely somebody is hurt when it begins."""

SENSIBLE = 0.4
"""How often a sensible command comes between."""

LATER = 0.015
"""How often somebody still meddles while it is fought to its end, twice at most."""

AFTERWARDS = (0, 0, 0, 4)
"""So many times somebody does or rules something when it is over."""

RESTARTED = 0.1
RESTARTED_LATER = 0.008
"""How often the program is started anew after a command, in either part."""

MOST = 10_000
"""So many commands may lead to its end: somebody who makes one metre a turn has a long way to a foe."""

SLOW = 20
"""How many seconds of this process a fight may take."""

STILL = 40
"""So many commands more a fight at a stalemate is watched."""

BACK = (1, 1, 2, 3, 5)
"""So many commands are taken back at the end."""


class Came(NamedTuple):
    """The result of a fight.

    Attributes:
        system, seed: Which one.
        drawn: How much was drawn of each kind.
        fault: What failed; nothing if it holds.
    """

    system: str
    seed: int
    drawn: Counter[str]
    fault: str = ""


def play_generated(system: str, seed: int) -> Came:
    """Play the fight of a system that a seed names, and see that everything holds."""
    dice = Random(f"generated/{system}/{seed}")
    drawn = Counter[str]()
    try:
        with in_time(SLOW):
            it = Playing(begin_generated(system, dice), dice, drawn)
            meddle_and_play(it)
            hold(it)
            it.tell_end()
    except Exception as failed:  # whatever it is, it should not have happened
        return Came(system, seed, drawn, describe_failure(failed))
    return Came(system, seed, drawn)


def describe_failure(failed: Exception) -> str:
    if isinstance(failed, Broken):
        return str(failed)
    return f"{type(failed).__name__} at {locate_failure(failed)}: {failed}"


def meddle_and_play(it: Playing) -> None:
    """Meddle with a fight, then let sensible fighters bring it to its end; some things are done only after that."""
    rule_hurt(it)
    for _ in range(it.dice.choice(MEDDLED)):
        if it.fight.history.closed:
            return
        (_sensibly if it.dice.random() < SENSIBLE else meddle)(it)
        if it.dice.random() < RESTARTED:
            it.restart()
    finish_sensibly(it)
    if it.fight.state.ended and not it.fight.history.closed:
        for _ in range(it.dice.choice(AFTERWARDS)):
            if not fulfil(it):
                it.dice.choice((act_as_offered, rule_something))(it)


def finish_sensibly(it: Playing) -> None:
    """Let sensible fighters bring it to its end; where there is none, note why.

    Either it is at a stalemate, or nothing at all may be declared any more, so that all waits for a ruling.
    """
    chance, left = Random(it.dice.random()), 2
    stalemate = StalemateDetector(it.fight.ruleset, chance)
    for _ in range(MOST):
        if it.fight.history.closed:
            return
        if left and it.dice.random() < LATER:
            left -= 1
            meddle(it)
            stalemate = StalemateDetector(it.fight.ruleset, chance)
            continue
        intent = decide_next(it, chance)
        if intent is None:
            break
        recorded = it.say(intent).recorded
        if stalemate.observe(it.fight.table, [one.event for one in recorded]):
            it.why_not = "a stalemate"
            stand_still(it, chance)
            return
        if it.dice.random() < RESTARTED_LATER:
            it.restart()
    else:
        must(False, f"has not ended after {MOST} sensible commands")
    if not it.fight.state.ended:
        must(leads_nowhere(it), "something may be done, and nobody finds it sensible")
        it.why_not = "nothing may be declared"


def leads_nowhere(it: Playing) -> bool:
    """Tell whether nothing may be done, or where a fight cannot begin as it is, nothing that begins it."""
    if it.fight.state.round:
        return choose_random_legal(it.fight, it.dice) is None
    return choose_random_action(list_choices_by_kind(it.fight).get("begin", ()), "begin", it.dice) is None


def decide_next(it: Playing, chance: Random) -> Event | None:
    """Return what sensible fighters do next; what real dice show is no decision of theirs."""
    return choose_sensibly(it.fight, chance if it.fight.table.draft.awaited is None else it.dice)


def stand_still(it: Playing, chance: Random) -> None:
    """See that it does not end either where it goes on for some more rounds."""
    for _ in range(STILL):
        intent = decide_next(it, chance)
        must(intent is not None, "it was at a stalemate, and nobody does anything")
        assert intent is not None
        it.say(intent)
    must(not it.fight.state.ended, "it was at a stalemate, and ended")


def rule_hurt(it: Playing) -> None:
    """Let the game master rule that some come hurt already, so that fights are short, and there is time for more."""
    pools = [name for name, one in it.fight.ruleset.vocabulary.pools.items() if one.role == "health"]
    for who, one in it.fight.state.combatants.items():
        for pool in pools:
            if one.pools.get(pool, 0) > 1 and it.dice.random() < HURT:
                left = it.dice.randint(1, max(1, one.pools[pool] // 3))
                it.say(Ruled(kind="pool", params=Raw(encode({"who": who, "pool": pool, "to": left})), reason="hurt"))


def _sensibly(it: Playing) -> None:
    """Do what sensible fighters do."""
    intent = choose_sensibly(it.fight, it.dice)
    if intent is not None:
        it.say(intent)


def hold(it: Playing) -> None:
    """See that the record is the fight, that what is taken back comes back, and that the audit is clean."""
    check_fold(it.fight)
    if not it.fight.history.closed:
        back_and_forth(it)
        repeat_last_commands(it)
        if it.dice.random() < 0.5:
            it.say(Close(unfinished=not it.fight.state.ended, reason="it is late"))
    it.restart()
    report = audit(lambda: iter(it.store.read(NAME)), seed=None if it.fight.history.closed else it.seed)
    must(report.clean, f"the audit finds {report.findings[:2]} and misses {report.missing}")


def back_and_forth(it: Playing) -> None:
    """Take back the last commands at once or one by one, and bring them back the same way."""
    count = min(it.dice.choice(BACK), len(_last(it)))
    singly = it.dice.random() < 0.5
    steps = [1] * count if singly else [count] if count else []
    passed = []
    for step in steps:
        passed.append(_looks(it))
        it.say(Undo(commands=step, reason="a bad call"))
    if it.dice.random() < 0.2:
        it.restart()
    while passed:
        it.say(Redo(reason="it was right"))
        must(_looks(it) == passed.pop(), "what was taken back and brought back is not as it was")


def repeat_last_commands(it: Playing) -> None:
    """Take back the last commands, and say the same again: the same dice fall. Released words are open already."""
    history, said = it.fight.history, []
    for first, *more in reversed(_last(it)[-it.dice.choice(BACK) :]):
        if more or history.commands[first.cause] != first.position or not isinstance(first.event, AMENDABLE):
            break
        if isinstance(first.event, Ruled) and first.event.kind == "release":
            break
        said.append(first.event)
    if said:
        before = _looks(it)
        it.say(Undo(commands=len(said), reason="say it again"))
        for event in reversed(said):
            it.say(event)
        must(_looks(it) == before, "the same said again led elsewhere")


def _last(it: Playing) -> list[list[Recorded]]:
    """Return the inputs of each command that counts, the opening left out."""
    commands: dict[str, list[Recorded]] = {}
    for part in split_by_input(it.fight.history.effective()):
        commands.setdefault(part[0].cause, []).append(part[0])
    return list(commands.values())[1:]


def _looks(it: Playing) -> tuple[str, bytes]:
    return digest(it.fight.state), encode_state(it.fight.state)
