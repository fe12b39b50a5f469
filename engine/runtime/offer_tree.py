"""The tree of legal actions: combatant, kind, then field by field, with refusals.

A partial action is checked as far as that goes: a check stops where it asks for a field that is not chosen. A refusal
before that point does not depend on that field. So a branch is cut off where no legal action can follow, and its
reason is the refusal itself. A leaf is a legal action.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from itertools import chain, islice
from typing import Any, NamedTuple

from msgspec import UNSET, Raw, UnsetType
from msgspec.json import Encoder

from affray.engine.core.actions import Action
from affray.engine.core.candidates import OpenValues
from affray.engine.core.rule_faults import convert_rule_errors
from affray.engine.core.ruleset import Ruleset
from affray.engine.core.table import Table
from affray.engine.errors import Refused, Unusable
from affray.engine.limits import MOST_WAYS
from affray.events import Declared, Id, names

from .partial_action import NotChosenError, PartialAction
from .validation import check_nothing_awaited

_encode = Encoder().encode

No = Refused | Unusable
"""The reason why an action may not be declared."""

Order = Callable[[Iterable[Any]], Iterable[Any]]
"""A function that sorts the values of a field into the order of trial."""


class Candidate(NamedTuple):
    """A candidate for a field.

    Attributes:
        value: The value as it is recorded.
        refused: The reason why no legal action has it; ``None`` if one has.
    """

    value: Any
    refused: No | None


class FieldStep(NamedTuple):
    """The next field to choose.

    Attributes:
        field: Its name in the log.
        names: The kind of thing its texts name, such as ``combatant``; empty for numbers and booleans.
        choices: The candidates, in the order of the rules; empty where it is open.
        open: Whether any value can be tried: free words, or a number without bounds.
        usual: Its default, if that is a candidate; ``UNSET`` if the field is required.
    """

    field: str
    names: str
    choices: tuple[Candidate, ...]
    open: bool = False
    usual: Any | UnsetType = UNSET


class Offers:
    """The actions that a combatant may declare in one manner.

    Methods that run rules raise ``Senseless`` where the rules fail on the state that the record led to.

    Args:
        table: The present of the fight; it may not change while this is in use.
        actor: Id of the combatant; ``gm`` for actions of the game master.
        manner: The manner of the action.

    Attributes:
        farther: Whether the rules listed more values of a field than the maximum that is tried.
    """

    def __init__(self, ruleset: Ruleset, table: Table, actor: Id, manner: str) -> None:
        self.ruleset, self.table, self.actor, self.manner = ruleset, table, actor, manner
        self._permitted: dict[str, Refused | None] = {}
        self.farther = False

    def nearest(self, values: Iterator[Any]) -> Iterator[Any]:
        """Yield the first values of a generated series, up to the maximum that is tried.

        Such series are computed one by one, such as ways over a map.
        """
        yield from islice(values, MOST_WAYS)
        if next(values, None) is not None:
            self.farther = True

    def kinds(self) -> Iterator[tuple[str, No | None]]:
        """Yield every action of the actor, with its refusal, or ``None`` if it is legal."""
        return ((form.kind, self.refusal(form)) for form in self.forms)

    def refusal(self, form: type[Action]) -> No | None:
        """Return why no action of a kind is legal; ``None`` if one is."""
        with convert_rule_errors(self.ruleset, self.table.draft):
            return Branch(self, form).refusal()

    def step(self, kind: str, chosen: Mapping[str, Any]) -> FieldStep | Action:
        """Return the next field to choose, or the whole action if no choice is left.

        Args:
            chosen: The values of some of its fields, as they are recorded.

        Raises:
            Refused: no legal action has these values.
            Unusable: there is no such field, or the field cannot have such a value.
        """
        if kind not in self.ruleset.actions:
            raise self.ruleset.turns.refuse_unknown(kind)
        branch = Branch(self, self.ruleset.actions[kind])
        for name, value in chosen.items():
            branch.choose(name, value)
        with convert_rule_errors(self.ruleset, self.table.draft):
            return branch.next()

    def leaves(self) -> Iterator[Action]:
        """Yield every legal action."""
        with convert_rule_errors(self.ruleset, self.table.draft):
            for form in self.forms:
                yield from Branch(self, form).leaves()

    def leaves_of(self, kind: str) -> Iterator[Action]:
        """Yield every legal action of a kind."""
        with convert_rule_errors(self.ruleset, self.table.draft):
            yield from Branch(self, self.ruleset.actions[kind]).leaves()

    def first(self, kind: str, order: Order) -> Action | None:
        """Return the first legal action of a kind, if there is one.

        Args:
            order: The order in which the values of each field are tried; a random order gives a random action.
        """
        with (
            convert_rule_errors(self.ruleset, self.table.draft),
            closing(Branch(self, self.ruleset.actions[kind], order).leaves()) as leaves,
        ):
            return next(leaves, None)

    def refusal_of(self, action: Action) -> No | None:
        """Return the refusal of a partial action; ``None`` if its chosen fields are legal."""
        try:
            closed = self._flow_refusal(action.trigger(self.ruleset.turns.manners[self.manner]))
            if closed is None:
                action.check(self.table, self.actor, self.manner)
        except NotChosenError:
            return None
        except (Refused, Unusable) as no:
            return no
        return closed

    def intent(self, action: Action) -> Declared:
        """Build the input event that declares an action."""
        return Declared(actor=self.actor, kind=action.kind, params=Raw(_encode(action)), manner=self.manner)

    def _flow_refusal(self, trigger: str) -> Refused | None:
        """Return the flow's refusal of a trigger for the actor; ``None`` if it permits it."""
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
        """All kinds of actions of the actor, whether or not they are legal now."""
        for_gm = self.actor == "gm"
        return (form for form in self.ruleset.actions.values() if form.by_gm == for_gm)


