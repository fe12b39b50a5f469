"""Too long or too big inputs are refused in every rule system, with the limit."""

from __future__ import annotations

import tomllib
from random import Random
from typing import Any

import msgspec
import pytest

from affray.engine.analysis.policies import choose_sensibly, list_legal_choices
from affray.engine.commands import Amend, Command, Intent, Undo
from affray.engine.core.coordinates import CELLS, is_cell
from affray.engine.core.draft import Draft
from affray.engine.core.effects import Roll, Rule
from affray.engine.core.loading import available, load, template
from affray.engine.errors import Refused, Unusable
from affray.engine.fight import Fight
from affray.engine.limits import LONGEST, MOST, MOST_COMBATANTS, MOST_DICE
from affray.engine.opening import begin_fight
from affray.engine.runtime.dice import NamedDice
from affray.engine.runtime.frame import Frame, do_nothing
from affray.engine.runtime.interpreter import Interpreter
from affray.engine.runtime.offers import LegalAction
from affray.events import Answered, Declared, Dice, Ruled

LONG = "x" * (LONGEST + 1)


def load_system_template(system: str) -> dict[str, Any]:
    """The template of a system."""
    return tomllib.loads(template(load(system)))


def begin_bounded_fight(content: dict[str, Any]) -> Fight:
    return begin_fight("fight", content, who="gm", seed=bytes(32))


def make_bounded_ruling(kind: str, params: dict[str, Any], reason: str = "so") -> Ruled:
    return Ruled(kind=kind, params=msgspec.Raw(msgspec.json.encode(params)), reason=reason)


@pytest.mark.parametrize("system", sorted(available()))
def test_a_ruling_brings_no_crowd(system: str) -> None:
    """As many may take part as an encounter may bring, those who do already among them."""
    content = load_system_template(system)
    fight = begin_bounded_fight(content)
    entry = [{**content["combatant"][0], "name": name, "at": "", "count": 500} for name in ("Guard", "Sentry")]
    with pytest.raises(Unusable, match=f"at most {MOST_COMBATANTS} combatants") as found:
        fight.submit(Command(id="one", who="gm", intent=make_bounded_ruling("join", {"combatant": entry})))
    assert found.value.field == "combatant"


def test_a_crowd_whose_distances_must_be_stated_joins_bit_by_bit() -> None:
    """Each has a distance to each: 400 newcomers would have 80,000 among themselves alone."""
    ada, orc = ({"name": name, "side": name.lower(), "block": "orc"} for name in ("Ada", "Orc"))
    apart = [{"between": ["ada", "orc"], "metres": 20}]
    fight = begin_bounded_fight({"system": "wyrd", "name": "A plain", "combatant": [ada, orc], "distance": apart})
    with pytest.raises(Unusable, match="bring at most 49 at once") as found:
        fight.submit(
            Command(id="one", who="gm", intent=make_bounded_ruling("join", {"combatant": {**orc, "count": 400}}))
        )
    assert found.value.field == "combatant"


@pytest.mark.parametrize("system", sorted(available()))
def test_an_encounter_brings_no_crowd(system: str) -> None:
    """Neither in one entry nor in all of them together."""
    content = load_system_template(system)
    one = {**content["combatant"][0], "at": ""}
    for entries in ([{**one, "count": 10**9}], [{**one, "name": f"Guard {nth}", "count": 500} for nth in range(3)]):
        with pytest.raises(Unusable, match=f"{MOST_COMBATANTS}|500") as found:
            begin_bounded_fight({**content, "combatant": entries})
        assert found.value.field.startswith("combatant")


@pytest.mark.parametrize("system", sorted(available()))
def test_an_encounter_has_no_endless_names(system: str) -> None:
    with pytest.raises(Unusable, match=str(LONGEST)) as found:
        begin_bounded_fight({**load_system_template(system), "name": LONG})
    assert found.value.field == "name"


