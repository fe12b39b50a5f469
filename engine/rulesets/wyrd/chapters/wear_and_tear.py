"""Wear and tear: a 1 wears a piece down; what the game master is asked when an action is done (WYR-039 to WYR-043).

A prompt waits as a mark until the action has left the stack. It is asked in a phase of its own, so that it holds up the
next declaration and nothing else (WYR-T42).
"""

from collections.abc import Callable
from functools import partial

from msgspec.structs import replace

from affray.engine.core.effects import Ask, Roll, Rule, choice, throw
from affray.engine.errors import Refused
from affray.engine.rulesets.wyrd.config import Table
from affray.engine.rulesets.wyrd.gear.pieces import is_destroyed, tags_of, take_up
from affray.engine.rulesets.wyrd.marks import FIGHT, PROMPT
from affray.engine.rulesets.wyrd.sheet import is_pc, moved, smaller
from affray.engine.rulesets.wyrd.tables import tags
from affray.events import (
    DISCARDED,
    SET_ASIDE,
    Answered,
    Clause,
    Dice,
    DieStepped,
    Faces,
    Field,
    Id,
    MarkSet,
    Modifier,
    Noted,
    Option,
    Rolled,
)

Pool = tuple[Modifier, ...]


def throw_dice(table: Table, wanted: Callable[[], Roll | None]) -> Rule[Rolled | None]:
    """Throw what the present wants; a piece that rerolls its 1s does so before the next die falls (WYR-T52).

    Args:
        table: The fight.
        wanted: The whole roll, read from the table; ``None`` if there is nothing to throw, or no more.
    """
    lying: tuple[Faces, ...] = ()
    again: tuple[Id, ...] = ()
    while True:
        roll = yield from throw(partial(_next, table, wanted, lying, again))
        if roll is None:
            return None
        *earlier, last = roll.dice
        if not last.item or last.item in again or not _is_rerolled(table, last.item):
            return roll
        again = (*again, last.item)
        if last.counted != (1,):
            earlier.append(last)
        lying = tuple(map(_set_aside, earlier))
        left = _next(table, wanted, lying, again)
        if left is None or not left.dice:
            return roll


def _next(
    table: Table, wanted: Callable[[], Roll | None], lying: tuple[Faces, ...], again: tuple[Id, ...]
) -> Roll | None:
    """Return what is thrown next: up to the first piece that may have to be rerolled; once, if it is rerolled now."""
    roll = wanted()
    if roll is None:
        return None
    left = _left(roll.dice, lying, again) if again else roll.dice
    twice = bool(again)
    for at, one in enumerate(left, 1):
        twice = twice or one.keep != ""
        if one.item and one.item not in again and _is_rerolled(table, one.item):
            left = left[:at]
            break
    if left is roll.dice and not twice:
        return roll
    return replace(roll, dice=left, held=lying, rules=(*roll.rules, "WYR-T52") if twice else roll.rules)


def _left(dice: tuple[Dice, ...], lying: tuple[Faces, ...], again: tuple[Id, ...]) -> tuple[Dice, ...]:
    """Return the dice that do not lie there yet."""
    fallen = {(group.kind, group.item) for group in lying}
    left = [one for one in dice if (one.kind, one.item) not in fallen]
    return tuple([replace(one, count=1, keep="") if one.item and one.item in again else one for one in left])


def _is_rerolled(table: Table, id: Id) -> bool:
    item = table.item(id)
    if not item.traits and id not in table.draft.marks:
        return False
    return any(tag in tags() and tags()[tag].rerolls for tag in tags_of(table, item))


def _set_aside(group: Faces) -> Faces:
    """Return a group as it lies while further dice are thrown."""
    fates = group.fates or (SET_ASIDE,) * len(group.faces)
    return replace(group, fates=tuple(DISCARDED if fate == DISCARDED else SET_ASIDE for fate in fates))


def wear_down(table: Table, roll: Rolled) -> Rule[None]:
    """Step down every piece whose die showed a 1 that counts, after the roll; its face still counts (WYR-039)."""
    several: dict[str, int] = {}
    for group in roll.dice:
        several[group.kind] = several.get(group.kind, 0) + 1
    for group in roll.dice:
        if group.item and 1 in group.counted and can_wear(table, group.item):
            yield stepped(table, group.item, *_worn_by(table, group, several[group.kind]))


def _worn_by(table: Table, group: Faces, several: int) -> tuple[Clause, ...]:
    """Return why a 1 steps a piece down, from its own size though rolled smaller (WYR-040, WYR-T05, WYR-T14)."""
    rule = "WYR-039" if several > 1 else "WYR-040"
    if group.kind == "ability":
        rule = "WYR-T06"
    elif group.kind not in ("weapon", "armor"):
        rule = "WYR-T05"
    return (rule, "WYR-T14") if group.sides < table.item(group.item).die else (rule,)


def can_wear(table: Table, id: Id) -> bool:
    """Tell whether a 1 wears a piece down: not what is durable, or a foe's that is spared (WYR-T06)."""
    item = table.item(id)
    if item.die == 1:
        return True
    if not item.die:
        return False
    if item.kind == "ability":
        return table.config.ability_steps_on_test_1 and smaller(table.config, item.die) > 0
    if not table.config.npc_gear_wears and not (item.owner in table.draft.combatants and is_pc(table, item.owner)):
        return False
    return all(tag not in tags() or tags()[tag].wears for tag in tags_of(table, item))


def stepped(table: Table, item: Id, *rules: Clause) -> DieStepped:
    """Step a piece down once; from the end of the chain it is destroyed."""
    return stepped_to(table, item, smaller(table.config, table.item(item).die), *rules)


