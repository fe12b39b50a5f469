"""Wear: a 1 wears a piece down, and prompts for the game master after an action (WYR-039 to WYR-043).

A prompt waits as a mark until the action has left the stack. It is asked in its own phase, so that it holds up
next declaration and nothing else (WYR-T42).
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from affray.engine.core.effects import Ask, Roll, Rule, choice, throw
from affray.engine.errors import Refused
from affray.engine.kit.sheets import is_pc
from affray.engine.rulesets.wyrd.config import Table
from affray.engine.rulesets.wyrd.gear.pieces import is_destroyed, list_tags, take_up
from affray.engine.rulesets.wyrd.marks import FIGHT, MORALE_PROMPT, PROMPT_MARKS, PROMPTS, Prompt
from affray.engine.rulesets.wyrd.sheet import find_smaller, move_size
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


def throw_dice(table: Table, find_roll: Callable[[], Roll | None]) -> Rule[Rolled | None]:
    """Throw a roll that is read from the table; rerolled 1s fall before the next die (WYR-T52).

    Args:
        table: The fight.
        find_roll: Returns the whole roll, or ``None`` if there is nothing to throw any longer.
    """
    lying: tuple[Faces, ...] = ()
    again: tuple[Id, ...] = ()
    while True:
        roll = yield from throw(partial(_find_next_throw, table, find_roll, lying, again))
        if roll is None:
            return None
        *earlier, last = roll.dice
        if not last.item or last.item in again or not _is_rerolled(table, last.item):
            return roll
        again = (*again, last.item)
        if last.counted != (1,):
            earlier.append(last)
        lying = tuple(map(_set_aside, earlier))
        left = _find_next_throw(table, find_roll, lying, again)
        if left is None or not left.dice:
            return roll


def _find_next_throw(
    table: Table, find_roll: Callable[[], Roll | None], lying: tuple[Faces, ...], again: tuple[Id, ...]
) -> Roll | None:
    """Return the next part of a roll: up to the first piece that may be rerolled.

    A piece that is rerolled now is thrown once.
    """
    roll = find_roll()
    if roll is None:
        return None
    left = _list_dice_left(roll.dice, lying, again) if again else roll.dice
    twice = bool(again)
    for at, one in enumerate(left, 1):
        twice = twice or one.keep != ""
        if one.item and one.item not in again and _is_rerolled(table, one.item):
            left = left[:at]
            break
    if left is roll.dice and not twice:
        return roll
    return replace(roll, dice=left, held=lying, rules=(*roll.rules, "WYR-T52") if twice else roll.rules)


def _list_dice_left(dice: tuple[Dice, ...], lying: tuple[Faces, ...], again: tuple[Id, ...]) -> tuple[Dice, ...]:
    """Return the dice that are still to be thrown."""
    fallen = {(group.kind, group.item) for group in lying}
    left = [one for one in dice if (one.kind, one.item) not in fallen]
    return tuple([replace(one, count=1, keep="") if one.item and one.item in again else one for one in left])


def _is_rerolled(table: Table, id: Id) -> bool:
    item = table.item(id)
    if not item.traits and id not in table.draft.marks:
        return False
    return any(tag in tags() and tags()[tag].rerolls for tag in list_tags(table, item))


def _set_aside(group: Faces) -> Faces:
    """Return a group of faces marked as set aside, for while further dice are thrown."""
    fates = group.fates or (SET_ASIDE,) * len(group.faces)
    return replace(group, fates=tuple(DISCARDED if fate == DISCARDED else SET_ASIDE for fate in fates))


def wear_down(table: Table, roll: Rolled) -> Rule[None]:
    """Step down every piece with a counting 1, after the roll (WYR-039).

    The face still counts.
    """
    several: dict[str, int] = {}
    for group in roll.dice:
        several[group.kind] = several.get(group.kind, 0) + 1
    for group in roll.dice:
        if group.item and 1 in group.counted and can_wear(table, group.item):
            yield step_down(table, group.item, *_cite_wear(table, group, several[group.kind]))


def _cite_wear(table: Table, group: Faces, several: int) -> tuple[Clause, ...]:
    """Return the clauses that step a piece down on a 1 (WYR-040, WYR-T05, WYR-T14).

    It steps from its own size, even if it was rolled smaller.
    """
    rule = "WYR-039" if several > 1 else "WYR-040"
    if group.kind == "ability":
        rule = "WYR-T06"
    elif group.kind not in ("weapon", "armor"):
        rule = "WYR-T05"
    return (rule, "WYR-T14") if group.sides < table.item(group.item).die else (rule,)


def can_wear(table: Table, id: Id) -> bool:
    """Return whether a 1 wears a piece down: not if durable, or spared as a foe's (WYR-T06)."""
    item = table.item(id)
    if item.die == 1:
        return True
    if not item.die:
        return False
    if item.kind == "ability":
        return table.config.ability_steps_on_test_1 and find_smaller(table.config, item.die) > 0
    if not table.config.npc_gear_wears and not (item.owner in table.draft.combatants and is_pc(table, item.owner)):
        return False
    return all(tag not in tags() or tags()[tag].wears for tag in list_tags(table, item))


