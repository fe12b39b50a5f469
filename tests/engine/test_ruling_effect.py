"""A ruling takes effect or is refused: what is so already, and what the rules would undo at once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from affray.engine import Amend, Fight, Refused, begin_fight
from affray.events import Feature, find_word
from affray.tools.parse import intent_parser
from affray.tools.parse.typed_names import as_word
from tests.engine.encounters import load_shipped_encounters
from tests.engine.fights import NAME, SEED, noon, submit_accepted, view_all_sides
from tests.rulesets.systems import PRESENT


def open_first_encounter(system: str) -> Fight:
    """Open the first fight that comes with a system."""
    told = next(one for name, one in load_shipped_encounters().items() if name.startswith(f"{system}/"))
    return begin_fight(NAME, told, who="gm", seed=SEED, clock=noon)


def so_already(fight: Fight) -> Iterator[str]:
    """Yield rulings that say what is so already."""
    state = fight.state
    who, one = next(iter(state.combatants.items()))
    yield from ("rule dice * engine", f"rule dice {who} engine", "rule undo consent")
    yield from (f"rule reveal {who}", f"rule unveil {who}")
    yield from (f"rule condition {who} {condition} 0" for condition in ("dazed", "dead"))
    yield f"rule side {who} {as_word(one.side)}"
    yield from (f"rule pool {who} {pool} to={value}" for pool, value in one.pools.items())
    yield from (f"rule sheet {who} {as_word(stat)} {value}" for stat, value in one.stats.items())
    for trait in one.traits:
        of = f" of={as_word(trait.of)}" if isinstance(trait, Feature) else ""
        yield f"rule trait {who} {as_word(find_word(trait))}{of}"
    yield f"rule trait {who} unheard_of present=no"
    if one.place:
        yield f"rule place {who} {as_word(one.place)}"
    for place in state.places.values():
        yield f"rule terrain {as_word(place.id)} {';'.join(reversed(place.traits)) or '[]'}"
    for item in state.items.values():
        if item.owner == who:
            yield from (f"rule item {item.id} {counter} {value}" for counter, value in item.counters.items())


@pytest.mark.parametrize("over", [False, True], ids=["begun", "over"])
@pytest.mark.parametrize("system", PRESENT)
def test_what_is_so_already_is_refused_and_leaves_no_trace(system: str, over: bool) -> None:
    fight = open_first_encounter(system)
    if over:
        submit_accepted(fight, intent_parser.intent(fight, "rule end", "it is late"))
    before = view_all_sides(fight)
    for line in so_already(fight):
        with pytest.raises(Refused) as refused:
            submit_accepted(fight, intent_parser.intent(fight, line, "so it is"))
        assert refused.value.code == "no_change", line
    assert view_all_sides(fight) == before


@pytest.mark.parametrize("system", PRESENT)
def test_a_ruling_is_refused_the_second_time_with_a_line_that_works(system: str) -> None:
    fight = open_first_encounter(system)
    who, one = next(iter(fight.state.combatants.items()))
    lines = (
        f"rule trait {who} unheard_of",
        f"rule veil {who} {next(iter(one.pools))}",
        f"rule conceal {who}",
        f"rule dice {who} entered",
        "rule undo free",
    )
    for line in lines:
        submit_accepted(fight, intent_parser.intent(fight, line, "so it is"))
        before = fight.head
        with pytest.raises(Refused, match="already; say: rule ") as refused:
            submit_accepted(fight, intent_parser.intent(fight, line, "so it is"))
        assert fight.head == before
        submit_accepted(fight, intent_parser.intent(fight, refused.value.message.partition("say: ")[2], "so it is"))
        assert fight.head > before


def test_a_later_ruling_that_changes_nothing_any_more_is_dropped_by_an_amendment() -> None:
    fight = open_first_encounter("wwn")
    who = next(iter(fight.state.combatants))
    first = fight.head + 1
    for line in (f"rule trait {who} tall", f"rule trait {who} tall present=no", f"rule trait {who} loud"):
        submit_accepted(fight, intent_parser.intent(fight, line, "so it is"))
    amend = Amend(position=first, instead=(), answers=(), reason="not tall at all")
    amendment = fight.preview(amend, "gm", "look")
    assert [one.position for one in amendment.dropped] == [first + 2]
    assert amendment.after.combatants[who].traits[-1] == "loud"
