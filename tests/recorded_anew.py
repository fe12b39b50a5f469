"""Says again what a recorded fight says was said, under the rules that are installed, and records what comes of it.

``python -m tests.recorded_anew replays/wwn/closed-cellar.jsonl`` makes a recorded fight of a new version of the rules
from one of an older. The older one stays beside it as ``version-N-closed-cellar``, and the list has both. A second
argument writes elsewhere, and keeps all else as it is. A fork needs its parent beside it, recorded anew first, under
the name that it says.

A fight keeps its dice scheme. In scheme 1 it meets the same dice, and is written in a format that has that scheme. In
scheme 2 its dice are bound to the opening. It is kept where the fight was recorded under the installed version, and so
are the dice. They are others under another version, unless those of the record are thrown again (``same_dice``). Such a
fight is good for comparing, but no audit is clean.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

from msgspec import to_builtins
from msgspec.structs import replace

from affray.engine import FileStore, digest
from affray.engine.analysis.policies import make_input
from affray.engine.commands import Amend, AnswerUndo, Close, Command, Intent, Redo, Stir, Undo
from affray.engine.core.digest import digest_rules
from affray.engine.core.loading import load
from affray.engine.core.ruleset import config_of
from affray.engine.core.state import State
from affray.engine.errors import EngineError
from affray.engine.fight import Fight
from affray.engine.forking import ForkRequest, fork_fight
from affray.engine.history.amend import index_rolls
from affray.engine.history.log import read_log
from affray.engine.history.timeline import History
from affray.engine.integrity.commitment import seal_promise
from affray.engine.opening import open_fight
from affray.engine.runtime.dice import EnteredDice, SeenDice
from affray.engine.runtime.offers import list_legal_actions
from affray.engine.visibility import fresh_salt, has_hiding, seal_command
from affray.events import (
    INPUTS,
    NO_SEALS,
    Amended,
    Answered,
    Closed,
    Declared,
    DiceEntered,
    EntropyAdded,
    Event,
    FightOpened,
    Forked,
    FormatRaised,
    Passed,
    Previewed,
    Recorded,
    Restored,
    Rewound,
    RulesetAdopted,
    Sealed,
    Seals,
    UndoDeclined,
    UndoRequested,
    dice_scheme_of,
)
from affray.events.chain import FORMAT
from affray.events.upcast import STRUCT_UPCASTERS
from tests.forging import list_commands
from tests.old_formats import writing

TRIES = 9
"""So many questions that nobody was asked then may come before one command."""

OWN = (FormatRaised, RulesetAdopted)
"""What nobody says: the program writes it by itself."""


class RecordedAnew:
    """A fight that is recorded again.

    Args:
        log: How it was recorded.
        store: Where the new record goes; that of its parent is there, under the name that a fork says.
        name: Its name there.
        seed: Of its dice.
        same_dice: Whether the engine's dice fall as they are recorded, also in dice scheme 2.
    """

    def __init__(
        self, log: Sequence[Recorded], store: FileStore, name: str, seed: bytes | None, *, same_dice: bool = False
    ) -> None:
        self.said = list_commands([replace(one, event=as_now(one.event)) for one in log])
        opening = log[0].event
        assert isinstance(opening, FightOpened)
        latest = History(log).format
        self.format = next(one for one in range(latest, 0, -1) if dice_scheme_of(one) == opening.dice_scheme)
        self.dice = SeenDice(index_rolls(log), EnteredDice()) if same_dice and opening.dice_scheme > 1 else None
        self.store, self.name, self.seed = store, name, seed
        self.old = History()
        self.ends = {0: 0}
        self.time = ""

    def record(self) -> Fight:
        """Record it, and print what is refused now."""
        with writing(self.format):
            return self._recorded()

    def _recorded(self) -> Fight:
        forked = next((nth for nth, command in enumerate(self.said) if isinstance(command[0].event, Forked)), 0)
        if forked:
            self.fight = self.fork(forked)
        else:
            self.fight = self.begin(self.said[0])
        for command in self.said[: forked + 1]:
            self.remember(command)
        for command in self.said[forked + 1 :]:
            if not isinstance(command[0].event, OWN):
                self.time = command[0].time
                self.settle(command[0])
                try:
                    self.say(command[0], [one.event for one in command[1:]])
                except EngineError as why:
                    print(f"{self.name}, position {command[0].position}, {command[0].event}: {why}"[:200])
            self.remember(command)
        return self.fight

    def remember(self, command: list[Recorded]) -> None:
        """Note where a command ends in both records."""
        self.old.add(command)
        self.ends[command[-1].position] = self.fight.head

    def begin(self, command: list[Recorded]) -> Fight:
        """Open it as it was opened, under the rules of today."""
        opening, first = command[0].event, command[0]
        assert isinstance(opening, FightOpened)
        ruleset = load(opening.system)
        recorded_today = opening.version == ruleset.version
        today = replace(
            opening,
            format=self.format,
            version=ruleset.version,
            digest=opening.digest if recorded_today else digest_rules(ruleset),
            config=to_builtins(config_of(ruleset, opening.config)),
            commitment="",
        )
        events = [today, *(one.event for one in command[1:])]
        nobody = State()
        seals = NO_SEALS
        if recorded_today:
            seals = Seals(tuple([Sealed(one.audience, one.salt) for one in command]), first.known_to, first.mask)
        elif has_hiding(events):
            seals = seal_command(nobody, events, lambda _: nobody, fresh_salt)
        recorded, lines = seal_promise(
            self.seed,
            events,
            format=self.format,
            after=0,
            previous="",
            time=first.time,
            who=first.who,
            cause="opening",
            seals=seals,
        )
        self.store.begin(self.name, lines, self.seed)
        if self.dice is None:
            return open_fight(self.name, self.store, clock=lambda: self.time)
        history = History(recorded)
        return Fight(self.name, ruleset, history, store=self.store, clock=lambda: self.time, dice=self.dice)

    def fork(self, nth: int) -> Fight:
        """Fork it from its parent's new record, behind as many commands."""
        first = self.said[nth][0]
        forked = first.event
        assert isinstance(forked, Forked)
        kept = [one for one in self.said[:nth] if not isinstance(one[0].event, OWN)]
        parent = [
            one for one in list_commands(read_log(self.store.read(forked.parent))) if not isinstance(one[0].event, OWN)
        ]
        at = parent[len(kept) - 1][-1].position
        self.time = first.time
        wanted = ForkRequest(parent=forked.parent, name=self.name, at=at, who=first.who, reason=forked.reason)
        return fork_fight(wanted, self.store, self.store, fresh=self.seed or bytes(32), clock=lambda: self.time)

    def settle(self, first: Recorded) -> None:
        """Answer new questions at random, and throw new dice, before a command."""
        for nth in range(TRIES):
            question, awaited, event = self.fight.state.question, self.fight.state.awaited, first.event
            if isinstance(event, Answered) and question and event.question == question.id:
                return
            if isinstance(event, DiceEntered) and awaited and event.roll == awaited.roll:
                return
            if not (question or awaited) or not isinstance(event, Declared | Passed | Answered | DiceEntered):
                return
            dice = Random(first.position + nth)
            intent = make_input(dice.choice(list(list_legal_actions(self.fight.ruleset, self.fight.table))), dice)
            self.fight.submit(Command(id=f"{first.cause}-{nth}", who=first.who, intent=intent))

    def say(self, first: Recorded, rest: list[Event]) -> None:
        """Say again what a command said."""
        event, id, who = first.event, first.cause, first.who
        intent: Intent
        match event:
            case Previewed():
                after = next(one for one in self.said if one[0].position > first.position)
                if isinstance(after[0].event, Amended):
                    self.fight.preview(self.amend(after[0].event, after[1:]), who, id)
                return
            case Amended():
                intent = self.amend(event, rest)
            case UndoRequested() | UndoDeclined() | Rewound():
                intent = self.undo(event)
            case Restored() if event.commands:
                intent = Undo(commands=event.commands, fresh=event.fresh, reason=event.reason)
            case Restored():
                intent = Redo(lane=self.ends[event.lane], reason=event.reason)
            case EntropyAdded():
                intent = Stir(words=event.words)
            case Closed():
                intent = Close(unfinished=not self.fight.state.ended, reason=event.reason)
            case DiceEntered():
                intent = self.thrown(event)
            case _:
                intent = event
        knows = () if isinstance(event, UndoRequested) else None  # a player's, whomever they play
        self.fight.submit(Command(id=id, who=who, intent=intent, knows=knows))

    def undo(self, event: UndoRequested | UndoDeclined | Rewound) -> Undo | AnswerUndo:
        """Return what leads to an undo, a player's request for one, or the answer to that."""
        match event:
            case UndoDeclined():
                return AnswerUndo(allow=False, reason=event.reason)
            case Rewound() if event.request:
                return AnswerUndo(reason=event.reason)
        fresh = isinstance(event, Rewound) and event.fresh
        return Undo(to=self.ends[event.to], fresh=fresh, reason=event.reason)

    def thrown(self, event: DiceEntered) -> DiceEntered:
        """Return the faces of real dice as far as these are the same; those thrown besides fall in the middle."""
        awaited = self.fight.state.awaited
        sides = [one.sides for one in awaited.dice for _ in range(one.count)] if awaited else []
        if awaited is None or awaited.roll != event.roll or len(sides) == len(event.faces):
            return event
        middle = [(one + 1) // 2 for one in sides]
        return replace(event, faces=(*map(min, event.faces, sides), *middle[len(event.faces) :]))

    def amend(self, event: Amended, lane: Sequence[Recorded | Event]) -> Amend:
        """Return the correction: the inputs of its lane up to the first of those that came after the corrected one."""
        now = [one for one in (getattr(one, "event", one) for one in lane) if isinstance(one, INPUTS)]
        behind = [one.event for one in self.old.effective(after=event.to) if isinstance(one.event, INPUTS)][1:]
        instead = 0 if event.retracted else next((nth for nth, one in enumerate(now) if one in behind), len(now))
        begins = max(end for end in self.ends if end < event.position)
        return Amend(position=self.ends[begins] + 1, instead=tuple(now[:instead]), reason=event.reason)


def as_now(event: Event) -> Event:
    """Return an event in the present form of this format, which was not released yet."""
    change = STRUCT_UPCASTERS[FORMAT - 1].get(type(event))
    return change(event) if change else event


def keep_older(path: Path) -> Path:
    """Name a recorded fight and its list entry by the version of its rules, and return its new path."""
    opening = read_log(FileStore(path.parent).read(path.stem))[0].event
    assert isinstance(opening, FightOpened)
    kept = path.with_stem(f"version-{opening.version}-{path.stem}")
    if kept.exists() or opening.version == load(opening.system).version:
        sys.exit(f"{path} is of version {opening.version}; raise the version in ruleset.py first")
    for suffix in (".jsonl", ".key"):
        if path.with_suffix(suffix).exists():
            path.with_suffix(suffix).rename(kept.with_suffix(suffix))
    return kept


def list_anew(path: Path, kept: Path, fight: Fight) -> None:
    """Write the new events and digest of a fight into its list, and the entry of the older fight below it."""
    listed = path.with_name("replays.toml")
    before, after = listed.read_text("utf-8").split(f"[{path.stem}]\n")
    entry, mark, rest = after.partition("\n[")
    fresh = re.sub("(?m)^events = .*", f"events = {fight.head}", entry)
    fresh = re.sub("(?m)^digest = .*", f'digest = "{digest(fight.state)}"', fresh)
    text = f"{before}[{path.stem}]\n{fresh.rstrip()}\n\n[{kept.stem}]\n{entry.rstrip()}\n{mark}{rest}"
    listed.write_text(text, "utf-8")


def main(old: str, new: str = "", *, same_dice: bool = False) -> None:
    """Record a fight again, with its key if it is open; in its own place, if no other is named."""
    source, target = Path(old), Path(new or old)
    if not new:
        source = keep_older(source)
    log = read_log(FileStore(source.parent).read(source.stem))
    last = log[-1].event
    seed = bytes.fromhex(last.seed) if isinstance(last, Closed) else FileStore(source.parent).seed(source.stem)
    fight = RecordedAnew(log, FileStore(target.parent), target.stem, seed, same_dice=same_dice).record()
    if fight.history.closed:  # its seed is in the record
        target.with_suffix(".key").unlink()
    if not new:
        list_anew(target, source, fight)
    print(f'[{target.stem}]\nevents = {fight.head}\ndigest = "{digest(fight.state)}"')


if __name__ == "__main__":
    main(*sys.argv[1:])
