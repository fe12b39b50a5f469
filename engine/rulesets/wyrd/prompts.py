"""What the game master is asked when an action is done: setbacks, multiple successes, consequences, outcomes, morale.

A prompt waits as a mark until the action has left the stack. It is asked in a phase of its own, so that it holds up the
next declaration and nothing else (WYR-041).
"""

from __future__ import annotations

from functools import partial

from affray.engine.core.changes import marked
from affray.engine.core.effects import Ask, Rule, choice
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.events import Answered, Clause, Field, Id, MarkSet, Noted, Option

from .gear import destroyed
from .sizes import moved
from .throwing import stepped_to

OWNER = "fight"
PREFIX = "prompt/"
"""Begins the key of a mark that says what is still to be asked; the question's own name follows, kind and cause."""

MOST_STEPS = 5
"""By how many steps a piece can be worn down at once: the whole chain."""

NOTHING = Option(choice="nothing", says="nothing comes of it")
OTHER = Option(choice="other", says="something else comes of it", fields=(Field(name="outcome", kind="text"),))
SETTLED = Option(choice="settled", says="it comes out like this", fields=(Field(name="outcome", kind="text"),))

WEAR: dict[str, tuple[Clause, ...]] = {"wear": ("WYR-041", "WYR-043"), "setback": ("WYR-041", "WYR-042")}
"""The clauses of prompts about gear that wears."""

ORDER = ("wear", "consequence", "outcome", "paradox", "morale", "setback")
"""In which order prompts of one action are asked; a setback comes last."""


def due(table: Table, kind: str, about: str, rule: Clause) -> MarkSet:
    """Note that the game master is to be asked something about the pending action, once it is done.

    Args:
        table: The fight.
        kind: One of ``ORDER``.
        about: The people it may touch, joined by ``>``, or what was tried.
        rule: The clause that wants to know.
    """
    pending = table.pending()
    cause = pending.id if pending else "ruling"
    return noted(f"{kind}:{cause}", f"{about}|{rule}", rule)


def among(*people: Id) -> str:
    """Return those whom a prompt may touch, as ``due`` takes them."""
    return ">".join([one for one in people if one])


def noted(key: str, what: str, rule: Clause) -> MarkSet:
    """Note what is to be asked under a kind and a cause."""
    return marked(OWNER, PREFIX + key, what, rule, until="it is answered")


def noted_about(table: Table, key: str) -> str:
    """Return what is noted to be asked under a kind and a cause; nothing if it is not, or no more."""
    return str(table.mark(OWNER, PREFIX + key) or "")


def asked(key: str) -> MarkSet:
    """Strike out what has been asked."""
    return marked(OWNER, PREFIX + key, None)


def waiting(table: Table) -> list[tuple[str, str]]:
    """Return what is to be asked, in order: kind and cause, and what about."""
    marks = table.draft.marks.get(OWNER)
    if not marks:
        return []
    found = [(key.removeprefix(PREFIX), str(value)) for key, value in marks.items() if key.startswith(PREFIX)]
    return sorted(found, key=lambda one: ORDER.index(one[0].partition(":")[0]))


def standing_prompt(table: Table) -> Id:
    """Return the question of a prompt that stands in its own phase and is still to be answered; nothing otherwise."""
    question = table.draft.question
    if question is None or table.draft.phase != "prompt":
        return ""
    return question.id if any(key == question.about for key, _ in waiting(table)) else ""


def told(table: Table, key: str, what: str) -> Rule[None]:
    """Ask for an outcome in words, and note it (WYR-008, WYR-012, WYR-047)."""
    said, _, rule = what.rpartition("|")
    rules = (rule,)
    answer = yield from choice(partial(_how, key, rules))
    assert answer is not None
    yield asked(key)
    yield Noted(text=f"{said}: {answer.fields['outcome']}", rules=rules)


def wear(table: Table, key: str, between: str) -> Rule[None]:
    """Ask what a setback, a multiple success or a failure does to somebody's gear, or else (WYR-041 to WYR-043)."""
    people, _, rule = between.rpartition("|")
    rules = WEAR.get(key.partition(":")[0], (rule,))
    answer = yield from choice(partial(_wears, table, key, tuple(people.split(">")), rules))
    assert answer is not None
    yield asked(key)
    if answer.choice == "step":
        yield from worn_by_ruling(table, str(answer.fields["piece"]), int(answer.fields.get("steps") or 1), *rules)
    elif answer.choice == "other":
        yield Noted(text=str(answer.fields["outcome"]), rules=rules)


def _how(key: str, rules: tuple[Clause, ...]) -> Ask:
    return Ask(of=("gm",), about=key, options=(SETTLED,), rules=rules)


def _wears(table: Table, key: str, people: tuple[Id, ...], rules: tuple[Clause, ...]) -> Ask:
    """Return what is asked about gear: what of it there still is, and nothing that is beyond use."""
    refuses = partial(_beyond_use, table, rules[0])
    return Ask(of=("gm",), about=key, options=_ways(table, people), rules=rules, refuses=refuses)


def _beyond_use(table: Table, rule: Clause, answer: Answered) -> None:
    piece = table.draft.items.get(str(answer.fields.get("piece")))
    if answer.choice == "step" and piece is not None and destroyed(piece):
        raise Refused("destroyed", rule, f"the {piece.name} is destroyed already", source=piece.id)


def _ways(table: Table, people: tuple[Id, ...]) -> tuple[Option, ...]:
    pieces = tuple(piece for who in people for piece in intact(table, who))
    if not pieces:
        return (NOTHING, OTHER)
    steps = Field(name="steps", kind="int", low=1, high=MOST_STEPS, optional=True)
    step = Option(
        choice="step", says="a piece is worn down", fields=(Field(name="piece", kind="id", among=pieces), steps)
    )
    return (NOTHING, step, OTHER)


def intact(table: Table, who: Id) -> list[Id]:
    """Return every piece of somebody's that can be worn down."""
    if who not in table.draft.combatants:
        return []
    return [item.id for item in table.items_of(who) if item.kind != "ability" and item.die]


def worn_by_ruling(table: Table, item: Id, steps: int, *rules: Clause) -> Rule[None]:
    """Step a piece down as often as the game master says; it may be destroyed on the way."""
    config = table.config
    after = moved(config, table.item(item).die, -steps, config.chain_top)
    yield stepped_to(table, item, after, *rules, "WYR-T04")
