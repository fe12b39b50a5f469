"""Readied actions: tokens, when they are played, and their precedence (VES-040 to VES-049, VES-T37 to VES-T44)."""

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.changes import change_pool, set_condition
from affray.engine.core.effects import Rule
from affray.engine.core.groups.turns import Offer
from affray.engine.core.state import Pending
from affray.engine.rulesets.vestige.config import Table
from affray.engine.rulesets.vestige.sheet import is_active, must_be_active
from affray.engine.rulesets.vestige.turns.economy import is_before_initiative, must_have_ep, must_not_have_delayed
from affray.engine.rulesets.vestige.turns.order import end_turn
from affray.events import Clause, Id


def count_tokens(table: Table, who: Id) -> int:
    """Return the number of readied actions that a combatant holds, from all sources."""
    return sum(table[who].conditions.get("readied", {}).values())


def list_token_holders(table: Table) -> tuple[Id, ...]:
    """Return the active combatants that hold a token and have not delayed."""
    holders = [who for who, one in table.draft.combatants.items() if one.has("readied") and not one.has("delayed")]
    return tuple([who for who in holders if is_active(table, who)])


@declared_as("ready", "spend 1 energy to ready an action and end the turn", own_trigger="ready", stacks=False)
class Ready(Action, frozen=True, kw_only=True):
    """Ready an action for 1 ep; this ends the turn."""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in rulebook order: the actor, too many tokens, too little ep (VES-040, VES-T26)."""
        must_be_active(table, actor)
        if count_tokens(table, actor) >= table.config.readied_max:
            raise table.refuse(
                actor, "already holds a readied action", "VES-T26", "already_readied", f"{actor}.readied"
            )
        must_have_ep(table, actor, 1, "VES-040")

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take 1 ep."""
        yield change_pool(table, actor, "ep", -1, "VES-040")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Add a token and end the turn; unused standard actions are lost (VES-010)."""
        held = table[actor].conditions.get("readied", {}).get("", 0)
        yield set_condition(table, actor, "readied", held + 1, "VES-040", "VES-041")
        yield from end_turn(table, actor, "VES-010", "VES-051")


def must_hold_token(table: Table, actor: Id) -> None:
    """Refuse an answer on the actor's own turn, while delayed, inactive, or tokenless (VES-042)."""
    if actor in table.draft.acting:
        raise table.refuse(actor, "cannot answer on its own turn", "VES-042", "not_your_turn")
    must_not_have_delayed(table, actor)
    must_be_active(table, actor)
    if not table[actor].has("readied"):
        raise table.refuse(actor, "holds no readied action", "VES-042", "nothing_readied")


def offer_announcements(table: Table) -> Offer:
    """Ask every combatant that holds a token and is not acting (VES-T27)."""
    holders = () if is_before_initiative(table) else table.derive(list_token_holders)
    to = tuple([who for who in holders if who not in table.draft.acting])
    return Offer(to=to, what="announce", rules=("VES-042", "VES-T27"))


def precedence(table: Table, manner: str, tags: tuple[str, ...]) -> tuple[int, tuple[Clause, ...]]:
    """Find a new action's place on the stack (VES-046, VES-048, VES-049, VES-T38, VES-T39, VES-T43).

    A readied action goes above every action that it outranks. Every other action goes on top.

    Returns:
        The place, 0 resolving last, and the clauses that put it there.
    """
    stack = table.draft.stack
    at = len(stack)
    tagged: tuple[Clause, ...] = ("VES-T05",) if "initiative" in tags else ()
    if manner != "readied":
        return at, tagged
    if not stack:
        return at, (*tagged, "VES-T43")
    if tagged:
        passes_tagged = any("initiative" in pending.tags for pending in stack)
        return at, (*tagged, "VES-046", "VES-T38", *(("VES-049",) if passes_tagged else ()))
    while at > 0 and "initiative" in stack[at - 1].tags:
        at -= 1
    below = ("VES-048", "VES-T39") if at < len(stack) else ()
    return at, (*below, *_cite_precedence(stack[at - 1])) if at > 0 else below


def _cite_precedence(pending: Pending) -> tuple[Clause, ...]:
    """Return the clauses that put an untagged readied action above another (VES-T37, VES-T42)."""
    return {"readied": ("VES-046", "VES-T37"), "provoked": ("VES-046", "VES-T42")}.get(pending.manner, ("VES-046",))
