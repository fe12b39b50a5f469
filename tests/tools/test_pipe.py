"""Fights over standard input and output, as the program that embeds them sees it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from affray.engine.errors import Unusable
from affray.events import read_line
from affray.tools.api.intents import FORMS, read_intent
from affray.tools.api.legal_actions import list_actors
from affray.tools.api.schemas.legal_actions import MayPass
from affray.tools.api.store_url import open_at, place_of
from affray.tools.pipe.requests import DOES
from tests.tools.pipes import ATTACK, NOTE, ask_duel, pipe_lines
from tests.tools.program import AFFRAY, affray, duel, rebuild_from_log, surroundings

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "pipe.md").read_text("utf-8")
(SESSION,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


# --- the document ---


def test_the_session_of_the_document_plays_a_fight(tmp_path: Path) -> None:
    (tmp_path / "session.py").write_text(SESSION, "utf-8")
    path = f"{AFFRAY.parent}{os.pathsep}{os.environ.get('PATH', '')}"
    done = subprocess.run(
        [sys.executable, "-I", "session.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        env=surroundings(PATH=path),
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"the (red|blue) win in round \d+\n", done.stdout)
    audited = affray(tmp_path, "audit", "duel.jsonl")
    assert (audited.code, audited.err) == (0, "")
    assert "rules clean" in audited.out


# --- requests ---


def test_every_request_has_its_answer_in_order(tmp_path: Path) -> None:
    duel(tmp_path)
    said = ask_duel(
        tmp_path, *({"id": nth, "do": do} for nth, do in enumerate(("list", "state", "legal", "log", "audit")))
    )
    assert [(one["id"], one["ok"]) for one in said] == [(nth, True) for nth in range(5)]
    listed, state, legal, log, audited = said
    assert listed["open"] == ["duel"]
    assert state["position"] == legal["head"] == log["head"] == len(log["lines"])
    assert state["hash"] == log["lines"][-1]["hash"]
    assert audited["clean"]


def test_what_a_pipe_says_of_a_fight_is_what_the_program_says(tmp_path: Path) -> None:
    duel(tmp_path)
    state, then, legal, explained = ask_duel(
        tmp_path,
        {"id": 1, "do": "state"},
        {"id": 2, "do": "state", "at": 10},
        {"id": 3, "do": "legal"},
        {"id": 4, "do": "explain", "position": 14},
    )
    shown = affray(tmp_path, "show", "duel.jsonl", "--json").json
    assert (state["state"], state["digest"], state["waiting"]) == (shown["state"], shown["digest"], shown["waiting"])
    assert then["digest"] == affray(tmp_path, "show", "duel.jsonl", "--at", "10", "--json").json["digest"]
    shown = affray(tmp_path, "legal", "duel.jsonl", "--json").json
    assert (legal["actors"], legal["waits"]) == (shown["actors"], shown["waits"])
    ours = affray(tmp_path, "explain", "duel.jsonl", "14", "--json").json
    assert {**explained["explained"], "fight": ""} == {**ours, "fight": ""}


def test_what_may_be_done_is_asked_step_by_step_and_sent_as_it_is(tmp_path: Path) -> None:
    """Actor, action, and default fields; each step equals the program's own answer."""
    duel(tmp_path)
    ilse = {"id": 1, "do": "legal", "who": "ilse"}
    who, what, how, whole = ask_duel(
        tmp_path,
        {"id": 0, "do": "legal"},
        ilse,
        {**ilse, "kind": "attack"},
        {**ilse, "kind": "attack", "chosen": {"target": "bram"}, "fill": True},
    )
    assert who["actors"] == [{"who": "ilse", "manner": "standard"}]
    for words, said in ((("ilse",), what), (("ilse", "attack"), how)):
        shown = affray(tmp_path, "legal", "duel.jsonl", *words, "--json").json
        assert {**said, "id": 0, "ok": True} == {**shown, "id": 0, "ok": True, "fight": "duel"}
    assert [one["field"] for one in how["fields"]] == ["ep"]
    (done,) = ask_duel(tmp_path, {"id": "c", "do": "command", "intent": whole["whole"]["intent"]})
    assert done["lines"][0]["event"] == whole["whole"]["intent"]


