"""Fights that are looked at after each ruling: it is refused, or changes the state, holds, and leaves them sound."""

from __future__ import annotations

from msgspec.structs import replace

from affray.engine import Fight, Refused, Unusable, fold
from affray.engine.core.draft import Draft
from affray.engine.core.evolve import evolve
from affray.engine.core.references import lowest_count
from affray.engine.core.state import State
from affray.engine.core.table import Table
from affray.events import Event, Stacked
from tests.engine.choices import Choices
from tests.engine.fights import encode_state, submit_accepted
from tests.engine.ruled import make_ruling
from tests.engine.waiting import Moment
from tests.metamorphic.sound.common import faults
from tests.metamorphic.sound.driving import sound


def left_untidy(fight: Fight) -> str:
    """Return what the rules that follow a ruling would change if they were followed once more."""
    draft, rules = Draft(fight.state), fight.ruleset
    table = Table(draft, fight.table.config)
    followed = [rules.corrections.correct(table, who) for who in draft.combatants]
    for rule in (*followed, rules.corrections.tidy(table)):
        for event in rule:
            if isinstance(event, Event):
                evolve(draft, event)
            if not isinstance(event, Event) or draft.freeze() != fight.state:
                return str(event)
    return ""


def out_of_bounds(fight: Fight) -> set[str]:
    """Return the counters that are lower than they can be."""
    people = fight.state.combatants.items()
    counters = ((who, pool, held) for who, one in people for pool, held in one.pools.items())
    return {f"{who} has {pool} {held}" for who, pool, held in counters if held < lowest_count(fight.ruleset, pool)}


def waits(state: State) -> tuple[object, ...]:
    """Return what the fight waits for; while a rule goes on, what it has begun need not be sound yet."""
    return state.question, state.awaited, state.stack


class Watched:
    """A fight that is looked at after each ruling; what was wrong before one is not blamed on it."""

    def __init__(self, moment: Moment) -> None:
        self.fight = moment.fight()
        self.sound = sound(moment.system)
        self.known = self._wrong()
        self.untidy = left_untidy(self.fight)

    def _wrong(self) -> set[str]:
        return out_of_bounds(self.fight) | set(faults(self.sound, self.fight.table))

    def rule(self, nth: int) -> str:
        """Rule something; return what is wrong then, or nothing; ``refused`` if it was."""
        fight, before = self.fight, self.fight.state
        ruling = make_ruling(fight, Choices(f"{nth}".encode()))
        said = f"{ruling.kind} {bytes(ruling.params).decode()}"
        try:
            outcome = submit_accepted(fight, ruling)
        except (Refused, Unusable) as no:
            return "refused" if no.message and fight.state == before else f"{said}: refused, but changed"
        went_on = waits(fight.state) != waits(before) and not fight.state.quiet
        known, self.known = self.known, self._wrong()
        untidy, self.untidy = self.untidy, left_untidy(fight)
        wrong = sorted(self.known - known) if not went_on else []
        if self.untidy and not untidy and not went_on:
            wrong.append(f"would change at once: {self.untidy}")
        form = fight.ruleset.rulings[ruling.kind]
        set_going = any(isinstance(one.event, Stacked) for one in outcome.recorded)
        if not (form.only_recorded or set_going) and replace(fight.state, counts=before.counts) == before:
            wrong.append("changed nothing")
        if encode_state(fold(fight.history.effective())) != encode_state(fight.state):
            wrong.append("its record folds to another state")
        return f"{said}: {'; '.join(wrong)}" if wrong else ""
