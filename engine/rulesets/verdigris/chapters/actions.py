"""Other actions: standing up, putting out flames, improvising."""

from functools import partial
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from affray.engine.core.actions import declared_as
from affray.engine.core.candidates import Among
from affray.engine.core.changes import end_condition
from affray.engine.core.effects import Ask, Rule, choice
from affray.engine.rulesets.verdigris.attack.attacks import begin_action
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.harm.conditions import heal, lessen
from affray.engine.rulesets.verdigris.sheet import NOBODY, is_in_play, must_have_background
from affray.engine.rulesets.verdigris.turns.order import Deed, done_for
from affray.events import Answered, CombatantId, Field, Id, Noted, Option, Words

from .care import list_own_side, must_be_beside
from .panic import try_test


def list_burning(table: Table, actor: Id) -> list[Id]:
    """Return the burning combatants of the actor's side."""
    return [one.id for one in list_own_side(table, actor) if one.has("ablaze")]


@declared_as("douse", "put out flames", "patient")
@done_for("action", "VER-S30", paid_by=())
class Douse(Deed, frozen=True, kw_only=True):
    """Put out flames with an Acrobatics test; each SL puts out one (table 5.4).

    Attributes:
        patient: The burning combatant; by default the actor.
    """

    patient: Annotated[CombatantId, Among(list_burning)] = ""
    background: bool = False

    def must_fit(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse a patient who does not burn."""
        must_have_background(table, actor, self.background)
        patient = self.patient or actor
        must_be_beside(table, actor, patient, "VER-T30")
        if not table[patient].has("ablaze"):
            raise table.refuse(patient, "does not burn", "VER-T30")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Test, and put out flames."""
        if not (yield from begin_action(table, self, actor)):
            return
        ground = partial(self.check, table, actor, "pending")
        of = ("agility", "acrobatics")
        outcome = yield from try_test(table, actor, "douse", *of, "VER-S30", ground=ground, fits=self.background)
        patient = self.patient or actor
        if outcome.sl and is_in_play(table, patient):
            yield from lessen(table, patient, "ablaze", outcome.sl)


@declared_as("stand", "stand up")
@done_for("action", "VER-S30", paid_by=())
class Stand(Deed, frozen=True, kw_only=True):
    """Stand up, for the action (table 5.4)."""

    def must_fit(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse a combatant who is on its feet."""
        if not table[actor].has("prone"):
            raise table.refuse(actor, "is not prone", "VER-T30")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Stand up."""
        if (yield from begin_action(table, self, actor)):
            yield from end_condition(table, actor, "prone", "VER-S30")


def build_outcome_question(table: Table, who: Id, what: str, *rules: str) -> Ask | None:
    """Ask the game master for the outcome of an action, while its target is in play."""
    if not is_in_play(table, who):
        return None
    options = (
        Option(choice="settled", says=f"{what}: say what comes of it", fields=(Field(name="text", kind="text"),)),
        Option(choice="heals", says="it heals hit points", fields=(Field(name="hp", kind="int", low=1, high=99),)),
    )
    return Ask(of=("gm",), about="settled", options=options, rules=rules)


def apply_outcome(table: Table, who: Id, note: Noted, answer: Answered, *, potion: bool) -> Rule[None]:
    """Apply the game master's answer.

    Healing stops one bleeding for every 3 hit points (table 5.4). Potions do not heal a bleeding gut (table 5.5).
    """
    if answer.choice == "settled":
        yield replace(note, parts={**note.parts, "outcome": answer.fields["text"]}, rules=("VER-100",))
    elif potion and "gut bleeding" in table[who].conditions.get("injured", NOBODY):
        yield replace(note, parts={**note.parts, "gut": True}, rules=("VER-093",))
    else:
        hp = int(answer.fields["hp"] or 0)
        yield from heal(table, who, hp, "VER-097")
        if table[who].has("bleeding") and hp >= 3:
            yield from lessen(table, who, "bleeding", hp // 3)


@declared_as("improvise", "do something else, as the game master says", "what")
@done_for("action", "VER-015", paid_by=())
class Improvise(Deed, frozen=True, kw_only=True):
    """Do something else, for the action; the game master decides the outcome.

    Attributes:
        what: The action in plain words.
    """

    what: Annotated[Words, Meta(min_length=1, max_length=200)]

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Ask the game master for the outcome."""
        if (yield from begin_action(table, self, actor)):
            says = f"{table[actor].name}: {self.what}"
            answer = yield from choice(partial(build_outcome_question, table, actor, says, "VER-015"))
            if answer is not None:
                note = Noted(kind="improvised", parts={"who": actor, "what": self.what})
                yield from apply_outcome(table, actor, note, answer, potion=False)
