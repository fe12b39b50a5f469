"""The tree of what may be declared: who, what, then field by field what is still possible, and why the rest is not.

An action of which only some fields are chosen is checked as far as that goes: a check that asks for a field that is not
chosen stops there. What it refused before then does not depend on that field. So a branch is cut off where it parts
from what would be accepted, and the reason is the very refusal. A leaf is an action that would be accepted.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from functools import cache
from itertools import chain, islice
from types import MemberDescriptorType
from typing import Any, NamedTuple, NoReturn

from msgspec import Raw
from msgspec.json import Encoder
from msgspec.structs import fields

from affray.engine.core.actions import Action
from affray.engine.core.domains import Open
from affray.engine.core.ruleset import Ruleset
from affray.engine.core.table import Table
from affray.engine.errors import Refused, Unusable
from affray.events import Declared, Id, names

_encode = Encoder().encode

No = Refused | Unusable
"""Why something may not be declared."""


Order = Callable[[Iterable[Any]], Iterable[Any]]
"""Puts the values of a field into the order in which they are tried."""


class NotChosenError(Exception):
    """A field was read that is not chosen yet."""


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
    """

    field: str
    names: str
    choices: tuple[Choice, ...]
    open: bool = False


class Offers:
    """What somebody may declare now in one manner.

    Args:
        ruleset: The rules.
        table: The present of the fight; as long as this is used, it may not change.
        actor: Who declares; ``gm`` for what is the game master's.
        manner: How the action is played.
    """

    def __init__(self, ruleset: Ruleset, table: Table, actor: Id, manner: str) -> None:
        self.ruleset, self.table, self.actor, self.manner = ruleset, table, actor, manner
        self._permitted: dict[str, Refused | None] = {}

    def kinds(self) -> Iterator[tuple[str, No | None]]:
        """Yield every action there is for them, each with why it may not be declared, or ``None`` if it may."""
        for form in self.forms:
            yield form.kind, self.refused(_parts(form).root) or Branch(self, form).refusal()

    def step(self, kind: str, chosen: Mapping[str, Any]) -> Step | Action:
        """Return which field of an action is to be chosen next, or the whole action where nothing is left to choose.

        Args:
            kind: The action.
            chosen: The values of some of its fields, as they are recorded.

        Raises:
            Refused: nothing that could follow would be accepted.
            Unusable: there is no such action or field.
        """
        if kind not in self.ruleset.actions:
            raise self.ruleset.unknown_action(kind)
        branch = Branch(self, self.ruleset.actions[kind])
        for name, value in chosen.items():
            branch.choose(name, value)
        return branch.next()

    def leaves(self) -> Iterator[Action]:
        """Yield every action that would be accepted."""
        for form in self.forms:
            if self.refused(_parts(form).root) is None:
                yield from Branch(self, form).leaves()

    def first(self, kind: str, order: Order) -> Action | None:
        """Return the first action of a kind that would be accepted, if there is one.

        Args:
            kind: The action.
            order: In which order the values of each field are tried; at random, it is any of those actions.
        """
        form = self.ruleset.actions[kind]
        if self.refused(_parts(form).root) is not None:
            return None
        with closing(Branch(self, form, order).leaves()) as leaves:
            return next(leaves, None)

    def refused(self, action: Action) -> No | None:
        """Return what stands against an action as far as it is chosen, whatever follows; ``None`` if nothing does."""
        try:
            self.permit(action.trigger(self.ruleset.manners[self.manner]))
            action.check(self.table, self.actor, self.manner)
        except NotChosenError:
            return None
        except (Refused, Unusable) as no:
            return no
        return None

    def intent(self, action: Action) -> Declared:
        """Return the input event by which they declare an action."""
        return Declared(actor=self.actor, kind=action.kind, params=Raw(_encode(action)), manner=self.manner)

    def permit(self, trigger: str) -> None:
        """Refuse what the flow does not let the actor do.

        Raises:
            Refused: with the phase, or with the guard's clause.
        """
        if trigger not in self._permitted:
            self._permitted[trigger] = None
            try:
                self.ruleset.flow.permit(self.table, self.actor, trigger)
            except Refused as refused:
                self._permitted[trigger] = refused
        no = self._permitted[trigger]
        if no is not None:
            raise no

    @property
    def forms(self) -> Iterator[type[Action]]:
        """Every kind of action there is for them, whether or not it may be declared now."""
        for_gm = self.actor == "gm"
        return (form for form in self.ruleset.actions.values() if form.by_gm == for_gm)


