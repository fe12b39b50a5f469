"""The beginning of the fight, surprise, initiative."""

from collections.abc import Iterator
from functools import partial
from typing import Annotated, Literal

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.candidates import EACH, Among
from affray.engine.core.effects import Ask, Roll, Rule, choice
from affray.engine.errors import Unusable
from affray.engine.kit.fight_end import has_enemies
from affray.engine.kit.sheets import is_pc, stat
from affray.engine.rulesets.verdigris import marks, sheet
from affray.engine.rulesets.verdigris.chapters.panic import attempt, build_test_pool
from affray.engine.rulesets.verdigris.config import Table
from affray.events import CombatantId, Dice, Id, Judged, Modifier, Noted, Option, RoundBegan

from .order import fighters_by_side, find_due_seat, list_rollers

LOOKS_OUT = "test whether ambushers go unnoticed"
D6 = (Dice(count=1, sides=6, kind="initiative"),)
SENSES = frozenset({"sight", "hearing"})
SURPRISED = Option(choice="surprised", says="is taken by surprise like the others")
SPOTTED = Option(choice="spotted", says="could spot the enemy, and is not surprised")


@declared_as("begin", "open the fight", "surprising", "exempt", by_gm=True, stacks=False)
class Begin(Action, frozen=True, kw_only=True):
    """Begin the fight; only the game master declares it.

    Attributes:
        surprising: The side that surprises the other; empty for none.
        exempt: Combatants of the other side who are not surprised.
    """

    surprising: Annotated[Literal["", "party", "enemies"], EACH] = ""
    exempt: tuple[CombatantId, ...] = ()

    def trigger(self, of_manner: str) -> str:
        """Return the step: to initiative, or to the turns of the surprising side."""
        return "surprise" if self.surprising else "begin"

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse all actors but the game master, and a fight with one side."""
        if actor != "gm":
            raise sheet.refusal_by("VER-001", "the game master opens the fight", actor)
        if not has_enemies(table, table.derive(sheet.list_able)):
            raise sheet.refusal_by("VER-001", "a fight needs two sides with an able combatant each", "sides")
        for who in self.exempt:
            if not self.surprising or table[who].side == self.surprising:
                raise Unusable(f"{table.name_of(who)} is not on a side that is surprised", "exempt")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Begin round 1; with a surprise there is no initiative roll in it (VER-001, VER-012)."""
        yield RoundBegan(round=1, rules=("VER-001",))
        if not self.surprising:
            return
        yield marks.SURPRISING.set_on(marks.FIGHT, self.surprising, "VER-012")
        yield marks.SIDE_DUE.set_on(marks.FIGHT, self.surprising, "VER-012")
        for who in table.derive(fighters_by_side).get(sheet.other_side(self.surprising), ()):
            spots = who in self.exempt
            if not spots:
                answer = yield from choice(partial(_build_nose_question, table, who, sheet.other_side(self.surprising)))
                spots = answer is not None and answer.choice == "spotted"
            if spots and who in table.draft.combatants:
                yield marks.EXEMPT.set_on(who, True, "VER-012")


def spot_ambush(table: Table) -> Rule[None]:
    """Ask which combatants with a nose for trouble are not surprised in a later round."""
    yield marks.AMBUSHED.clear_on(marks.FIGHT, "VER-012")
    side = sheet.other_side(marks.SURPRISING.of(table, marks.FIGHT))
    for who in table.derive(fighters_by_side).get(side, ()):
        if marks.EXEMPT.is_on(table, who):
            continue
        answer = yield from choice(partial(_build_nose_question, table, who, side))
        if answer is not None and answer.choice == "spotted" and who in table.draft.combatants:
            yield marks.EXEMPT.set_on(who, True, "VER-012")


def _build_nose_question(table: Table, who: Id, side: str) -> Ask | None:
    """Return the question whether a nose for trouble prevents surprise (table 5.7)."""
    if not sheet.is_in_play(table, who) or table[who].side != side or not stat(table, who, "nose-for-trouble"):
        return None
    return Ask(of=("gm",), about=f"nose:{who}", options=(SURPRISED, SPOTTED), rules=("VER-012", "VER-T29"))


def list_ambushers(table: Table, actor: Id) -> Iterator[tuple[Id, ...]]:
    """Yield the possible ambushers of each side, if the other side could notice them."""
    there = table.derive(fighters_by_side)
    for side in (sheet.ENEMIES, sheet.PARTY):
        able = tuple(who for who in there.get(side, ()) if sheet.is_able(table, who))
        if able and any(sheet.is_active(table, who) for who in there.get(sheet.other_side(side), ())):
            yield able


