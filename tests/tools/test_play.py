"""A session at the table, fed line by line through a pipe to the installed program."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from affray.engine import Command, FileStore, begin_fight
from affray.engine.fight import Fight
from affray.events import Declared, DiceRenewed, Event, FightEnded, Rewound, Ruled
from affray.tools.cli.play.help import help_lines
from affray.tools.parse import intent_parser
from tests.engine.fights import noon, salt
from tests.rulesets.systems import PRESENT
from tests.tools.program import AFFRAY, ENCOUNTER, Ran, affray, duel, rebuild_from_log, start_program, surroundings
from tests.tools.test_legal import fight_at

BRIDGE = Path(__file__).parents[2] / "encounters" / "vestige" / "bridge.toml"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A duel with real dice, on Ilse's first turn."""
    return duel(tmp_path)


def play(log: Path, *lines: str) -> Ran:
    """Hold a conversation and leave it at the end of input."""
    ran = affray(log.parent, "play", log.name, said="".join(f"{line}\n" for line in lines))
    assert (ran.code, ran.err) == (0, "")
    return ran


def list_declared(fight: Fight) -> list[tuple[str, str, dict[str, Any], str]]:
    """List the effective declarations: actor, action, parameters, manner."""
    return [
        (one.event.actor, one.event.kind, msgspec.json.decode(one.event.params), one.event.manner)
        for one in fight.history.effective()
        if isinstance(one.event, Declared)
    ]


def leave_bridge_with_key(folder: Path) -> Path:
    """Leave the fight at the bridge in a folder, with the engine's dice under a known seed."""
    content = msgspec.toml.decode(BRIDGE.read_bytes())
    begin_fight("bridge", content, who="gm", seed=bytes([3]) * 32, store=FileStore(folder), clock=noon)
    return folder / "bridge.jsonl"


def test_it_begins_with_the_picture_and_whom_it_waits_for(table: Path) -> None:
    ran = play(table)
    assert "“A duel”  Vestige · round 1 · turn" in ran.out
    assert "It is Ilse's turn\n  1 " in ran.out
    assert ran.out.endswith("> \n")
    assert "\x1b" not in ran.out


def test_whoever_is_up_needs_no_name_and_words_may_be_short(table: Path) -> None:
    """``a b`` is what Ilse does; ``17`` is the die that was thrown; ``r`` readies, ``e`` ends the turn."""
    ran = play(table, "a b ep=1", "17", "r", "pass", "e", "pass")
    fight = rebuild_from_log(table)
    assert list_declared(fight)[1:] == [
        ("ilse", "attack", {"target": "bram", "ep": 1}, "standard"),
        ("ilse", "ready", {}, "standard"),
        ("bram", "end_turn", {}, "standard"),
    ]
    assert "Ilse attacks Bram: 17 (entered) +2 accuracy +1 (1 ep) = 20 against 12, a hit by 8" in ran.out
    assert "Bram takes 4: 4 might. Health 8 → 4" in ran.out
    assert fight.state.round == 2


def test_the_only_one_who_may_answer_needs_no_name_either(table: Path) -> None:
    play(table, "r", "pass", "bram attack ilse", "a bram", "9")
    assert ("ilse", "attack", {"target": "bram"}, "readied") in list_declared(rebuild_from_log(table))


def test_moving_on_a_board_takes_a_cell_and_a_skill_its_own_name(tmp_path: Path) -> None:
    """Captain is up first under this seed."""
    log = leave_bridge_with_key(tmp_path)
    ran = play(log, "begin", "m 2,1", "lunge tom")
    assert list_declared(rebuild_from_log(log))[1:] == [
        ("captain", "move", {"to": "2,1"}, "standard"),
        ("captain", "skill", {"skill": "lunge", "target": "tomas"}, "standard"),
    ]
    assert "Captain moves to 2,1 [from 7,1, cost 5 m]" in ran.out
    assert "Captain uses Lunge on Tomas: 16 +2 accuracy = 18 against 13, a hit by 5 [energy 4 → 3]" in ran.out


