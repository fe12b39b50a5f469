"""The structs for the words of a rule system: label, sentence, role."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from affray.events import Clause


class Word(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A word of the rules.

    Attributes:
        label: Its text for people; its name with blanks if empty.
    """

    label: str = ""


class StatWord(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A number of a combatant or of a thing.

    Attributes:
        group: Where a sheet lists a combatant's number.
        says: The text for it on a sheet, with numbers of the same thing: ``{dice}d{sides} damage``; the label and the
            number if empty.
        quiet: Whether a sheet leaves it out, such as a number that the text of another one says.
    """

    group: Literal["", "attributes", "defences", "skills", "talents"] = ""
    says: str = ""
    quiet: bool = False


class PoolWord(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A counter of a combatant.

    Attributes:
        short: Its label where there is little room.
        says: The text for an amount of it, such as ``{} actions``; the number and the label if empty.
        one: The text for one of it, such as ``one action``; as any other number if empty.
        most: The stat that holds its maximum; empty if there is none.
        most_by: The clause that forbids values above the maximum; if empty, a ruling may exceed it.
        told_by: Other stats, purposes of rolls and actions that give it away; they are hidden with it.
        role: Its role: how much harm is left to take, how many actions are left, or anything else.
        lasts: Whether it outlasts the fight, so that it is reported among the fight's costs.
        rises: Whether it counts harm suffered or protection used up, so that more of it is worse.
        guarded: Whether players do not read it of foes unless the fight is set so, as is always so of health.
    """

    short: str = ""
    says: str = ""
    one: str = ""
    most: str = ""
    most_by: str = ""
    told_by: tuple[str, ...] = ()
    role: Literal["health", "budget", "resource"] = "resource"
    lasts: bool = False
    rises: bool = False
    guarded: bool = False

    @property
    def is_secret_of_foes(self) -> bool:
        """True if players do not read its number of foes, unless the fight is set so."""
        return self.guarded or self.role == "health"


class TraitWord(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A word on a sheet, or of a place.

    Attributes:
        ground: The drawing of such a place: impassable, at extra cost, with cover, or hard to see through; empty for
            none of these.
        size: Whether such a combatant is drawn larger than others.
    """

    ground: Literal["", "blocked", "difficult", "cover", "haze"] = ""
    size: Literal["", "large"] = ""


class ConditionWord(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A condition of a combatant.

    Attributes:
        gained: The sentence for a combatant that gains it, such as ``goes down``; ``is`` with the label if empty.
        lost: The sentence for a combatant that loses it; ``is no longer`` with the label if empty.
        role: Out of the fight, unable to act, counted (its count is shown), or a plain flag.
        turns: Whether it is reported among the turning points of the fight.
        lasts: Whether it outlasts the fight, as an injury does, so that it is reported among the fight's costs.
    """

    gained: str = ""
    lost: str = ""
    role: Literal["out", "helpless", "counted", "flag"] = "flag"
    turns: bool = False
    lasts: bool = False


class PerilWord(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A danger to a combatant, such as bleeding to death. Its tests must all hold; an empty one always does.

    Attributes:
        says: The danger and what comes of it, with ``{who}``, ``{count}``, ``{most}``, ``{about}``, ``{item}`` and the
            numbers of the configuration by name. A text in square brackets is left out if there is no such thing.
        grade: Whether it threatens a life, brings such a threat close, or wears a thing down.
        rule: The clause.
        trait: The trait of those whom it concerns, such as player characters; any if empty.
        conditions, unless: The conditions that a combatant in danger has, and those of which it has none.
        pool, at_most: A counter, and its value in danger or any lower one.
        clock, about: A running clock, and what it is about; any subject if empty.
        item, kinds: The end of the id of a thing, behind that of its owner, and the kinds of things; any if empty.
        die, counter, no_counter: The size down to which a thing's die was worn, a flag of it that is set, and one that
            is not.
        count: The pool that counts towards the end; if empty, the clock, or the first condition if it is counted.
        most: The option that holds the number at which it ends; if empty, a clock ends at 0.
        help, how: The action with which another combatant ends it, and the values of its other fields.
    """

    says: str
    grade: Literal["mortal", "close", "worn"]
    rule: Clause = ""
    trait: str = ""
    conditions: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    pool: str = ""
    at_most: int = 0
    clock: str = ""
    about: tuple[str, ...] = ()
    item: str = ""
    kinds: tuple[str, ...] = ()
    die: int = 0
    counter: str = ""
    no_counter: str = ""
    count: str = ""
    most: str = ""
    help: str = ""
    how: Mapping[str, str] = {}


class CounterWord(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A counter of a thing.

    Attributes:
        role: The amount of the thing, a flag (0 or 1), or another number.
        gained: The sentence when a thing's flag is set, such as ``is lit``; ``is`` with the label if empty.
        lost: The sentence when a thing's flag is cleared; ``is no longer`` with the label if empty.
        lasts: Whether it outlasts the fight, as with missiles that are spent and gear that is worn, so that it is
            reported among the fight's costs.
    """

    role: Literal["amount", "flag", "number"] = "number"
    gained: str = ""
    lost: str = ""
    lasts: bool = False


class PurposeWord(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The purpose of a roll.

    Attributes:
        says: The text behind ``rolls``; ``for`` with the label if empty.
        role: The role of its total where damage is done: it is harm, it reduces harm, or anything else.
    """

    says: str = ""
    role: Literal["hurts", "guards", "other"] = "other"


class OutcomeWord(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """An outcome of a roll.

    Attributes:
        says: The outcome in a sentence, such as ``a hit[ by {margin}]``; the label if empty. The text in brackets is
            left out where the number was just met.
    """

    says: str = ""


class EndingWord(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The reason why a fight is over, as it follows the winner.

    Attributes:
        undecided: The text without a winner; the label if empty.
    """

    undecided: str = ""


class ItemWord(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A kind of thing.

    Attributes:
        says: The sentence for a combatant that gets one, such as ``knows {name}``; ``has`` with its name if empty.
    """

    says: str = ""


class PositionWord(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A position of a thing.

    Attributes:
        says: The text behind ``is``, such as ``in the belt`` or ``thrown``; ``in the`` with the label if empty.
        role: Its role: in a hand, worn on the body, or anywhere else.
    """

    says: str = ""
    role: Literal["hand", "worn", "elsewhere"] = "elsewhere"


class RelationWord(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A relation of combatants.

    Attributes:
        says: The sentence while it holds, such as ``one player plays {members}``; its label before them if empty.
        over: The sentence when it ends, such as ``rider and mount part``.
        called: Its name in a sentence, such as ``the player of {members}``; its name if empty.
        leads, led: The role of the member that also plays the other, and the other's role; empty if each plays itself.
        stands: The state of a member, such as ``in melee with {foes}``; if empty, the role's ``stands`` is used.
        opposed: Whether it is one of enemies: members of a single side cannot form it.
        fewest: The minimum number of members.
        ids: The content of its id: names of its ``members``, a ``number``, or a ``word`` such as that of a side.
    """

    says: str = ""
    over: str = ""
    called: str = ""
    leads: str = ""
    led: str = ""
    stands: str = ""
    opposed: bool = False
    fewest: int = 2
    ids: Literal["members", "number", "word"] = "members"


class RoleWord(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A role in a relation.

    Attributes:
        stands: The state of a member in it, such as ``rides {others}``; not shown if empty.
    """

    stands: str = ""


class MannerWord(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A manner of playing an action.

    Attributes:
        says: The sentence for it, in the infinitive, such as ``answer and {what}``; if empty, the label precedes the
            action, in brackets.
        plain: Whether it is not shown at all.
    """

    says: str = ""
    plain: bool = False


class Deed(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """An action or a ruling. Actions are offered in the order of declaration.

    Attributes:
        says: The sentence for it, in the infinitive, with its parameters by name: ``attack {target}[ with {weapon}]``.
            The text in square brackets is left out where a parameter in it is.
        quiet: The parameters that the sentence leaves out, because its costs or effects show them.
        group: The heading under which it is offered.
        icon: The name of its picture.
        told: Whether it is reported; if not, the events that follow say the same.
        each: Whether all who may do it do so at once, each with nothing to decide: a roll for initiative.
        ends: Whether it ends the actor's turn.
        letter: Its short form for typing.
        asks: The labels of its parameters in a form, where the parameter's name is not enough.
    """

    says: str
    quiet: tuple[str, ...] = ()
    group: str = ""
    icon: str = ""
    told: bool = True
    each: bool = False
    ends: bool = False
    letter: str = ""
    asks: Mapping[str, str] = {}


class QuestionWord(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A question of the rules.

    Attributes:
        says: The question as a sentence: ``{who}`` is asked, about ``{whom}``, while ``{actor}`` does ``{action}``,
            after the roll ``{roll}``. A text in square brackets is left out if there is no such thing.
        stakes: The stakes of each option, if the option's own words do not give them.
        does: The effect of each option, in the infinitive, such as ``let the roll stand``; if empty, the option's own
            words follow a colon.
        asks: The labels of the fields of its answers, where the field's name is not enough.
        always: Whether a player may give a standing answer, for every time it is asked.
    """

    says: str = ""
    stakes: Mapping[str, str] = {}
    does: Mapping[str, str] = {}
    asks: Mapping[str, str] = {}
    always: bool = False


class FieldWord(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A field of an answer.

    Attributes:
        says: The text for it with its value ``{}``, such as ``for {} rounds``; its label before the value if empty.
        one: The text for the value 1, such as ``for one round``; as any other number if empty.
        otherwise: The text for a missing value, such as ``the usual one``; if empty, *nobody*, *none* or *as it is*.
        free: Whether it takes free text of a person, which is quoted.
        names: The kind of thing that its ids name.
    """

    says: str = ""
    one: str = ""
    otherwise: str = ""
    free: bool = False
    names: Literal["", "combatant", "item"] = ""


class ClockWord(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A clock.

    Attributes:
        says: The sentence when it advances, such as ``{by} seconds pass``; ``{whose}`` is its owner.
    """

    says: str = ""


class NoteWord(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A kind of note that the rules make.

    Attributes:
        says: The note as a sentence with its parts, such as ``{who} casts {what}: {outcome}``.
        parts: The kind of each part. A ``flag`` is true or false; ``text`` is of the rules, and ``words`` is free text,
            which is quoted.
        texts: The known texts of a part of kind ``text``. Other texts are quoted.
        written: The note as scenarios and logs up to format 5 write it, with the same parts; ``{who.name}`` is a name.
        rules: The clauses that identify notes of this kind in such logs.
    """

    says: str
    parts: Mapping[str, Literal["combatant", "combatants", "flag", "item", "number", "side", "text", "words"]] = {}
    texts: tuple[str, ...] = ()
    written: str
    rules: tuple[Clause, ...] = ()


class SourceWord(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A word of the rules that a condition comes from, such as an injury.

    Attributes:
        says: The source with the number behind the word as ``{}``, such as ``until second {}``; empty if there is none.
    """

    says: str = ""


class NumberWord(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A word of the rules that a number in a roll comes from, even if a combatant has the same name.

    Attributes:
        margin: Whether it stands for the margin of a roll.
    """

    margin: bool = False


class Places(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The places of a system.

    Attributes:
        one: The word for a place, such as ``cell``.
        unit: The unit of distances and of the cost of movement, such as ``m``.
    """

    one: str = "place"
    unit: str = ""