class Branch:
    """A partial action in the tree, with its further choices.

    Args:
        order: The order in which the values of each field are tried.
    """

    __slots__ = ("_form", "_offers", "_order", "_partial", "_samples", "_why")

    def __init__(self, offers: Offers, form: type[Action], order: Order = iter) -> None:
        self._offers = offers
        self._form = form
        self._order = order
        self._partial = PartialAction(form)
        self._samples = False
        self._why: No | None = None

    def choose(self, name: str, value: Any) -> None:
        """Choose the value of a field by its name in the log.

        Raises:
            Unusable: there is no such field, or the field cannot have such a value.
        """
        known = self._partial.fields
        if name not in known:
            raise Unusable(f"{self._form.kind} has no {name}; it has {', '.join(known) or 'nothing'}", name)
        self._partial.choose(known[name], self._partial.decode_value(name, value))

    def next(self) -> FieldStep | Action:
        """Return the next field with several candidates, or else the whole action.

        Raises:
            Refused, Unusable: no legal action follows, and all candidates have this reason.
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
                choices.append(Candidate(value, self.refusal()))
            self._partial.clear(field)
            reasons = {str(one.refused) for one in choices}
            if len(reasons) == 1 and choices[0].refused is not None:  # all have the same reason
                raise choices[0].refused
            named, usual, free = (
                names(self._form).get(field, ""),
                self._partial.usual(name),
                isinstance(values, OpenValues),
            )
            return FieldStep(name, named, tuple(choices), free, usual if free or usual in listed else UNSET)
        self._check()
        return self._partial.whole()

    def refusal(self) -> No | None:
        """Return the first reason why no legal action follows; ``None`` if one does."""
        self._samples = True
        with closing(self.leaves()) as leaves:
            found = next(leaves, None)
        self._samples = False
        if found is not None:
            return None
        nothing = Refused("no_choice", "", "it has no possible target or object now", self._offers.actor)
        return self._why or nothing

    def leaves(self) -> Generator[Action]:
        """Yield every legal action that has the values chosen so far."""
        self._why = None
        if self._partial_refusal() is None:
            yield from self._beyond(looked=True)

    def _beyond(self, *, looked: bool) -> Iterator[Action]:
        """Choose fields with one candidate, then branch on the next field.

        If all fields are chosen, yield the action.

        Args:
            looked: Whether the fields chosen so far were checked already.
        """
        filled: list[str] = []
        try:
            for field in self._partial.fields.values():
                if self._partial.has(field):
                    continue
                values = iter(self._candidates_to_try(field))
                some = tuple(islice(values, 2))
                if len(some) != 1 and not looked and self._partial_refusal() is not None:
                    return
                filled.append(field)
                if len(some) != 1:
                    for value in chain(some, values):
                        self._partial.choose(field, value)
                        yield from self._beyond(looked=False)
                    return
                self._partial.choose(field, some[0])
                looked = False
            if looked or self._partial_refusal() is None:
                yield self._partial.whole()
        finally:
            for field in filled:
                self._partial.clear(field)

    def _check(self) -> None:
        """Refuse the fields chosen so far, if no legal action can have them."""
        no = self._partial_refusal()
        if no is not None:
            raise no

    def _partial_refusal(self) -> No | None:
        """Return the refusal of the fields chosen so far, and keep the first reason."""
        no = self._offers.refusal_of(self._partial.action)
        self._why = self._why or no
        return no

    def _values(self, field: str) -> Iterable[Any]:
        """List a field's candidates; if the rules refuse to, keep the reason."""
        offers = self._offers
        try:
            found = self._form.values(offers.table, offers.actor, offers.manner, field, self._partial.action)
            return offers.nearest(found) if isinstance(found, Generator) else found
        except (Refused, Unusable) as no:
            self._why = self._why or no
            return ()

    def _candidates_to_try(self, field: str) -> Iterable[Any]:
        """List a field's candidates in the order of trial; if it is open, a sample."""
        values = self._values(field)
        if isinstance(values, OpenValues):
            return (values.sample,) if self._samples else ()
        return self._order(values)
