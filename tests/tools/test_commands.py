"""Each command by the installed program: its effect, its exit code, its text and JSON output."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from affray.engine.core.state import digest
from affray.events import Rewound
from tests.rulesets.systems import PRESENT
from tests.tools.program import AFFRAY, ENCOUNTER, affray, rebuild_from_log


def types(reply: dict[str, Any]) -> list[str]:
    """The types of the events of a reply."""
    return [one["event"]["type"] for one in reply["events"]]


def test_a_fight_is_kept_beside_you_under_the_name_of_its_encounter(tmp_path: Path) -> None:
    (tmp_path / "duel.toml").write_text(ENCOUNTER, "utf-8")
    ran = affray(tmp_path, "new", "duel.toml")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("opened duel.jsonl\n")
    assert rebuild_from_log(tmp_path / "duel.jsonl").state.fight == "A duel"
    assert (tmp_path / "duel.key").stat().st_mode & 0o777 == 0o600


def test_new_takes_a_place_a_name_and_real_dice(tmp_path: Path) -> None:
    (tmp_path / "duel.toml").write_text(ENCOUNTER, "utf-8")
    ran = affray(tmp_path, "new", "duel.toml", "-o", "x.jsonl", "--name", "Rain", "--dice", "entered", "--json")
    assert ran.code == 0
    assert (ran.json["fight"], ran.json["phase"]) == ("x.jsonl", "setup")
    assert ran.json["waiting"] == {"for": "action", "of": ["gm"]}
    assert rebuild_from_log(tmp_path / "x.jsonl").state.fight == "Rain"
    assert not (tmp_path / "x.key").exists()


def test_new_overwrites_nothing(log: Path) -> None:
    before = log.read_bytes()
    ran = affray(log.parent, "new", "duel.toml")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "affray: duel.jsonl exists already; choose another with -o FIGHT\n"
    assert log.read_bytes() == before


def test_a_blow_is_declared_rolled_and_told(log: Path) -> None:
    declared = affray(log.parent, "do", "duel.jsonl", "ilse", "attack", "bram")
    assert (declared.code, declared.err) == (0, "")
    assert "Ilse" in declared.out
    rolled = affray(log.parent, "roll", "duel.jsonl", "12")
    assert (rolled.code, rolled.err) == (0, "")
    assert "Bram" in rolled.out
    assert rebuild_from_log(log).state.combatants["bram"].pools["health"] < 8


def test_a_machine_learns_what_happened_and_what_is_awaited(log: Path) -> None:
    reply = affray(log.parent, "do", "duel.jsonl", "ilse", "attack", "bram", "--json", "--who", "Ada").json
    fight = rebuild_from_log(log)
    assert (reply["fight"], reply["head"], reply["hash"]) == ("duel.jsonl", fight.head, fight.history.head_hash)
    assert reply["phase"] == fight.state.phase
    assert types(reply)[0] == "Declared"
    assert {one["who"] for one in reply["events"]} == {"Ada"}
    assert (reply["waiting"]["for"], reply["waiting"]["of"]) == ("dice", ["ilse"])


def test_a_question_is_answered(log: Path) -> None:
    affray(log.parent, "rule", "duel.jsonl", "harm", "bram", "99", "--reason", "a fall", "--json")
    affray(log.parent, "roll", "duel.jsonl", "15", "--json")
    asking = rebuild_from_log(log).state
    assert asking.combatants["bram"].pools["health"] == 0
    assert asking.question is not None
    options = [option.choice for option in asking.question.options]
    reply = affray(log.parent, "answer", "duel.jsonl", options[0], "--by", "bram", "--json")
    assert reply.code == 0
    assert types(reply.json)[0] == "Answered"
    assert rebuild_from_log(log).state.question is None


def test_a_window_is_let_go_by_and_a_standing_pass_does_so_by_itself(log: Path) -> None:
    between = affray(log.parent, "do", "duel.jsonl", "ilse", "ready", "--json").json
    assert (between["waiting"]["for"], between["waiting"]["of"]) == ("pass", ["ilse"])
    passed = affray(log.parent, "answer", "duel.jsonl", "pass", "--json").json
    assert types(passed)[:2] == ["Passed", "OfferDeclined"]
    assert passed["waiting"] == {"for": "action", "of": ["bram"]}
    stood = affray(log.parent, "stand", "duel.jsonl", "ilse", "never", "--json").json
    assert types(stood) == ["AskingSet"]
    attacked = affray(log.parent, "do", "duel.jsonl", "bram", "attack", "ilse", "--json").json
    assert "OfferDeclined" in types(attacked)
    assert attacked["waiting"]["for"] == "dice"


def test_a_ruling_is_recorded_with_its_reason(log: Path) -> None:
    ran = affray(log.parent, "rule", "duel.jsonl", "pool", "bram", "ep", "by=-2", "--reason", "cold rain")
    assert (ran.code, ran.err) == (0, "")
    assert "cold rain" in ran.out
    assert rebuild_from_log(log).state.combatants["bram"].pools["ep"] == 3


def test_what_was_taken_back_stays_in_the_record_and_can_be_brought_back(log: Path) -> None:
    acted = affray(log.parent, "do", "duel.jsonl", "ilse", "ready", "--json").json
    undone = affray(log.parent, "undo", "duel.jsonl", "--reason", "wrong call")
    assert (undone.code, undone.err) == (0, "")
    last = rebuild_from_log(log).history.recorded[-1].event
    assert isinstance(last, Rewound)
    assert last.reason == "wrong call"
    redone = affray(log.parent, "redo", "duel.jsonl", "--json").json
    assert types(redone) == ["Restored"]
    assert rebuild_from_log(log).state.phase == acted["phase"]


def test_undo_goes_back_to_a_position_or_several_commands_with_fresh_dice_if_asked(log: Path) -> None:
    start = rebuild_from_log(log).head
    for _ in range(2):
        affray(log.parent, "rule", "duel.jsonl", "note", "rain", "--reason", "mood", "--json")
    assert (
        affray(log.parent, "undo", "duel.jsonl", "--commands", "2", "--json").json["events"][0]["event"]["to"] == start
    )
    affray(log.parent, "redo", "duel.jsonl", "--json")
    fresh = affray(log.parent, "undo", "duel.jsonl", "--to", str(start), "--fresh-dice", "--json").json
    assert types(fresh) == ["Rewound", "DiceRenewed"]
    both = affray(log.parent, "undo", "duel.jsonl", "--to", str(start), "--commands", "1")
    assert (both.code, both.err) == (2, "affray: say either --commands or --to\n")


def test_do_carries_out_a_command_sent_twice_once(log: Path) -> None:
    affray(log.parent, "do", "duel.jsonl", "ilse", "attack", "bram", "--json")
    first = affray(log.parent, "roll", "duel.jsonl", "12", "--id", "r1", "--json").json
    before = log.read_bytes()
    second = affray(log.parent, "roll", "duel.jsonl", "12", "--id", "r1", "--json")
    assert second.code == 0
    assert (second.json["repeated"], second.json["events"]) == (True, first["events"])
    other = affray(log.parent, "roll", "duel.jsonl", "13", "--id", "r1")
    assert other.code == 1
    assert other.err.startswith("refused: the command id r1 already stands for another command")
    assert log.read_bytes() == before


def test_a_refusal_names_the_clause_and_what_it_says(log: Path) -> None:
    before = log.read_bytes()
    ran = affray(log.parent, "do", "duel.jsonl", "bram", "attack", "ilse")
    assert (ran.code, ran.out) == (1, "")
    first, second, line = ran.err.splitlines()
    assert first == "refused: it is not the turn of Bram (not_your_turn, VES-008)"
    assert second.startswith("VES-008 Everybody gets a turn. ")
    assert line == "say: affray do duel.jsonl ilse attack bram"
    assert log.read_bytes() == before


def test_a_machine_learns_why_it_was_refused(log: Path) -> None:
    ran = affray(log.parent, "do", "duel.jsonl", "bram", "attack", "ilse", "--json")
    assert (ran.code, ran.err) == (1, "")
    fault = ran.json["error"]
    assert (fault["kind"], fault["code"], fault["rule"]) == ("refused", "not_your_turn", "VES-008")
    assert fault.keys() == {"kind", "code", "rule", "message", "field", "line", "file", "source", "example"}


@pytest.mark.parametrize("kept", ["fights.db#duel", "sqlite:fights#duel"])
def test_a_database_keeps_many_fights(tmp_path: Path, kept: str) -> None:
    (tmp_path / "duel.toml").write_text(ENCOUNTER, "utf-8")
    assert affray(tmp_path, "new", "duel.toml", "-o", kept, "--json").json["fight"] == kept
    other = kept.replace("#duel", "#other")
    assert affray(tmp_path, "new", "duel.toml", "-o", other, "--json").code == 0
    begun = affray(tmp_path, "do", kept, "begin", "--json").json
    assert begun["phase"] == "turn"
    assert affray(tmp_path, "do", other, "begin", "--json", "--expect", str(begun["head"])).code == 1
    again = affray(tmp_path, "new", "duel.toml", "-o", kept)
    assert (again.code, again.err) == (2, f"affray: {kept} exists already; choose another with -o FIGHT\n")
    nobody = affray(tmp_path, "do", kept.replace("#duel", "#nobody"), "begin")
    assert (nobody.code, nobody.err.endswith("there are duel, other\n")) == (2, True)


def test_show_gives_the_present_or_an_earlier_moment(log: Path) -> None:
    now = affray(log.parent, "show", "duel.jsonl")
    assert (now.code, now.err) == (0, "")
    assert "Ilse" in now.out
    told = affray(log.parent, "show", "duel.jsonl", "--json").json
    assert told["digest"] == digest(rebuild_from_log(log).state)
    assert told["waiting"] == {"for": "action", "of": ["ilse"]}
    earlier = affray(log.parent, "show", "duel.jsonl", "--at", "4", "--json").json
    assert "slots" not in earlier["state"]
    never = affray(log.parent, "show", "duel.jsonl", "--at", "999")
    assert (never.code, never.err) == (2, f"at: must be from 1 to {told['at']}\n")


def test_every_line_that_legal_lists_is_accepted(log: Path) -> None:
    assert "ilse attack" in affray(log.parent, "legal", "duel.jsonl", "--all").out
    told = affray(log.parent, "legal", "duel.jsonl", "--all", "--json").json
    line = next(one["line"] for one in told["legal"] if one["kind"] == "declaration")
    assert affray(log.parent, "do", "duel.jsonl", *line.split(), "--json").code == 0


def test_log_tells_the_fight(log: Path) -> None:
    told = affray(log.parent, "log", "duel.jsonl")
    assert (told.code, told.err) == (0, "")
    assert "Initiative – Ilse: 15" in told.out
    sentences = affray(log.parent, "log", "duel.jsonl", "--json").json["told"]
    assert sentences[0]["position"] == 1


def test_replay_ends_with_the_state_and_its_digest(log: Path) -> None:
    expected = digest(rebuild_from_log(log).state)
    ran = affray(log.parent, "replay", "duel.jsonl")
    assert (ran.code, ran.err) == (0, "")
    assert expected in ran.out
    assert affray(log.parent, "replay", "duel.jsonl", "--json").json["digest"] == expected
    assert affray(log.parent, "replay", "duel.jsonl", "--to", "3", "--json").json["events"] == 3


def test_play_takes_lines_and_answers_them(log: Path) -> None:
    ran = affray(log.parent, "play", "duel.jsonl", said="attack bram\n12\nquit\n")
    assert (ran.code, ran.err) == (0, "")
    assert rebuild_from_log(log).state.combatants["bram"].pools["health"] < 8
    spoken = affray(log.parent, "play", "duel.jsonl", "--json", said="dance\n")
    assert spoken.code == 0
    assert '"error"' in spoken.out


def test_the_catalogue_is_printed_whole_or_by_the_clause(tmp_path: Path) -> None:
    whole = affray(tmp_path, "rules", "vestige")
    assert whole.code == 0
    assert [f"VES-{number:03}" for number in range(1, 62) if f"VES-{number:03}  " not in whole.out] == []
    assert "The game master may decide: " in whole.out
    one = affray(tmp_path, "rules", "vestige", "ves-014")
    assert one.out.count("VES-") == 1
    assert affray(tmp_path, "rules", "vestige", "VES-014", "--json").json["clauses"].keys() == {"VES-014"}
    for written in ("ves-33", "VES33", "ves-033"):
        assert affray(tmp_path, "rules", "vestige", written, "--json").json["clauses"].keys() == {"VES-033"}
    unknown = affray(tmp_path, "rules", "vestige", "VES-140")
    assert (unknown.code, unknown.out) == (2, "")
    assert "they are VES-001 to VES-T55" in unknown.err


def test_a_clause_comes_with_its_settings_and_names_the_book(tmp_path: Path) -> None:
    told = affray(tmp_path, "rules", "vestige", "ves-33").out
    assert "Setting provoked_free (true or false, usually true): " in told
    assert "affray rules vestige --book vestige.html" in told
    read = affray(tmp_path, "rules", "vestige", "ves-33", "--json").json
    assert {one["key"] for one in read["settings"]} == {"lock_needs_melee_weapon", "provoked_free"}
    assert read["book"] == "affray rules vestige --book vestige.html"


def test_a_book_is_written_and_replaces_nothing_unasked(tmp_path: Path) -> None:
    ran = affray(tmp_path, "rules", "vestige", "--book", "book.html")
    assert (ran.code, ran.out) == (0, "written to book.html\n")
    content = (tmp_path / "book.html").read_text("utf-8")
    assert 'id="VES-021"' in content
    assert content == affray(tmp_path, "rules", "vestige", "--book", "-").out
    again = affray(tmp_path, "rules", "vestige", "--book", "book.html")
    assert (again.code, "exists already" in again.err) == (2, True)
    assert affray(tmp_path, "rules", "vestige", "--book", "book.html", "--force").code == 0
    for more in (["VES-014"], ["--json"]):
        wrong = affray(tmp_path, "rules", "vestige", *more, "--book", "other.html")
        assert (wrong.code, "--book goes with SYSTEM alone" in wrong.err + wrong.out) == (2, True)
    assert not (tmp_path / "other.html").exists()


def references(part: Any) -> set[str]:
    """Every ``$ref`` in a schema."""
    if isinstance(part, dict):
        here = {part["$ref"]} if isinstance(part.get("$ref"), str) else set()
        return here.union(*(references(one) for one in part.values()))
    return set().union(*(references(one) for one in part)) if isinstance(part, list) else set()


def test_the_schema_covers_events_actions_and_rulings(tmp_path: Path) -> None:
    ran = affray(tmp_path, "schema", "vestige")
    assert ran.code == 0
    schema = json.loads(ran.out)
    assert {"Recorded", "Declared", "vestige.action.attack", "vestige.ruling.pool"} <= schema["$defs"].keys()
    assert schema["$defs"]["vestige.action.attack"]["required"] == ["target"]
    assert {reference.removeprefix("#/$defs/") for reference in references(schema)} <= schema["$defs"].keys()
    whole = affray(tmp_path, "schema", "--json").json
    assert schema["$defs"].items() <= whole["$defs"].items()
    assert {f"{system}.action.begin" for system in PRESENT} <= whole["$defs"].keys()
    assert {reference.removeprefix("#/$defs/") for reference in references(whole)} <= whole["$defs"].keys()


def test_scenarios_hold(tmp_path: Path) -> None:
    file = Path(__file__).parent.parent / "rulesets" / "vestige" / "scenarios" / "b02-accuracy.toml"
    assert affray(tmp_path, "scenario", str(file)).code == 0
    told = affray(tmp_path, "scenario", str(file), "--json").json
    assert {one["holds"] for one in told} == {True}


def test_the_diagram_shows_the_phases(tmp_path: Path) -> None:
    ran = affray(tmp_path, "diagram", "vestige")
    assert ran.code == 0
    assert "stateDiagram" in ran.out
    assert "setup --> initiative" in ran.out
    assert affray(tmp_path, "diagram", "vestige", "--json").json == {"system": "vestige", "mermaid": ran.out[:-1]}


def test_the_author_comes_from_the_surroundings(log: Path) -> None:
    reply = affray(log.parent, "undo", "duel.jsonl", "--json", AFFRAY_WHO="Bea").json
    assert reply["events"][0]["who"] == "Bea"


def test_the_program_is_installed() -> None:
    assert AFFRAY.exists(), "the program is not installed in this environment"
