"""What the game master lets come of something: states that last, things dropped, people shoved (HEX-048, HEX-002)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from affray.engine.errors import Unusable
from affray.engine.facts import condition_set, item_moved, marked
from affray.engine.modifiers import PREFIX
from affray.engine.rule import Ask, Rule
from affray.engine.table import Table
from affray.events import Answered, Clause, Field, Id, ItemRemoved, Moved, Noted, Option, Scalar

from .fate import harmed, healed, settled
from .formation import rearranged
from .ground import can_be_entered, taken
from .hexes import SIDES, around

SECONDS = "seconds"
"""The clock that counts the fight's seconds (HEX-002)."""

ROUND = 6
"""How many seconds a round lasts (HEX-002)."""

DERIVED = frozenset({"flanked", "overrun", "grappled", "slain", "down"})
"""States that follow from something else; no effect gives them."""

LASTS = "lasts/"
"""Begins the key of a mark that says at which second a state ends; the state follows."""

FARTHEST = 6
MOST = 99


def given(table: Table, who: Id, condition: str, seconds: int, *rules: Clause) -> Rule[None]:
    """Give somebody a state, for so many seconds or until it ends by itself (HEX-002, HEX-048)."""
    if not table[who].has(condition):
        yield condition_set(table, who, condition, 1, *rules)
    elif table.mark(who, f"clears/{condition}") is not None:
        yield marked(who, f"clears/{condition}", None, *rules)
    if seconds:
        end = table.draft.clocks.get(SECONDS, 0) + seconds
        yield marked(who, LASTS + condition, end, "HEX-002", until=f"second {end}")
    yield from rearranged(table, table[who].place)


def lapsed(table: Table) -> Rule[None]:
    """End every state whose time has come (HEX-002)."""
    now = table.draft.clocks.get(SECONDS, 0)
    due = [
        (who, key)
        for who, marks in table.draft.marks.items()
        for key, end in marks.items()
        if key.startswith(LASTS) and isinstance(end, int) and end <= now
    ]
    for who, key in due:
        yield marked(who, key, None, "HEX-002")
        condition = key.removeprefix(LASTS)
        if who in table.draft.combatants:
            for source in tuple(table[who].conditions.get(condition, {})):
                yield condition_set(table, who, condition, 0, "HEX-002", source=source)
            yield from rearranged(table, table[who].place)


# --- what the game master is asked ---


def consequence(table: Table, about: str, item: Id, rules: tuple[Clause, ...]) -> Rule[None]:
    """Ask the game master what comes of it, and let that happen (HEX-048)."""
    options = _options(table, bool(item))
    answer = yield Ask(of=("gm",), about=about, options=options, rules=rules, refuses=derived_states)
    fields: Mapping[str, Scalar] = answer.fields
    yield from EFFECTS[answer.choice](table, fields)
    if item and fields.get("used_up") == "yes":
        yield ItemRemoved(item=item, rules=("HEX-013",))


def derived_states(answer: Answered) -> None:
    """Refuse a state that follows from something else."""
    condition = answer.fields.get("condition")
    if condition in DERIVED:
        raise Unusable(f"{condition} follows from something else; rule that instead", "fields.condition")


def _options(table: Table, using: bool) -> tuple[Option, ...]:
    who = Field(name="who", kind="id", among=tuple(table.draft.combatants))
    things = tuple(item.id for item in table.draft.items.values() if item.owner and item.where == "hand")
    amount = Field(name="amount", kind="int", low=1, high=999)
    rounds = Field(name="rounds", kind="int", high=MOST, optional=True)
    to = Field(name="direction", kind="int", high=SIDES - 1)
    hexes = Field(name="hexes", kind="int", low=1, high=FARTHEST)
    plan: list[tuple[str, str, tuple[Field, ...]]] = [
        ("nothing", "nothing more comes of it", ()),
        ("note", "something that is only told", (Field(name="text", kind="text"),)),
        ("condition", "a state", (who, Field(name="condition", kind="text"), rounds)),
        ("move", "somebody is moved so many hexes", (who, to, hexes)),
        ("advantage", "levels on somebody's next roll", (who, Field(name="levels", kind="int", low=-9, high=9))),
        ("heal", "hit points back", (who, amount)),
        ("harm", "hit points lost", (who, amount)),
    ]
    if things:
        plan.append(("drop", "something falls to the ground", (Field(name="item", kind="id", among=things),)))
    used = (Field(name="used_up", kind="id", among=("no", "yes"), optional=True),) if using else ()
    return tuple(Option(choice=choice, says=says, fields=(*fields, *used)) for choice, says, fields in plan)


def _nothing(table: Table, fields: Mapping[str, Scalar]) -> Rule[None]:
    yield from ()


def _note(table: Table, fields: Mapping[str, Scalar]) -> Rule[None]:
    yield Noted(text=str(fields["text"]), rules=("HEX-048",))


def _condition(table: Table, fields: Mapping[str, Scalar]) -> Rule[None]:
    rounds = int(fields.get("rounds") or 0)
    yield from given(table, str(fields["who"]), str(fields["condition"]).lower(), rounds * ROUND, "HEX-048")


def _move(table: Table, fields: Mapping[str, Scalar]) -> Rule[None]:
    yield from shoved(table, str(fields["who"]), int(fields["direction"] or 0), int(fields["hexes"] or 0), "HEX-048")


def shoved(table: Table, who: Id, direction: int, hexes: int, *rules: Clause) -> Rule[None]:
    """Move somebody against their will, as far as nothing is in the way."""
    before = here = table[who].place
    path: list[Id] = []
    while len(path) < hexes and around(here):
        there = around(here)[direction]
        if not can_be_entered(table, there) or taken(table, who, there):
            break
        path.append(there)
        here = there
    if path:
        yield Moved(who=who, before=before, after=here, path=tuple(path), rules=rules)
        yield from rearranged(table, before, here)


def _advantage(table: Table, fields: Mapping[str, Scalar]) -> Rule[None]:
    levels = fields["levels"]
    yield marked(str(fields["who"]), f"{PREFIX}effect", levels, "HEX-048", until="the next roll")


def _heal(table: Table, fields: Mapping[str, Scalar]) -> Rule[None]:
    yield from healed(table, str(fields["who"]), int(fields["amount"] or 0), "HEX-048")


def _harm(table: Table, fields: Mapping[str, Scalar]) -> Rule[None]:
    who = str(fields["who"])
    yield from harmed(table, who, int(fields["amount"] or 0), "HEX-048")
    yield from settled(table, who)


def _drop(table: Table, fields: Mapping[str, Scalar]) -> Rule[None]:
    yield from dropped(table, str(fields["item"]), "", "HEX-048")


def dropped(table: Table, item: Id, at: Id, *rules: Clause) -> Rule[None]:
    """Let a thing fall: to a place, or where its owner is."""
    owner = table.item(item).owner
    where = at or (table[owner].place if owner in table.draft.combatants else "")
    yield item_moved(table, item, where, *rules, owner="")


EFFECTS: dict[str, Callable[[Table, Mapping[str, Scalar]], Rule[None]]] = {
    "nothing": _nothing,
    "note": _note,
    "condition": _condition,
    "move": _move,
    "advantage": _advantage,
    "heal": _heal,
    "harm": _harm,
    "drop": _drop,
}
"""What each answer does."""
