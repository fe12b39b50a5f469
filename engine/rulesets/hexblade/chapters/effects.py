"""Effects that the game master chooses: lasting states, dropped items, moved combatants."""

from collections.abc import Mapping
from functools import partial

from affray.engine.core.changes import move_item, set_condition
from affray.engine.core.effects import Ask, Rule, choice
from affray.engine.kit.hexes import SIDES, hex_neighbours, parse_hex
from affray.engine.kit.modifiers import grant_modifier
from affray.engine.rulesets.hexblade.config import Table
from affray.engine.rulesets.hexblade.harm import harm, heal, settle_fallen
from affray.engine.rulesets.hexblade.marks import CLEARS
from affray.engine.rulesets.hexblade.movement.board import can_be_entered, find_other_in
from affray.engine.rulesets.hexblade.movement.positions import (
    release_broken_grips,
    release_distant_grips,
    update_around,
)
from affray.engine.rulesets.hexblade.sheet import ROUND, give_state, give_timed_state, list_states_due, refusal
from affray.events import Answered, Clause, Field, Id, ItemRemoved, Moved, Noted, Option, Scalar

DERIVED: dict[str, tuple[Clause, str]] = {
    "flanked": ("HEX-T25", "rule place WHO HEX"),
    "overrun": ("HEX-T25", "rule place WHO HEX"),
    "grappled": ("HEX-G02", "WHO grapple TARGET"),
    "slain": ("HEX-G03", "rule outcome WHO slain"),
    "down": ("HEX-G03", "rule outcome WHO down"),
}
"""The states that follow from other facts, so that no effect gives them: the clause and a command of each."""

FARTHEST = 6

MOST = 99


def give_condition(table: Table, who: Id, condition: str, seconds: int, *rules: Clause) -> Rule[None]:
    """Give a combatant a state, for some seconds or until it ends otherwise."""
    if seconds:
        yield from give_timed_state(table, who, condition, seconds, *rules)
    else:
        yield from give_state(table, who, condition, *rules)
        yield from CLEARS.end_on(table, who, *rules, about=condition)
    yield from release_broken_grips(table)
    yield from update_around(table, table[who].place)


def end_states_due(table: Table) -> Rule[None]:
    """End every state that is due."""
    for who, condition, source in list_states_due(table):
        yield set_condition(table, who, condition, 0, "HEX-002", "HEX-T48", source=source)
        yield from update_around(table, table[who].place)


def apply_consequence(table: Table, about: str, item: Id, rules: tuple[Clause, ...]) -> Rule[None]:
    """Ask the game master for the effect, and apply it (HEX-048)."""
    answer = yield from choice(partial(_build_effect_question, table, about, item, rules))
    yield from _apply_effect(table, answer.choice, answer.fields)
    if item in table.draft.items and answer.fields.get("used_up") == "yes":
        yield ItemRemoved(item=item, rules=("HEX-013",))


def _build_effect_question(table: Table, about: str, item: Id, rules: tuple[Clause, ...]) -> Ask:
    options = _list_options(table, item in table.draft.items)
    return Ask(of=("gm",), about=about, options=options, rules=rules, refuses=partial(_check_effect, table))


def _check_effect(table: Table, answer: Answered) -> None:
    """Refuse an effect on the slain, a move off the map, and a derived state."""
    who = answer.fields.get("who")
    if isinstance(who, str) and who in table.draft.combatants:
        if table[who].has("slain"):
            raise refusal("HEX-G03", f"{table.name_of(who)} is slain", f"{who}.slain")
        if answer.choice == "move" and not parse_hex(table[who].place):
            raise table.refuse(who, "is not on the map", "HEX-071")
    must_not_be_derived(str(answer.fields.get("condition")))


def must_not_be_derived(condition: str) -> None:
    """Refuse a state that follows from other facts, by the clause of those."""
    if condition.lower() in DERIVED:
        rule, line = DERIVED[condition.lower()]
        raise refusal(rule, f"{condition} follows from something else", example=line)


