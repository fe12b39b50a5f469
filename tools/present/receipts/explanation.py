"""An explanation in sentences, before it is printed or laid out."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from affray.engine.analysis.explain import Account, Die, Group, Receipt, Term
from affray.engine.core.catalogue import ClauseText
from affray.engine.fight import Fight
from affray.engine.texts import id_said, quote, word_said
from affray.events import Amended, Clause
from affray.tools.present.story.sentences import purpose
from affray.tools.present.story.words import author_said, capital, is_made_up, label_said, name_of, plain, with_sign

from .teller import Row, Teller

BY_THE_RULES = "the rules themselves"
"""Texts for the origin of a number that no event granted."""


class NumberLine(Struct, frozen=True, kw_only=True):
    """A number in a roll or in damage, as a line.

    Attributes:
        value: With its sign.
        label: Its name.
        rule: The clause that lets it count.
        granted: Its origin.
    """

    value: str
    label: str
    rule: Clause
    granted: str


class Slip(Struct, frozen=True, kw_only=True):
    """A receipt in words.

    Attributes:
        whose: The roller, and the purpose of the roll.
        belongs: The action or procedure to which it belongs.
        dice: The dice by group: kind, faces and origin.
        pool, modifiers: The sources of the dice, and the numbers added.
        came_to: The reading, the total, and the number to reach.
        judged: The outcome.
    """

    whose: str
    belongs: Row
    dice: tuple[tuple[str, str, str], ...]
    pool: tuple[NumberLine, ...]
    modifiers: tuple[NumberLine, ...]
    came_to: str
    judged: tuple[Row, ...]


class Explained(Struct, frozen=True, kw_only=True):
    """The explanation of an event, in sentences.

    Attributes:
        fight: The fight's name.
        what: The event as a sentence.
        sent: Its sender and time.
        again: The amendment that caused it to be decided again, if any.
        undone: The event that took it back; empty if it is effective.
        chain: Its causes, from the first input on.
        slip: The receipt, if it is a roll.
        damage: Damage that it is, or that followed from the roll, each with its parts.
        consequences: Its effects.
        clauses: The texts of all cited clauses.
    """

    fight: str
    what: Row
    sent: str
    again: Row | None
    undone: Row | None
    chain: tuple[Row, ...]
    slip: Slip | None
    damage: tuple[tuple[Row, tuple[NumberLine, ...]], ...]
    consequences: tuple[Row, ...]
    clauses: dict[Clause, ClauseText]


def tell_explanation(fight: Fight, found: Account) -> Explained:
    """Return an explanation in sentences."""
    teller = Teller(fight)
    what, sent = teller.row(found.position), found.command
    began, between = found.chain[:-1][:1], found.chain[1:-1]
    harms = (*((found.harm,) if found.harm else ()), *(found.receipt.damage if found.receipt else ()))
    slip = _slip(teller, found.receipt) if found.receipt else None
    damage = tuple((teller.row(one.at), _numbers(teller, one.terms)) for one in harms)
    chain = (*map(teller.row, began), *teller.rows(between))
    consequences = teller.rows(found.consequences)
    numbers = (*(slip.pool + slip.modifiers if slip else ()), *(one for _, parts in damage for one in parts))
    cited = {rule for row in (what, *chain, *consequences) for rule in row.rules} | {one.rule for one in numbers}
    command = sent.id if len(sent.id.split()) == 1 else quote(sent.id)
    return Explained(
        fight=fight.state.fight or fight.name,
        what=what,
        sent=f"{author_said(sent.who, teller.names)} (by their own word), {sent.time}, command {command}",
        again=teller.row(sent.position) if _is_of_an_amendment(fight, found) else None,
        undone=teller.row(found.undone_by) if found.undone_by else None,
        chain=chain,
        slip=slip,
        damage=damage,
        consequences=consequences,
        clauses=teller.clauses(cited),
    )


def _is_of_an_amendment(fight: Fight, found: Account) -> bool:
    first = found.command.position
    return first != found.position and isinstance(fight.history.at(first).event, Amended)


def _slip(teller: Teller, found: Receipt) -> Slip:
    whose = name_of(teller.names, found.purpose.partition(":")[2] or found.by)
    against = "" if found.against is None else f", against {found.against}"
    read = f"; the dice are read as {_READ.get(found.reading, word_said(found.reading))}" if _several(found) else ""
    return Slip(
        whose=f"{capital(whose)}, {purpose(found.purpose, teller.names)}",
        belongs=teller.row(found.declared),
        dice=tuple(line for group in found.dice for line in _dice(teller, group)),
        pool=_numbers(teller, found.pool),
        modifiers=_numbers(teller, found.modifiers),
        came_to=f"{plain(found.total)}{against}{read}",
        judged=teller.rows(found.judged),
    )


def _several(found: Receipt) -> bool:
    """Tell whether the receipt must state how the dice are read."""
    return found.reading == "sixes" or sum(die.fate != "discarded" for one in found.dice for die in one.dice) > 1


_READ = {
    "sum": "their sum",
    "highest": "the highest of them",
    "lowest": "the lowest of them",
    "sixes": "the number of sixes",
    "digits": "digits, set side by side",
}


def _dice(teller: Teller, group: Group) -> Iterator[tuple[str, str, str]]:
    """Yield kind, faces and origin of dice; dice of one origin are put together."""
    thing = f" of {name_of(teller.names, group.item)}" if group.item else ""
    kind = "" if group.kind in ("die", f"d{group.sides}") else f"{teller.names.label('dice', group.kind)} "
    fates = {die.fate for die in group.dice}
    for (origin, name, at), run in groupby(group.dice, key=lambda one: (one.origin, one.name, one.at)):
        dice = list(run)
        shown = ", ".join(f"{die.face} {die.fate}" if fates != {"kept"} else str(die.face) for die in dice)
        yield f"{kind}d{group.sides}{thing}", shown, _origin(teller, dice, origin, name, at)


def _origin(teller: Teller, dice: list[Die], origin: str, name: str, at: int) -> str:
    if origin == "engine":
        many = f"word {dice[0].word}" if len(dice) == 1 else f"words {dice[0].word}–{dice[-1].word}"
        return f"the engine's {'die' if len(dice) == 1 else 'dice'} {id_said(name)}, {many}"
    if origin == "entered":
        return f"entered by {teller.name_who_entered(at)}"
    return f"lay there from the roll at {at}" if at else "lay there from an earlier roll"


def _numbers(teller: Teller, terms: Sequence[Term]) -> tuple[NumberLine, ...]:
    return tuple(
        NumberLine(
            value=with_sign(one.value),
            label=quote(one.label) if is_made_up(one.label, one.source) else label_said(one.label),
            rule=one.rule,
            granted="; ".join(teller.name_grant(at) for at in one.granted) or BY_THE_RULES,
        )
        for one in terms
    )
