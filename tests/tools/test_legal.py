"""Legal actions for programs and people, step by step, in every system."""

from __future__ import annotations

import tomllib
from contextlib import suppress
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from affray.engine import FileStore, Undo, begin_fight, open_fight
from affray.engine.analysis.policies import choose_best
from affray.engine.core.loading import load, template
from affray.engine.errors import Refused, Unusable
from affray.engine.fight import Fight
from affray.engine.runtime.offers import LegalAction, build_offer_trees, list_legal_actions
from affray.events import Declared
from affray.tools.api.legal_actions import everything, expand_action, list_actions, list_actors
from affray.tools.api.schemas.legal_actions import HowMay, MayAnswer, MayDeclare, Refusal, WhatMay, WhoMay
from affray.tools.cli.play.completion_grammar import completions, short_next
from affray.tools.cli.play.shorthand import expand_declaration
from affray.tools.cli.play.steps import tell_next
from affray.tools.parse import intent_parser
from affray.tools.parse.typed_names import words_of
from affray.tools.pipe.handlers import handle_request
from affray.tools.pipe.requests import read_request
from affray.tools.pipe.session import PipeSession
from tests.engine.fights import noon, submit_accepted
from tests.engine.memory import MemoryStore
from tests.rulesets.systems import PRESENT
from tests.tools.walked import walk_declarations

REPLAYS = Path(__file__).parents[2] / "replays"
MOMENTS = 6
APART = 4
"""So many commands lie between two moments."""


def fight_at(system: str, nth: int) -> Fight:
    """Return a system's template fight at one of several moments with a legal declaration."""
    return add_clause_sources(system, nth)[0]


@cache
def add_clause_sources(system: str, nth: int) -> tuple[Fight, MemoryStore]:
    """Return the same with where it is kept."""
    content, store = tomllib.loads(template(load(system))), MemoryStore()
    fight = begin_fight("moments", content, who="gm", seed=bytes(32), store=store, clock=noon)
    chance = Random(3)
    while (
        fight.head < 2 or nth * APART > len(fight.history.commands) or not build_offer_trees(fight.ruleset, fight.table)
    ):
        intent = choose_best(fight, chance)
        assert intent is not None
        submit_accepted(fight, intent)
    return fight, store


@cache
def everything_at(system: str, nth: int) -> list[MayDeclare]:
    """Return every declaration that would be accepted at one of the moments."""
    return [one for one in everything(fight_at(system, nth)) if isinstance(one, MayDeclare)]


@cache
def leaves_at(system: str, nth: int) -> list[dict[str, Any]]:
    """Return what one comes to, step by step, at one of the moments."""
    return list(walk_declarations(make_fight_asker(fight_at(system, nth))))


@pytest.mark.parametrize("nth", range(0, MOMENTS, 2))
@pytest.mark.parametrize("system", PRESENT)
def test_a_pipe_is_told_the_same_tree(system: str, nth: int) -> None:
    """Each query on a separate line, as another program writes it."""
    fight, store = add_clause_sources(system, nth)
    session = PipeSession(store, "gm")
    session.fights[fight.name] = fight

    def ask(**more: Any) -> Any:
        line = msgspec.json.encode({"id": 1, "do": "legal", **more})
        said, _ = handle_request(session, read_request(line))
        return msgspec.json.decode(msgspec.json.encode(said))

    assert list(walk_declarations(ask)) == leaves_at(system, nth)


def make_fight_asker(fight: Fight) -> Any:
    """Return what asks a fight as a program does, that gets JSON."""

    def ask(who: str = "", manner: str = "", kind: str = "", chosen: dict[str, Any] | None = None) -> Any:
        found: WhoMay | WhatMay | HowMay = list_actors(fight)
        if who:
            found = expand_action(fight, who, kind, manner, chosen or {}) if kind else list_actions(fight, who, manner)
        return msgspec.json.decode(msgspec.json.encode(found))

    return ask


@pytest.mark.parametrize("nth", range(MOMENTS))
@pytest.mark.parametrize("system", PRESENT)
def test_the_tree_walked_to_its_leaves_is_the_list(system: str, nth: int) -> None:
    """In its order, each leaf with its words, without what its actor has nothing for; and no other leaf."""
    fight = fight_at(system, nth)
    listed = everything_at(system, nth)
    ways = (one.intent for one in list_legal_actions(fight.ruleset, fight.table) if isinstance(one, LegalAction))
    assert [one.intent for one in listed] == [*ways]
    forms = fight.ruleset.actions
    offered = [one for one in listed if forms[one.intent.kind].is_for(fight.table, one.intent.actor)]
    assert leaves_at(system, nth) == msgspec.json.decode(msgspec.json.encode(offered))