def _list_options(table: Table, using: bool) -> tuple[Option, ...]:
    people = tuple(who for who, one in table.draft.combatants.items() if not one.has("slain"))
    placed = tuple(who for who in people if parse_hex(table[who].place))
    who, mover = (Field(name="who", kind="id", among=among) for among in (people, placed))
    things = tuple(item.id for item in table.draft.items.values() if item.owner in placed and item.where == "hand")
    amount = Field(name="amount", kind="int", low=1, high=999)
    rounds = Field(name="rounds", kind="int", high=MOST, optional=True)
    to = Field(name="direction", kind="int", high=SIDES - 1)
    hexes = Field(name="hexes", kind="int", low=1, high=FARTHEST)
    plan: list[tuple[str, str, tuple[Field, ...]]] = [
        ("nothing", "nothing more comes of it", ()),
        ("note", "something that is only told", (Field(name="text", kind="text"),)),
        ("condition", "a state", (who, Field(name="condition", kind="text"), rounds)),
        ("move", "somebody is moved so many hexes", (mover, to, hexes)),
        ("advantage", "levels on somebody's next roll", (who, Field(name="levels", kind="int", low=-9, high=9))),
        ("heal", "hit points back", (who, amount)),
        ("harm", "hit points lost", (who, amount)),
    ]
    if things:
        plan.append(("drop", "something falls to the ground", (Field(name="item", kind="id", among=things),)))
    used = (Field(name="used_up", kind="id", among=("no", "yes"), optional=True),) if using else ()
    return tuple(
        Option(choice=choice, says=says, fields=(*fields, *used))
        for choice, says, fields in plan
        if all(field.among or field.kind != "id" for field in fields)
    )


def _apply_effect(table: Table, choice: str, fields: Mapping[str, Scalar]) -> Rule[None]:
    """Apply the effect that was chosen from ``_list_options``."""
    who, amount = str(fields.get("who")), int(fields.get("amount") or 0)
    match choice:
        case "note":
            yield Noted(kind="outcome", parts={"outcome": fields["text"]}, rules=("HEX-048",))
        case "condition":
            seconds = int(fields.get("rounds") or 0) * ROUND
            yield from give_condition(table, who, str(fields["condition"]).lower(), seconds, "HEX-048")
        case "move":
            yield from shove(table, who, int(fields["direction"] or 0), int(fields["hexes"] or 0), "HEX-048")
        case "advantage":
            yield grant_modifier(table, who, "effect", int(fields["levels"] or 0), "HEX-048", until="the next roll")
        case "heal":
            yield from heal(table, who, amount, "HEX-048")
        case "harm":
            yield from harm(table, who, amount, "HEX-048")
            yield from settle_fallen(table, who)
        case "drop":
            yield from drop(table, str(fields["item"]), "", "HEX-048")


def shove(table: Table, who: Id, direction: int, hexes: int, *rules: Clause) -> Rule[None]:
    """Move a combatant against its will until a known obstacle stops it."""
    before = here = table[who].place
    path: list[Id] = []
    while len(path) < hexes and hex_neighbours(here):
        there = hex_neighbours(here)[direction]
        other = find_other_in(table, who, there)
        if not can_be_entered(table, there) or (other and table.is_known(other)):
            break
        path.append(there)
        here = there
    if path:
        yield Moved(who=who, before=before, after=here, path=tuple(path), rules=rules)
        yield from release_distant_grips(table, who)
        yield from update_around(table, before, here)


def drop(table: Table, item: Id, at: Id, *rules: Clause) -> Rule[None]:
    """Let an item fall: to a place, or where its owner is."""
    owner = table.item(item).owner
    where = at or (table[owner].place if owner in table.draft.combatants else "")
    yield move_item(table, item, where, *rules, owner="")