def test_a_question_takes_its_options_by_number_name_or_letter(table: Path) -> None:
    play(table, "rule harm bram 8 because the floor gave way")
    for short, choice in (("n", "no"), ("1", "no"), ("2", "yes"), ("y", "yes")):
        ran = play(table, short, "undo")
        outcome = "leaves the fight" if choice == "yes" else "fights on"
        assert f"Bram {outcome}" in ran.out, short
    assert "1 no – fights on at the brink\n  2 yes – leaves the fight, beaten but alive\n" in play(table).out


def test_a_refusal_is_said_and_the_conversation_goes_on(table: Path) -> None:
    head = rebuild_from_log(table).head
    ran = play(table, "bram attack ilse", "why", "dance", "ilse attack bram ep=x", "attack", "'open")
    assert "refused: it is not the turn of Bram (not_your_turn, VES-008)" in ran.out
    assert "> why\nVES-008 " in ran.out
    assert "dance is nobody here and no action; type ? for what may be done now" in ran.out
    assert ran.out.count("> ") >= 6
    assert rebuild_from_log(table).head == head


def test_without_a_refusal_there_is_nothing_to_explain(table: Path) -> None:
    assert "Nothing has been refused." in play(table, "why").out


def test_undo_redo_and_fresh_dice_are_recorded_with_their_reasons(table: Path) -> None:
    play(table, "r", "undo 1 because she forgot to attack", "redo", "undo fresh")
    record = [one.event for one in rebuild_from_log(table).history.recorded]
    rewound = [(one.commands, one.fresh, one.reason) for one in record if isinstance(one, Rewound)]
    assert rewound == [(1, False, "she forgot to attack"), (1, True, "")]
    assert sum(isinstance(one, DiceRenewed) for one in record) == 1
    assert rebuild_from_log(table).state.acting == ("ilse",)


def test_a_ruling_is_asked_for_its_reason_if_none_is_given(table: Path) -> None:
    ran = play(table, "rule pool ilse health by=-2 because she fell", "rule pool ilse ep to=4", "she rested")
    rulings = [one.event for one in rebuild_from_log(table).history.recorded if isinstance(one.event, Ruled)]
    assert [(one.kind, one.reason) for one in rulings] == [("pool", "she fell"), ("pool", "she rested")]
    assert "> rule pool ilse ep to=4\nWhy? she rested\n" in ran.out
    assert rebuild_from_log(table).state.combatants["ilse"].pools["health"] == 8


def test_a_ruling_that_cannot_be_understood_asks_for_no_reason(table: Path) -> None:
    assert "Why?" not in play(table, "rule nonsense").out


def test_the_rulings_that_make_sense_now_are_listed_by_group(table: Path) -> None:
    """One line each, which works; by two roads in a conversation, and on the command line."""
    said = play(table, "? rule").out
    assert said.replace("> ? rule", "> rule") == play(table, "rule").out
    assert re.search(
        r"\ncombatants\n(  rule .*\n)*  rule pool ilse health to=1 +set a counter, or change it by so", said
    )
    assert "rule reveal" not in said
    assert re.search(r"\nnot now: .*\breveal\b", said)
    listed = affray(table.parent, "rule", "duel.jsonl")
    assert (listed.code, listed.err) == (0, "")
    assert listed.out in said
    assert affray(table.parent, "rule", "duel.jsonl", "--json").json["rulings"] == listed.out.splitlines()


def test_what_may_be_done_is_listed_and_suggestions_have_numbers(table: Path) -> None:
    ran = play(table, "?", "1")
    assert "  ilse  attack, delay, end_turn, move, ready, shift, swap\n    not " in ran.out
    first = list_declared(rebuild_from_log(table))[-1]
    assert f"1 {first[0]} {first[1]}" in ran.out
    assert "nothing is numbered 99 now" in play(table, "undo", "99").out