def step_down(table: Table, item: Id, *rules: Clause) -> DieStepped:
    """Step a piece down once; at the end of the chain it is destroyed."""
    return step_to(table, item, find_smaller(table.config, table.item(item).die), *rules)


def step_to(table: Table, item: Id, after: int, *rules: Clause) -> DieStepped:
    """Give a piece another size; at 0 it is destroyed and fills no slot (WYR-T03, WYR-T46).

    It may be single-use or worn out.
    """
    before = table.item(item).die
    if before == 1:
        rules = (*rules, "WYR-T03")
    if not after:
        rules = (*rules, "WYR-T46")
    return DieStepped(item=item, before=before, after=after, rules=rules)


def list_thrown_weapons(roll: Rolled) -> tuple[Id, ...]:
    """Return the weapons that were rolled."""
    return tuple([group.item for group in roll.dice if group.kind == "weapon"])


def draw_thrown_weapons(table: Table, who: Id, roll: Rolled) -> Rule[None]:
    """Take the thrown weapons in hand.

    They can differ from those in hand only while real dice are awaited.
    """
    if table.draft.dice_sources or table.draft.side_dice:
        yield from take_up(table, who, list_thrown_weapons(roll))


def find_highest(roll: Rolled, kind: str) -> tuple[int, Id]:
    """Return the highest counting face of a kind of dice, and its piece; 0 without any."""
    found = [(max(group.counted), group.item) for group in roll.dice if group.kind == kind]
    return max(found, key=lambda one: one[0], default=(0, ""))


STEPS = Field(name="steps", kind="int", low=1, high=5, optional=True)
"""The number of steps by which a piece can wear at once: at most the whole chain."""

NOTHING = Option(choice="nothing", says="nothing comes of it")

OTHER = Option(choice="other", says="something else comes of it", fields=(Field(name="outcome", kind="text"),))

SETTLED = Option(choice="settled", says="it comes out like this", fields=(Field(name="outcome", kind="text"),))

WEARS_BY: dict[str, tuple[Clause, ...]] = {"wear": ("WYR-041", "WYR-043"), "setback": ("WYR-041", "WYR-042")}
"""The clauses of prompts about wear of gear."""

PROMPT_ORDER = ("wear", "consequence", "outcome", "paradox", "morale", "setback")
"""The order in which prompts of one action are asked; a setback comes last."""


def note_prompt(table: Table, kind: str, rule: Clause, *people: Id, what: str = "") -> MarkSet:
    """Note a question for the game master, asked once the pending action is done.

    Args:
        table: The fight.
        kind: One of ``PROMPT_ORDER``.
        rule: The clause that asks.
        people: The combatants that it may affect; an empty id is left out.
        what: The attempt in words, where it asks for its outcome.
    """
    pending = table.pending()
    prompt = Prompt(who=tuple([who for who in people if who]), what=what, rule=rule)
    return PROMPTS[kind].set_on(FIGHT, prompt, rule, about=pending.id if pending else "ruling")


