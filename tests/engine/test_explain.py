"""Saying why: over every recorded fight, and at chosen moments of them."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from affray.engine import FileStore, Unusable, load, open_fight, read_log
from affray.engine.analysis.explain import Account, Receipt, Term, account, explain_event
from affray.engine.analysis.explain.causality import build_threads, find_path
from affray.engine.analysis.explain.provenance import ExplainedEvent, trace_term
from affray.engine.analysis.explain.provenance_index import SETS, ProvenanceIndex
from affray.engine.fight import Fight
from affray.engine.history.timeline import History
from affray.engine.integrity.commitment import find_promise
from affray.engine.runtime.dice import derive_key
from affray.events import (
    EVENTS,
    Closed,
    Damaged,
    Declared,
    FightOpened,
    Joined,
    Member,
    Modifier,
    Recorded,
    RelationSet,
    Rolled,
)
from tests.engine.histories import history
from tests.examples import of_this_version

REPLAYS = Path(__file__).parents[2] / "replays"
RECORDED = sorted(REPLAYS.glob("*/*.jsonl"))

WITHOUT_SOURCE = {("wyrd", "WYR-056"): "the hindrance lies in the action itself, a shot at somebody in armour"}
"""The numbers that name no source, by system and clause, and why: the clause alone gives them."""


def name_path(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.fixture(autouse=True, scope="module")
def _threads() -> Iterator[None]:
    """Build the threads and the index of a path once, however many of its events are explained."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("build_threads", "ProvenanceIndex"):
            patch.setattr(account, name, make_once(getattr(account, name)))
        yield


