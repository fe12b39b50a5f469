"""Actions against a target, reachable cells, and the likely action, with previews."""

from collections.abc import Iterator

import msgspec
from msgspec import UNSET

from affray.engine.analysis.policies import find_preferred
from affray.engine.core.actions import Action
from affray.engine.errors import Unusable
from affray.engine.fight import Fight
from affray.engine.runtime.offer_tree import Offers
from affray.engine.runtime.partial_action import PartialAction
from affray.events import Senseless, names_recorded
from affray.tools.present.names import names_of_state
from affray.tools.present.story.preview_text import promise_said

from .legal_actions import describe_declaration, expand_action, is_halted, offers_of, preview_of_action, refusal_of
from .schemas import legal_actions


def may_do_to(fight: Fight, who: str, whom: str, manner: str, *, blind: bool = False) -> legal_actions.WhatMayTo:
    """List the actions of a combatant against a target, with their chance, likely harm and costs.

    Legal ones come first, ready to be sent; the others have their refusals. No number uses hidden state. Players may
    ask about their own combatants (403).

    Args:
        who, manner, blind: As in ``list_actions``.
        whom: The target's id.

    Raises:
        Unusable: there is no such combatant or manner.
    """
    if whom not in fight.table.draft.combatants:
        raise Unusable(f"there is no {whom} in this fight; there are {', '.join(fight.table.draft.combatants)}", "whom")
    kinds = []
    for form in offers_of(fight, who, manner).forms:
        if not form.is_for(fight.table, who):
            continue
        for aims in _naming(form, "combatant")[:1]:
            now = _aim_action(fight, who, form.kind, manner, {aims: whom}, blind=blind)
            known = now.whole, now.refused, now.prospect, now.promises
            kinds.append(legal_actions.MayDoTo(form.kind, form.says, aims, now.fields, *known))
    kinds.sort(key=lambda one: one.refused is not None)
    return legal_actions.WhatMayTo(fight.head, who, whom, manner, kinds)


def _aim_action(
    fight: Fight, who: str, kind: str, manner: str, chosen: dict[str, str], *, blind: bool
) -> legal_actions.HowMay:
    """Expand an action with its target chosen; refuse an impossible target.

    If all candidates for the next field are refused, the action is refused for the reason of the first one.
    """
    try:
        found = expand_action(fight, who, kind, manner, chosen, fill=True, blind=blind)
    except Unusable as no:
        return legal_actions.HowMay(fight.head, [], refused=refusal_of(no))
    last = found.fields[-1] if found.fields else None
    if last and last.chosen is UNSET and last.choices and not last.open and all(one.refused for one in last.choices):
        return legal_actions.HowMay(fight.head, found.fields, refused=last.choices[0].refused)
    return found


def where_may(fight: Fight, who: str, manner: str, *, blind: bool = False) -> legal_actions.WhereMay:
    """List the places that a combatant can reach, each with a ready intent, its costs, and the reactions it provokes.

    Combatants that are hidden from the viewer are left out. Players may ask about their own combatants (403).

    Args:
        who, manner, blind: As in ``list_actions``.

    Raises:
        Unusable: there is no such combatant or manner.
    """
    ways, found = offers_of(fight, who, manner), list[legal_actions.WayTo]()
    if not is_halted(fight):
        for form in ways.forms:
            try:
                found += _ways_by(ways, form)
            except Senseless:
                if not blind:
                    raise
    return legal_actions.WhereMay(fight.head, who, manner, found, ways.farther)


def likely_declarations(fight: Fight, who: str, manner: str, *, blind: bool = False) -> legal_actions.Likely:
    """Suggest the action that a sensible combatant would declare now, ready to be sent.

    It uses no hidden state. Players may ask about their own combatants (403).

    Args:
        who, manner, blind: As in ``list_actions``.

    Raises:
        Unusable: there is no such combatant or manner.
    """
    ways, found = offers_of(fight, who, manner), None
    if not is_halted(fight) and (who, manner) in fight.ruleset.turns.list_movers(fight.table):
        try:
            found = find_preferred(fight.ruleset, fight.table, who, ways.manner)
        except Senseless:
            if not blind:
                raise
    if found is None:
        return legal_actions.Likely(fight.head, who, manner, None)
    prospect = preview_of_action(ways, msgspec.json.decode(found.params, type=fight.ruleset.actions[found.kind]))
    known = names_of_state(fight.table.draft)
    promises = promise_said(prospect, known) if prospect else ""
    return legal_actions.Likely(fight.head, who, manner, describe_declaration(fight, found, known), prospect, promises)


def _ways_by(ways: Offers, form: type[Action]) -> Iterator[legal_actions.WayTo]:
    """Yield an action's ways: per place the first, and each with other provocations."""
    fields = [PartialAction(form).fields[name] for name in _naming(form, "place")]
    if not fields or ways.refusal(form) is not None:
        return
    seen = set()
    for action in ways.leaves_of(form.kind):
        if any(getattr(action, field) for field in fields):
            found = preview_of_action(ways, action)
            told_apart = found and (found.to, found.provokes, found.chance)
            if found is not None and found.to and told_apart not in seen:
                seen.add(told_apart)
                yield legal_actions.WayTo(found.to, ways.intent(action), found)


def _naming(form: type[Action], what: str) -> list[str]:
    """List the recorded fields of an action that name things of a kind."""
    named = names_recorded(form)
    return [field for field in PartialAction(form).fields if named.get(field) == what]
