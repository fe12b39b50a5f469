"""A draft's indexes, and rules' caches of participants, over every recorded fight."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw

from affray.engine import FileStore, open_fight
from affray.engine.core.changes import (
    change_pool,
    end_condition,
    move_item,
    set_condition,
    set_item_counter,
    set_mark,
    set_pool,
)
from affray.engine.core.draft import Draft
from affray.engine.core.evolve import HANDLERS
from affray.engine.core.state import Item, Pending, Relation, State
from affray.engine.core.table import Table
from affray.engine.errors import Unusable
from affray.engine.kit.modifiers import grant_modifier, list_granted, use_up_granted
from affray.engine.kit.relations import (
    add_members,
    find_relation,
    list_relations,
    remove_members,
    set_numbered_relation,
    set_relation,
)
from affray.engine.kit.sides import are_enemies, list_allied_pairs, list_sides_with, must_be_a_side
from affray.events import (
    ConditionChanged,
    DieStepped,
    Event,
    ItemAdded,
    ItemCounted,
    ItemMoved,
    ItemRemoved,
    Joined,
    Left,
    MarkSet,
    Member,
    Modifier,
    Moved,
    PoolChanged,
    RelationSet,
    SideChanged,
    Source,
    StatChanged,
    TraitChanged,
)

REPLAYS = Path(__file__).parents[2] / "replays"
RECORDED = sorted(REPLAYS.glob("*/version-*.jsonl"))


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_the_indexes_go_along_with_the_fold(path: Path) -> None:
    """Made first and kept up, they are what they would be if they were made at the end."""
    fight = open_fight(path.stem, FileStore(path.parent))
    draft = Draft(State())
    assert (draft.occupants, draft.owned_items) == ({}, {})
    for one in fight.history.effective():
        HANDLERS[type(one.event)](draft, one.event)
    fresh = Draft(draft.freeze())
    assert draft.occupants == fresh.occupants
    assert draft.owned_items == fresh.owned_items
    assert draft.freeze() == fresh.freeze() == fight.state


def evolve_draft(*events: Event, **fields: Any) -> Draft:
    draft = Draft(State(**fields))
    for event in events:
        HANDLERS[type(event)](draft, event)
    return draft


def make_indexed_joined(who: str, side: str = "a", place: str = "") -> Joined:
    return Joined(who=who, name=who.title(), side=side, stats={"dex": 1}, pools={"hp": 3}, place=place)


def test_people_come_and_go_and_move() -> None:
    draft = Draft(State())
    table = Table(draft, None)
    assert table.at("x") == ()
    for event in (
        make_indexed_joined("cy", place="x"),
        make_indexed_joined("bo", place="x"),
        make_indexed_joined("di"),
        make_indexed_joined("al", place="y"),
    ):
        HANDLERS[type(event)](draft, event)
    assert (table.at("x"), table.at("y"), table.at("")) == (("bo", "cy"), ("al",), ())
    for step in (Moved(who="al", before="y", after="x"), Moved(who="di", before="", after="y"), Left(who="bo")):
        HANDLERS[type(step)](draft, step)
    assert draft.occupants == {"x": ("al", "cy"), "y": ("di",)}
    HANDLERS[Moved](draft, Moved(who="di", before="y", after=""))
    assert draft.occupants == {"x": ("al", "cy")}


def test_things_change_hands() -> None:
    draft = Draft(State())
    table = Table(draft, None)
    assert table.items_of("al") == ()
    for name, owner in (("axe", "al"), ("arrow", "al"), ("bow", ""), ("rope", "bo")):
        HANDLERS[ItemAdded](draft, ItemAdded(item=name, name=name, kind="thing", owner=owner, counters={"left": 2}))
    assert [one.id for one in table.items_of("al")] == ["arrow", "axe"]
    moves: tuple[Event, ...] = (
        ItemMoved(item="axe", owner="bo", before="", after="hand"),
        ItemMoved(item="bow", owner="bo", before="", after="back"),
        ItemMoved(item="rope", owner="bo", before="", after="pack"),
        ItemRemoved(item="arrow"),
        ItemCounted(item="rope", counter="left", before=2, after=1),
    )
    for event in moves:
        HANDLERS[type(event)](draft, event)
    assert draft.owned_items == {"bo": ("axe", "bow", "rope")}
    assert [(one.where, one.counters["left"]) for one in table.items_of("bo")] == [
        ("hand", 2),
        ("back", 2),
        ("pack", 1),
    ]
    with pytest.raises(Unusable, match="there is no arrow in this fight"):
        table.item("arrow")


@pytest.mark.parametrize(
    ("event", "moves"),
    [
        (make_indexed_joined("di"), True),
        (Left(who="bo"), True),
        (SideChanged(who="bo", before="b", after="a"), True),
        (TraitChanged(who="bo", trait="tall", present=True), True),
        (ConditionChanged(who="bo", condition="prone", before=0, after=1), True),
        (RelationSet(relation="allies", kind="allies", members=(Member(who="al"), Member(who="bo"))), True),
        (StatChanged(who="bo", stat="dex", before=1, after=2), False),
        (PoolChanged(who="bo", pool="hp", before=3, after=2), False),
        (Moved(who="bo", before="", after="x"), False),
    ],
)
def test_what_is_derived_is_worked_out_again_only_when_who_takes_part_has_changed(event: Event, moves: bool) -> None:
    draft = evolve_draft(make_indexed_joined("al"), make_indexed_joined("bo", "b"))
    table = Table(draft, None)
    times: list[int] = []

    def people(_: Table) -> int:
        times.append(1)
        return len(draft.combatants)

    assert [table.derive(people) for _ in range(3)] == [2, 2, 2]
    HANDLERS[type(event)](draft, event)
    assert bool(draft.derived) != moves
    assert table.derive(people) == len(draft.combatants)
    assert len(times) == 1 + moves


@pytest.mark.parametrize(
    ("event", "moves"),
    [
        (ItemAdded(item="bow", name="bow", kind="weapon", owner="al"), True),
        (ItemMoved(item="axe", owner="al", before="", after="hand"), True),
        (ItemMoved(item="axe", owner="bo", before="", after="hand"), True),
        (ItemMoved(item="net", owner="al", before="", after="hand"), True),
        (ItemRemoved(item="axe"), True),
        (ItemAdded(item="bow", name="bow", kind="weapon", owner="bo"), False),
        (ItemMoved(item="net", owner="bo", before="", after="hand"), False),
        (ItemCounted(item="axe", counter="left", before=0, after=1), False),
        (DieStepped(item="axe", before=6, after=8), False),
    ],
)
def test_what_follows_from_things_is_worked_out_again_only_when_they_come_go_or_move(event: Event, moves: bool) -> None:
    draft = evolve_draft(make_indexed_joined("al"), make_indexed_joined("bo", "b"))
    for item, owner in (("axe", "al"), ("net", "bo")):
        HANDLERS[ItemAdded](draft, ItemAdded(item=item, name=item, kind="weapon", owner=owner))
    table = Table(draft, None)
    times: list[int] = []

    def things(_: Table, who: str) -> list[tuple[str, str]]:
        times.append(1)
        return [(one.id, one.where) for one in table.items_of(who)]

    assert [table.derive_from_things(things, "al") for _ in range(3)] == [[("axe", "")]] * 3
    HANDLERS[type(event)](draft, event)
    assert table.derive_from_things(things, "al") == [(one.id, one.where) for one in table.items_of("al")]
    assert len(times) == 1 + moves


def test_conditions_are_kept_by_source() -> None:
    def changed(count: int, source: str) -> ConditionChanged:
        return ConditionChanged(who="al", condition="held", before=0, after=count, source=source)

    draft = evolve_draft(make_indexed_joined("al"), changed(2, "orc"), changed(1, ""))
    table = Table(draft, None)
    assert table["al"].conditions == {"held": {"orc": 2, "": 1}}
    assert table["al"].has("held")
    ends = list(end_condition(table, "al", "held", "R-1"))
    assert [(one.source, one.before, one.after, one.rules) for one in ends] == [
        ("orc", 2, 0, ("R-1",)),
        ("", 1, 0, ("R-1",)),
    ]
    HANDLERS[ConditionChanged](draft, ends[0])
    assert table["al"].conditions == {"held": {"": 1}}
    HANDLERS[ConditionChanged](draft, ends[1])
    assert table["al"].conditions == {}
    assert not table["al"].has("held")
    assert list(end_condition(table, "al", "held")) == []
    assert set_condition(table, "al", "held", 3, source="orc").before == 0


def test_marks_are_struck_out_and_forgotten() -> None:
    def mark(value: Any, key: str = "key") -> MarkSet:
        return MarkSet(owner="al", key=key, value=value)

    draft = evolve_draft(mark(1), mark(2, "other"))
    frozen = draft.freeze()
    for event in (mark(3), mark(None, "none"), mark(None, "other"), mark(None)):
        HANDLERS[MarkSet](draft, event)
    assert frozen.marks == {"al": {"key": {"": 1}, "other": {"": 2}}}
    assert draft.freeze().marks == {}
    HANDLERS[MarkSet](draft, mark(False))
    assert draft.freeze().marks == {"al": {"key": {"": False}}}
    assert set_mark("al", "key", 1, "R-1", until="dawn") == MarkSet(
        owner="al", key="key", value=1, until="dawn", rules=("R-1",)
    )


def test_facts_say_what_was_before_and_never_fall_below_nothing() -> None:
    things = {"axe": Item(id="axe", name="Axe", kind="w", owner="al", where="hand", counters={"left": 2})}
    table = Table(evolve_draft(make_indexed_joined("al"), items=things), None)
    assert set_pool(table, "al", "hp", -2, "R-1") == PoolChanged(who="al", pool="hp", before=3, after=0, rules=("R-1",))
    assert change_pool(table, "al", "hp", -4).after == 0
    assert change_pool(table, "al", "hp", -2).after == 1
    assert change_pool(table, "al", "luck", 2) == PoolChanged(who="al", pool="luck", before=0, after=2)
    assert set_item_counter(table, "axe", "left", 1).before == 2
    assert set_item_counter(table, "axe", "spent", 1).before == 0
    assert move_item(table, "axe", "belt") == ItemMoved(item="axe", owner="al", before="hand", after="belt")
    assert move_item(table, "axe", "", owner="").owner == ""
    with pytest.raises(Unusable, match="there is no bo in this fight; there are al"):
        table["bo"]
    with pytest.raises(Unusable, match="there is no bo in this fight; there are al"):
        table.pool("bo", "hp")


# --- bonds and sides ---

GROUP = Relation(id="group", kind="group", members=(Member(who="al", role="lead"), Member(who="bo")))


def test_bonds_are_found_by_kind_and_member() -> None:
    other = Relation(id="group-2", kind="group", members=(Member(who="bo"), Member(who="cy")))
    table = Table(evolve_draft(make_indexed_joined("al"), relations={"group": GROUP, "group-2": other}), None)
    assert list_relations(table, "group") == {"al": GROUP, "bo": GROUP, "cy": other}
    assert (
        find_relation(table, "group", "cy"),
        find_relation(table, "group", "di"),
        list_relations(table, "ride"),
    ) == (other, None, {})
    assert [one.relation for kind in ("ride", "group") for one in set_numbered_relation(table, kind)] == [
        "ride",
        "group-3",
    ]
    assert add_members(GROUP, Member(who="di"), rules=("R-1",)) == set_relation(
        "group", "group", *GROUP.members, Member(who="di"), rules=("R-1",)
    )
    assert remove_members(GROUP, "al").members == (Member(who="bo"),)
    assert remove_members(GROUP, "cy").members == GROUP.members
    assert remove_members(GROUP).members == ()


def test_enemies_are_of_different_sides_unless_they_are_allied() -> None:
    draft = evolve_draft(
        make_indexed_joined("al", "a"),
        make_indexed_joined("bo", "b"),
        make_indexed_joined("cy", "c"),
        make_indexed_joined("di", "a"),
    )
    table = Table(draft, None)
    assert [are_enemies(table, "al", who) for who in ("bo", "cy", "di")] == [True, True, False]
    for kind in ("group", "allies"):
        HANDLERS[RelationSet](
            draft, RelationSet(relation=kind, kind=kind, members=(Member(who="al"), Member(who="cy")))
        )
        assert are_enemies(table, "al", "cy") == are_enemies(table, "cy", "al") == (kind == "group")
        assert are_enemies(table, "al", "bo")
    assert list_allied_pairs(table) == {("al", "al"), ("al", "cy"), ("cy", "al"), ("cy", "cy")}
    assert list_sides_with(table, lambda one: one.id != "bo") == ("a", "c")
    must_be_a_side(table, "", "side")
    must_be_a_side(table, "b", "side")
    with pytest.raises(Unusable, match="there are the sides a, b, c") as found:
        must_be_a_side(table, "d", "side")
    assert found.value.field == "side"


# --- what is granted for a roll to come ---


def test_what_is_granted_counts_once_more_each_time() -> None:
    draft = evolve_draft(make_indexed_joined("al"))
    table = Table(draft, None)
    for value in (2, -1, 3):
        HANDLERS[MarkSet](draft, grant_modifier(table, "al", "rain", value))
    HANDLERS[MarkSet](draft, MarkSet(owner="al", key="modifier", about="word", value="no number"))
    HANDLERS[MarkSet](draft, MarkSet(owner="al", key="other", value=9))
    topics = ["rain", "rain#2", "rain#3"]
    assert list(draft.mark_parts["al"]["modifier"]) == topics
    assert list_granted(table, "al", "R-1") == tuple(
        Modifier(value=value, label="rain", source=Source(of="al", name="modifier", about=about), rule="R-1")
        for value, about in zip((2, -1, 3), topics, strict=True)
    )
    assert list_granted(table, "bo", "R-1") == ()
    draft.stack.append(Pending("1/bo/1", "bo", "attack", Raw(b"{}"), "standard"))
    HANDLERS[MarkSet](draft, grant_modifier(table, "1/bo/1", "sun", 1, "R-2", until="noon"))
    (granted,) = list_granted(table, "bo", "R-1")
    assert granted.source == Source(of="1/bo/1", name="modifier", about="sun")
    spent = list(use_up_granted(table, "al"))
    assert len(spent) == 4
    for event in spent:
        assert isinstance(event, MarkSet)
        HANDLERS[MarkSet](draft, event)
    assert list_granted(table, "al", "R-1") == ()
    assert draft.marks == {"al": {"modifier": {"word": "no number"}, "other": {"": 9}}}