@pytest.mark.parametrize("nth", range(MOMENTS))
@pytest.mark.parametrize("system", PRESENT)
def test_whatever_is_shown_as_refused_is_refused_so(system: str, nth: int) -> None:
    """By the very clause, and with the very words, with which the engine refuses the declaration."""
    fight = fight_at(system, nth)
    head = fight.head
    for mover in build_offer_trees(fight.ruleset, fight.table):
        who, manner = mover.actor, mover.manner
        for kind in list_actions(fight, who, manner).kinds:
            if kind.refused is not None:
                if not kind.fields:
                    assert (
                        kind.refused.code == "no_choice"
                        or refuse_declaration(fight, who, manner, kind.kind) == kind.refused
                    )
                continue
            for field in expand_action(fight, who, kind.kind, manner, {}).fields:
                for choice in field.choices:
                    if choice.refused is not None and len(kind.fields) == 1:
                        said = {field.field: choice.value}
                        assert refuse_declaration(fight, who, manner, kind.kind, **said) == choice.refused
    assert fight.head == head


def refuse_declaration(fight: Fight, who: str, manner: str, kind: str, **params: Any) -> Refusal:
    """Return how the engine refuses a declaration."""
    intent = Declared(actor=who, kind=kind, params=Raw(msgspec.json.encode(params)), manner=manner)
    with pytest.raises((Refused, Unusable)) as met:
        submit_accepted(fight, intent)
    no = met.value
    if isinstance(no, Unusable):
        return Refusal(code="unusable", message=no.message, field=no.field)
    assert isinstance(no, Refused)
    return Refusal(code=no.code, message=no.message, rule=no.rule, source=no.source)


@pytest.mark.parametrize("system", PRESENT)
def test_what_nobody_chooses_is_taken_to_be_as_usual(system: str) -> None:
    """If every field has a default, the answer is complete at once, and legal."""
    wholes = 0
    for nth in range(MOMENTS):
        fight = fight_at(system, nth)
        accepted = [one.intent for one in everything_at(system, nth)]
        for mover in list_actors(fight).actors:
            for kind in list_actions(fight, mover.who, mover.manner).kinds:
                found = expand_action(fight, mover.who, kind.kind, mover.manner, {}, fill=True)
                if found.whole is None:
                    assert found.refused is not None or found.fields[-1].chosen is msgspec.UNSET
                    continue
                wholes += 1
                assert found.whole.intent in accepted
                for field in found.fields:
                    assert field.chosen in [one.value for one in field.choices if one.refused is None]
    assert wholes


def test_a_question_dice_and_an_ended_record_are_why_nothing_may_be_declared() -> None:
    """The answer tells the awaited input; there are no actors."""
    asked = open_fight("closed-toll-road", FileStore(REPLAYS / "verdigris"))
    then = asked.copy_at(373)
    assert (list_actors(then).actors, [type(one) for one in list_actors(then).waits]) == ([], [MayAnswer])
    refusals = {one.refused.message for one in list_actions(then, "ilka", "standard").kinds if one.refused}
    assert refusals == {"Ilka must first answer: push"}
    assert (list_actors(asked).actors, list_actors(asked).waits) == ([], [])
    closed = f"the record ended at position {asked.head}; a fork of it can go on"
    assert {one.refused.message for one in list_actions(asked, "ilka", "standard").kinds if one.refused} == {closed}
    whole = expand_action(asked, "ilka", "attack", "standard", {})
    assert whole.refused is not None
    assert whole.refused.message == closed


@pytest.mark.parametrize(
    ("chosen", "field"),
    [({"wings": 2}, "wings"), ({"target": 2}, "chosen.target"), ({"ep": "x"}, "chosen.ep")],
)
def test_what_cannot_be_understood_is_named(chosen: dict[str, Any], field: str) -> None:
    fight = fight_at("vestige", 0)
    with pytest.raises(Unusable) as met:
        expand_action(fight, list_actors(fight).actors[0].who, "attack", "standard", chosen)
    assert met.value.field in (field, f"chosen.{field}")


def test_nobody_and_no_manner_are_named() -> None:
    fight = fight_at("vestige", 0)
    with pytest.raises(Unusable, match="there is no zz in this fight"):
        list_actions(fight, "zz", "standard")
    with pytest.raises(Unusable, match="an action cannot be declared as provoked"):
        list_actions(fight, "gm", "provoked")


@pytest.mark.parametrize("system", PRESENT)
def test_every_completion_leads_to_what_may_be_declared(system: str) -> None:
    """Word by word, always taking an offered one, up to a whole declaration."""
    fight, chance = fight_at(system, 2), Random(2)
    for _ in range(20):
        line, accepted = "", False
        while not accepted:
            line += f"{chance.choice(completions(fight, line, short_next) or ['anything'])} "
            assert line.count(" ") < 9, line
            with suppress(Refused, Unusable):
                submit_accepted(fight, intent_parser.declaration(fight, expand_declaration(fight, words_of(line))))
                accepted = True
        submit_accepted(fight, Undo())


def test_lines_say_what_may_follow_and_why_the_rest_may_not() -> None:
    fight = fight_at("vestige", 1)
    for mover in islice(list_actors(fight).actors, 2):
        lines = list(tell_next(fight, [mover.who]))
        assert lines[0].startswith(f"{mover.who}  ")
        assert any(line.startswith("  not ") for line in lines)
    assert next(tell_next(fight, ()))
