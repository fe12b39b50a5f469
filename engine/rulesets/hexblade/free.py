"""Free attacks in the middle of an attempt: the game master says by whom, then how and on whom (HEX-T27, HEX-010)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from affray.engine.core.effects import Ask, Interrupted, Rule, choice
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.events import Answered, Field, Id, Option

from .melee import Attack
from .play import within_reach
from .ranged import Shoot
from .sheet import held, must_be_able, ranged, refusal

WAYS: dict[str, type[Attack] | type[Shoot]] = {"strike": Attack, "shoot": Shoot}
"""How a free attack can be made."""

SAYS = {"strike": "strikes at somebody", "shoot": "shoots or throws at somebody"}


def attackers(table: Table) -> tuple[Id, ...]:
    """Return who could strike or shoot at anybody now."""
    return tuple(who for who in table.draft.combatants if any(_victims(table, who, way) for way in WAYS))


def check_attacker(table: Table, by: Id) -> None:
    """Refuse somebody who can do nothing (HEX-G03), or has nobody to strike or shoot at (HEX-016)."""
    must_be_able(table, by)
    if by not in attackers(table):
        raise refusal("HEX-016", f"{by} has nobody to strike or shoot at", by)


def free_attack(table: Table, by: Id) -> Rule[None]:
    """Ask on whom, and let it come first."""
    said = yield from choice(partial(_asked, table, by))
    if said is not None and said.choice != "none":
        blow = WAYS[said.choice](target=str(said.fields["on"]))
        yield Interrupted(by=((by, blow),), manner="free", rules=("HEX-T27", "HEX-010"))


def _asked(table: Table, by: Id) -> Ask | None:
    """Return the question on whom, as long as there is anybody."""
    options = tuple(_options(table, by))
    if not options:
        return None
    none = Option(choice="none", says="lets it be after all")
    return Ask(
        of=("gm",),
        about=f"free_attack:{by}",
        options=(*options, none),
        rules=("HEX-T27", "HEX-010"),
        refuses=partial(_refused, table, by),
    )


def _options(table: Table, by: Id) -> Iterator[Option]:
    for way, says in SAYS.items():
        victims = tuple(_victims(table, by, way))
        if victims:
            yield Option(choice=way, says=says, fields=(Field(name="on", kind="id", among=victims),))


def _refused(table: Table, by: Id, answer: Answered) -> None:
    """Refuse a free attack as any attack is refused: with nothing to shoot, out of reach or of sight."""
    on = answer.fields.get("on")
    if answer.choice in WAYS and isinstance(on, str):
        WAYS[answer.choice](target=on).check(table, by, "free")


def _victims(table: Table, by: Id, way: str) -> list[Id]:
    """Return at whom somebody could strike, or shoot, as things stand."""
    people = (one for one in table.draft.combatants if one != by)
    if way == "shoot":
        near = list(people) if any(ranged(item) for item in held(table, by)) else []
    else:
        near = [one for one in people if within_reach(table, by, one, "HEX-016")]
    return [one for one in near if _possible(table, by, WAYS[way](target=one))]


def _possible(table: Table, by: Id, blow: Attack | Shoot) -> bool:
    try:
        blow.check(table, by, "free")
    except Refused:
        return False
    return True