class Waiting(NamedTuple):
    """A question that waits for its turn.

    Attributes:
        kind: Its kind, one of ``PROMPT_ORDER``.
        about: The action that caused it; the side whose morale it is about.
    """

    kind: str
    about: Id

    @property
    def topic(self) -> str:
        """The topic of the question, with its subject."""
        return f"{self.kind}:{self.about}"

    def get_prompt(self, table: Table) -> Prompt:
        """Return the noted prompt."""
        return PROMPTS[self.kind].of(table, FIGHT, self.about) or Prompt()

    def clear(self) -> MarkSet:
        """Build the event that removes it."""
        mark = MORALE_PROMPT if self.kind == "morale" else PROMPTS[self.kind]
        return mark.clear_on(FIGHT, about=self.about)


def list_prompts(table: Table) -> list[Waiting]:
    """Return the waiting prompts, in the order of the questions."""
    held = {**table.draft.mark_parts.get(FIGHT, {}), **table.draft.marks.get(FIGHT, {})}
    found = [Waiting(mark.asks, about) for mark in PROMPT_MARKS.values() for about in held.get(mark.key, ())]
    return sorted(found, key=lambda one: PROMPT_ORDER.index(one.kind)) if len(found) > 1 else found


def ask_prompt(table: Table, waiting: Waiting) -> Rule[None]:
    """Ask a prompt: the effect on gear, or an outcome in words, which is noted."""
    prompt = waiting.get_prompt(table)
    if not prompt.what:
        yield from ask_wear(table, waiting)
        return
    rules = (prompt.rule,)
    answer = yield from choice(lambda: Ask(of=("gm",), about=waiting.topic, options=(SETTLED,), rules=rules))
    yield waiting.clear()
    yield Noted(kind="outcome", parts={"what": prompt.what, "outcome": answer.fields["outcome"]}, rules=rules)


def ask_wear(table: Table, waiting: Waiting) -> Rule[None]:
    """Ask what a setback, a 6++ or a failure does to a combatant's gear (WYR-041, WYR-042)."""
    prompt = waiting.get_prompt(table)
    rules = WEARS_BY.get(waiting.kind, (prompt.rule,))
    answer = yield from choice(partial(_build_gear_question, table, waiting.topic, prompt.who, rules))
    yield waiting.clear()
    if answer.choice == "step":
        item, config = str(answer.fields["piece"]), table.config
        after = move_size(config, table.item(item).die, -int(answer.fields.get("steps") or 1), config.chain_top)
        yield step_to(table, item, after, *rules, "WYR-T04")
    elif answer.choice == "other":
        yield Noted(kind="otherwise", parts={"outcome": answer.fields["outcome"]}, rules=rules)


def _build_gear_question(table: Table, key: str, people: tuple[Id, ...], rules: tuple[Clause, ...]) -> Ask:
    """Return the question about gear, with the pieces that are still usable."""
    there = [who for who in people if who in table.draft.combatants]
    things = [item for who in there for item in table.items_of(who) if item.kind != "ability" and item.die]
    piece = Field(name="piece", kind="id", among=tuple([item.id for item in things]))
    step = Option(choice="step", says="a piece is worn down", fields=(piece, STEPS))
    options = (NOTHING, step, OTHER) if things else (NOTHING, OTHER)
    return Ask(of=("gm",), about=key, options=options, rules=rules, refuses=partial(_must_be_whole, table))


def _must_be_whole(table: Table, answer: Answered) -> None:
    piece = table.draft.items.get(str(answer.fields.get("piece")))
    if answer.choice == "step" and piece is not None and is_destroyed(piece):
        raise Refused("destroyed", "WYR-T50", f"the {piece.quoted_name} is destroyed already", source=piece.id)
