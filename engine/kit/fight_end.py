"""The end of a fight: its condition, the game master's consent, and reopening."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import combinations
from typing import NamedTuple

from affray.engine.core.effects import Ask, Rule, choice
from affray.engine.core.marks import Mark
from affray.engine.core.table import Table
from affray.events import Clause, Dropped, EndingName, FightEnded, FightReopened, Id, Option, WindowClosed, Withdrawn

from .sides import are_enemies, list_allied_pairs

FIGHT = "fight"
"""The owner of marks about the fight itself."""

ONE_SIDE, ALLIES = "one_side", "allies"
"""Reasons why a fight is over: at most one side can still fight, or only sides that are allies."""

GOES_ON = Mark("goes_on", -1, until="the next round")
"""The round in which the game master let a fight go on. Its owner is the combatant that may come, or the fight."""

OVER = Option(choice="over", says="the fight is over")
GO_ON = Option(choice="go_on", says="it goes on; the question comes again next round")
HIDDEN_GO_ON = Option(choice="go_on", says="it goes on, as a hidden combatant can still fight")

Able = Callable[[Table], tuple[Id, ...]]
"""Lists the combatants who can still fight, in joining order. Call it through ``table.derive``."""


class FightEnd(NamedTuple):
    """The rules by which a system's fights end.

    Attributes:
        able: Lists the combatants who can still fight.
        is_contested: Tells whether two of them that every viewer may know of are enemies; see ``has_enemies``.
        end: Ends the fight, given the winning sides, the first one first, and the reason.
        rules: The clauses by which the game master is asked.
        always: Whether the game master is asked at every end, once a round, in the open.
        together: The reason why it is over where several allied sides are left.
    """

    able: Able
    is_contested: Callable[[Table], bool]
    end: Callable[[Table, tuple[str, ...], EndingName], Rule[None]]
    rules: tuple[Clause, ...]
    always: bool = False
    together: EndingName = ALLIES


def has_enemies(table: Table, people: Sequence[Id]) -> bool:
    """Tell whether two of these combatants are enemies. Allied sides count together."""
    combatants = table.draft.combatants
    several = len({combatants[who].side for who in people}) > 1
    if not several or not table.draft.relations or not table.derive(list_allied_pairs):
        return several
    return any(are_enemies(table, one, other) for one, other in combinations(people, 2))


def list_sides_of(table: Table, people: Iterable[Id]) -> tuple[str, ...]:
    """Return the sides of combatants, in their order."""
    combatants = table.draft.combatants
    return tuple(dict.fromkeys([combatants[who].side for who in people]))


def list_foes_among(table: Table, people: Sequence[Id]) -> frozenset[tuple[Id, Id]]:
    """Return every pair of enemies among those combatants that all viewers may know."""
    return frozenset(pair for pair in combinations(table.list_known(people), 2) if are_enemies(table, *pair))


def settle_end(table: Table, fight_end: FightEnd) -> Rule[bool]:
    """End the fight if no two known enemies can still fight; tell whether it is over.

    If a combatant could still come, the game master is asked first. A question about a concealed combatant that is
    present is asked once a known enemy has fallen. A question about combatants who have yet to join is asked once a
    round.
    """
    if table.derive(fight_end.is_contested):
        return False
    answer = yield from choice(partial(_make_question, table, fight_end))
    if table.derive(fight_end.is_contested) or (answer is None and _has_leave_to_go_on(table, fight_end)):
        return False
    if answer is not None and answer.choice == GO_ON.choice:
        yield GOES_ON.set_on(_find_subject(table, fight_end), table.draft.round, *fight_end.rules)
        return False
    sides = list_sides_of(table, table.list_known(table.derive(fight_end.able)))
    yield from fight_end.end(table, sides, fight_end.together if len(sides) > 1 else ONE_SIDE)
    return True


def _make_question(table: Table, fight_end: FightEnd) -> Ask | None:
    """Return the question whether the fight is over.

    A question about a concealed combatant is sealed, since it names the combatant.
    """
    about = _find_subject(table, fight_end)
    if not about or table.derive(fight_end.is_contested) or _has_leave_to_go_on(table, fight_end):
        return None
    topic = "over" if fight_end.always else f"over:{about}"
    options = (HIDDEN_GO_ON, OVER) if about in table.draft.combatants else (OVER, GO_ON)
    return Ask(of=("gm",), about=topic, options=options, rules=fight_end.rules)


def _find_subject(table: Table, fight_end: FightEnd) -> Id:
    """Return the subject of the question: the fight, or a combatant who may come.

    It is empty if no combatant can come.
    """
    if fight_end.always:
        return FIGHT
    return next(iter((*_list_unseen(table, fight_end.able), *_list_yet_to_join(table))), "")


def _has_leave_to_go_on(table: Table, fight_end: FightEnd) -> bool:
    """Tell whether a fight without known enemies goes on.

    The game master lets it go on for the round, or against a concealed combatant.
    """
    if is_fought_unseen(table, fight_end.able):
        return True
    if any(GOES_ON.is_on(table, who) for who in _list_unseen(table, fight_end.able)):
        return True
    about = (FIGHT,) if fight_end.always else _list_yet_to_join(table)
    return any(GOES_ON.is_on(table, one) and GOES_ON.of(table, one) == table.draft.round for one in about)


def is_fought_unseen(table: Table, able: Able) -> bool:
    """Tell whether concealed combatants can still fight enemies, and none fell so far.

    An example is an ambush before a concealed combatant shows itself. Nothing has happened yet that could end the
    fight.
    """
    if not _list_unseen(table, able):
        return False
    left = table.list_known(table.derive(able))
    out = [who for who in table.list_known(table.draft.combatants) if who not in left]
    return bool(left) and not any(are_enemies(table, one, who) for one in out for who in left)


def _list_unseen(table: Table, able: Able) -> tuple[Id, ...]:
    """Return the concealed combatants who can still fight an able enemy."""
    hidden = table.draft.concealed
    people = table.derive(able) if hidden else ()
    return tuple(who for who in hidden if who in people and any(are_enemies(table, who, one) for one in people))


def _list_yet_to_join(table: Table) -> tuple[Id, ...]:
    """Return the concealed combatants that are not in the fight yet."""
    return tuple(who for who in table.draft.concealed if who not in table.draft.combatants)


def withdraw_questions(table: Table, *rules: Clause) -> Rule[None]:
    """Withdraw pending questions and awaited dice, so that the fight can end."""
    while waiting := table.draft.waits_for:
        yield Withdrawn(what=waiting, rules=rules)


def record_fight_end(
    table: Table, victors: Sequence[str], why: EndingName, *rules: Clause, won_by: tuple[Clause, ...] = ()
) -> Rule[None]:
    """End the fight: close the window, drop pending actions, record the victors.

    Args:
        won_by: Further clauses by which the victors have won.
    """
    draft = table.draft
    yield from withdraw_questions(table, *rules)
    if draft.window is not None:
        yield WindowClosed(window=draft.window.id, how="ruled", expired=draft.window.to, rules=rules)
    for pending in reversed(tuple(draft.stack)):
        yield Dropped(item=pending.id, why="fight over", rules=rules)
    yield FightEnded(victors="".join(victors[:1]), allies=tuple(victors[1:]), why=why, rules=(*rules, *won_by))


def reopen_fight(table: Table, *rules: Clause) -> Rule[None]:
    """Reopen a fight that was over. Actions after its end are dropped."""
    yield from withdraw_questions(table, *rules)
    for pending in reversed(tuple(table.draft.stack)):
        yield Dropped(item=pending.id, why="fight reopened", rules=rules)
    yield FightReopened(rules=rules)