def test_what_is_only_begun_is_answered_with_how_it_may_go_on(table: Path) -> None:
    """An actor, an action, or one without a parameter; impossible words are refused as usual."""
    head = rebuild_from_log(table).head
    ran = play(table, "ilse", "m", "? attack", "attack ilse", "bram attack")
    assert "> ilse\n  ilse  attack, delay, end_turn" in ran.out
    assert "> m\n  ilse move …  metres: metres=1, metres=2, metres=3, metres=4, metres=5\n" in ran.out
    assert "> ? attack\n  ilse attack …  ep, which may be left out: ep=0" in ran.out
    assert "> attack ilse\nrefused: Ilse is no enemy of Ilse (not_an_enemy, VES-020)" in ran.out
    assert "> bram attack\n    not bram attack: it is not the turn of Bram (VES-008)" in ran.out
    assert rebuild_from_log(table).head == head


def test_a_machine_is_told_step_by_step_too(table: Path) -> None:
    ran = affray(table.parent, "play", table.name, "--json", said="?\nilse\nilse attack\n")
    who, what, how = (msgspec.json.decode(line) for line in ran.out.splitlines()[1:])
    assert who["actors"] == [{"who": "ilse", "manner": "standard"}]
    assert what["who"] == "ilse"
    assert [one["field"] for one in how["fields"]] == ["ep"]


def test_show_log_and_help_say_what_they_should(table: Path) -> None:
    ran = play(table, "show", "log", "help")
    assert ran.out.count("“A duel”  Vestige · round 1 · turn") == 2
    assert "  Ilse's turn\n" in ran.out
    assert "undo [N] [fresh] [because …]" in ran.out


def test_what_help_shows_is_of_this_fight_and_can_be_typed(table: Path) -> None:
    """Its first line is a legal action, its ruling is about a present combatant."""
    lines = [line.split("   ")[0] for line in play(table, "help").out.partition("> help\n")[2].splitlines()]
    assert lines[0] == "ilse attack bram"
    assert "a bra" in lines[1]
    assert "rule pool ilse health by=-2 because …" in lines
    fight = rebuild_from_log(table)
    play(table, lines[0], "12", "rule pool ilse health by=-2 because she slipped")
    assert rebuild_from_log(table).head > fight.head
    assert (
        rebuild_from_log(table).state.combatants["ilse"].pools["health"]
        == fight.state.combatants["ilse"].pools["health"] - 2
    )


@pytest.mark.parametrize("system", PRESENT)
def test_help_has_an_example_in_every_system_before_and_in_the_fight(tmp_path: Path, system: str) -> None:
    affray(tmp_path, "new", "--template", system, "-o", "one.toml")
    affray(tmp_path, "new", "one.toml")
    for _ in range(3):
        lines = play(tmp_path / "one.jsonl", "help", "auto all 1").out.partition("> help\n")[2].splitlines()
        fight = rebuild_from_log(tmp_path / "one.jsonl")
        assert lines[0].split()[0] in ("?", *fight.state.combatants, *fight.ruleset.actions)
        last = next(at for at, line in enumerate(lines) if line.startswith("Tab, arrow keys"))
        assert max(map(len, lines[: last + 1])) <= 100


@pytest.mark.parametrize("system", PRESENT)
def test_help_is_in_the_words_of_the_fight(system: str) -> None:
    """Its examples are understood there, and what it says one may type for short is an action."""
    fight = fight_at(system, 1)
    lines = help_lines(fight)
    assert isinstance(intent_parser.intent(fight, lines[0].split("   ")[0]), Declared)
    rule = next(line.partition(" because")[0] for line in lines if line.startswith("rule "))
    assert isinstance(intent_parser.intent(fight, rule, "an example"), Ruled)
    short = lines[-1].removeprefix("for short: ").split(", ")
    assert {one.split()[1] for one in short} <= fight.ruleset.actions.keys()


def test_quit_ends_it_and_lines_behind_are_not_heard(table: Path) -> None:
    play(table, "quit", "r")
    assert len(list_declared(rebuild_from_log(table))) == 1


