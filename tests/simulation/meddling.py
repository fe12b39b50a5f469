"""Random input in a generated fight: legal actions, rulings, undo, redo, amendments."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from affray.engine.analysis.policies import choose_random_action, choose_random_legal, list_choices_by_kind, make_input
from affray.engine.commands import Amend, Close, Intent, Stir
from affray.engine.errors import Refused, Unusable
from affray.engine.history.amend import AMENDABLE, Amendment
from affray.engine.history.timeline import split_by_input
from affray.engine.runtime.offer_tree import FieldStep
from affray.engine.runtime.offers import build_offer_trees, list_awaited
from affray.events import Declared, Event, Recorded
from tests.driving import must
from tests.engine.choices import Choices
from tests.engine.drawing import Kind
from tests.engine.moves import redo, stand, undo
from tests.engine.ruled import make_ruling
from tests.engine.tables import preview_fight

from .playing import Playing, check_fold

MOST_ANSWERS = 4
"""After so many questions that were never asked before an amendment is given up."""

TRIES = 5
"""So often a ruling of one kind is tried."""

REACH = 12
"""An amendment corrects one of so many last inputs."""

Meddling = Callable[[Playing], None]


def act_as_offered(it: Playing) -> None:
    """Do anything that is offered; the kind is drawn first."""
    intent = choose_random_legal(it.fight, it.dice)
    if intent is not None:
        it.say(intent)


def choose_step_by_step(it: Playing) -> None:
    """Choose a combatant's declaration step by step: actor, action, then fields; texts are drawn too."""
    ways = build_offer_trees(it.fight.ruleset, it.fight.table)
    if not ways:
        return
    way = it.dice.choice(ways)
    forms = list(way.forms)
    it.dice.shuffle(forms)
    form = next((form for form in forms if way.refusal(form) is None), None)
    if form is None:
        return
    chosen: dict[str, Any] = {}
    free = False
    try:
        while isinstance(step := way.step(form.kind, chosen), FieldStep):
            chosen[step.field] = one_of(step, it.dice)
            free = free or step.open
    except (Refused, Unusable) as no:
        must(free, f"step by step it was offered, and is refused: {form.kind} {chosen}: {no}")
        return
    it.say(way.intent(step))


def one_of(step: FieldStep, dice: Random) -> Any:
    """Return one of the values that are still possible; where any are, the usual one, some words or a number."""
    if not step.open:
        return dice.choice([one.value for one in step.choices if one.refused is None])
    return dice.choice([*([step.usual] if step.usual is not UNSET else []), "by the rope", dice.randint(0, 3)])


def rule_something(it: Playing) -> None:
    """Rule something, sensible or not; what is refused is tried with other parameters, for some kinds seldom fit."""
    kind = make_ruling(it.fight, choices(it)).kind
    for _ in range(TRIES):
        if _maybe(it, make_ruling(it.fight, choices(it), kind)):
            return


def fulfil(it: Playing) -> bool:
    """Give an awaited input, or one that must come before it; tell whether one was possible."""
    for nth, wish in enumerate(it.wishes):
        if fulfil_wish(it, wish):
            if nth == 0:
                it.wishes = []
            return True
    return False


def fulfil_wish(it: Playing, wish: Kind) -> bool:
    if wish.sort == "ruling":
        return any(_maybe(it, make_ruling(it.fight, choices(it), wish.name, wish.say)) for _ in range(TRIES))
    intent = choose_random_action(list_choices_by_kind(it.fight).get(wish.name, ()), wish.name, it.dice)
    if intent is None:
        return False
    it.say(intent)
    return True


def take_back(it: Playing) -> None:
    """Take back one command or a few, or go back to some position, with the same dice or fresh ones."""
    _maybe(it, undo(it.fight, choices(it)))


def bring_back(it: Playing) -> None:
    """Redo the latest undo, or the lane that ends at a position."""
    _maybe(it, redo(it.fight, choices(it)))


def set_standing(it: Playing) -> None:
    """Set or end a standing pass."""
    if it.fight.table.draft.combatants:
        _maybe(it, stand(it.fight, choices(it)))


def stir(it: Playing) -> None:
    """Stir words into the dice, if none has fallen yet."""
    _maybe(it, Stir(words=f"{it.dice.random()}"))


def close(it: Playing) -> None:
    """End the record though the fight goes on."""
    it.say(Close(unfinished=True, reason="it is late"))


def choices(it: Playing) -> Choices:
    """Return a source of small choices."""
    return Choices(it.dice.randbytes(8))


def _maybe(it: Playing, intent: Intent) -> bool:
    """Ask for something that may be refused; tell whether it was accepted."""
    return it.ask(intent).no is None


def amend_recent_input(it: Playing) -> None:
    """Correct one of the last inputs; what a preview shows is what is recorded then."""
    inputs = [part[0] for part in split_by_input(it.fight.history.effective()) if isinstance(part[0].event, AMENDABLE)]
    if not inputs:
        return
    wrong = it.dice.choice(inputs[-REACH:])
    better = Amend(position=wrong.position, instead=draw_correction(it, wrong), reason="misheard")
    try:
        better, seen = answer_amendment(it, better)
    except (Refused, Unusable):
        it.drawn["refused"] += 1
        return
    if seen.needs is not None or not seen.events:
        return
    recorded = it.say(better).recorded
    must([one.event for one in recorded] == seen.accept(), "what was recorded is not what the preview showed")
    must(it.fight.state == seen.after, "the fight is not as the preview showed it")
    check_fold(it.fight)


def draw_correction(it: Playing, wrong: Recorded) -> tuple[Event, ...]:
    """Return what should have been said: nothing, a ruling before it, another ruling, anything offered then."""
    way = it.dice.random()
    if way < 0.2:
        return ()
    then = it.fight.copy_at(wrong.position - 1)
    if way < 0.35:
        return (make_ruling(then, choices(it)), wrong.event)
    if not isinstance(wrong.event, Declared) and way < 0.5:
        return (make_ruling(then, choices(it)),)
    other = choose_random_legal(then, it.dice)
    return () if other is None else (other,)


def answer_amendment(it: Playing, better: Amend) -> tuple[Amend, Amendment]:
    """Return an amendment with the answers that it needs, or with some, and what it would lead to."""
    seen = it.fight.preview(better, "gm", f"look at {it.fight.head}")
    while seen.needs is not None and len(better.answers) < MOST_ANSWERS:
        then = preview_fight(it.fight, seen)
        better = replace(
            better, answers=(*better.answers, make_input(it.dice.choice([*list_awaited(then.table)]), it.dice))
        )
        seen = it.fight.preview(better, "gm", f"look at {it.fight.head}")
    return better, seen


WAYS: tuple[tuple[int, Meddling], ...] = (
    (500, act_as_offered),
    (60, choose_step_by_step),
    (200, rule_something),
    (60, take_back),
    (50, bring_back),
    (80, amend_recent_input),
    (30, set_standing),
    (12, stir),
    (3, close),
)
"""How likely each is."""


def meddle(it: Playing) -> None:
    """Give a random input; often redo an undone lane, or give the awaited input."""
    if it.fight.history.undone and it.dice.random() < 0.3:
        bring_back(it)
    elif not fulfil(it):
        it.dice.choices([way for _, way in WAYS], [weight for weight, _ in WAYS])[0](it)
