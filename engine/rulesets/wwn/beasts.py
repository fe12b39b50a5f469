"""The nerve of an ordinary beast, its rider's answer, and a beast that bolts (WWN-058 to WWN-063)."""

from __future__ import annotations

from typing import ClassVar

from affray.engine.actions import Action
from affray.engine.errors import Refused
from affray.engine.facts import condition_set, marked, pool_set
from affray.engine.rule import Ask, Interrupted, Roll, Rule
from affray.engine.table import Table
from affray.events import Answered, Dice, Field, Id, Judged, Option

from .arms import gift
from .board import WAYS, name, occupied
from .checks import checked
from .exits import gone, walked
from .harm import unseated
from .paths import straight
from .play import move_left, paid, playable
from .sheet import active, mount_of, rider_of, stat, unit


def unchecked(table: Table) -> Id:
    """Return an ordinary beast whose rider is up and that has not been checked this round, or nothing (WWN-060)."""
    for rider in table.draft.acting:
        mount = mount_of(table, rider)
        if mount and active(table, mount) and active(table, rider) and _is_due(table, mount):
            return mount
    return ""


def _is_due(table: Table, mount: Id) -> bool:
    """Tell whether a ridden beast is still to be checked this round; one trained for war never is (WWN-058)."""
    if "war_trained" in table[mount].traits or _kind_of_check(table, mount) == "none":
        return False
    return table.mark(mount, "checked") != table.draft.round


def _kind_of_check(table: Table, mount: Id) -> str:
    """Return which check a beast makes, as the game master or else the configuration has it."""
    return str(table.mark(mount, "check") or table.config.mount_check)


def mastered(table: Table, mount: Id) -> Rule[bool]:
    """Check a beast's nerve, and let its rider deal with it; come to whether it stays (WWN-060 to WWN-063).

    A beast that a ruling took away meanwhile runs nowhere.
    """
    yield marked(mount, "checked", table.draft.round, "WWN-060", until="the next round")
    holds = yield from _nerve(table, mount)
    if not holds:
        rider = rider_of(table, mount)
        answer = yield _choice(table, rider, mount)
        if mount_of(table, rider) != mount:
            return True
        if answer.choice == "obey":
            holds = yield from _obeys(table, rider, mount, str(answer.fields.get("attribute")))
        elif answer.choice == "dismount":
            yield from paid(table, rider, "standard", "move", "WWN-063")
            yield from unseated(table, rider, "WWN-063", "WWN-057")
    if mount not in table.draft.combatants:
        return True
    if holds and table[mount].has("bolting"):
        yield condition_set(table, mount, "bolting", 0, "WWN-061")
    return holds


def _nerve(table: Table, mount: Id) -> Rule[bool]:
    """Roll Morale or Instinct (WWN-060)."""
    margin: int
    if _kind_of_check(table, mount) == "instinct":
        score = stat(table, mount, "instinct")
        roll = yield Roll(
            dice=(Dice(count=1, sides=10, kind="instinct"),),
            purpose=f"instinct:{mount}",
            by=mount,
            against=score,
            rules=("WWN-060",),
        )
        margin = roll.total - score - 1
    else:
        rider = gift(table, rider_of(table, mount), "mount_morale")
        score = rider.stats["mount_morale"] if rider else stat(table, mount, "morale")
        roll = yield Roll(
            dice=(Dice(count=2, sides=6, kind="morale"),),
            purpose=f"morale:{mount}",
            by=mount,
            against=score,
            rules=("WWN-060",),
        )
        margin = score - roll.total
    yield Judged(roll=roll.roll, outcome="held" if margin >= 0 else "failed", margin=margin, rules=("WWN-060",))
    return margin >= 0


def _choice(table: Table, rider: Id, mount: Id) -> Ask:
    """Ask the rider what to do about a beast that would flee (WWN-061 to WWN-063)."""
    attribute = Field(name="attribute", kind="id", among=("dex", "cha"))
    options = [Option(choice="bolt", says="lets it run")]
    if table.pool(rider, "move"):
        options = [
            Option(choice="obey", says="spends the Move Action to force it to obey", fields=(attribute,)),
            Option(choice="dismount", says="spends the Move Action to get off; it flees alone"),
            *options,
        ]

    def refuses(answer: Answered) -> None:
        if answer.choice in ("obey", "dismount"):
            move_left(table, rider, "move", "WWN-063")

    rules = ("WWN-061", "WWN-062", "WWN-063")
    return Ask(of=(rider,), about=f"bolting:{mount}", options=tuple(options), rules=rules, refuses=refuses)


def _obeys(table: Table, rider: Id, mount: Id, attribute: str) -> Rule[bool]:
    """Spend the Move Action, then check Ride (WWN-062, WWN-063)."""
    yield from paid(table, rider, "standard", "move", "WWN-063")
    told = table.mark(mount, "difficulty")
    difficulty = told if isinstance(told, int) else int(table.config.skill_difficulty)
    roll = yield from checked(
        table, rider, attribute, "ride", "WWN-062", difficulty=difficulty, purpose=f"check:{mount}"
    )
    return roll.total >= difficulty


def mount_check(table: Table) -> Rule[str]:
    """Check the beasts under those who are up, one after the other; one that fails runs (WWN-060, WWN-061)."""
    mount = unchecked(table)
    while mount:
        holds = yield from mastered(table, mount)
        if not holds:
            yield Interrupted(by=((mount, Bolt()),), manner="bolts", rules=("WWN-061",))
        mount = unchecked(table)
    return "checked"


class Bolt(Action, frozen=True, kw_only=True):
    """Run away with Move and Main, the rider carried along; the rules' to set going (WWN-061)."""

    kind: ClassVar[str] = "bolt"
    says: ClassVar[str] = "run away, rider and all"

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse it from anybody but the rules, and of a beast that is down by now."""
        if manner not in ("bolts", "pending"):
            raise Refused("not_an_action", "WWN-061", "a beast bolts when its check fails", source=actor)
        playable(table, actor, manner, "WWN-061")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Spend what actions the beast has, and run where the game master says (WWN-061)."""
        if not table[actor].has("bolting"):
            yield condition_set(table, actor, "bolting", 1, "WWN-061")
        feet = stat(table, actor, "pace") * (table.pool(actor, "move") + table.pool(actor, "main"))
        for pool in ("move", "main", "feet"):
            if table.pool(actor, pool):
                yield pool_set(table, actor, pool, 0, "WWN-061")
        if not feet:
            return
        if not table[actor].place:
            yield from gone(table, actor, feet, "WWN-061")
            return
        run = Field(name="feet", kind="int", low=0, high=feet, optional=True)
        way = Field(name="direction", kind="id", among=tuple(WAYS))
        options = (Option(choice="flee", says=f"where {table[actor].name} runs", fields=(way, run)),)
        answer = yield Ask(of=("gm",), about="flight", options=options, rules=("WWN-061",))
        told = answer.fields.get("feet")
        far = told if isinstance(told, int) else feet
        path = [name(one) for one in straight(table, actor, str(answer.fields["direction"]), far)]
        while path and occupied(table, path[-1], but=unit(table, actor)):
            path.pop()
        yield from walked(table, actor, tuple(path), "WWN-061")