def test_a_whole_fight_is_played_by_hand_and_by_the_engine(tmp_path: Path) -> None:
    """The game master plays a turn, lets the engine play the rest, and the record is whole."""
    log = leave_bridge_with_key(tmp_path)
    lines = ("begin", "1", "e", "pass all", "auto bandits", "auto heroes 1", "auto all", "auto", "ilse attack captain")
    ran = play(log, *lines)
    fight = rebuild_from_log(log)
    assert fight.state.ended
    assert sum(isinstance(one.event, FightEnded) for one in fight.history.effective()) == 1
    assert f"The fight is over, won by the {fight.state.victors}" in ran.out
    assert "There is nothing for it to do now." in ran.out
    assert "(fight_over, VES-059)" in ran.out


def test_the_engine_plays_only_the_side_it_is_told_to(tmp_path: Path) -> None:
    log = leave_bridge_with_key(tmp_path)
    play(log, "begin")
    assert "There is nothing for it to do now." in play(log, "auto heroes").out
    play(log, "auto bandits 2")
    assert [actor for actor, *_ in list_declared(rebuild_from_log(log))] == ["gm", "captain", "captain"]
    assert "there are bandits, heroes" in play(log, "auto wolves").out


def test_a_policy_is_named_for_the_engine(tmp_path: Path) -> None:
    """Anything that is legal is seldom what a sensible fighter does."""
    log = leave_bridge_with_key(tmp_path)
    play(log, "begin", "auto bandits anything 4")
    assert [kind for _, kind, *_ in list_declared(rebuild_from_log(log))][:3] != ["begin", "move", "move"]
    told = play(log, "auto bandits clever").out
    assert "there are bandits, heroes, and the policies anything, searching, sensible" in told


def test_sides_are_left_to_the_engine_from_the_beginning(tmp_path: Path) -> None:
    """They act whenever they are up; after an undo they wait until the fight goes on."""
    log = leave_bridge_with_key(tmp_path)
    ran = affray(tmp_path, "play", log.name, "--auto", "bandits", said="begin\nquit\n")
    assert ran.code == 0
    fight = rebuild_from_log(log)
    up = {fight.state.combatants[who].side for who in fight.state.acting}
    assert up == {"heroes"}
    done = [actor for actor, *_ in list_declared(fight)]
    assert done[0] == "gm"
    assert "captain" in done[1:]
    reached = len([*fight.history.effective()])
    ran = affray(tmp_path, "play", log.name, "--auto", "bandits=anything", said="undo 2\nquit\n")
    assert ran.code == 0
    assert len([*rebuild_from_log(log).history.effective()]) < reached


def test_a_side_is_left_to_the_policy_that_looks_ahead(tmp_path: Path) -> None:
    """It strikes with a readied action between turns, since that comes out better; what is sensible waits for Bram."""
    before = {}
    for policy in ("searching", "sensible"):
        folder = tmp_path / policy
        folder.mkdir()
        content, store = msgspec.toml.decode(ENCOUNTER), FileStore(folder)
        begin_fight("duel", content, who="gm", seed=bytes([43]) * 32, store=store, clock=noon, salts=salt)
        ran = affray(folder, "play", "duel.jsonl", "--auto", f"red={policy}", "--auto", "blue", said="begin\nquit\n")
        assert (ran.code, ran.err) == (0, "")
        assert "The fight is over, won by the red" in ran.out
        done = list_declared(rebuild_from_log(folder / "duel.jsonl"))
        strikes = [nth for nth, one in enumerate(done) if (one[0], one[3]) == ("ilse", "readied")]
        before[policy] = {done[nth - 1][:2] for nth in strikes}
    assert before == {"searching": {("ilse", "ready"), ("bram", "attack")}, "sensible": {("bram", "attack")}}


