"""Each ruling that every system has, on a state made by hand: what it comes to, and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import Raw
from msgspec.structs import replace

from affray.engine.core.actions import Ruling
from affray.engine.core.draft import Draft
from affray.engine.core.effects import Roll
from affray.engine.core.evolve import evolve
from affray.engine.core.references import check_named
from affray.engine.core.state import Awaited, Combatant, Item, Pending, Place, Question, Relation, State
from affray.engine.core.table import Table
from affray.engine.errors import Refused, Unusable
from affray.engine.kit.rulings import combatants, flow, hiding, positions
from affray.events import (
    Concealed,
    ConditionChanged,
    Dice,
    DiceSourceSet,
    DistanceSet,
    Dropped,
    Event,
    ItemCounted,
    ItemMoved,
    Left,
    MarkSet,
    Member,
    MemberDone,
    Modifier,
    Moved,
    Noted,
    Option,
    OrderSet,
    PlaceSet,
    PoolChanged,
    RelationSet,
    SideChanged,
    Slot,
    StatChanged,
    TraitChanged,
    Veiled,
    ViewSet,
    Withdrawn,
)

AL = Combatant(
    id="al", name="Al", side="a", stats={"dex": 1}, pools={"hp": 3, "ep": 2}, conditions={"held": {"orc": 2, "": 1}}
)
BO = Combatant(id="bo", name="Bo", side="b", stats={}, pools={"hp": 5}, place="1,1")
AXE = Item(id="axe", name="Axe", kind="weapon", owner="al", where="hand", counters={"left": 2})
FIRST, SECOND = (
    Pending("1/al/1", "al", "hit", Raw(b"{}"), "s", (), ("bo",)),
    Pending("1/bo/1", "bo", "hit", Raw(b"{}"), "s"),
)
THIRD = Pending("1/al/2", "al", "hit", Raw(b"{}"), "s")
SLOTS = (Slot(id="al", members=("al",), score=3), Slot(id="others", members=("bo", "al"), score=1))
ALLIES = Relation(id="allies", kind="allies", members=(Member(who="al"), Member(who="bo")))
ASKED = Question(id="1/al/1/push", of=("al",), about="push", options=(Option(choice="no", says="no"),))
AWAITED = Awaited(roll="g2:1/al/1/attack", by="bo", purpose="attack", dice=(Dice(count=1, sides=6),))


def make_axe_table(**fields: Any) -> Table:
    """Return a table with two combatants, an axe, and further parts."""
    people = {one.id: one for one in (AL, BO)}
    return Table(Draft(State(**{"system": "vestige", "combatants": people, "items": {"axe": AXE}, **fields})), None)


def came(ruling: Ruling, at: Table) -> list[Event]:
    """Return what a ruling that is allowed comes to; refuse it, as the decider does, if it changes nothing."""
    check_named(at, ruling)
    ruling.check(at)
    events: list[Event] = list(ruling.decide(at))  # type: ignore[arg-type]
    before, draft = at.draft.freeze(), Draft(at.draft.freeze())
    for event in () if ruling.only_recorded else events:
        evolve(draft, event)
    if draft.freeze() == before and not ruling.only_recorded:
        raise Refused("no_change", "", ruling.already(at))
    return events


DONE: list[tuple[Ruling, dict[str, Any], list[Event]]] = [
    (combatants.PoolRuling(who="al", pool="hp", to=9), {}, [PoolChanged(who="al", pool="hp", before=3, after=9)]),
    (combatants.PoolRuling(who="al", pool="hp", to=0), {}, [PoolChanged(who="al", pool="hp", before=3, after=0)]),
    (combatants.PoolRuling(who="al", pool="hp", by=-4), {}, [PoolChanged(who="al", pool="hp", before=3, after=0)]),
    (combatants.PoolRuling(who="al", pool="hp", by=2), {}, [PoolChanged(who="al", pool="hp", before=3, after=5)]),
    (
        combatants.Condition(who="bo", condition="prone"),
        {},
        [ConditionChanged(who="bo", condition="prone", before=0, after=1)],
    ),
    (
        combatants.Condition(who="al", condition="held", count=0),
        {},
        [
            ConditionChanged(who="al", condition="held", before=2, after=0, source="orc"),
            ConditionChanged(who="al", condition="held", before=1, after=0),
        ],
    ),
    (
        combatants.Condition(who="al", condition="held", count=0, source="orc"),
        {},
        [ConditionChanged(who="al", condition="held", before=2, after=0, source="orc")],
    ),
    (
        combatants.Condition(who="al", condition="held", count=3),
        {},
        [ConditionChanged(who="al", condition="held", before=1, after=3)],
    ),
    (combatants.Side(who="al", side="c"), {}, [SideChanged(who="al", before="a", after="c")]),
    (combatants.Sheet(who="al", stat="dex", to=4), {}, [StatChanged(who="al", stat="dex", before=1, after=4)]),
    (combatants.Trait(who="al", trait="tall"), {}, [TraitChanged(who="al", trait="tall", present=True)]),
    (
        combatants.Trait(who="bo", trait="tall", present=False),
        {"combatants": {"bo": replace(BO, traits=("tall",))}},
        [TraitChanged(who="bo", trait="tall", present=False)],
    ),
    (combatants.LeaveRuling(who="bo"), {}, [Left(who="bo")]),
    (
        combatants.LeaveRuling(who="al"),
        {"acting": ("bo", "al"), "slots": SLOTS, "relations": {"allies": ALLIES}},
        [
            MemberDone(who="al"),
            OrderSet(slots=(Slot(id="others", members=("bo",), score=1),)),
            RelationSet(relation="allies", kind="allies", members=()),
            Left(who="al"),
        ],
    ),
    (combatants.LeaveRuling(who="bo"), {"stack": (FIRST,)}, [Left(who="bo")]),
    (combatants.LeaveRuling(who="bo"), {"stack": (FIRST, THIRD), "question": ASKED}, [Left(who="bo")]),
    (flow.Reorder(order=("others", "al")), {"slots": SLOTS}, [OrderSet(slots=SLOTS[::-1])]),
    (
        flow.Relate(relation="allies-2", members=("al", "bo")),
        {},
        [RelationSet(relation="allies-2", kind="allies", members=(Member(who="al"), Member(who="bo")))],
    ),
    (
        flow.Relate(relation="allies"),
        {"relations": {"allies": ALLIES}},
        [RelationSet(relation="allies", kind="allies", members=())],
    ),
    (
        flow.Modify(by=2, who="al"),
        {},
        [
            MarkSet(
                owner="al",
                key="modifier",
                about="ruling",
                value=None,
                parts={"value": 2, "label": "ruling"},
                until="that roll",
            )
        ],
    ),
    (
        flow.Modify(by=-1, item="1/al/1", label="rain"),
        {"stack": (FIRST, SECOND)},
        [
            MarkSet(
                owner="1/al/1",
                key="modifier",
                about="rain",
                value=None,
                parts={"value": -1, "label": "rain"},
                until="that roll",
            )
        ],
    ),
    (flow.Cancel(item="1/bo/1"), {"stack": (FIRST, SECOND)}, [Dropped(item="1/bo/1", why="ruled")]),
    (
        flow.Cancel(item="1/al/1"),
        {"stack": (FIRST, SECOND), "question": ASKED},
        [Withdrawn(what=ASKED.id), Dropped(item="1/al/1", why="ruled")],
    ),
    (
        flow.Cancel(item="1/al/1"),
        {"stack": (FIRST,), "awaited": AWAITED},
        [Withdrawn(what=AWAITED.roll), Dropped(item="1/al/1", why="ruled")],
    ),
    (flow.Cancel(item="1/bo/1"), {"stack": (FIRST, SECOND), "question": ASKED}, [Dropped(item="1/bo/1", why="ruled")]),
    (flow.DiceFrom(owner="*", source="entered"), {}, [DiceSourceSet(owner="*", source="entered")]),
    (
        flow.DiceFrom(owner="bo", source="engine"),
        {"dice_sources": {"*": "entered"}},
        [DiceSourceSet(owner="bo", source="engine")],
    ),
    (flow.NoteRuling(text="rain"), {}, [Noted(text="rain")]),
    (positions.PlaceRuling(who="bo", to="1,2"), {}, [Moved(who="bo", before="1,1", after="1,2")]),
    (positions.Distance(one="bo", other="al", to=4), {}, [DistanceSet(pair=("al", "bo"), before=None, after=4)]),
    (
        positions.Distance(one="al", other="bo", to=0),
        {"distances": {"al": {"bo": 7}}},
        [DistanceSet(pair=("al", "bo"), before=7, after=0)],
    ),
    (
        positions.ViewRuling(viewer="al", target="bo", view="blocked"),
        {"views": {"bo": {"al": "half"}}},
        [
            ViewSet(viewer="al", target="bo", before="clear", after="blocked"),
            ViewSet(viewer="bo", target="al", before="half", after="blocked"),
        ],
    ),
    (
        positions.ViewRuling(viewer="al", target="bo", view="blocked", both=False),
        {},
        [ViewSet(viewer="al", target="bo", before="clear", after="blocked")],
    ),
    (positions.Terrain(place="2,2", traits=("deep",)), {}, [PlaceSet(place="2,2", traits=("deep",))]),
    (
        positions.Terrain(place="1,1"),
        {"places": {"1,1": Place(id="1,1", traits=("deep",), exits=("1,2",))}},
        [PlaceSet(place="1,1", exits=("1,2",))],
    ),
    (
        positions.ItemRuling(item="axe", counter="left", to=0),
        {},
        [ItemCounted(item="axe", counter="left", before=2, after=0)],
    ),
    (positions.Give(item="axe", to="bo"), {}, [ItemMoved(item="axe", owner="bo", before="hand", after="")]),
    (
        positions.Give(item="axe", to="al", where="pack"),
        {},
        [ItemMoved(item="axe", owner="al", before="hand", after="pack")],
    ),
    (hiding.Conceal(who="al"), {}, [Concealed(who="al", concealed=True)]),
    (hiding.Conceal(coming="Hooded Man"), {}, [Concealed(who="hooded-man", concealed=True)]),
    (hiding.Reveal(who="zoe"), {"concealed": ("zoe",)}, [Concealed(who="zoe", concealed=False)]),
    (hiding.Veil(who="al", pools=("hp",)), {}, [Veiled(who="al", pools={"hp": 3})]),
    (
        hiding.Veil(who="al", pools=("ep", "hp")),
        {"veiled": {"al": {"hp": 9}}},
        [Veiled(who="al", pools={"ep": 2, "hp": 9})],
    ),
    (hiding.Unveil(who="al"), {"veiled": {"al": {"hp": 9}}}, [Veiled(who="al", pools={})]),
]


@pytest.mark.parametrize(("ruling", "fields", "events"), DONE)
def test_a_ruling_comes_to_just_this(ruling: Ruling, fields: dict[str, Any], events: list[Event]) -> None:
    assert came(ruling, make_axe_table(**fields)) == events


REFUSED: list[tuple[Ruling, dict[str, Any], str, str]] = [
    (combatants.PoolRuling(who="al", pool="luck", to=1), {}, "pool", "al has the counters hp, ep"),
    (combatants.PoolRuling(who="al", pool="hp"), {}, "to", "say either to or by"),
    (combatants.PoolRuling(who="al", pool="hp", to=1, by=1), {}, "to", "say either to or by"),
    (combatants.PoolRuling(who="al", pool="hp", to=9_999), {}, "to", "must be from 0 to"),
    (combatants.PoolRuling(who="al", pool="hp", by=9_999), {}, "by", "must be from 0 to"),
    (combatants.PoolRuling(who="cy", pool="hp", to=1), {}, "who", "there is no cy in this fight; there are al, bo"),
    (combatants.PoolRuling(who="cy", pool="hp", to=1), {"combatants": {}}, "who", "there are none"),
    (combatants.Condition(who="al", condition="held"), {}, "no_change", "Al has held 1 already"),
    (combatants.Condition(who="al", condition="held", count=2, source="orc"), {}, "no_change", "Al has held 2 already"),
    (combatants.Condition(who="al", condition="prone", count=0), {}, "no_change", "Al has prone 0 already"),
    (combatants.Sheet(who="al", stat="str", to=1), {}, "stat", "the sheet has dex"),
    (combatants.Sheet(who="al", stat="dex", to=1_000), {}, "to", "dex must be from"),
    (flow.Reorder(order=("al",)), {"slots": SLOTS}, "order", "name each of these once: al, others"),
    (flow.Reorder(order=("al", "others", "al")), {"slots": SLOTS}, "order", "name each of these once"),
    (flow.Reorder(order=("al",)), {}, "order", "none, there is no order yet"),
    (flow.Relate(relation="allies", members=("al", "al")), {}, "members", "name each once"),
    (flow.Relate(relation="ride", members=("al",)), {}, "relation", "can be set: allies"),
    (flow.Relate(relation="ride"), {}, "relation", "can be set: allies"),
    (flow.Modify(by=1), {}, "who", "say either whose next roll"),
    (flow.Modify(by=1, who="al", item="1/al/1"), {"stack": (FIRST,)}, "who", "say either whose next roll"),
    (
        flow.Modify(by=1, item="2/al/1"),
        {"stack": (FIRST, SECOND)},
        "not_pending",
        "2/al/1 is not pending; 1/al/1, 1/bo/1 is",
    ),
    (flow.Cancel(item="1/al/1"), {}, "not_pending", "1/al/1 is not pending; nothing is"),
    (flow.DiceFrom(owner="cy", source="engine"), {}, "owner", "there is no cy"),
    (positions.PlaceRuling(who="al", to="1,2"), {}, "no_map", "this fight has no map"),
    (positions.PlaceRuling(who="bo", to="cave"), {}, "to", "must be a square of the map"),
    (positions.PlaceRuling(who="bo", to="10000,0"), {}, "to", "no farther than 9999 from 0,0"),
    (positions.Distance(one="al", other="al", to=1), {}, "other", "name two combatants"),
    (positions.ItemRuling(item="axe", counter="ammo", to=1), {}, "counter", "axe has the counters left"),
    (positions.ItemRuling(item="bow", counter="ammo", to=1), {}, "item", "there is no bow in this fight"),
    (positions.Give(item="axe", to="cy"), {}, "to", "there is no cy"),
    (hiding.Conceal(), {}, "who", "say either who is there"),
    (hiding.Conceal(who="al", coming="Zoe"), {}, "who", "say either who is there"),
    (hiding.Conceal(coming="—"), {}, "coming", "must be the name of a combatant that can join"),
    (hiding.Conceal(coming="GM"), {}, "coming", "must be the name of a combatant that can join"),
    (hiding.Conceal(coming="Bo"), {}, "coming", "must be the name of a combatant that can join"),
    (hiding.Conceal(who="al"), {"concealed": ("al",)}, "no_change", "al is hidden already"),
    (hiding.Conceal(coming="Zoe"), {"concealed": ("zoe",)}, "no_change", "zoe is hidden already"),
    (hiding.Reveal(who="al"), {}, "no_change", "Al is not hidden"),
    (hiding.Reveal(who="zoe"), {}, "who", "there is no zoe"),
    (hiding.Veil(who="al", pools=()), {}, "pools", "al has the counters hp, ep"),
    (hiding.Veil(who="al", pools=("hp", "luck")), {}, "pools", "al has the counters hp, ep"),
    (hiding.Veil(who="al", pools=("hp",)), {"veiled": {"al": {"hp": 3}}}, "no_change", "hp of Al are hidden already"),
    (hiding.Unveil(who="al"), {"veiled": {"bo": {"hp": 3}}}, "no_change", "no counter of Al is hidden"),
    *(
        (hiding.SecretRoll(dice=one, purpose="x"), {}, "dice", "must be 1 to 99 dice")
        for one in ("6", "0d6", "100d6", "2d1000", "d0")
    ),
]


@pytest.mark.parametrize(("ruling", "fields", "where", "says"), REFUSED)
def test_a_ruling_that_makes_no_sense_says_why(ruling: Ruling, fields: dict[str, Any], where: str, says: str) -> None:
    with pytest.raises((Refused, Unusable)) as found:
        came(ruling, make_axe_table(**fields))
    error = found.value
    assert isinstance(error, Refused | Unusable)
    assert says in error.message
    assert where == (error.code if isinstance(error, Refused) else error.field)


@pytest.mark.parametrize(
    ("dice", "count", "sides"), [("2d6", 2, 6), ("d20", 1, 20), ("99d999", 99, 999), ("1d1", 1, 1), ("10d10", 10, 10)]
)
def test_secret_dice_are_thrown_at_once(dice: str, count: int, sides: int) -> None:
    for plus, modifiers in ((0, ()), (-2, (Modifier(value=-2, label="ruling"),))):
        (roll,) = came(hiding.SecretRoll(dice=dice, purpose="listening", plus=plus), make_axe_table())
        assert isinstance(roll, Roll)
        assert (roll.dice, roll.by, roll.purpose) == ((Dice(count=count, sides=sides),), "gm", "listening")
        assert (roll.modifiers, roll.waits) == (modifiers, False)


def test_two_on_a_map_have_no_distance_but_one_of_them_may() -> None:
    people = {"bo": BO, "cy": Combatant(id="cy", name="Cy", side="b", place="2,2"), "al": AL}
    with pytest.raises(Refused, match="rule a place instead") as found:
        came(positions.Distance(one="bo", other="cy", to=1), make_axe_table(combatants=people))
    assert found.value.code == "on_a_map"