def make_once(make: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that makes what belongs to a path once; no fight here goes on."""
    made: dict[tuple[int, tuple[int, ...]], tuple[list[Recorded], Any]] = {}

    def take(recorded: list[Recorded], line: list[int], words: object) -> Any:
        key = id(recorded), tuple(line)
        if key not in made:
            made[key] = recorded, make(recorded, line, words)
        return made[key][1]

    return take


@cache
def load_explained_fight(name: str) -> Fight:
    system, _, stem = name.partition("/")
    return open_fight(stem, FileStore(REPLAYS / system))


def explain_at(name: str, position: int) -> Account:
    return explain_event(load_explained_fight(name), position)


def receipt_of(name: str, position: int) -> Receipt:
    found = explain_at(name, position).receipt
    assert found is not None
    return found


def list_all_lanes(history: History) -> Iterator[list[int]]:
    """The effective path, and one for every lane that was taken back."""
    yield history.path
    tips = {tuple(find_path(history, one.position).positions): None for one in history.recorded}
    yield from map(list, tips)


def numbers(recorded: list[Recorded], history: History, system: str) -> Iterator[tuple[int, list[int], Modifier, Term]]:
    """List every nonzero number of every roll and damage, on any path."""
    done = set()
    for line in list_all_lanes(history):
        ruleset = load(system)
        threads = build_threads(recorded, line, ruleset.turns.procedures)
        index = ProvenanceIndex(recorded, line, ruleset.vocabulary)
        for position in line:
            event = recorded[position - 1].event
            if position in done or not isinstance(event, Rolled | Damaged):
                continue
            done.add(position)
            modifiers = (*event.pool, *event.modifiers) if isinstance(event, Rolled) else event.terms
            who = event.by if isinstance(event, Rolled) else event.who
            moment = ExplainedEvent(
                ruleset=ruleset, recorded=recorded, index=index, threads=threads, position=position, who=who
            )
            for one in modifiers:
                if one.value:
                    yield position, line, one, trace_term(moment, one)
    rolls = {one.position for one in recorded if isinstance(one.event, Rolled | Damaged)}
    assert done == rolls


def is_missing_skill(recorded: list[Recorded], modifier: Modifier) -> bool:
    """Tell whether a skill is missing from a combatant's sheet and counts against it; no event causes that."""
    who, _, skill = modifier.source.partition(".") if isinstance(modifier.source, str) else ("", "", "")
    sheets = [one.event for one in recorded if isinstance(one.event, Joined) and one.event.who == who]
    return bool(sheets) and modifier.value < 0 and all(skill not in sheet.stats for sheet in sheets)


@pytest.mark.parametrize("path", RECORDED, ids=name_path)
def test_every_number_says_which_event_granted_it(path: Path) -> None:
    """Each lies before the roll on the roll's own path; what no event granted, a clause alone gives, and is listed."""
    recorded = read_log(FileStore(path.parent).read(path.stem))
    history = History()
    history.add(recorded)
    system = path.parent.name
    found = list(numbers(recorded, history, system))
    assert found
    for position, line, modifier, term in found:
        if term.granted:
            assert all(one < position and one in line for one in term.granted), (position, term)
        else:
            known = not modifier.source and (system, modifier.rule) in WITHOUT_SOURCE
            assert known or is_missing_skill(recorded, modifier), (position, modifier)


@cache
def list_all_seeds() -> list[bytes]:
    """Every seed that lies beside a recorded fight or was revealed by one."""
    found = [FileStore(path.parent).seed(path.stem) for path in RECORDED]
    ends = [one.event for path in RECORDED for one in load_explained_fight(name_path(path)).history.recorded[-1:]]
    found += [bytes.fromhex(event.seed) for event in ends if isinstance(event, Closed)]
    return [seed for seed in found if seed]


@pytest.mark.parametrize("path", RECORDED, ids=name_path)
def test_every_die_of_the_engine_follows_from_its_name_on_the_receipt(path: Path) -> None:
    """The words of the block that a receipt names give the very faces; what lay there was thrown where it says."""
    this = load_explained_fight(name_path(path))
    kinds = set()
    for one in [one for one in this.history.recorded if isinstance(one.event, Rolled)][::3]:
        slip = receipt_of(name_path(path), one.position)
        promise = find_promise(this.history.recorded[: one.position])
        seed = next(filter(promise.is_kept_by, list_all_seeds()))
        under = derive_key(seed, promise.words, promise.bound)
        for group in slip.dice:
            for die in group.dice:
                kinds.add(die.origin)
                if die.origin == "engine":
                    block = hmac.digest(under, die.name.encode(), "sha256")
                    word = int.from_bytes(block[4 * (die.word - 1) : 4 * die.word], "big")
                    assert word % group.sides + 1 == die.face, (one.position, die)
                elif die.origin == "roll":
                    earlier = this.history.at(die.at).event
                    assert isinstance(earlier, Rolled)
                    thrown = [shown for shown in earlier.dice if shown.thrown and shown.kind == group.kind]
                    assert any(die.face in shown.faces for shown in thrown), (one.position, die)
                else:
                    assert this.history.at(die.at).who
    assert "engine" in kinds


@pytest.mark.parametrize("path", of_this_version(RECORDED), ids=name_path)
def test_any_position_can_be_explained(path: Path) -> None:
    """The causes of an event are earlier, its consequences later, and it ends its own chain."""
    this = load_explained_fight(name_path(path))
    every = {*range(1, this.head + 1, 9), this.head, *_about_the_record(this)}
    for position in every:
        found = explain_event(this, position)
        assert found.chain[-1] == position
        assert list(found.chain) == sorted(found.chain)
        assert all(one > position for one in found.consequences)
        assert (found.receipt is not None) == isinstance(this.history.at(position).event, Rolled)
        assert set(found.clauses) <= set(this.ruleset.clauses)


def _about_the_record(this: Fight) -> set[int]:
    return {one.position for one in this.history.recorded if type(one.event).__name__ in ("Rewound", "Restored")}


def test_the_table_of_what_events_set_knows_only_events() -> None:
    assert set(SETS) <= set(EVENTS)
    assert Damaged in SETS
    assert Declared not in SETS


def test_relations_are_found_by_who_is_in_them_as_they_were_set_last() -> None:
    """A role without a name, such as an ally's, is set by no event."""
    allies, brawl = (
        RelationSet(relation=kind, kind=kind, members=(Member(who="al"), Member(who="bo")))
        for kind in ("ally", "brawl")
    )
    recorded = history(allies, brawl, allies).recorded
    index = ProvenanceIndex(recorded, range(1, 5), load("vestige").vocabulary)
    assert [*index.list_relations("al", 5)] == [3, 4]
    assert [index.find_last(name, 5) for name in ("al.ally", "bo.brawl", "al.")] == [4, 3, 0]


def test_a_hit_rests_on_the_sheet_the_weapon_and_the_skill() -> None:
    """Cutter B's heavy blow: three numbers, each from the event that brought it into the fight."""
    found = explain_at("vestige/undo-and-redo", 109)
    assert found.harm is not None
    assert found.harm.amount == 6
    assert [(one.value, one.label, one.granted) for one in found.harm.terms] == [
        (3, "might", (28,)),
        (1, "great axe", (29,)),
        (2, "Heavy blow", (31,)),
    ]
    assert found.chain[0] == 101
    assert (found.chain[-3:], found.consequences[0]) == ((107, 108, 109), 110)


def test_armour_soaks_by_the_roll_that_it_threw() -> None:
    """Hexblade's armour absorbs the armour roll's total; the blow does the damage roll's total."""
    found = explain_at("hexblade/the-barrow-at-dusk", 1199)
    assert found.harm is not None
    rolls = {
        one.label: load_explained_fight("hexblade/the-barrow-at-dusk").history.at(one.granted[0]).event
        for one in found.harm.terms
    }
    assert {label: (roll.purpose, roll.total) for label, roll in rolls.items() if isinstance(roll, Rolled)} == {
        "damage": ("damage", 12),
        "armor": ("armor", 3),
    }


def test_a_success_level_rests_on_the_judgement() -> None:
    found = explain_at("verdigris/ogre-cave", 1186)
    assert found.harm is not None
    assert [(one.source, one.granted) for one in found.harm.terms] == [("ada.long-sword", (7,)), ("sl", (1183,))]


def test_what_was_lost_since_counts_as_it_is_now() -> None:
    """Ada's strength is that of her last loss, her stress of the last push, the numbers of the melee as it stands."""
    slip = receipt_of("verdigris/ogre-cave", 1178)
    assert {one.label: one.granted for one in slip.pool} == {
        "strength": (1011,),
        "heavy weapons": (6,),
        "long sword": (7,),
        "stress": (1009,),
        "numbers": (1158,),
    }
    assert (slip.declared, slip.judged, [harm.at for harm in slip.damage]) == (1174, (1183,), [1186])


def test_a_pushed_roll_says_where_its_dice_lay() -> None:
    """Three ones stay from the first throw; five dice were rolled again under the push's names."""
    slip = receipt_of("verdigris/the-gatehouse", 365)
    dice = [(group.kind, die.face, die.origin, die.at, die.name) for group in slip.dice for die in group.dice]
    assert dice[:3] == [(kind, 1, "roll", 361, "") for kind in ("attribute", "skill", "gear")]
    assert dice[3:5] == [("attribute", face, "engine", 0, "1/oda/4/attack/push/attribute/d6#0") for face in (2, 1)]
    assert dice[6][-1] == "1/oda/4/attack/push/gear:oda.longbow/d6#0"


def test_an_interrupt_is_part_of_the_chain_with_what_it_answers() -> None:
    """Oda's readied shot came of Ugrak's move, and panic of the push of that shot."""
    assert explain_at("verdigris/the-gatehouse", 370).chain[:5] == (344, 349, 352, 359, 360)


def test_entered_dice_name_who_entered_them() -> None:
    slip = receipt_of("wwn/the-sunken-road", 99)
    assert (slip.source, slip.entered, slip.dice[0].dice[0].origin, slip.dice[0].dice[0].at) == (
        "entered",
        98,
        "entered",
        98,
    )
    assert [(one.value, one.label) for one in slip.modifiers] == [(2, "attack"), (1, "dex"), (1, "shoot")]


def test_a_ruling_grants_a_modifier_by_the_mark_it_set() -> None:
    """The game master's rain is a note that a ruling left for Wren's next roll."""
    slip = receipt_of("verdigris/the-gatehouse", 308)
    (rain,) = (one for one in slip.pool if one.label == "rain")
    history = load_explained_fight("verdigris/the-gatehouse").history
    assert rain.value == -1
    assert history.commands[history.at(rain.granted[0]).cause] == 302


def test_what_was_taken_back_is_explained_along_its_own_lane() -> None:
    """The undone roll has its chain and receipt as they were, and says what took it back."""
    name = "vestige/undo-and-redo"
    history = load_explained_fight(name).history
    lane = history.list_ancestors(241)
    for position in (231, 236):
        assert not history.is_effective(position)
        found = explain_at(name, position)
        assert found.undone_by == 242
        assert found.receipt is not None
        assert {*found.chain, *found.consequences} <= set(lane)
    assert [one.granted for one in receipt_of(name, 231).modifiers] == [(18,)]
    assert explain_at(name, 231).chain[0] == 213, "the blow that Vesna's readied shot answered"
    assert explain_at(name, 150).undone_by == 0, "taken back at 159, but brought again at 160"


def test_an_event_about_the_record_is_its_command() -> None:
    found = explain_at("vestige/undo-and-redo", 159)
    assert (found.chain, found.consequences, found.receipt) == ((159,), (), None)
    assert (found.command.who, found.command.position) == ("jonas", 159)


@pytest.mark.parametrize("position", [0, -1, 10_000])
def test_a_position_that_is_not_there_is_unusable(position: int) -> None:
    with pytest.raises(Unusable, match="has 1 to"):
        explain_at("vestige/first-blow", position)


def test_the_opening_needs_nobody_before_it() -> None:
    this = load_explained_fight("vestige/first-blow")
    assert isinstance(this.history.at(1).event, FightOpened)
    found = explain_event(this, 1)
    assert found.chain == (1,)
    assert found.command.position == 1