def stepped_to(table: Table, item: Id, after: int, *rules: Clause) -> DieStepped:
    """Give a piece another size; at 0 it is destroyed and fills no slot, single-use or worn out (WYR-T03, WYR-T46)."""
    before = table.item(item).die
    if before == 1:
        rules = (*rules, "WYR-T03")
    if not after:
        rules = (*rules, "WYR-T46")
    return DieStepped(item=item, before=before, after=after, rules=rules)


def weapons_thrown(roll: Rolled) -> tuple[Id, ...]:
    """Return the weapons whose dice were thrown."""
    return tuple([group.item for group in roll.dice if group.kind == "weapon"])


def draw(table: Table, who: Id, roll: Rolled) -> Rule[None]:
    """Have in hand what was thrown; only while real dice are awaited can it be something else than before."""
    if table.draft.dice_sources or table.draft.side_dice:
        yield from take_up(table, who, weapons_thrown(roll))


def highest(roll: Rolled, kind: str) -> tuple[int, Id]:
    """Return the highest face that counts among dice of a kind, and the piece that showed it; 0 if there are none."""
    found = [(max(group.counted), group.item) for group in roll.dice if group.kind == kind]
    return max(found, key=lambda one: one[0], default=(0, ""))


STEPS = Field(name="steps", kind="int", low=1, high=5, optional=True)
"""By how many steps a piece can be worn down at once: at most the whole chain."""

NOTHING = Option(choice="nothing", says="nothing comes of it")

OTHER = Option(choice="other", says="something else comes of it", fields=(Field(name="outcome", kind="text"),))

SETTLED = Option(choice="settled", says="it comes out like this", fields=(Field(name="outcome", kind="text"),))

WEARS_BY: dict[str, tuple[Clause, ...]] = {"wear": ("WYR-041", "WYR-043"), "setback": ("WYR-041", "WYR-042")}
"""The clauses of prompts about gear that wears."""

PROMPT_ORDER = ("wear", "consequence", "outcome", "paradox", "morale", "setback")
"""In which order prompts of one action are asked; a setback comes last."""


def prompted(table: Table, kind: str, about: str, rule: Clause) -> MarkSet:
    """Note that the game master is to be asked something about the pending action, once it is done.

    Args:
        table: The fight.
        kind: One of ``PROMPT_ORDER``.
        about: The people it may touch, joined by ``>``, or what was tried.
        rule: The clause that wants to know.
    """
    pending = table.pending()
    cause = pending.id if pending else "ruling"
    return PROMPT.noted(FIGHT, f"{about}|{rule}", rule, about=f"{kind}:{cause}")


def people_of(*people: Id) -> str:
    """Return those whom a prompt may touch, as ``prompted`` takes them."""
    return ">".join([one for one in people if one])


def prompts_waiting(table: Table) -> list[tuple[str, str]]:
    """Return what is to be asked, in order: kind and cause, and what about."""
    found = [(key, PROMPT.of(table, FIGHT, key)) for key, _ in PROMPT.held(table, FIGHT)]
    return sorted(found, key=lambda one: PROMPT_ORDER.index(one[0].partition(":")[0]))


def ask_prompt(table: Table, key: str, what: str) -> Rule[None]:
    """Ask what a prompt is about: what happens to gear, or an outcome in words, which is noted."""
    if key.partition(":")[0] not in ("outcome", "paradox"):
        yield from ask_wear(table, key, what)
        return
    said, _, rule = what.rpartition("|")
    rules = (rule,)
    answer = yield from choice(lambda: Ask(of=("gm",), about=key, options=(SETTLED,), rules=rules))
    yield PROMPT.struck(FIGHT, about=key)
    yield Noted(text=f"{said}: {answer.fields['outcome']}", rules=rules)


def ask_wear(table: Table, key: str, between: str) -> Rule[None]:
    """Ask what a setback, a multiple success or a failure does to somebody's gear, or else (WYR-041, WYR-042)."""
    people, _, rule = between.rpartition("|")
    rules = WEARS_BY.get(key.partition(":")[0], (rule,))
    answer = yield from choice(partial(_wears, table, key, tuple(people.split(">")), rules))
    yield PROMPT.struck(FIGHT, about=key)
    if answer.choice == "step":
        item, config = str(answer.fields["piece"]), table.config
        after = moved(config, table.item(item).die, -int(answer.fields.get("steps") or 1), config.chain_top)
        yield stepped_to(table, item, after, *rules, "WYR-T04")
    elif answer.choice == "other":
        yield Noted(text=str(answer.fields["outcome"]), rules=rules)


def _wears(table: Table, key: str, people: tuple[Id, ...], rules: tuple[Clause, ...]) -> Ask:
    """Return what is asked about gear: what of it there still is, and nothing that is beyond use."""
    there = [who for who in people if who in table.draft.combatants]
    things = [item for who in there for item in table.items_of(who) if item.kind != "ability" and item.die]
    piece = Field(name="piece", kind="id", among=tuple([item.id for item in things]))
    step = Option(choice="step", says="a piece is worn down", fields=(piece, STEPS))
    options = (NOTHING, step, OTHER) if things else (NOTHING, OTHER)
    return Ask(of=("gm",), about=key, options=options, rules=rules, refuses=partial(_must_be_of_use, table))


def _must_be_of_use(table: Table, answer: Answered) -> None:
    piece = table.draft.items.get(str(answer.fields.get("piece")))
    if answer.choice == "step" and piece is not None and is_destroyed(piece):
        raise Refused("destroyed", "WYR-T50", f"the {piece.quoted_name} is destroyed already", source=piece.id)