PUSH = (
    "Robber C means to attack Ilka with hand axe (rider): does Ilka push? "
    "Ilka rolls to dodge: sixes of 5 (3 dodge −1 impeding −1 cumbersome) (entered) = 0"
)


@pytest.mark.parametrize(
    ("replay", "position", "says"),
    [
        ("hexblade/closed-common-room", 117, {"What becomes of Drover C?"}),
        ("verdigris/closed-toll-road", 374, {PUSH}),
        ("vestige/closed-bridge", 190, {"let it pass"}),
        ("vestige/closed-bridge", 39, {"Ilse's dice are awaited: 1d20 for initiative"}),
    ],
)
def test_whatever_else_is_offered_says_what_it_is(replay: str, position: int, says: set[str]) -> None:
    fight = open_at(place_of(str(ROOT / "replays" / f"{replay}.jsonl")))
    waits = list_actors(fight.copy_at(position - 1)).waits
    assert {one.says for one in waits} == says
    assert all(one.line == f"pass {one.intent.who}" for one in waits if isinstance(one, MayPass))


def test_a_fight_is_begun_left_and_opened_again(tmp_path: Path) -> None:
    encounter = {"system": "vestige", "combatant": [], "name": "x"}
    (tmp_path / "duel.toml").write_text("", "utf-8")
    log = duel(tmp_path)
    text = (tmp_path / "duel.toml").read_text("utf-8")
    new, left, refused, again, wrong = pipe_lines(
        tmp_path,
        {"id": 1, "do": "new", "fight": "second", "encounter": text},
        {"id": 2, "do": "leave"},
        {"id": 3, "do": "state"},
        {"id": 4, "do": "open", "fight": "second"},
        {"id": 5, "do": "new", "fight": "third", "encounter": {**encounter, "colour": "blue"}},
    )
    assert (new["name"], left["fight"], again["head"]) == ("A duel", "second", new["head"])
    assert refused["problem"]["field"] == "fight"
    assert wrong["problem"]["code"] == "encounter"
    assert sorted(path.name for path in tmp_path.glob("*.jsonl")) == [log.name, "second.jsonl"]


def test_a_name_that_is_no_plain_name_is_refused(tmp_path: Path) -> None:
    names = ["", "a/b", "../a", ".a", "a\nb", "a" * 201]
    said = pipe_lines(tmp_path, *({"id": 1, "do": "open", "fight": name} for name in names))
    assert [(one["problem"]["status"], one["problem"]["field"]) for one in said] == [(400, "fight")] * len(names)


def test_a_fight_is_forked_amended_undone_and_closed(tmp_path: Path) -> None:
    log = duel(tmp_path)
    wrong = {"type": "Amend", "position": rebuild_from_log(log).head + 1, "reason": "she readied"}
    instead = [{"type": "Declared", "actor": "ilse", "kind": "ready", "params": {}}]
    fork, ready, undone, redone, noted, preview, amended, closed, over = ask_duel(
        tmp_path,
        {"id": "f", "do": "fork", "name": "what-if", "reason": "why not"},
        {"id": "1", "do": "command", "fight": "duel", "intent": {"type": "Said", "words": "ilse end_turn"}},
        {"id": "2", "do": "command", "fight": "duel", "intent": {"type": "Undo"}},
        {"id": "3", "do": "command", "fight": "duel", "intent": {"type": "Redo"}},
        {"id": "4", "do": "command", "fight": "duel", "intent": NOTE},
        {"id": "5", "do": "preview", "fight": "duel", "intent": {**wrong, "instead": instead}},
        {"id": "6", "do": "command", "fight": "duel", "intent": {**wrong, "instead": instead}},
        {"id": "7", "do": "close", "fight": "duel", "unfinished": True, "reason": "enough"},
        {"id": "8", "do": "command", "fight": "duel", "intent": NOTE},
    )
    assert (fork["parent"], fork["fight"], fork["dice"]) == ("duel", "what-if", "entered")
    assert [one["lines"][0]["event"]["type"] for one in (ready, undone, redone, noted, amended, closed)] == [
        "Declared",
        "Rewound",
        "Restored",
        "Ruled",
        "Amended",
        "Closed",
    ]
    assert preview["preview"]
    assert over["problem"]["code"] == "closed"
    assert affray(tmp_path, "audit", "duel.jsonl").code == 0
    assert affray(tmp_path, "audit", "what-if.jsonl", "--parent", "duel.jsonl").code == 0