class Branch:
    """An action that is being declared: what is chosen of it, and what may follow.

    Args:
        offers: Of whom, and in which manner.
        form: The kind of action.
        order: In which order the values of each field are tried.
    """

    __slots__ = ("_action", "_chosen", "_met", "_offers", "_order", "_parts", "_samples", "form")

    def __init__(self, offers: Offers, form: type[Action], order: Order = iter) -> None:
        self.form = form
        self._order = order
        self._offers = offers
        self._parts = _parts(form)
        self._action = self._parts.nothing()
        self._chosen: set[str] = set()
        self._samples = False
        self._met: list[No] = []

    def choose(self, name: str, value: Any) -> None:
        """Choose the value of a field by the name it is recorded under.

        Raises:
            Unusable: there is no such field.
        """
        if name not in self._parts.named:
            raise Unusable(f"{self.form.kind} has no {name}; it has {', '.join(self._parts.named) or 'nothing'}", name)
        self._set(self._parts.named[name], value)

    def next(self) -> Step | Action:
        """Return the first field that leaves a choice, or the whole action where none does.

        Raises:
            Refused: nothing that could follow would be accepted.
        """
        for name, field in self._parts.named.items():
            if field in self._chosen:
                continue
            values = self._values(field)
            listed = tuple(values)
            if len(listed) == 1:
                self._set(field, listed[0])
                continue
            choices = []
            for value in listed:
                self._set(field, value)
                choices.append(Choice(value, self.refusal()))
            self._unset(field)
            return Step(name, names(self.form).get(field, ""), tuple(choices), isinstance(values, Open))
        no = self._refused()
        if no is not None:
            raise no
        return self._whole()

    def refusal(self) -> No | None:
        """Return why nothing that could follow would be accepted: the first reason met; ``None`` if something would."""
        self._met.clear()
        self._samples = True
        with closing(self.leaves()) as leaves:
            found = next(leaves, None)
        self._samples = False
        if found is not None:
            return None
        nothing = Refused("no_choice", "", f"there is nothing to {self.form.kind} now", self._offers.actor)
        return self._met[0] if self._met else nothing

    def leaves(self) -> Generator[Action]:
        """Yield every action that may follow and would be accepted."""
        if self._refused() is None:
            yield from self._beyond(looked=True)

    def _beyond(self, *, looked: bool) -> Iterator[Action]:
        """Choose what leaves no choice; where that is all yield the action, else go on with each value of the next.

        Args:
            looked: Whether it was looked already at what is chosen so far.
        """
        filled: list[str] = []
        try:
            for field in self._parts.named.values():
                if field in self._chosen:
                    continue
                values = iter(self._tried(field))
                some = tuple(islice(values, 2))
                if len(some) != 1 and not (looked and not filled) and self._refused() is not None:
                    return
                filled.append(field)
                if len(some) != 1:
                    for value in chain(some, values):
                        self._set(field, value)
                        yield from self._beyond(looked=False)
                    return
                self._set(field, some[0])
            if (looked and not filled) or self._refused() is None:
                yield self._whole()
        finally:
            for field in filled:
                self._unset(field)

    def _refused(self) -> No | None:
        """Return what stands against what is chosen so far, and keep it as a reason."""
        no = self._offers.refused(self._action)
        if no is not None:
            self._met.append(no)
        return no

    def _values(self, field: str) -> Iterable[Any]:
        """Return what a field might be; nothing where the rules find nothing to choose from, and say why."""
        offers = self._offers
        try:
            return self.form.values(offers.table, offers.actor, offers.manner, field, self._action)
        except (Refused, Unusable) as no:
            self._met.append(no)
            return ()

    def _tried(self, field: str) -> Iterable[Any]:
        """Return what a field might be in the order in which it is tried; of what is open, if at all, a sample."""
        values = self._values(field)
        if isinstance(values, Open):
            return (values.sample,) if self._samples else ()
        return self._order(values)

    def _set(self, field: str, value: Any) -> None:
        self._parts.slots[field].__set__(self._action, value)
        self._chosen.add(field)

    def _unset(self, field: str) -> None:
        if field in self._chosen:
            self._parts.slots[field].__delete__(self._action)
            self._chosen.remove(field)

    def _whole(self) -> Action:
        return self.form(**{field: getattr(self._action, field) for field in self._parts.slots})


class _Parts(NamedTuple):
    """What a kind of action is put together from, field by field.

    Attributes:
        partial: The same kind, of which a field that is not chosen cannot be read.
        root: One of which nothing is chosen, to be read alone.
        slots: Per field where its value is kept.
        named: Per name that is recorded its field, in the order in which they are chosen.
    """

    partial: type[Action]
    root: Action
    slots: dict[str, MemberDescriptorType]
    named: dict[str, str]

    def nothing(self) -> Action:
        """Return one of which nothing is chosen."""
        return _nothing(self.partial, self.slots)


def _nothing(partial: type[Action], slots: Mapping[str, MemberDescriptorType]) -> Action:
    action = partial(**dict.fromkeys(slots))
    for slot in slots.values():
        slot.__delete__(action)
    return action


@cache
def _parts(form: type[Action]) -> _Parts:
    known = {field.encode_name: field.name for field in fields(form)}
    order = (*form.words, *(name for name in known if name not in form.words))
    make: Any = type(form)
    partial = make(form.__name__, (form,), {"__getattr__": _not_chosen, "__module__": __name__}, frozen=True)
    slots = {name: next(c.__dict__[name] for c in form.__mro__ if name in c.__dict__) for name in known.values()}
    return _Parts(partial, _nothing(partial, slots), slots, {name: known[name] for name in order})


def _not_chosen(action: Action, name: str) -> NoReturn:
    raise NotChosenError(name)
