"""The words of a rule system, each with what is declared of it: label, sentence, role."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from affray.events import Clause


class Word(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A word of the rules.

    Attributes:
        label: How people say it; its name with blanks if empty.
    """

    label: str = ""


class PoolWord(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A counter of a combatant.

    Attributes:
        short: Its label where there is little room.
        says: How so many of it are said, such as ``{} actions``; the number and the label if empty.
        one: How one of it is said, such as ``one action``; as any other number if empty.
        most: The stat that holds the most there can be in it; empty if there is none.
        most_by: The clause by which there is never more; with none, a ruling may go beyond it.
        told_by: Other stats, purposes of rolls and actions that tell of it: where it is hidden, so are they.
        role: What it is for: how much somebody can still bear, how often they may still act, or anything else.
        lasts: Whether it is still so when the fight is over, so that it is told among what a fight costs.
        rises: Whether it counts harm suffered or protection used up, so that more of it is worse.
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


class TraitWord(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A word on a sheet, or of a place.

    Attributes:
        ground: How a place that is so is drawn: nobody enters it, it costs more, it gives cover, or one sees badly
            through it; empty where none of that is so.
        size: Whether whoever is so is drawn larger than others.
    """

    ground: Literal["", "blocked", "difficult", "cover", "haze"] = ""
    size: Literal["", "large"] = ""


class ConditionWord(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A condition of a combatant.

    Attributes:
        gained: What is said of whoever comes to it, such as ``goes down``; ``is`` with the label if empty.
        lost: What is said of whoever is it no longer; ``is no longer`` with the label if empty.
        role: Out of the fight, unable to act, so often (its count is told), or simply so.
        turns: Whether it is told among what turned the fight.
        lasts: Whether it outlasts the fight, as an injury does, so that it is told among what a fight costs.
    """

    gained: str = ""
    lost: str = ""
    role: Literal["out", "helpless", "counted", "flag"] = "flag"
    turns: bool = False
    lasts: bool = False


class CounterWord(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A counter of a thing.

    Attributes:
        role: How many there are of the thing, whether it is so (0 or 1), or a number of its own.
        gained: What is said of a thing that is so now, such as ``is lit``; ``is`` with the label if empty.
        lost: What is said of one that is so no longer; ``is no longer`` with the label if empty.
        lasts: Whether it is still so when the fight is over, as with missiles that are spent and gear that is worn,
            so that it is told among what a fight costs.
    """

    role: Literal["amount", "flag", "number"] = "number"
    gained: str = ""
    lost: str = ""
    lasts: bool = False


class PurposeWord(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The purpose of a roll.

    Attributes:
        says: As it follows ``rolls``; ``for`` with the label if empty.
        role: What its total is where damage is done: so much harm, so much less of it, or anything else.
    """

    says: str = ""
    role: Literal["hurts", "guards", "other"] = "other"


class OutcomeWord(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """An outcome of a roll.

    Attributes:
        says: The same in a sentence, such as ``a hit[ by {margin}]``; the label if empty. What stands in brackets is
            left out where it was just met.
    """

    says: str = ""


class EndingWord(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Why a fight is over, as it follows who has won.

    Attributes:
        undecided: The same where nobody has won; the label if empty.
    """

    undecided: str = ""


class ItemWord(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A kind of thing.

    Attributes:
        says: What is said of whoever comes to have one, such as ``knows {name}``; ``has`` with its name if empty.
    """

    says: str = ""


class PositionWord(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A position of a thing.

    Attributes:
        says: As it follows ``is``, such as ``in the belt`` or ``thrown``; ``in the`` with the label if empty.
        role: In a hand, worn on the body, or anywhere else.
    """

    says: str = ""
    role: Literal["hand", "worn", "elsewhere"] = "elsewhere"


class RelationWord(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A relation of combatants.

    Attributes:
        says: What is said while it holds, such as ``one player plays {members}``; its label before them if empty.
        over: What is said when it ends, such as ``rider and mount part``.
        called: What it is called itself, such as ``the player of {members}``; its name if empty.
        leads, led: The roles of whoever plays the other too, and of the other; empty if each plays for themselves.
        stands: How somebody in it stands, such as ``in melee with {foes}``; if empty, their role says it.
        opposed: Whether it is one of enemies: members of one side alone are in none.
        fewest: How many members make one, at least.
        ids: What its id is made of: names of its ``members``, a ``number``, or a ``word`` such as that of a side.
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
        stands: How they stand, such as ``rides {others}``; nothing is said of it if empty.
    """

    stands: str = ""


class MannerWord(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A manner in which an action is played.

    Attributes:
        says: What somebody does who plays one so, in the infinitive, such as ``answer and {what}``; the label in
            brackets before it if empty.
        plain: Whether nothing is said of it.
    """

    says: str = ""
    plain: bool = False


class Deed(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """An action, or a ruling. Actions are offered in their order here, the most used first.

    Attributes:
        says: What is done, in the infinitive, with its parameters by name: ``attack {target}[ with {weapon}]``. What
            stands in square brackets is left out where a parameter in it is.
        quiet: The parameters that are told by what they cost or come to.
        group: Under which heading it is offered.
        icon: The name of its picture.
        told: Whether it is told; if not, what follows it says the same.
        each: Whether everybody does it who may, each for themselves and with nothing to decide: a roll for initiative.
        ends: Whether the turn of whoever does it is over then.
        letter: What it is for short, where people type.
        asks: Per parameter what it is asked by in a form, where its name does not say it.
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
    """Something that the rules ask.

    Attributes:
        says: The question as a sentence: ``{who}`` is asked, about ``{whom}``, while ``{actor}`` does what ``{action}``
            says, after the roll ``{roll}``. In square brackets stands what is left out where there is no such thing.
        stakes: Per option what is at stake with it, where the option's own words do not say it all.
        does: Per option what whoever chooses it does, in the infinitive, such as ``let the roll stand``; without it
            the option's own words are told behind a colon.
        asks: Per field of its answers what it is asked by, where its name does not say it.
        always: Whether somebody may say once that they answer it so whenever it is asked.
    """

    says: str = ""
    stakes: Mapping[str, str] = {}
    does: Mapping[str, str] = {}
    asks: Mapping[str, str] = {}
    always: bool = False


class FieldWord(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A field of an answer.

    Attributes:
        says: How it is said with its value ``{}``, such as ``for {} rounds``; its label before the value if empty.
        one: How it is said where it is 1, such as ``for one round``; as any other number if empty.
        otherwise: What it is where it is left out, such as ``the usual one``; nobody, none or as it is, if empty.
        free: Whether it is filled in with words of a person's own, which are quoted.
    """

    says: str = ""
    one: str = ""
    otherwise: str = ""
    free: bool = False


class ClockWord(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Time that is counted.

    Attributes:
        says: What is said when it passes, such as ``{by} seconds pass``; ``{whose}`` is whose clock it is.
    """

    says: str = ""


class NoteWord(Word, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A form in which the rules write a note, or the source of a condition.

    Attributes:
        written: As it stands there, with its parts: ``{who} has AC {ac}, shock_applies true``. ``who`` is somebody.
        says: How people say it, with the same parts. What is neither an id nor a number is quoted.
        rules: The clauses that write such a note; what others wrote is never taken for it. A source has none.
    """

    written: str
    says: str
    rules: tuple[Clause, ...] = ()


class Places(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The places of a system.

    Attributes:
        one: What one of them is called, such as ``cell``.
        unit: What distances and the cost of movement are counted in, such as ``m``.
    """

    one: str = "place"
    unit: str = ""
