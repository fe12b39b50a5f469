"""Combatants named like a command, an action or a ruling are understood in the offered lines."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice, product
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from affray.engine import FileStore, begin_fight
from affray.engine.analysis.policies import Playable, choose_sensibly, decide_for_all
from affray.engine.core.ids import RESERVED, id_of
from affray.engine.core.loading import load
from affray.engine.fight import Fight
from affray.events import EVERYBODY, Declared
from affray.tools.api.auto_play import next_of
from affray.tools.api.legal_actions import everything
from affray.tools.api.schemas.legal_actions import MayDeclare, MayPass
from affray.tools.cli.commands.play import VERBS
from affray.tools.cli.play.completion_grammar import typed_next
from affray.tools.parse import intent_parser
from affray.tools.parse.typed_answers import split_reason
from affray.tools.parse.typed_names import as_word
from affray.tools.present.typed_choices import type_declaration
from tests.engine.fights import SEED, noon, submit_accepted
from tests.engine.memory import MemoryStore
from tests.rulesets.systems import PRESENT
from tests.serve.test_hostile_names import files, rename_combatants
from tests.tools.program import affray

ALSO = {"All", "Because", "Begin", "Give", "To", "7", "王様"}
NAMES = tuple(sorted({word.capitalize() for word in intent_parser.OTHERWISE if id_of(word)} | ALSO))
COMMANDS, OFFERED = 6, 80
"""How far a fight is played, and how much of what is offered is said."""


def few(told: dict[str, Any], *names: str) -> dict[str, Any]:
    """Return an encounter of two friends and a foe under other names."""
    side = told["combatant"][0]["side"]
    friends, foes = ([one for one in told["combatant"] if (one["side"] == side) is ours] for ours in (True, False))
    people = [{**one, "name": name} for one, name in zip((*friends[:2], foes[0]), names, strict=True)]
    people[0].pop("rides", None)
    people[2] |= {"count": 1, "at": foes[0]["at"][0]}
    return {**{name: one for name, one in told.items() if name not in ("melee", "view")}, "combatant": people}


def name_like_commands(told: dict[str, Any], first: int) -> dict[str, Any]:
    """Return an encounter of combatants named like input words."""
    old = [one["name"] for one in told["combatant"]]
    return rename_combatants(told, dict(zip(old, NAMES[first:] + NAMES[:first], strict=False)))


def test_every_word_that_a_conversation_understands_is_known() -> None:
    assert VERBS.keys() <= intent_parser.OTHERWISE
    assert not RESERVED & {id_of(name) for name in NAMES}


@pytest.mark.parametrize("system", PRESENT)
@pytest.mark.parametrize("first", range(0, len(NAMES), 4))
def test_what_is_offered_in_words_is_understood_as_it_was_meant(system: str, first: int) -> None:
    told = name_like_commands(files(system)[f"{system}/template"], first)
    check_offers(begin_fight("drawn", told, who="gm", seed=SEED, clock=noon, store=MemoryStore()), Random(first))


@pytest.mark.parametrize("system", PRESENT)
def test_a_name_that_another_begins_is_understood_in_what_is_offered(system: str) -> None:
    """Also if actor and action together are another name, and the target is named like an action."""
    told, actions = files(system)[f"{system}/template"], load(system).actions
    apart = 0
    for kind, foe in product(sorted({"attack", "shoot", "fire"} & {*actions}), ("attack", "move", "maneuver")):
        for friends in (("Bob", f"Bob {kind}"), (f"Bob {kind}", "Bob")):
            fight = begin_fight("drawn", few(told, *friends, foe), who="gm", seed=SEED, store=MemoryStore())
            apart += sum(line.startswith("do bob ") for line in check_offers(fight, Random(1), 2 * COMMANDS))
    assert apart


def check_offers(fight: Fight, chance: Random, commands: int = COMMANDS) -> list[str]:
    """Play a fight for a while, read everything that is offered in words, and return the lines."""
    lines = []
    for _ in range(commands):
        for one in islice(everything(fight), OFFERED):
            if isinstance(one, MayDeclare):
                meant = intent_parser.intent(fight, one.line)
                lines.append(one.line)
                assert isinstance(meant, Declared)
                assert (meant.actor, meant.kind, meant.manner) == (one.intent.actor, one.intent.kind, one.intent.manner)
                assert type_declaration(fight, meant).line == one.line
            elif isinstance(one, MayPass):
                assert intent_parser.intent(fight, one.line) == one.intent
        intent = choose_sensibly(fight, chance)
        if intent is None:
            break
        submit_accepted(fight, intent)
    return lines


def rule_and_begin(folder: Path) -> Fight:
    """Leave a fight with two who are called like commands."""
    told = files("vestige")["vestige/template"]
    told = rename_combatants(told, {"Runa": "Rule", "Jory": "Begin"})
    return begin_fight("named", told, who="gm", seed=SEED, store=FileStore(folder))


@pytest.mark.parametrize("name", ["rule", "begin"])
def test_do_sets_them_apart_at_the_table_and_for_one_command(tmp_path: Path, name: str) -> None:
    """``do rule end_turn`` is what Rule does; ``rule note …`` stays a ruling, and ``begin`` begins the fight."""
    rule_and_begin(tmp_path)
    said = ("begin", "rule note 'the bell rings' because it is late", f"do {name} delay", f"do {name} end_turn")
    ran = affray(tmp_path, "play", "named.jsonl", "--json", said="".join(f"{line}\n" for line in said))
    assert ran.code == 0
    assert f"there is no {name}" not in ran.out + ran.err
    assert "there is no ruling" not in ran.out + ran.err
    one = affray(tmp_path, "legal", "named.jsonl", "do", name)
    assert one.code == 0, one.err
    assert msgspec.json.decode(affray(tmp_path, "legal", "named.jsonl", "do", name, "--json").out)["who"] == name


ALL_AND_BOB = """\
system = "vestige"
name = "called"
combatant = [
  { name = "All", side = "all", block = "hero", weapons = ["sword"] },
  { name = "Bob", side = "red", block = "hero", weapons = ["sword"] },
  { name = "Ann", side = "blue", block = "hero", weapons = ["sword"] },
]
"""


@pytest.fixture
def asked() -> Fight:
    """A fight with a window for both All and Bob."""
    told = msgspec.toml.decode(ALL_AND_BOB)
    fight = begin_fight("named", told, who="gm", seed=SEED, clock=noon, store=MemoryStore())
    submit_accepted(fight, intent_parser.intent(fight, "begin"))
    for _ in range(12):
        window = fight.state.window
        if window is not None and {*window.to} == {"all", "bob"}:
            return fight
        act = "end_turn" if fight.state.up == "ann" else "ready"
        words = "pass *" if window is not None else f"{fight.state.up} {act}"
        submit_accepted(fight, intent_parser.intent(fight, words))
    raise AssertionError("no window asks both")


def test_who_is_called_all_passes_alone(asked: Fight) -> None:
    """So the line that is offered says; ``pass *`` passes for both."""
    passes = [one for one in everything(asked) if isinstance(one, MayPass)]
    assert [one.intent.who for one in passes] == ["all", "bob"]
    for one in passes:
        assert intent_parser.intent(asked, one.line) == one.intent
    assert intent_parser.intent(asked, "pass *").who == EVERYBODY  # type: ignore[attr-defined]
    assert [one.word for one in typed_next(asked, ["pass"])] == ["all", "bob", EVERYBODY]


@pytest.mark.parametrize(("side", "played"), [("all", ["all"]), (EVERYBODY, ["all", "bob"])])
def test_a_side_called_all_is_played_alone(asked: Fight, side: str, played: list[str]) -> None:
    """It is not taken for every side."""
    found: list[str] = []

    def note(fight: Playable, dice: Random, among: Callable[[str], bool] = decide_for_all) -> None:
        found.extend(who for who in fight.table.draft.combatants if among(who))

    next_of(asked, side, note, Random(1))
    assert found == played


def test_a_name_with_because_in_it_is_no_reason() -> None:
    """It is quoted so that the reason begins behind it."""
    name = "Just because I can"
    line = f"rule note {as_word(name)} because it is late"
    assert split_reason(line) == (["rule", "note", name], "it is late")