@declared_as("surprise_check", LOOKS_OUT, "ambushers", "observer", own_trigger="look_out", by_gm=True, stacks=False)
class SurpriseCheck(Action, frozen=True, kw_only=True):
    """Test whether ambushers go unnoticed.

    The result is a proposal: the game master begins the fight with or without surprise.

    Attributes:
        ambushers: The combatants who lie in wait.
        observer: The combatant who might notice; by default the most alert of the others.
    """

    ambushers: Annotated[tuple[CombatantId, ...], Among(list_ambushers)]
    observer: CombatantId = ""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse all actors but the game master, and unfit ambushers or observers."""
        if actor != "gm":
            raise sheet.refusal_by("VER-014", "the game master calls for this", actor)
        sides = {table[who].side for who in self.ambushers}
        if len(sides) != 1 or len(set(self.ambushers)) != len(self.ambushers):
            raise Unusable("name ambushers of one side, each once", "ambushers")
        if not self._observer(table, *sides) or (self.observer and table[self.observer].side in sides):
            raise Unusable("no combatant of the other side could notice them", "observer")

    def _observer(self, table: Table, of: Id) -> Id:
        """Return the most alert enemy of a side, by Intelligence and Awareness.

        Known enemies come before concealed ones. A named observer is not replaced, even after leaving the fight.
        """
        if self.observer:
            return self.observer if sheet.is_in_play(table, self.observer) else ""
        others = table.derive(fighters_by_side).get(sheet.other_side(of), ())
        active = [who for who in others if sheet.is_active(table, who)]
        awake = table.list_known(active) or active
        alert = {who: table.pool(who, "intelligence") + stat(table, who, "awareness") for who in awake}
        return max(alert, key=alert.__getitem__, default="")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Let each ambusher sneak and the observer look once; one noticed spoils all (VER-014)."""
        hidden, side = [], table[self.ambushers[0]].side
        for who in self.ambushers:
            if not sheet.is_in_play(table, who):  # it may have left while another combatant's dice were awaited
                continue
            base = partial(build_test_pool, table, who, f"sneak:{who}", "agility", "sneaking", "VER-014")
            sneaks = yield from sheet.try_rule(attempt(table, who, base))
            if sneaks is not None:
                hidden.append(sneaks)
        observer = self._observer(table, side)
        looks = 0
        if observer:  # the observer may have changed sides since the sneaking began
            of = ("intelligence", "awareness")
            base = partial(build_test_pool, table, observer, f"notice:{observer}", *of, "VER-014", needs=SENSES)
            notices = yield from sheet.try_rule(attempt(table, observer, base))
            looks = notices.sl if notices is not None else 0
        noticed = False
        for sneaks in hidden:
            net = sneaks.sl - looks
            seen = bool(observer) and net <= 0
            noticed = noticed or seen
            outcome = "noticed" if seen else "unnoticed"
            yield Judged(roll=sneaks.roll, outcome=outcome, margin=net, rules=("VER-014", "VER-T07"))
        kind = "noticed" if noticed else "unnoticed"
        yield Noted(kind=kind, parts={"side": side, "sneaking": self.ambushers}, rules=("VER-014",))


@declared_as("roll_initiative", "roll initiative for the party", own_trigger="roll_initiative", stacks=False)
class RollInitiative(Action, frozen=True, kw_only=True):
    """Roll the party's initiative, by the seat that is due."""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse a combatant that is no player character, and a seat that is not due."""
        table[actor]
        if actor in list_rollers(table):
            return
        if not is_pc(table, actor):
            raise table.refuse(actor, "is no player's character", "VER-003")
        seat = find_due_seat(table)
        raise sheet.refusal_by("VER-011", f"{seat.id if seat else 'another seat'} is due to roll", actor)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Roll one d6 against the target; the winner's side begins (VER-003, VER-006, VER-007, VER-T38)."""
        seat = find_due_seat(table)
        members = [one.who for one in seat.members] if seat is not None else [actor]
        counted = table.list_known(members) if table.is_known(actor) else members
        present = (who for who in counted if sheet.is_in_play(table, who))
        reflexes = max((stat(table, who, "combat-reflexes") for who in present), default=0)
        target = table.config.initiative_target - reflexes
        again = seat is None or marks.ROLLED.is_on(table, marks.FIGHT) or table.draft.round == 1
        trained = Modifier(value=-reflexes, label="combat reflexes, on the target", source=actor, rule="VER-T29")
        pool = (trained,) if reflexes else ()
        rules = ("VER-003",) if again else ("VER-003", "VER-T38")
        roll = yield Roll(dice=D6, purpose="initiative", by=actor, pool=pool, against=target, rules=rules)
        won = roll.total >= target
        rule = "VER-006" if won else "VER-007"
        yield Judged(roll=roll.roll, outcome="won" if won else "lost", margin=roll.total - target, rules=(rule,))
        if seat is not None:
            yield marks.ROLLED.set_on(marks.FIGHT, seat.id, "VER-011")
        yield from marks.SEAT.end_on(table, marks.FIGHT, "VER-011")
        yield marks.SIDE_DUE.set_on(marks.FIGHT, sheet.PARTY if won else sheet.ENEMIES, rule)
        yield marks.INITIATIVE.set_on(marks.FIGHT, table.draft.round, "VER-003")
