"""The values that a parameter of a ruling can take in a fight."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import inspect

from affray.engine.core.actions import Ruling
from affray.engine.core.coordinates import place_label
from affray.engine.core.draft import Draft
from affray.engine.fight import Fight
from affray.engine.kit.rulings.verdicts import RULED
from affray.events import names_recorded
from affray.tools.parse.forms import kinds_of
from affray.tools.parse.values import FALSE, TRUE


def values_of(fight: Fight, form: type[Ruling], name: str, said: Mapping[str, Any]) -> Iterable[str]:
    """Return the possible values of a ruling's parameter, as its type lists them."""
    for kind in kinds_of(form)[name]:
        match kind:
            case inspect.LiteralType():
                return [str(value) for value in kind.values if value != ""]
            case inspect.BoolType():
                return [TRUE[1], FALSE[1]]
    named = names_recorded(form).get(name)
    if named in ("pool", "stat"):
        people = [one for who, one in fight.state.combatants.items() if who in said.values()]
        holders = people or fight.state.combatants.values()
        return dict.fromkeys(one for held in holders for one in (held.pools if named == "pool" else held.stats))
    if named in NAMED:
        return NAMED[named](fight.table.draft)
    return WORDS[named](fight) if named in WORDS else ()


NAMED: dict[str, Callable[[Draft], Iterable[str]]] = {
    "combatant": lambda draft: draft.combatants,
    "item": lambda draft: draft.items,
    "thing": lambda draft: draft.items,
    "relation": lambda draft: draft.relations,
    "slot": lambda draft: [slot.id for slot in draft.slots],
    "several": lambda draft: (*draft.combatants, *dict.fromkeys(one.side for one in draft.combatants.values())),
    "side": lambda draft: dict.fromkeys(one.side for one in draft.combatants.values()),
}
"""The ids that exist in a fight, by kind of thing."""


WORDS: dict[str, Callable[[Fight], Iterable[str]]] = {
    "condition": lambda fight: sorted(fight.ruleset.vocabulary.conditions, key=RULED.__contains__),
    "counter": lambda fight: fight.ruleset.vocabulary.counters,
    "place": lambda fight: [place_label(one, fight.ruleset.board.kind) for one in fight.table.draft.places],
    "position": lambda fight: fight.ruleset.vocabulary.positions,
    "view": lambda fight: fight.ruleset.vocabulary.views,
}
"""The words that a text may use, by kind of thing, if these are no ids."""
