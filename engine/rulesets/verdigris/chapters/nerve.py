"""The nerve of mounts that are not trained for battle."""

from __future__ import annotations

from functools import partial

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.changes import pool_set
from affray.engine.core.effects import Ask, Go, Rule, choice
from affray.engine.rulesets.verdigris import marks, sheet
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.movement.leaving import get_away
from affray.engine.rulesets.verdigris.movement.moving import step
from affray.events import Field, Id, Option

from .free_attacks import fire_readied
from .mounts import control, must_ride

IN_DANGER = Option(choice="danger", says="its instinct is to flee")
CALM = Option(choice="calm", says="it sees no danger")
RIDING = Field(name="riding", kind="id", among=("yes", "no"))
BREAKS_OUT = Option(choice="breaks_out", says="it breaks out of the melee; does Riding help?", fields=(RIDING,))
STAYS = Option(choice="stays", says="it stays where it is")


def is_in_danger(table: Table, rider: Id) -> bool:
    """Tell whether a mount may feel in danger: in a melee, attacked of late, or with enemies in its zone (VER-061)."""
    mount = sheet.mount_under(table, rider)
    if not mount or sheet.is_trained(table, mount) or not sheet.is_in_play(table, mount):
        return False
    if sheet.melee_of(table, rider) is not None or marks.MOUNT_ALARMED.is_on(table, rider):
        return True
    place = table[rider].place
    near = table.at(place) if place else tuple(table.draft.combatants)
    return any(sheet.is_enemy(table, rider, one) and sheet.is_active(table, one) for one in near)


def _danger(table: Table, rider: Id) -> Ask | None:
    """Return the question whether the mount is in danger, if it may feel so."""
    if rider not in table.draft.combatants or not is_in_danger(table, rider):
        return None
    return Ask(of=("gm",), about="danger", options=(IN_DANGER, CALM), rules=("VER-061",))


def _direction(table: Table, rider: Id) -> Ask | None:
    """Return the question where a bolting mount runs; out of a melee, and whether Riding helps with that (VER-T73)."""
    mount = sheet.mount_under(table, rider) if rider in table.draft.combatants else ""
    if not mount or any(table[one].has("ensnared") or table[one].has("entangled") for one in (rider, mount)):
        return None
    if sheet.melee_of(table, rider) is not None:
        return Ask(of=("gm",), about="bolt", options=(BREAKS_OUT, STAYS), rules=("VER-061", "VER-039", "VER-T73"))
    place = table.draft.places.get(table[rider].place)
    if place is None or not place.exits:
        return None
    goes = Option(choice="goes", says="it runs", fields=(Field(name="to", kind="id", among=place.exits),))
    return Ask(of=("gm",), about="bolt", options=(goes, STAYS), rules=("VER-061",))


def _can_run(table: Table, rider: Id, to: Id) -> bool:
    """Tell whether a bolting mount may run to a zone, from where it is now."""
    ask = _direction(table, rider) if sheet.is_in_play(table, rider) else None
    return ask is not None and any(field.name == "to" and to in field.among for field in ask.options[0].fields)


@declared_as("nerve", "see whether the mount bolts")
class Nerve(Action, frozen=True, kw_only=True):
    """See whether an untrained mount bolts at the start of its rider's turn; nobody declares it."""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse it as a declaration."""
        if manner == "standard":
            raise sheet.no("VER-061", "a mount's nerve is tried at the start of a turn", actor)
        must_ride(table, actor)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Let the game master confirm the danger; then the rider controls it, or it bolts."""
        answer = yield from choice(partial(_danger, table, actor))
        if answer is None or answer.choice == "calm":
            return
        ground = partial(self.check, table, actor, "pending")
        if sheet.is_able(table, actor) and (yield from control(table, actor, ground)):
            return
        if table.pool(actor, "move"):
            yield pool_set(table, actor, "move", 0, "VER-061")
        answer = yield from choice(partial(_direction, table, actor))
        if answer is None or answer.choice == "stays":
            return
        if answer.choice == "breaks_out":
            yield Go("bolts", rules=("VER-061",))
            skill = "riding" if answer.fields["riding"] == "yes" else ""
            yield from get_away(table, actor, skill, ground)
        else:
            yield from self._runs(table, actor, str(answer.fields["to"]))

    def _runs(self, table: Table, rider: Id, to: Id) -> Rule[None]:
        """Run to another zone, with the rider."""
        goes = partial(_can_run, table, rider, to)
        yield from fire_readied(table, rider, "leaves_zone", through=to, goes=goes)
        if goes():
            yield from step(table, rider, to, "VER-061")
            yield from fire_readied(table, rider, "enters_zone")
