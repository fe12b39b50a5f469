"""Windows: the moments when combatants may interrupt before the fight goes on."""

from collections.abc import Set

from msgspec.structs import replace

from affray.engine.core.groups.turns import Offer
from affray.engine.core.ruleset import Ruleset
from affray.engine.errors import Refused
from affray.events import EVERYBODY, Id, OfferDeclined, Passed, WindowClosed, WindowOpened

from .interpreter import Interpreter


class Windows:
    """Opens and closes the one window that a fight can have.

    Attributes:
        about: The subject of the last one: a pending action, or a moment of a turn.
    """

    def __init__(self, ruleset: Ruleset, interpreter: Interpreter) -> None:
        self._windows = ruleset.turns.windows
        self._passes_hold = ruleset.turns.passes_hold
        self._interpreter = interpreter
        self._draft = interpreter.draft
        self._offer: tuple[Offer, tuple[Id, ...]] | None = None
        self.about: Id = ""
        self._asked: tuple[Id, ...] = ()
        self._passed: frozenset[Id] = frozenset()

    def open(self, phase: str) -> None:
        """Open a window for the combatants that can answer; skip it if there are none.

        A window for concealed combatants alone is named after one of them, so that no part of it is open. If its action
        or turn is hidden from all viewers, only concealed combatants are asked, since other players saw no such moment.
        """
        table = self._interpreter.table
        offer = self._find_offer(phase)
        if self._draft.window is not None:  # a window beneath an action of the game master
            self.close("taken")
        self._offer = offer, table.list_known(offer.to)
        draft = self._draft
        about = draft.stack[-1].id if draft.stack else f"{draft.round}/{draft.up}/{phase}"
        to = self._list_asked(about, offer.to)
        if not to:
            self._interpreter.fire("close")
            return
        name = f"{about}/window" if table.list_known(to) else f"{about}/window:{to[0]}"
        nth = draft.counts.get(name, 0) + 1
        id = name if nth == 1 else f"{name}#{nth}"
        opened = WindowOpened(window=id, about=about, nth=nth, to=to, what=offer.what, rules=offer.rules)
        self._interpreter.record(opened)
        for who in to:
            self._decline_by_default(who)
        self.close_if_all_declined()

    def _list_asked(self, about: Id, to: tuple[Id, ...]) -> tuple[Id, ...]:
        """List the combatants to ask, leaving out passes that still hold."""
        if self.about != about:
            self.about, self._passed = about, frozenset()
        self._asked = tuple([who for who in to if who not in self._passed]) if self._passed else to
        return self._asked

    def decline(self, intent: Passed) -> None:
        """Record the pass of a combatant, or of all that are asked.

        Raises:
            Refused: the window is not open, or they are not asked.
        """
        window = self._draft.window
        if window is None or window.id != intent.window:
            raise Refused("no_such_window", "", f"the window {intent.window} is not open", source=intent.window)
        if intent.who == EVERYBODY:
            passing = window.to
        elif intent.who in window.to:
            passing = (intent.who,)
        else:
            raise Refused("not_asked", "", f"{intent.who} has nothing to pass in this window", source=window.id)
        self._interpreter.record(intent)
        for who in passing:
            self._interpreter.record(OfferDeclined(window=window.id, who=who))
        self.close_if_all_declined()

    def apply_asking(self, who: Id) -> None:
        """Decline for a combatant that is asked now and no longer wants to be."""
        window = self._draft.window
        if window is not None and who in window.to and self._decline_by_default(who):
            self.close_if_all_declined()

    def review(self) -> None:
        """Reopen the window if a ruling changed its offers, its members or concealment."""
        if self._draft.window is None:
            return
        table, phase = self._interpreter.table, self._draft.phase
        offer = self._find_offer(phase) if phase in self._windows else None
        if offer is None or not self._update_unseen(offer, table.list_known(offer.to)):
            self._keep_passes()
            self.close("ruled")

    def close_beneath(self, changed: Set[Id]) -> None:
        """Close a window beneath a ruling's action if its subject or a member changed.

        It opens again later, if an offer is still possible.
        """
        window = self._draft.window
        if window is not None and not changed.isdisjoint((self.about, *window.to)):
            self._keep_passes()
            self.close("ruled")

    def _keep_passes(self) -> None:
        """Keep passes for the window that a ruling reopens, where the system wants that."""
        window = self._draft.window
        if self._passes_hold and self._offer is not None and window is not None:
            self._passed |= set(self._asked).intersection(self._offer[0].to).difference(window.to)

    def _update_unseen(self, offer: Offer, known: tuple[Id, ...]) -> bool:
        """Tell whether an offer is the one before, apart from concealed combatants.

        If so, they are added and removed without closing the window, since viewers do not see them.
        """
        assert self._offer is not None
        before, known_before = self._offer
        come = tuple([who for who in offer.to if who not in before.to])
        if (offer.what, offer.rules, known) != (before.what, before.rules, known_before) or (come and not known):
            return False
        self._offer = offer, known
        window = self._draft.window
        assert window is not None
        for who in [who for who in window.to if who not in offer.to]:
            self._interpreter.record(OfferDeclined(window=window.id, who=who))
        if come:
            nth = self._draft.counts[window.id.partition("#")[0]]
            asked = (*(who for who in window.to if who in offer.to), *come)
            self._interpreter.record(
                WindowOpened(window=window.id, about=self.about, nth=nth, to=asked, what=offer.what, rules=offer.rules)
            )
            for who in come:
                self._decline_by_default(who)
        self.close_if_all_declined()
        return True

    def _find_offer(self, phase: str) -> Offer:
        """Return the offer of a window.

        A sealed action or turn is offered to concealed combatants only.
        """
        draft, offer = self._draft, self._windows[phase](self._interpreter.table)
        if not draft.concealed:
            return offer
        turn = next((slot.members for slot in draft.slots if slot.id == draft.up), ())
        actors = (draft.stack[-1].actor,) if draft.stack else turn
        if not actors or not all(who in draft.concealed for who in actors):
            return offer
        return replace(offer, to=tuple([who for who in offer.to if who in draft.concealed]))

    def close(self, how: str) -> None:
        """Close the window, if one is open."""
        window = self._draft.window
        if window is not None:
            expired = window.to if how == "ruled" else ()
            self._interpreter.record(WindowClosed(window=window.id, how=how, expired=expired))

    def close_if_all_declined(self) -> None:
        """Close the window if no member is left, unless an answer or dice are due."""
        window = self._draft.window
        if window is not None and not window.to and self._interpreter.asking is None:
            self.close("passed")
            self._interpreter.fire("close")

    def _decline_by_default(self, who: Id) -> bool:
        """Decline for a combatant that does not want to be asked; tell if it did."""
        window = self._draft.window
        ask = self._draft.asking_frequency(who, window.what) if window is not None else "always"
        if window is None or ask in ("always", "worthwhile"):
            return False
        if ask == "targeted" and any(who in pending.targets for pending in self._draft.stack):
            return False
        self._interpreter.record(OfferDeclined(window=window.id, who=who, standing=True))
        return True