@pytest.mark.parametrize(
    ("intent", "field"),
    [
        (make_bounded_ruling("pool", {"who": "runa", "pool": "hp", "by": MOST + 1}), "params.by"),
        (make_bounded_ruling("pool", {"who": "runa", "pool": "hp", "by": -(10**30)}), "params.by"),
        (make_bounded_ruling("pool", {"who": "runa", "pool": "hp", "by": 1e300}), "params.by"),
        (make_bounded_ruling("veil", {"who": "runa", "pools": ["hp", LONG]}), "params.pools[1]"),
        (make_bounded_ruling("note", {"text": "it rains"}, LONG), "reason"),
        (Undo(reason=LONG), "reason"),
        (Amend(position=2, reason=LONG), "reason"),
        (Amend(position=2, instead=(make_bounded_ruling("clock", {"name": "fire", "to": 10**9}),)), "params.to"),
        (Answered(question="q", by="runa", choice="yes", fields={"dice": 10**9}), "fields.dice"),
    ],
)
def test_a_command_says_nothing_endless(intent: Intent, field: str) -> None:
    fight = begin_bounded_fight(load_system_template("verdigris"))
    with pytest.raises(Unusable, match="must") as found:
        fight.submit(Command(id="a", who="gm", intent=intent))
    assert found.value.field == field
    assert str(MOST) in str(found.value) or str(LONGEST) in str(found.value)


def test_a_roll_has_no_endless_dice() -> None:
    """Any cause of so many dice is refused, such as a ruling on their source."""

    def rolls() -> Rule[None]:
        yield Roll(dice=(Dice(count=MOST_DICE, sides=6), Dice(count=1, sides=8)), purpose="strength", by="runa")

    fight = begin_bounded_fight(load_system_template("verdigris"))
    runner = Interpreter(fight.ruleset, Draft(fight.state), None, NamedDice(bytes(32)))
    with pytest.raises(Refused, match=str(MOST_DICE)) as found:
        runner.run(Frame("1/runa/1", rolls(), do_nothing))
    assert found.value.code == "too_many_dice"


ON_CELLS = [name for name in sorted(available()) if load(name).board.kind in CELLS]


@pytest.mark.parametrize("place", ["10000,0", "0,-10000", "1000001,0", "999999999,1", "1e3,0", "3", "٣,1"])
@pytest.mark.parametrize("system", ON_CELLS)
def test_nobody_begins_or_joins_beyond_the_edge_of_a_map(system: str, place: str) -> None:
    """A place has one form, and is not farther from the middle than a map can be."""
    content = load_system_template(system)
    placed = next(one for one in content["combatant"] if "at" in one)
    joins = {**placed, "name": "Late", "at": place}
    joins.pop("count", None)
    fight = begin_bounded_fight(content)
    with pytest.raises((Unusable, Refused)) as late:
        fight.submit(Command(id="late", who="gm", intent=make_bounded_ruling("join", {"combatant": joins})))
    placed["at"] = [place] * placed.get("count", 1) if isinstance(placed["at"], list) else place
    with pytest.raises(Unusable) as first:
        begin_bounded_fight(content)
    assert all("at" in one.value.field for one in (late, first) if isinstance(one.value, Unusable))


def list_legal_moves(fight: Fight) -> list[Declared]:
    """The moves that the active combatant may declare."""
    intents = [one.intent for one in list_legal_choices(fight) if isinstance(one, LegalAction)]
    return [one for one in intents if one.kind == "move"]


@pytest.mark.parametrize("system", ON_CELLS)
def test_no_combatant_walks_beyond_the_edge_of_a_map(system: str) -> None:
    """A log with a place beyond it is refused, so that no fight may lead there."""
    fight = begin_bounded_fight(load_system_template(system))
    while not (moves := list_legal_moves(fight)):
        intent = choose_sensibly(fight, Random(1))
        assert intent is not None
        fight.submit(Command(id=f"at{fight.head}", who="gm", intent=intent))
    mover = moves[0].actor
    corner = make_bounded_ruling("place", {"who": mover, "to": "9999,-9999"})
    fight.submit(Command(id="corner", who="gm", intent=corner))
    paths = [msgspec.json.decode(one.params)["path"] for one in list_legal_moves(fight)]
    assert paths
    assert all(is_cell(cell) for path in paths for cell in path)
    for params in ({"path": ["10000,-9999"]}, {"to": "10000,-9999"}):
        beyond = Declared(actor=mover, kind="move", params=msgspec.Raw(msgspec.json.encode(params)))
        with pytest.raises(Refused, match="10000,N9999 cannot be entered"):
            fight.submit(Command(id="beyond", who="gm", intent=beyond))
