"""Single events of a fight as sentences."""

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from affray import events as facts
from affray.engine.core.catalogue import ClauseText
from affray.engine.fight import Fight
from affray.engine.visibility import Viewer, can_read
from affray.events import STARTS, Clause, Id, Recorded
from affray.tools.present.story.actions import pending_said, phrase
from affray.tools.present.story.narration import tell
from affray.tools.present.story.sentences import action_said, answer_said, option_said
from affray.tools.present.story.words import Names, author_said, capital, name_of, names_of, possessive


class Row(Struct, frozen=True, kw_only=True):
    """An event as a line: its position, its sentence, its clauses."""

    position: int
    text: str
    rules: tuple[Clause, ...] = ()


GAME_MASTER = Viewer(role="gm")
"""The viewer who reads every line."""


class Teller:
    """Source of sentences for single events of a fight.

    Names, plans and options are taken only from lines that the viewer may read.
    """

    def __init__(self, fight: Fight, viewer: Viewer = GAME_MASTER) -> None:
        opened = fight.history.opened
        self._recorded = fight.history.recorded
        self._known = [one for one in self._recorded if can_read(viewer, one, opened)]
        self._clauses = fight.ruleset.clauses
        self._procedures = fight.ruleset.turns.procedures
        self.names: Names = names_of(self._known)

    def row(self, position: int) -> Row:
        """Return an event as a line."""
        event = self._recorded[position - 1].event
        return Row(position=position, text=self.sentence(self._recorded[position - 1]), rules=event.rules)

    def rows(self, positions: Sequence[int]) -> tuple[Row, ...]:
        """Return events as lines; leave out events without information for a reader."""
        return tuple(self.row(one) for one in positions if self._tells(self._recorded[one - 1]))

    def name_who_entered(self, position: int) -> str:
        """Return the sender of entered dice, and their position."""
        return f"{author_said(self._recorded[position - 1].who, self.names)} at {position}"

    def clauses(self, cited: Collection[Clause]) -> dict[Clause, ClauseText]:
        """Return the texts of clauses, in the catalogue's order."""
        return {name: text for name, text in self._clauses.items() if name in cited}

    def sentence(self, one: Recorded) -> str:
        """Return an event as a sentence."""
        event = one.event
        if isinstance(event, facts.Stacked):
            return capital(action_said(event.actor, self._phrase(event), event.manner, self.names))
        if isinstance(event, facts.Fizzled | facts.Resolved | facts.Dropped):
            return self._tell_end_of_pending(event, one.position)
        if isinstance(event, facts.Answered):
            return self.answer_sentence(event, one.position)
        if isinstance(event, facts.PhaseEntered):
            what = self._plan(event.item, one.position) if event.item else "the fight"
            phase, trigger = self.names.label("phases", event.phase), self.names.label("triggers", event.trigger)
            return capital(f"{what} comes to the phase {phase}, on {trigger}")
        return tell(event, self.names, verbose=True) or ""

    def answer_sentence(self, event: facts.Answered, position: int) -> str:
        """Return an answer as a sentence, given a position after the question."""
        return capital(answer_said(event, self._option(event, position), self.names))

    def name_grant(self, position: int) -> str:
        """Return in a few words the event that granted a number."""
        one = self._recorded[position - 1]
        event = one.event
        if isinstance(event, facts.Joined):
            return f"{position} {capital(possessive(name_of(self.names, event.who)))} sheet"
        ruling = self._input_of(position)
        if isinstance(ruling.event, facts.Ruled):
            return f"{ruling.position} {self.sentence(ruling)}"
        return f"{position} {self.sentence(one)}"

    def _input_of(self, position: int) -> Recorded:
        """Return the input from which an event followed."""
        return next(one for one in reversed(self._recorded[:position]) if type(one.event) in STARTS)

    def _list_known_until(self, position: int) -> Iterator[facts.Event]:
        """Yield the readable events up to a position, the last one first."""
        return (one.event for one in reversed(self._known) if one.position <= position)

    def _phrase(self, event: facts.Stacked) -> str:
        return phrase(event.kind, event.params, self.names, event.actor)

    def _tell_end_of_pending(self, event: facts.Fizzled | facts.Resolved | facts.Dropped, position: int) -> str:
        """Describe the end of a pending action, with the action's name for its id."""
        became = (tell(event, self.names, verbose=True) or "").removeprefix(
            capital(pending_said(event.item, self.names))
        )
        return capital(self._plan(event.item, position)) + became

    def _plan(self, item: Id, position: int) -> str:
        """Return a pending action as its actor's plan."""
        pending = (one for one in self._list_known_until(position) if isinstance(one, facts.Stacked))
        meant = next((one for one in pending if one.item == item), None)
        if meant is None:
            return pending_said(item, self.names)
        return f"{possessive(name_of(self.names, meant.actor))} plan to {self._phrase(meant)}"

    def _option(self, event: facts.Answered, position: int) -> str:
        asked = (one for one in self._list_known_until(position) if isinstance(one, facts.Asked))
        options = next((one.options for one in asked if one.question == event.question), ())
        return next(
            (option_said(one) for one in options if one.choice == event.choice),
            self.names.label("options", event.choice),
        )

    def _tells(self, one: Recorded) -> bool:
        event = one.event
        if isinstance(event, facts.Stacked):
            declared = self._input_of(one.position).event
            return (
                not isinstance(declared, facts.Declared) or declared.actor != event.actor or declared.kind != event.kind
            )
        by_itself = isinstance(event, facts.PhaseEntered) and event.phase in self._procedures
        return by_itself or tell(event, self.names) is not None
