"""The tree of what may be declared: who, what, then field by field what is still possible, and why the rest is not.

An action of which only some fields are chosen is checked as far as that goes: a check that asks for a field that is not
chosen stops there. What it refused before then does not depend on that field. So a branch is cut off where it parts
from what would be accepted, and the reason is the very refusal. A leaf is an action that would be accepted.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from itertools import chain, islice
from typing import Any, NamedTuple

from msgspec import UNSET, Raw, UnsetType
from msgspec.json import Encoder

from affray.engine.core.actions import Action
from affray.engine.core.domains import Open
from affray.engine.core.ruleset import Ruleset
from affray.engine.core.table import Table
from affray.engine.errors import Refused, Unusable, followed_by
from affray.engine.limits import MOST_WAYS
from affray.events import Declared, Id, names

from .partial import NotChosenError, Partial
from .validation import check_nothing_awaited

_encode = Encoder().encode

No = Refused | Unusable
"""Why something may not be declared."""

Order = Callable[[Iterable[Any]], Iterable[Any]]
"""Puts the values of a field into the order in which they are tried."""


class Choice(NamedTuple):
    """A value that a field might have.

    Attributes:
        value: As it is recorded.
        refused: Why nothing that could follow would be accepted; ``None`` if something would.
    """

    value: Any
    refused: No | None


class Step(NamedTuple):
    """The field that is to be chosen next.

    Attributes:
        field: Its name as it is recorded.
        names: What its texts name, such as ``combatant``; empty where it holds numbers, or yes and no.
        choices: What it might be, in the order in which the rules list it; nothing where it can be anything.
        open: Whether it can be anything: free words, or a number that the rules do not bound.
        usual: What it is where it is left out, if that is a choice; ``UNSET`` if it must be said.
    """

    field: str
    names: str
    choices: tuple[Choice, ...]
    open: bool = False
    usual: Any | UnsetType = UNSET


class Offers:
    """What somebody may declare now in one manner.

    Args:
        table: The present of the fight; as long as this is used, it may not change.
        actor: Who declares; ``gm`` for what is the game master's.
        manner: How the action is played.

    Attributes:
        farther: Whether the rules listed more values of a field than are looked at.

    Whatever asks the rules raises ``Senseless`` where they stumble over what the record led to.
    """

    def __init__(self, ruleset: Ruleset, table: Table, actor: Id, manner: str) -> None:
        self.ruleset, self.table, self.actor, self.manner = ruleset, table, actor, manner
        self._permitted: dict[str, Refused | None] = {}
        self.farther = False

    def nearest(self, values: Iterator[Any]) -> Iterator[Any]:
        """Yield as many values as are looked at of those that are worked out one by one, such as ways over a map."""
        yield from islice(values, MOST_WAYS)
        if next(values, None) is not None:
            self.farther = True

    def kinds(self) -> Iterator[tuple[str, No | None]]:
        """Yield every action there is for them, each with why it may not be declared, or ``None`` if it may."""
        return ((form.kind, self.refusal(form)) for form in self.forms)

    def refusal(self, form: type[Action]) -> No | None:
        """Return why an action may not be declared, whatever is chosen; ``None`` if it may."""
        with followed_by(self.ruleset.name):
            return Branch(self, form).refusal()

    def step(self, kind: str, chosen: Mapping[str, Any]) -> Step | Action:
        """Return which field of an action is to be chosen next, or the whole action where nothing is left to choose.

        Args:
            chosen: The values of some of its fields, as they are recorded.

        Raises:
            Refused: nothing that could follow would be accepted.
            Unusable: there is no such field, or it cannot have such a value.
        """
        if kind not in self.ruleset.actions:
            raise self.ruleset.unknown_action(kind)
        branch = Branch(self, self.ruleset.actions[kind])
        for name, value in chosen.items():
            branch.choose(name, value)
        with followed_by(self.ruleset.name):
            return branch.next()

    def leaves(self) -> Iterator[Action]:
        """Yield every action that would be accepted."""
        with followed_by(self.ruleset.name):
            for form in self.forms:
                yield from Branch(self, form).leaves()

    def leaves_of(self, kind: str) -> Iterator[Action]:
        """Yield every action of a kind that would be accepted."""
        with followed_by(self.ruleset.name):
            yield from Branch(self, self.ruleset.actions[kind]).leaves()

    def first(self, kind: str, order: Order) -> Action | None:
        """Return the first action of a kind that would be accepted, if there is one.

        Args:
            order: In which order the values of each field are tried; at random, it is any of those actions.
        """
        with (
            followed_by(self.ruleset.name),
            closing(Branch(self, self.ruleset.actions[kind], order).leaves()) as leaves,
        ):
            return next(leaves, None)

    def refused(self, action: Action) -> No | None:
        """Return what stands against an action as far as it is chosen, whatever follows; ``None`` if nothing does."""
        try:
            closed = self._closed(action.trigger(self.ruleset.manners[self.manner]))
            if closed is None:
                action.check(self.table, self.actor, self.manner)
        except NotChosenError:
            return None
        except (Refused, Unusable) as no:
            return no
        return closed

    def intent(self, action: Action) -> Declared:
        """Return the input event by which they declare an action."""
        return Declared(actor=self.actor, kind=action.kind, params=Raw(_encode(action)), manner=self.manner)

    def _closed(self, trigger: str) -> Refused | None:
        """Return why the flow does not let the actor do what means this to it; ``None`` if it does."""
        if trigger not in self._permitted:
            self._permitted[trigger] = None
            try:
                check_nothing_awaited(self.ruleset, self.table.draft)
                self.ruleset.flow.permit(self.table, self.actor, trigger)
            except Refused as refused:
                self._permitted[trigger] = refused
        return self._permitted[trigger]

    @property
    def forms(self) -> Iterator[type[Action]]:
        """Every kind of action there is for them, whether or not it may be declared now."""
        for_gm = self.actor == "gm"
        return (form for form in self.ruleset.actions.values() if form.by_gm == for_gm)


class Branch:
    """An action that is being declared: what is chosen of it, and what may follow.

    Args:
        order: In which order the values of each field are tried.
    """

    __slots__ = ("_form", "_offers", "_order", "_partial", "_samples", "_why")

    def __init__(self, offers: Offers, form: type[Action], order: Order = iter) -> None:
        self._offers = offers
        self._form = form
        self._order = order
        self._partial = Partial(form)
        self._samples = False
        self._why: No | None = None

    def choose(self, name: str, value: Any) -> None:
        """Choose the value of a field by the name it is recorded under.

        Raises:
            Unusable: there is no such field, or it cannot have such a value.
        """
        known = self._partial.fields
        if name not in known:
            raise Unusable(f"{self._form.kind} has no {name}; it has {', '.join(known) or 'nothing'}", name)
        self._partial.choose(known[name], self._partial.read(name, value))

    def next(self) -> Step | Action:
        """Return the first field that leaves a choice, or the whole action where none does.

        Raises:
            Refused, Unusable: nothing that could follow would be accepted, for this one reason.
        """
        for name, field in self._partial.fields.items():
            if self._partial.has(field):
                continue
            values = self._values(field)
            listed = tuple(values)
            if len(listed) == 1:
                self._partial.choose(field, listed[0])
                continue
            self._check()
            choices = []
            for value in listed:
                self._partial.choose(field, value)
                choices.append(Choice(value, self.refusal()))
            self._partial.clear(field)
            reasons = {str(one.refused) for one in choices}
            if len(reasons) == 1 and choices[0].refused is not None:  # whichever it is
                raise choices[0].refused
            named, usual, free = names(self._form).get(field, ""), self._partial.usual(name), isinstance(values, Open)
            return Step(name, named, tuple(choices), free, usual if free or usual in listed else UNSET)
        self._check()
        return self._partial.whole()

    def refusal(self) -> No | None:
        """Return why nothing that could follow would be accepted: the first reason met; ``None`` if something would."""
        self._samples = True
        with closing(self.leaves()) as leaves:
            found = next(leaves, None)
        self._samples = False
        if found is not None:
            return None
        nothing = Refused("no_choice", "", "there is nobody and nothing for it now", self._offers.actor)
        return self._why or nothing

    def leaves(self) -> Generator[Action]:
        """Yield every action that may follow and would be accepted."""
        self._why = None
        if self._refused() is None:
            yield from self._beyond(looked=True)

    def _beyond(self, *, looked: bool) -> Iterator[Action]:
        """Choose what leaves no choice; where that is all yield the action, else go on with each value of the next.

        Args:
            looked: Whether it was looked already at what is chosen so far.
        """
        filled: list[str] = []
        try:
            for field in self._partial.fields.values():
                if self._partial.has(field):
                    continue
                values = iter(self._tried(field))
                some = tuple(islice(values, 2))
                if len(some) != 1 and not looked and self._refused() is not None:
                    return
                filled.append(field)
                if len(some) != 1:
                    for value in chain(some, values):
                        self._partial.choose(field, value)
                        yield from self._beyond(looked=False)
                    return
                self._partial.choose(field, some[0])
                looked = False
            if looked or self._refused() is None:
                yield self._partial.whole()
        finally:
            for field in filled:
                self._partial.clear(field)

    def _check(self) -> None:
        """Refuse what is chosen so far, where something stands against it whatever follows."""
        no = self._refused()
        if no is not None:
            raise no

    def _refused(self) -> No | None:
        """Return what stands against what is chosen so far, and keep the first reason."""
        no = self._offers.refused(self._partial.action)
        self._why = self._why or no
        return no

    def _values(self, field: str) -> Iterable[Any]:
        """Return what a field might be; nothing where the rules find nothing to choose from, and keep the reason."""
        offers = self._offers
        try:
            found = self._form.values(offers.table, offers.actor, offers.manner, field, self._partial.action)
            return offers.nearest(found) if isinstance(found, Generator) else found
        except (Refused, Unusable) as no:
            self._why = self._why or no
            return ()

    def _tried(self, field: str) -> Iterable[Any]:
        """Return what a field might be in the order in which it is tried; of what is open, if at all, a sample."""
        values = self._values(field)
        if isinstance(values, Open):
            return (values.sample,) if self._samples else ()
        return self._order(values)
