"""The turning points of a fight: first blood, the hardest blow, and fellings."""

from collections import defaultdict
from collections.abc import Iterator

from msgspec import Struct

from affray import events as facts
from affray.engine.analysis.explain.causality import build_threads
from affray.engine.fight import Fight
from affray.events import Event, Id, Source
from affray.tools.present.story.story import is_budget
from affray.tools.present.story.words import Names, becomes, capital, name_of, possessive, side_said


class Highlight(Struct, frozen=True, kw_only=True):
    """A turning point, at a position and in a round; 0 before the first."""

    position: int
    round: int
    text: str


class Deeds(Struct):
    """Damage dealt, damage taken, and number of opponents felled by a combatant."""

    dealt: int = 0
    taken: int = 0
    felled: int = 0


class Highlights:
    """Finder of the turning points among a fight's effective events.

    Attributes:
        highlights: The turning points in order.
        deeds: Per combatant, damage and felled opponents.
        rounds: The number of the last round.
    """

    def __init__(self, fight: Fight, names: Names) -> None:
        self.highlights: list[Highlight] = []
        self.deeds: defaultdict[Id, Deeds] = defaultdict(Deeds)
        self.rounds = 0
        history = fight.history
        self._names = names
        self._recorded = history.recorded
        self._threads = build_threads(history.recorded, history.path, fight.ruleset.turns.procedures)
        self._fallen: set[Id] = set()
        self._emptied: set[int] = set()
        self._owners: dict[Id, Id] = {}
        blows = [one for one in history.effective() if isinstance(one.event, facts.Damaged) and one.event.amount]
        self._first = blows[0].position if blows else 0
        self._hardest = max(blows, key=lambda one: getattr(one.event, "amount", 0)).position if blows else 0
        for one in history.effective():
            for text in self._lines_of(one.position, one.event):
                self.highlights.append(Highlight(position=one.position, round=self.rounds, text=capital(text)))

    def _lines_of(self, position: int, event: Event) -> Iterator[str]:
        match event:
            case facts.RoundBegan():
                self.rounds = event.round
            case facts.Joined():
                self._owners[event.who] = event.who
            case facts.ItemAdded() | facts.ItemMoved():
                self._owners[event.item] = event.owner
            case facts.Damaged():
                yield from self._find_in_damage(position, event)
            case facts.ConditionChanged(before=0) if self._turns(event.condition):
                yield self._fate(position, event.who, becomes(self._names, event.condition, 1))
            case facts.ConditionChanged(after=0) if self._turns(event.condition):
                self._fallen.discard(event.who)
            case facts.PoolChanged(after=0) if not is_budget(self._names, event.pool) and self._tells_alone(
                position, event.who
            ):
                yield self._fate(position, event.who, f"is at {self._names.label('pools', event.pool)} 0")
            case facts.PoolChanged(before=0) if not is_budget(self._names, event.pool):
                self._fallen.discard(event.who)
            case facts.Left() if event.who not in self._fallen:
                yield f"{name_of(self._names, event.who)} leaves the fight"
            case facts.SideChanged():
                yield f"{name_of(self._names, event.who)} goes over to {side_said(event.after)}"

    def _find_in_damage(self, position: int, event: facts.Damaged) -> Iterator[str]:
        by, whom = self._dealer(position, event), name_of(self._names, event.who)
        self.deeds[event.who].taken += event.amount
        if by and by != event.who:
            self.deeds[by].dealt += event.amount
        doer = name_of(self._names, by) if by not in ("", event.who) else ""
        if position in (self._first, self._hardest):
            what = "the hardest blow" if position == self._hardest else "first blood"
            yield f"{what}: {doer} deals {event.amount} to {whom}" if doer else f"{what}: {whom} takes {event.amount}"

    def _fate(self, position: int, who: Id, fate: str) -> str:
        """Return a combatant's fate and its cause; only the first fate counts as a felling."""
        blow = self._blow(position, who)
        by = self._dealer(*blow) if blow else self._actor(position)
        if by and by != who and who not in self._fallen:
            self.deeds[by].felled += 1
        self._fallen.add(who)
        text = f"{name_of(self._names, who)} {fate}"
        if not by or by == who:
            ruled = isinstance(self._first_of_thread(position), facts.Ruled)
            return f"{text} (ruled)" if ruled else text
        if blow is None:
            return f"{text}, by {possessive(name_of(self._names, by))} doing"
        at, damage = blow
        notable = self.highlights and self.highlights[-1].position == at
        label = f" ({self.highlights.pop().text.partition(':')[0].lower()})" if notable else ""
        return f"{text}: {name_of(self._names, by)} deals {damage.amount}{label}"

    def _dealer(self, position: int, damage: facts.Damaged) -> Id:
        """Return the dealer of damage: the owner of its first term's source, or else the actor."""
        source = damage.terms[0].source if damage.terms else ""
        if isinstance(source, Source):
            source = source.of
        return self._owners.get(source) or self._owners.get(source.partition(".")[0]) or self._actor(position)

    def _actor(self, position: int) -> Id:
        """Return the actor of the declaration behind an event; empty for rules and game master."""
        first = self._first_of_thread(position)
        return first.actor if isinstance(first, facts.Declared | facts.Stacked) and first.actor != "gm" else ""

    def _first_of_thread(self, position: int) -> Event:
        """Return the first event of the thread that an event belongs to."""
        return self._recorded[self._threads[position].positions[0] - 1].event

    def _blow(self, position: int, who: Id) -> tuple[int, facts.Damaged] | None:
        """Return the damage that a combatant took before an event in the same resolution."""
        for one in reversed(self._threads[position].positions):
            event = self._recorded[one - 1].event
            if one < position and isinstance(event, facts.Damaged) and event.who == who:
                return one, event
        return None

    def _turns(self, condition: str) -> bool:
        """Tell whether the rule system declares a condition to be a turning point."""
        known = self._names.words.conditions.get(condition)
        return known is not None and known.turns

    def _tells_alone(self, position: int, who: Id) -> bool:
        """Tell whether damage first emptied a counter and no condition reports that."""
        blow = self._blow(position, who)
        if blow is None or blow[0] in self._emptied:
            return False
        self._emptied.add(blow[0])
        events = [self._recorded[one - 1].event for one in self._threads[position].positions]
        fates = (one for one in events if isinstance(one, facts.ConditionChanged) and self._turns(one.condition))
        return all(one.who != who for one in fates)
