"""Compare a scenario's expected state with the actual state.

::

    [scenario.state]
    turn = "ilse"                      # the combatant whose turn it is; several as a list, "" for none
    order = ["ilse", "wolves"]         # the slots of the turn order
    round = 2
    awaited = "asks bram forfeit…"     # the awaited input, as in a line: asks, awaits or window; "" for none
    stack = ["ilse attack bram"]       # the pending actions, as in the lines
    phase = "turn"
    over = true
    victors = "red"
    roster = ["ilse", "bram"]          # the combatants in the fight, dead or alive; also: odo = false
    clocks.alarm = 3
    places.cellar = ["dark"]           # the traits of a place; of a hex's side: "hard at side 0"

    bram.health = 4                    # a counter
    bram.bleeding = 2                  # a condition and its count; or true or false
    bram.conditions = ["bleeding"]     # all conditions
    bram.at = "3,1"                    # "away" for no place
    bram.side = "blue"
    bram.in_hand = ["sword"]
    bram.sheet.agility = 11            # a number of the sheet
    bram.traits = ["pc"]
    bram.melee = ["ilse"]              # the other members of a relation of that kind: melee, grapple, mount, group …
    bram.distance.ilse = 5
    bram.view.ilse = "blocked"         # bram's view of ilse
    bram.marks.acted = true            # a mark of the rule system
    bram.bow.loaded = 0                # a counter of a thing, or: where, owner, die, base, sheet, traits; false if gone
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from affray import events as facts
from affray.engine.core.state import State
from affray.engine.fight import Fight
from affray.events import Event, Id
from affray.tools.text.spelling_hints import nearest

from .expected import LEFT_OUT, parse_expected_line
from .notation import Context, action_name, line_text_of, list_place_traits, name_clock
from .plain import FIRST_WORDS, FREE
from .state_now import Now, Part, Unknown, each_of, evaluate_part, words_of_state
from .state_people import combatant_named, item_named


def compare_state(fight: Fight, said: Mapping[str, Any]) -> dict[str, list[str]]:
    """List differences from an expected state: ``- bram.health = 0``, ``+ bram.health = 4``."""
    parts = ((part[0], _differs(*part)) for part in _fight(Now(fight), said)) if said else ()
    return {path: lines for path, lines in parts if lines}


def misspelt(fight: Fight, lacks: Sequence[str]) -> list[str]:
    """List expected absent lines that could never occur, because of an unknown word."""
    wrong = []
    now = Now(fight)
    for line in lacks:
        fault = _untold(now, line)
        wrong += [f"- not: {line}", f"  {fault}"] if fault else []
    return wrong


def _untold(now: Now, line: str) -> str:
    """Return why no line of this fight can match; empty if one could."""
    first, _, rest = parse_expected_line(line).text.partition(" ")
    known = now.words | now.heard_of | FIRST_WORDS
    if first not in known and "/" not in first and not LEFT_OUT.search(first):
        return f"no line begins with {first}{nearest(first, sorted(now.heard_of | FIRST_WORDS))}"
    words = (one for word in rest.split() if not LEFT_OUT.search(word) for one in words_of_state(word))
    unknown = next((one for one in words if one not in known), "") if first not in FREE else ""
    return f"no line of this fight can say {unknown}{nearest(unknown, sorted(known))}" if unknown else ""


def _differs(path: str, said: Any, so: Any) -> list[str]:
    if isinstance(so, Unknown):
        return [f"- {path} = {_toml(said)}", f"  {so}"]
    if _same(said, so):
        return []
    if isinstance(so, frozenset):
        so = sorted(so) if isinstance(said, list) or len(so) != 1 else next(iter(so))
    return [f"- {path} = {_toml(said)}", f"+ {path} = {_toml(so)}"]


def _same(said: Any, so: Any) -> bool:
    if isinstance(so, frozenset):
        listed = said if isinstance(said, list) else [said] if said else []
        return len(listed) == len(so) and so == {*map(str, listed)}
    if isinstance(said, str) and isinstance(so, str):
        return parse_expected_line(said).means(so)
    return type(said) is type(so) and bool(said == so)


def _toml(value: Any) -> str:
    """Format a value as TOML."""
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {_toml(one)}' for key, one in value.items())} }}"
    return json.dumps(value, ensure_ascii=False, default=str)


def _fight(now: Now, said: Mapping[str, Any]) -> Iterator[Part]:
    state = now.state
    for key, value in said.items():
        if key in state.combatants and isinstance(value, dict):
            yield from combatant_named(now, state.combatants[key], value)
        elif key in state.items and isinstance(value, dict):
            yield from item_named(key, state.items[key], value)
        elif key in FIGHT:
            yield key, value, FIGHT[key](state, value)
        elif key in TABLES:
            yield from each_of(key, value, TABLES[key], state)
        else:
            yield evaluate_part(key, value, _there, now, key, value)


def _there(now: Now, key: str, said: Any) -> bool:
    """Tell whether a combatant or thing is present; ``false`` expects that it has left."""
    there = key in now.state.combatants or key in now.state.items
    known = (*FIGHT, *TABLES, *now.state.combatants)
    if not isinstance(said, bool):
        raise Unknown(f"there is no {key} in this fight{nearest(key, known)}")
    if not there:
        now.must_be_known(key, key, known)
    return there


def _turn(state: State, said: Any) -> frozenset[Id]:
    acting = () if state.ended else state.acting
    return frozenset({state.up} if acting and said == state.up else acting)


def _awaited_line(state: State, _: Any) -> str:
    """Return the line that said what is asked, awaited or offered now."""
    if state.question is not None:
        asked = state.question
        return _line(state, facts.Asked(question=asked.id, of=asked.of, about=asked.about, options=asked.options))
    if state.awaited is not None:
        dice = state.awaited
        return _line(state, facts.DiceAwaited(roll=dice.roll, by=dice.by, purpose=dice.purpose, dice=dice.dice))
    if state.window is not None:
        offer = state.window
        about = offer.id.rpartition("/window")[0]
        return _line(state, facts.WindowOpened(window=offer.id, about=about, nth=1, to=offer.to, what=offer.what))
    return ""


def _line(state: State, event: Event) -> str:
    names = {one.id: action_name(one.actor, one.kind, one.params) for one in state.stack}
    return line_text_of(event, Context(names, [], {}, frozenset()))


FIGHT: dict[str, Callable[[State, Any], Any]] = {
    "turn": _turn,
    "order": lambda state, _: [slot.id for slot in state.slots],
    "round": lambda state, _: state.round,
    "phase": lambda state, _: state.phase,
    "awaited": _awaited_line,
    "stack": lambda state, _: [action_name(one.actor, one.kind, one.params) for one in state.stack],
    "over": lambda state, _: state.ended,
    "victors": lambda state, _: ", ".join((state.victors, *state.allied_victors)),
    "roster": lambda state, _: frozenset(state.combatants),
}
"""The keys for the whole fight."""


def _list_clocks(state: State) -> dict[str, int]:
    """Return the numbers that clocks show, by the names that scenarios use."""
    kinds = [(owner, clock, by) for owner, held in state.clocks.items() for clock, by in held.items()]
    return {name_clock(owner, clock, about): value for owner, clock, by in kinds for about, value in by.items()}


TABLES: dict[str, Callable[[State, str], Any]] = {
    "clocks": lambda state, name: _list_clocks(state).get(name, 0),
    "places": lambda state, name: frozenset(list_place_traits(state.places[name]) if name in state.places else ()),
}
"""The keys for each thing of a kind, by its name."""
