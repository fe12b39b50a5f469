"""Attempts: declarations that only a concealed combatant prevents.

The game master decides their outcome.
"""

from affray.engine.core.actions import Action
from affray.engine.core.draft import Draft
from affray.engine.core.effects import Ask, Rule, choice
from affray.engine.core.evolve import evolve
from affray.engine.core.ruleset import Ruleset
from affray.engine.core.table import Table
from affray.engine.errors import RULE_ERRORS, Refused, Unusable
from affray.events import Attempted, AttemptRefused, Declared, Event, Fizzled, Id, Option, WindowClosed

from .frame import Frame
from .hidden_causes import ATTEMPT, find_hidden_causes
from .interpreter import Interpreter
from .refusals import cite_clauses
from .validation import check_declaration

FAILS = Option(choice="fails", says="it fails, and its cost is spent")
AGAIN = Option(choice="again", says="it is not made; the player chooses again")

ASKED = Ask(of=("gm",), about=ATTEMPT, options=(FAILS, AGAIN))
"""The question to the game master, with the same words and options for every cause."""

SHARED = ("actor", "kind", "params", "manner", "confided")
"""The fields that a declaration and an attempt have in common."""


def declaration_of(attempt: Attempted) -> Declared:
    """Convert a recorded attempt back to the declaration that the player sent."""
    return Declared(**{field: getattr(attempt, field) for field in SHARED})


def attempt_of(declared: Declared) -> Attempted:
    """Convert a declaration to the attempt that is recorded in its place."""
    return Attempted(**{field: getattr(declared, field) for field in SHARED})


def begin_attempt(interpreter: Interpreter, attempt: Attempted) -> None:
    """Record an attempt and ask the game master for its outcome.

    Raises:
        Refused: the rules would accept the declaration.
        Unusable: it cannot be understood.
    """
    ruleset, table = interpreter.ruleset, interpreter.table
    declaration = declaration_of(attempt)
    action = ruleset.decode_declaration(declaration)
    refusal = _refusal(ruleset, table, declaration)
    if refusal is None:
        raise Refused("possible", "", "nothing prevents this; it can be declared", source=attempt.actor)
    causes = find_hidden_causes(table, lambda other: check_declaration(ruleset, other, declaration), attempt.actor)
    code, rules = (refusal.code, cite_clauses(refusal)) if isinstance(refusal, Refused) else ("unusable", ())
    refused = AttemptRefused(actor=attempt.actor, code=code, because_of=causes, rules=rules)
    id, _ = interpreter.next_id(attempt.actor, attempt.kind)
    earlier = interpreter.draft.counts.get(f"{attempt.actor}/{ATTEMPT}", 0)
    interpreter.record(attempt)

    def end_attempt(interpreter: Interpreter, fails: bool) -> None:
        if fails:
            _fail(interpreter, attempt, action)

    rule = _ask_game_master(table, refused)
    interpreter.run(Frame(id, rule, end_attempt, purposes={ATTEMPT: earlier} if earlier else {}))


def _refusal(ruleset: Ruleset, table: Table, declaration: Declared) -> Refused | Unusable | None:
    """Return the refusal of a declaration; ``None`` if it would be accepted."""
    try:
        check_declaration(ruleset, table, declaration)
    except (Refused, Unusable) as refusal:
        return refusal
    return None


def _ask_game_master(table: Table, refused: AttemptRefused) -> Rule[bool]:
    """Ask the game master whether the attempt fails at its cost.

    A ruling that reveals a combatant, or moves the fight on, withdraws the question: the player chooses again.
    """
    yield refused
    made_in = _moment(table, refused.actor)
    answer = yield from choice(lambda: ASKED if _moment(table, refused.actor) == made_in else None)
    return answer is not None and answer.choice == FAILS.choice and _moment(table, refused.actor) == made_in


def _moment(table: Table, actor: Id) -> object:
    """Return the facts that must stay the same for an attempt to make sense."""
    draft = table.draft
    return draft.phase, draft.concealed, draft.ended, actor in draft.combatants


def _fail(interpreter: Interpreter, attempt: Attempted, action: Action) -> None:
    """Let an attempt fail: its declaration is paid for and has no effect."""
    ruleset, draft, actor, manner = interpreter.ruleset, interpreter.draft, attempt.actor, attempt.manner
    trigger = action.trigger(ruleset.turns.manners[manner])
    step = ruleset.flow.table.get((draft.phase, trigger))
    id, nth = interpreter.next_id(actor, attempt.kind)
    cost = _cost(interpreter.table, action, actor, manner)
    if draft.window is not None:
        interpreter.record(WindowClosed(window=draft.window.id, how="taken"))
    for event in cost:
        interpreter.record(event)
    if step is None:
        interpreter.look_after(id)
    elif action.stacks:
        clauses = (step.rule,) if step.rule else ()
        interpreter.stack(id, nth, actor, action, manner, attempt.params, step.dest, trigger, clauses, attempt.confided)
        interpreter.leave(Fizzled(item=id, code=ATTEMPT, rules=ruleset.turns.fizzles))
    else:
        interpreter.settle(id, trigger)


def _cost(table: Table, action: Action, actor: Id, manner: str) -> list[Event]:
    """Return the events that pay for a declaration; none where that needs a legal one.

    They are computed on a copy of the table, so that a rule that fails halfway changes nothing.
    """
    draft = Draft(table.draft.freeze())
    try:
        return _collect_payment(draft, action.pay(Table(draft, table.config), actor, manner))
    except (Refused, Unusable, *RULE_ERRORS):
        return []


def _collect_payment(draft: Draft, payment: Rule[None]) -> list[Event]:
    """Run a payment on a draft; return its events, or none if it asks or rolls."""
    paid: list[Event] = []
    for step in payment:
        if not isinstance(step, Event):
            return []
        evolve(draft, step)
        paid.append(step)
    return paid
