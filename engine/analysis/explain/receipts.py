"""The receipt of a roll: the origin of each die and of each modifier."""

from msgspec import Struct, structs

from affray.events import KEPT, SET_ASIDE, Damaged, DiceEntered, Faces, Id, Judged, Rolled

from .provenance import ExplainedEvent, Term, trace_term

_BLOCK = 8
"""The number of dice that share one block of the engine's words; see ``dice``."""


class Die(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A die that counts in a roll, or was thrown for it.

    Attributes:
        face: The face that it shows.
        fate: ``kept``, ``discarded`` or ``set aside``.
        origin: ``engine``, ``entered``, or ``roll`` if it was thrown in an earlier roll.
        name: The engine's name of the block with its word; empty for other dice.
        word: The index of the word in the block, from 1.
        at: The position of its entry, or of the earlier roll that threw it.
    """

    face: int
    fate: str
    origin: str
    name: str = ""
    word: int = 0
    at: int = 0


class Group(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A group of equal dice; ``sides``, ``kind`` and ``item`` are as in ``Faces``."""

    sides: int
    kind: str
    dice: tuple[Die, ...]
    item: Id = ""


class Harm(Struct, frozen=True, kw_only=True):
    """Damage that followed from a roll, with its terms."""

    at: int
    who: Id
    terms: tuple[Term, ...]
    amount: int


class Receipt(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The full account of one roll.

    Attributes:
        declared: Position of the declaration that it belongs to, or of the phase that the flow ran.
        roll, by, purpose, reading, total, against, source: As in ``Rolled``.
        dice: Group by group.
        pool: The terms that the number of dice comes from.
        modifiers: The modifiers of the reading.
        entered: Position of the entered faces, if any.
        judged: Positions of the judgements of the roll.
        damage: The damage that followed in the same resolution.
    """

    declared: int
    roll: Id
    by: Id
    purpose: str
    reading: str
    dice: tuple[Group, ...]
    pool: tuple[Term, ...]
    modifiers: tuple[Term, ...]
    total: int
    source: str
    against: int | None = None
    entered: int = 0
    judged: tuple[int, ...] = ()
    damage: tuple[Harm, ...] = ()


def make_receipt(moment: ExplainedEvent) -> Receipt:
    """Return the receipt of the roll at a moment."""
    roll = moment.recorded[moment.position - 1].event
    assert isinstance(roll, Rolled)
    thread = moment.threads[moment.position]
    after = {one: moment.recorded[one - 1].event for one in thread.positions if one > moment.position}
    harms = [find_harm(moment, one) for one in after]
    return Receipt(
        declared=thread.positions[0],
        roll=roll.roll,
        by=roll.by,
        purpose=roll.purpose,
        reading=roll.reading,
        dice=tuple(_make_group(moment, roll, group) for group in roll.dice),
        pool=tuple(trace_term(moment, one) for one in roll.pool),
        modifiers=tuple(trace_term(moment, one) for one in roll.modifiers),
        total=roll.total,
        source=roll.source,
        against=roll.against,
        entered=_find_entered(moment, roll),
        judged=tuple(at for at, one in after.items() if isinstance(one, Judged) and one.roll == roll.roll),
        damage=tuple(harm for harm in harms if harm is not None),
    )


def _make_group(moment: ExplainedEvent, roll: Rolled, group: Faces) -> Group:
    fates = group.fates or (KEPT,) * len(group.faces)
    lying = _list_earlier_faces(moment, group)
    dice = []
    for nth, (face, fate) in enumerate(zip(group.faces, fates, strict=True)):
        if SET_ASIDE in fates:
            dice.append(Die(face=face, fate=fate, origin="roll", at=_remove_face(lying, face)))
        elif roll.source == "entered":
            dice.append(Die(face=face, fate=fate, origin="entered", at=_find_entered(moment, roll)))
        else:
            name = f"{roll.roll}/{group.kind}{group.item and ':' + group.item}/d{group.sides}#{nth // _BLOCK}"
            dice.append(Die(face=face, fate=fate, origin="engine", name=name, word=nth % _BLOCK + 1))
    return Group(sides=group.sides, kind=group.kind, item=group.item, dice=tuple(dice))


def _list_earlier_faces(moment: ExplainedEvent, group: Faces) -> list[tuple[int, int]]:
    """Return the faces of such dice in earlier rolls of this resolution.

    The last roll comes first. Each face comes with the position of its roll.
    """
    wanted = (group.sides, group.kind, group.item)
    found = []
    for position in reversed(moment.threads[moment.position].positions):
        event = moment.recorded[position - 1].event
        if position < moment.position and isinstance(event, Rolled) and event.by == moment.who:
            same = (one for one in event.dice if (one.sides, one.kind, one.item) == wanted and one.thrown)
            found += [(face, position) for one in same for face in one.faces]
    return found


def _remove_face(lying: list[tuple[int, int]], face: int) -> int:
    """Remove a die with a face from the list; return the position of its roll, or 0."""
    for nth, (shown, position) in enumerate(lying):
        if shown == face:
            del lying[nth]
            return position
    return 0


def _find_entered(moment: ExplainedEvent, roll: Rolled) -> int:
    before = moment.recorded[moment.position - 2]
    entered = isinstance(before.event, DiceEntered) and before.event.roll == roll.roll
    return before.position if entered else 0


def find_harm(moment: ExplainedEvent, position: int) -> Harm | None:
    """Return the damage at a position with its terms; ``None`` if it is another event."""
    event = moment.recorded[position - 1].event
    if not isinstance(event, Damaged):
        return None
    then = structs.replace(moment, position=position, who=event.who)
    return Harm(
        at=position, who=event.who, terms=tuple(trace_term(then, one) for one in event.terms), amount=event.amount
    )


def list_terms(roll: Receipt | None, harm: Harm | None) -> list[Term]:
    """Return all terms of a roll with its damage, and of damage."""
    harms = (*(roll.damage if roll else ()), *((harm,) if harm else ()))
    return [*(roll.pool + roll.modifiers if roll else ()), *(term for one in harms for term in one.terms)]