def test_the_schema_names_every_request_and_intent(tmp_path: Path) -> None:
    (said,) = pipe_lines(tmp_path, {"id": 1, "do": "schema"})
    assert set(said["requests"]["discriminator"]["mapping"]) == set(DOES)
    assert set(said["intents"]["discriminator"]["mapping"]) == set(FORMS)
    assert said["lines"]["$ref"] == "#/$defs/Recorded"


# --- commands, once each ---


def test_a_command_sent_twice_is_carried_out_once(tmp_path: Path) -> None:
    duel(tmp_path)
    command = {"id": "once", "do": "command", "intent": ATTACK, "who": "Anna"}
    first, second, other = ask_duel(tmp_path, command, command, {**command, "intent": NOTE})
    (third,) = ask_duel(tmp_path, command)
    assert [one["repeated"] for one in (first, second, third)] == [False, True, True]
    assert first["lines"] == second["lines"] == third["lines"]
    assert first["head"] == third["head"]
    assert {line["who"] for line in first["lines"]} == {"Anna"}
    assert (other["problem"]["status"], other["problem"]["code"]) == (409, "reused")


def test_who_expects_another_head_learns_the_present_one(tmp_path: Path) -> None:
    log = duel(tmp_path)
    head = rebuild_from_log(log).head
    done, late = ask_duel(
        tmp_path,
        {"id": "a", "do": "command", "intent": NOTE, "expected": head},
        {"id": "b", "do": "command", "intent": NOTE, "expected": head},
    )
    problem = late["problem"]
    assert (problem["status"], problem["code"]) == (409, "out_of_date")
    assert (problem["head"], problem["hash"]) == (done["head"], done["hash"])


def test_a_refusal_names_its_clause_and_changes_nothing(tmp_path: Path) -> None:
    log = duel(tmp_path)
    before = log.read_bytes()
    (said,) = ask_duel(tmp_path, {"id": "a", "do": "command", "intent": {"type": "Said", "words": "bram attack ilse"}})
    assert said["problem"]["status"] == 422
    assert said["problem"]["type"] == f"urn:affray:{said['problem']['code']}"
    assert said["problem"]["rule"].startswith("VES-")
    assert log.read_bytes() == before


# --- intents ---


def test_parameters_are_written_anew_into_one_line(tmp_path: Path) -> None:
    log = duel(tmp_path)
    params = rb'{ "target"	: "br\u0061m" }'
    spread = (
        b'{"id":"c","do":"command","intent":{"type":"Declared","actor":"ilse","kind":"attack","params":%b}}\n' % params
    )
    (said,) = pipe_lines(tmp_path, spread, words=("duel.jsonl",))
    assert said["ok"]
    line = next(line for line in log.read_bytes().splitlines() if b'"cause":"c"' in line)
    assert b'"params":{"target":"bram"}' in bytes(read_line(line).event)


@pytest.mark.parametrize(
    ("intent", "field"),
    [
        (7, "intent"),
        ({}, "intent.type"),
        ({"type": "Joined"}, "intent.type"),
        ({"type": ["Undo"]}, "intent.type"),
        ({"type": "Undo", "comands": 2}, "intent.comands"),
        ({"type": "Undo", "commands": "two"}, "intent.commands"),
        ({"type": "Said"}, "intent"),
        ({"type": "Declared", "actor": "ilse", "kind": "attack", "params": {}, "rules": ["VES-001"]}, "intent.rules"),
        ({"type": "Amend", "position": 3, "instead": [{"type": "Undo"}]}, "intent.instead[0].type"),
        ({"type": "Amend", "position": 3, "answers": [{"type": "Passed", "who": "x"}]}, "intent.answers[0]"),
        ({"type": "Amend", "position": 3, "answers": [{"type": "Passed", "rules": []}]}, "intent.answers[0].rules"),
        ({"type": "Declared", "actor": "ilse", "kind": "attack", "params": {"ep": float("inf")}, "x": 1}, "intent.x"),
    ],
)
def test_an_intent_that_is_none_is_refused_by_its_field(intent: object, field: str) -> None:
    with pytest.raises(Unusable) as refused:
        read_intent(intent)
    assert refused.value.field == field