@pytest.mark.parametrize("how", [("--auto", "wardens", "--auto", "robbers"), ()])
def test_the_engine_stops_where_it_would_play_for_ever(tmp_path: Path, how: tuple[str, ...]) -> None:
    """For two rounds no combatant reaches another; the program says so, and other input is possible."""
    people = [
        {"name": "Ada", "side": "wardens", "initiative": 12, "hp": 4, "at": "0,0"},
        {"name": "Hook", "side": "robbers", "initiative": 9, "hp": 4, "at": "4,0"},
    ]
    content = {"system": "hexblade", "name": "apart", "config": {"hex_feet": 100}, "combatant": people}
    begin_fight("apart", content, who="gm", seed=bytes(32), store=FileStore(tmp_path), clock=noon)
    ran = affray(tmp_path, "play", "apart.jsonl", *how, said="begin\n" + ("" if how else "auto all\n") + "show\nquit\n")
    assert ran.code == 0
    assert ran.out.count("That is a stalemate: ") == 1
    assert rebuild_from_log(tmp_path / "apart.jsonl").state.round == 3


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("bandit", "there is no side bandit; there are bandits, heroes"),
        ("bandits=clever", "there is no policy clever; there are anything, searching, sensible"),
    ],
)
def test_only_sides_and_policies_that_there_are_can_be_left_to_the_engine(tmp_path: Path, said: str, why: str) -> None:
    ran = affray(tmp_path, "play", leave_bridge_with_key(tmp_path).name, "--auto", said, said="quit\n")
    assert ran.code == 2
    assert why in ran.err


def test_real_dice_are_never_thrown_by_the_engine(table: Path) -> None:
    play(table, "a bram", "auto all")
    awaited = rebuild_from_log(table).state.awaited
    assert awaited is not None
    assert awaited.by == "ilse"


def test_a_machine_gets_an_object_a_line_and_no_prompt(table: Path) -> None:
    ran = affray(table.parent, "play", table.name, "--json", said="r\nbram attack ilse\nquit\n")
    first, readied, refused = map(msgspec.json.decode, ran.out.splitlines())
    assert first["state"]["acting"] == ["ilse"]
    assert readied["events"][0]["event"]["type"] == "Declared"
    assert readied["waiting"]["for"] == "pass"
    assert refused["error"]["kind"] == "refused"


def test_another_writer_is_noticed_and_nothing_is_lost(table: Path) -> None:
    """A line typed against an old state is not carried out; the fight is read again."""
    with start_program(table.parent, "play", table.name, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as session:
        assert session.stdin is not None
        assert session.stdout is not None
        read_until(session, "It is Ilse's turn")
        write_to_session(rebuild_from_log(table), intent_parser.intent(rebuild_from_log(table), "ilse end_turn"))
        out, _ = session.communicate("r\n", timeout=60)
    assert session.returncode == 0
    assert "the fight has moved on" in out
    assert "It is Bram's turn" in out
    assert [kind for _, kind, _, _ in list_declared(rebuild_from_log(table))] == ["begin", "end_turn"]


def write_to_session(fight: Fight, intent: Event) -> None:
    fight.submit(Command(id="other", who="somebody else", intent=intent))


def read_until(session: subprocess.Popen[str], text: str) -> None:
    """Read what a session says up to a line with this text."""
    assert session.stdout
    for line in session.stdout:
        if text in line:
            return
    raise AssertionError(f"the session never said {text}")


def test_ctrl_c_says_that_everything_is_recorded(table: Path) -> None:
    session = subprocess.Popen(
        [AFFRAY, "play", table.name],
        cwd=table.parent,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=surroundings(PYTHONUNBUFFERED="1"),
    )
    with session:
        assert session.stdin is not None
        assert session.stdout is not None
        session.stdin.write("r\n")
        session.stdin.flush()
        read_until(session, "Ilse readies an action")
        read_until(session, "may announce or pass")
        os.kill(session.pid, signal.SIGINT)
        out = session.stdout.read()
        code = session.wait(timeout=60)
    assert code == 130
    assert "Everything up to here is recorded; go on with: affray play duel.jsonl" in out
    assert list_declared(rebuild_from_log(table))[-1][1] == "ready"
