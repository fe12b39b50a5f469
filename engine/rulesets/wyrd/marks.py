"""The marks of Wyrd: what a fight notes about a combatant, a piece, a side or itself."""

from msgspec import Struct

from affray.engine.core.marks import WORDS, ListMark, Mark, Marks, StructMark, index_marks
from affray.engine.rulesets.wyrd.tables import Piece
from affray.events import Clause, CombatantId, Words

FIGHT = "fight"
"""The owner of the marks that concern the fight as a whole."""

ALLOWED = Mark("allowed", False, until="it is used")
"""A permission for one use: an unusual ability, ``sunder``, ``dodge``, ``overflow`` or ``contact``."""

BLOW = Mark[tuple[str, ...]]("blow", (), until="that blow")
"""The sizes of the dice for the combatant's next blow."""

CONSEQUENCE = Mark("consequence", "", until="that failure", names=WORDS)
"""The consequence that replaces the next hit after a failed test of the combatant."""

DEPARTED = Mark("departed", False, until="they are back", about="combatant")
"""On a side of foes: a combatant that left it and counts as lost."""

DISARMED = Mark("disarmed", False, until="the condition ends")
"""The combatant's weapons have been knocked away."""

GEAR = StructMark("gear", Piece, names=WORDS)
"""A piece of gear of the encounter file, kept for later combatants."""

HOME = Mark("home", "", until="they are back", names="side")
"""The own side of a player character that fights among foes."""

LATE = Mark("late", False, until="the next round")
"""On a side of player characters: it joined the order behind foes."""

MORALE = Mark("morale", "", until="the end")
"""On a side: the loss that it was last tested for, ``first`` or ``half``."""


class Prompt(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A question that the game master is still to be asked.

    Attributes:
        who: The combatants that it may affect.
        what: The attempt in words, where it asks for its outcome.
        rule: The clause that asks.
    """

    who: tuple[CombatantId, ...] = ()
    what: Words = ""
    rule: Clause = ""


PROMPTS = {
    kind: StructMark(f"{kind} prompt", Prompt, until="it is answered", about="pending", asks=kind)
    for kind in ("wear", "consequence", "outcome", "paradox", "setback")
}
"""On the fight: the questions of each kind, about the actions that caused them."""

MORALE_PROMPT = Mark("morale prompt", "", until="it is answered", about="side", asks="morale")
"""On the fight: the loss for which the game master is still to be asked about the morale of a side."""

PROMPT_MARKS: Marks = index_marks((MORALE_PROMPT, *PROMPTS.values()))
"""The marks of all questions that wait for the game master, by their keys."""

REVIVAL_TEST = Mark("revive", "", until="that revival", topic="test")
"""The ability that is tested when the combatant next revives a companion."""

REVIVED = Mark("revived", "", until="its next turn")
"""The clause by which the combatant came round; it waits for its next turn."""

STRAY = ListMark("stray", until="that shot")
"""The victim of the combatant's next shot if it goes astray."""

SURPRISE = Mark("surprise", "", until="the next round")
"""The surprised party; before the roll (without an end), the cause that may surprise it."""

TAG = Mark("tag", False)
"""Whether a piece has a tag, regardless of the tables."""

UNAWARE = Mark("unaware", False, until="that attack")
"""The next attack on the combatant comes unannounced."""
