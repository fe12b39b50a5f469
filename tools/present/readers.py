"""The note on which viewers will read a command's words while a combatant is hidden."""

from collections.abc import Sequence

from affray.engine.fight import Fight
from affray.engine.visibility import is_sealed_for_words
from affray.events import Recorded

KNOWING = "Only those who know of who is hidden will read the words of this, until they are released (rule release)."


EVERYBODY = "Everybody will read the reason of this, whoever is hidden."


def who_reads(fight: Fight, recorded: Sequence[Recorded]) -> str:
    """Return the note on who will read a command's words; empty if no combatant is hidden."""
    if not recorded or not any(is_sealed_for_words(one.audience) for one in recorded):
        reason = getattr(recorded[0].event, "reason", "") if recorded else ""
        return EVERYBODY if reason and fight.state.concealed and recorded[0].audience is None else ""
    return KNOWING
