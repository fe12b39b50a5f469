"""The next input of a fight: legal, foolish, a ruling, or a change of the record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import Any, NamedTuple

from msgspec import Raw, inspect

from affray.engine import Close, Command, Fight, Stir
from affray.engine.analysis.policies import make_input
from affray.engine.commands import Amend, Intent, Redo, Undo
from affray.engine.core.loading import load
from affray.engine.runtime.offers import Legal, LegalAction, list_legal_actions
from affray.events import (
    Answered,
    AskingSet,
    Declared,
    DiceEntered,
    Event,
    Field,
    Noted,
    Passed,
    Ruled,
    Scalar,
    give_values,
)
from tests.engine.choices import Choices
from tests.engine.moves import amend, blunder
from tests.engine.ruled import make_ruling

from .wild import NONSENSE, Wild, list_fields, sendable

ENDS = frozenset({"end", "leave"})
"""Rulings after which little is left to do; they are made less often."""


PEOPLE = ("gm", "Anna", "Bo")
"""Who sends commands."""


class SentCommand(NamedTuple):
    """A command, what kind of thing it is, and whether the fight itself offered it."""

    kind: str
    command: Command
    offered: bool = False


class Sender:
    """Thinks of commands for one fight.

    Args:
        fight: The fight.
        dice: Where chance comes from.
        entries: Entries of encounter files from which newcomers are made.
    """

    def __init__(self, fight: Fight, dice: Random, entries: Sequence[dict[str, Any]]) -> None:
        self.fight = fight
        self.dice = dice
        self.entries = entries
        self.known = words_of(fight.ruleset.name)
        self.offers: tuple[Legal, ...] | None = None
        self.last: Command | None = None
        self.sent = 0

    def next(self) -> SentCommand:
        """Return what is asked next."""
        self.sent += 1
        if self.last is not None and self.dice.random() < 0.01:
            return SentCommand("again", self.last)
        think = self.dice.choices(THOUGHTS, WEIGHTS)[0]
        kind, intent, offered = think(self)
        id = self.last.id if self.last is not None and self.dice.random() < 0.005 else f"c{self.sent}"
        expected = self.fight.head - self.dice.randrange(2) if self.dice.random() < 0.03 else None
        knows = None
        if self.dice.random() < 0.05:
            knows = tuple(self.dice.sample(list(self.fight.table.draft.concealed), 0))
        who = self.dice.choice(PEOPLE)
        if self.dice.random() < 0.004:
            id, who = self.dice.choice(((id, self.dice.choice(NONSENSE)), (self.dice.choice(NONSENSE), who)))
        self.last = Command(id=id, who=who, intent=intent, expected=expected, knows=knows)
        usual = (expected in (None, self.fight.head), knows is None, id == f"c{self.sent}", who in PEOPLE)
        return SentCommand(kind, self.last, offered and all(usual) and not self.fight.history.closed)

    @property
    def wild(self) -> Wild:
        """A strategy for values that fit the present fight."""
        return Wild(self.dice, self.fight.table.draft, self.known)

    def choices(self) -> Choices:
        """Return a source of choices for what the other properties say."""
        return Choices(self.dice.randbytes(8))


Thought = tuple[str, Intent, bool]


@cache
def words_of(system: str) -> tuple[str, ...]:
    """Return words that mean something in a rule system."""
    ruleset = load(system)
    forms = [*ruleset.actions.values(), *ruleset.rulings.values()]
    words = {*ruleset.actions, *ruleset.rulings, *ruleset.clauses, *ruleset.turns.manners}
    words |= {step.dest for step in ruleset.flow.steps}
    for form in forms:
        told = inspect.type_info(form)
        assert isinstance(told, inspect.StructType)
        for field in told.fields:
            if isinstance(field.type, inspect.LiteralType):
                words |= {str(value) for value in field.type.values}
    return tuple(sorted(words))


def send_action(sender: Sender) -> Thought:
    """Do something that is offered: one time in four what looks best of a few, as fights would not end otherwise."""
    fight, dice = sender.fight, sender.dice
    if sender.offers is None:
        sender.offers = tuple(list_legal_actions(fight.ruleset, fight.table))
    if not sender.offers:
        return send_ruling(sender)
    few = [dice.choice(sender.offers) for _ in range(6 if dice.random() < 0.25 else 1)]
    best = max(few, key=lambda one: _worth(fight, one)) if len(few) > 1 else few[0]
    return "legal", make_input(best, dice), True


def _worth(fight: Fight, one: Legal) -> float:
    if not isinstance(one, LegalAction):
        return 0
    intent = one.intent
    action = fight.ruleset.action(intent.kind, intent.params)
    return fight.ruleset.fighter.appraise(fight.table, intent.actor, action, intent.manner)


def send_declaration(sender: Sender) -> Thought:
    """Declare an action, with parameters that might fit."""
    wild, ruleset = sender.wild, sender.fight.ruleset
    kind = sender.dice.choice(sorted(ruleset.actions)) if sender.dice.random() < 0.97 else wild.word()
    params = wild.params(ruleset.actions[kind]) if kind in ruleset.actions else {}
    acting = sender.fight.table.draft.acting
    actor = sender.dice.choice(acting) if acting and sender.dice.random() < 0.5 else wild.word("actor")
    manner = sender.dice.choice(sorted(ruleset.turns.manners)) if sender.dice.random() < 0.9 else wild.word()
    if sender.dice.random() < 0.5:
        manner = "standard"
    return "declare", Declared(actor=actor, kind=kind, params=Raw(sendable(params)), manner=manner), False


def send_ruling(sender: Sender) -> Thought:
    """Rule anything, with parameters that might fit; one time in three, sensible ones."""
    ruleset = sender.fight.ruleset
    kind = sender.dice.choice([one for one in sorted(ruleset.rulings) if one not in ENDS or sender.dice.random() < 0.3])
    if sender.dice.random() < 0.35:
        return f"rule {kind}", make_ruling(sender.fight, sender.choices(), kind), False
    params = send_newcomers(sender) if kind == "join" else sender.wild.params(ruleset.rulings[kind])
    return f"rule {kind}", Ruled(kind=kind, params=Raw(sendable(params)), reason="so it is"), False


def send_newcomers(sender: Sender) -> dict[str, Any]:
    """Return newcomers, or who left: entries of an encounter with another name, and often one more field changed."""
    departed = [*sender.fight.table.draft.departed]
    if departed and sender.dice.random() < 0.3:
        return {"combatant": sender.dice.choice(departed)}
    entry = newcomer(sender)
    if sender.dice.random() < 0.2:
        return {"combatant": [entry, newcomer(sender)]}
    return {"combatant": entry, **({"initiative": sender.dice.randint(-5, 30)} if sender.dice.random() < 0.2 else {})}


def newcomer(sender: Sender) -> dict[str, Any]:
    """Return an entry of an encounter with another name, and often one more field changed."""
    wild = sender.wild
    among = next(one.type for one in list_fields(sender.fight.ruleset.rulings["join"]) if one.name == "combatant")
    assert isinstance(among, inspect.UnionType)
    spec = next(one for one in among.types if isinstance(one, inspect.StructType))
    entry = {**sender.dice.choice(sender.entries), "name": f"New {sender.dice.choice('ABCDEFGHIJKLMNOP')}"}
    entry.pop("count", None)
    entry.pop("concealed", None)
    entry.pop("veiled", None)
    if "at" in entry:
        entry["at"] = wild.word("at")
    for field in sender.dice.sample(list(spec.fields), sender.dice.choice((0, 0, 1, 1, 2))):
        entry[field.encode_name] = wild.value(field.type, field.encode_name, 1)
    return entry


def reply(sender: Sender) -> Thought:
    """Answer, pass or enter dice, with something that might fit what is asked."""
    draft, dice, wild = sender.fight.table.draft, sender.dice, sender.wild
    if draft.question is not None and dice.random() < 0.7:
        asked = draft.question
        option = dice.choice(asked.options)
        given: list[tuple[Field, Scalar]] = []
        for field in option.fields:
            values: list[Scalar] = [dice.randint(-1, 9), wild.word(), *field.among, field.low, field.high]
            if dice.random() < 0.9:
                given.append((field, dice.choice(values)))
        choice = option.choice if dice.random() < 0.9 else wild.word()
        by = dice.choice((*asked.of, "gm"))
        return "answer", give_values(Answered(question=asked.id, by=by, choice=choice), given), False
    if draft.awaited is not None and dice.random() < 0.7:
        faces = tuple(dice.randint(0, one.sides + 1) for one in draft.awaited.dice for _ in range(one.count))
        return "dice", DiceEntered(roll=draft.awaited.roll, faces=faces), False
    if draft.window is not None and dice.random() < 0.7:
        return "pass", Passed(window=draft.window.id, who=dice.choice((*draft.window.to, wild.word()))), False
    return (
        "reply",
        dice.choice(
            (
                Answered(question=wild.word(), by=wild.word(), choice=wild.word(), fields={wild.word(): 10**6}),
                DiceEntered(roll=wild.word(), faces=(0, -1, 10**6)),
                Passed(window=wild.word(), who=wild.word()),
                Noted(text=wild.word()),
            )
        ),
        False,
    )


def send_wish_for_windows(sender: Sender) -> Thought:
    """Want to be asked, or not."""
    ask = sender.dice.choice(("never", "targeted", "always", "always", sender.wild.word()))
    return "asking", AskingSet(who=sender.wild.word(), ask=ask), False  # type: ignore[arg-type]


def send_undo(sender: Sender) -> Thought:
    """Take back a command, a few, or many."""
    dice = sender.dice
    fresh = dice.random() < 0.2
    if dice.random() < 0.75:
        commands = dice.choice((1, 1, 1, 2, 3, 0, -1, 10**6))
        return "undo", Undo(commands=commands, fresh=fresh, reason="a bad call"), False
    to = dice.choice((dice.randint(0, sender.fight.head + 1), -5))
    return "undo", Undo(to=to, fresh=fresh, reason="back"), False


def send_redo(sender: Sender) -> Thought:
    """Bring back what was taken back."""
    lane = None if sender.dice.random() < 0.7 else sender.dice.randint(-1, sender.fight.head + 1)
    return "redo", Redo(lane=lane, reason="it was right"), False


def send_amendment(sender: Sender) -> Thought:
    """Amend an earlier command."""
    if sender.dice.random() < 0.6:
        intent = amend(sender.fight, sender.choices())
        if intent is not None:
            return "amend", intent, False
    other = sender.dice.choice((send_declaration, send_ruling, reply))(sender)[1]
    instead = (other,) if isinstance(other, Event) and sender.dice.random() < 0.7 else ()
    position = sender.dice.randint(-1, sender.fight.head + 1)
    return "amend", Amend(position=position, instead=instead, reason=sender.wild.word()), False


def send_stir_or_close(sender: Sender) -> Thought:
    """Stir words into the dice, or close the record."""
    if sender.dice.random() < 0.97:
        return "stir", Stir(words=sender.wild.word()), False
    return "close", Close(unfinished=sender.dice.random() < 0.8, reason="it is late"), False


def foolish(sender: Sender) -> Thought:
    """Ask for something that is most likely refused."""
    return "blunder", blunder(sender.fight, sender.choices()), False


THOUGHTS: tuple[Callable[[Sender], Thought], ...]
WEIGHTS: tuple[float, ...]
THOUGHTS, WEIGHTS = zip(
    (send_action, 30),
    (send_declaration, 24),
    (send_ruling, 22),
    (reply, 8),
    (foolish, 6),
    (send_wish_for_windows, 3),
    (send_undo, 4),
    (send_redo, 2),
    (send_amendment, 0.6),
    (send_stir_or_close, 0.4),
    strict=True,
)
"""What is thought of, and how often."""
