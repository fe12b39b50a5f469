"""Looking at a fight: ``show``, ``legal``, ``log``, ``replay`` and the demonstration, as the installed program does."""

from __future__ import annotations

import re
from io import StringIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rich.console import Console

from affray.engine import Command, FileStore, begin_fight, digest
from affray.engine.commands import Undo
from affray.engine.core.state import Combatant, Place, State
from affray.engine.fight import Fight
from affray.engine.visibility import Viewer, project_state
from affray.events import Declared, Event
from affray.tools.cli.render_board import board, initials
from affray.tools.cli.render_state import picture
from affray.tools.parse import intent_parser
from affray.tools.present.story.words import Names
from affray.tools.present.typed_choices import list_choices
from affray.tools.present.waiting_text import waiting_line
from tests.engine.fights import noon
from tests.engine.memory import MemoryStore
from tests.tools.program import AFFRAY, affray
from tests.tools.terminal import type_at_terminal

ENCOUNTERS = Path(__file__).parents[2] / "encounters"
BRIDGE = ENCOUNTERS / "vestige" / "bridge.toml"


def leave_bridge_fight(folder: Path, *lines: str) -> Fight:
    """Leave the fight at the bridge in a folder, with real dice, after some lines."""
    content: dict[str, Any] = msgspec.toml.decode(BRIDGE.read_bytes())
    fight = begin_fight("bridge", content, who="gm", seed=bytes(32), store=FileStore(folder), clock=noon)
    submit(fight, intent_parser.intent(fight, "rule dice * entered", "we like to throw"))
    for line in ("begin", "roll 14", "roll 9", "roll 15", "roll 2", *lines):
        submit(fight, intent_parser.intent(fight, line))
    return fight


def submit(fight: Fight, intent: Event | Undo) -> None:
    fight.submit(Command(id=f"c{fight.head}", who="gm", intent=intent))


def test_show_draws_people_order_and_board_as_plain_text_in_a_pipe(tmp_path: Path) -> None:
    leave_bridge_fight(tmp_path)
    shown = affray(tmp_path, "show", "bridge.jsonl")
    assert (shown.code, shown.err) == (0, "")
    assert "\x1b" not in shown.out
    assert "Order  ▶ Captain (15) · Ilse (14) · Tomas (9) · the bandits (2)" in shown.out
    assert "▶ Captain    ██████████ 12/12  4/4  2" in shown.out
    assert "bow (loaded)" in shown.out
    assert " 1  ·  ·  I  ·  ·  ~  ·  b  C  ·" in shown.out
    assert shown.out.rstrip().endswith("It is Captain's turn")


def test_show_goes_back_to_any_position(tmp_path: Path) -> None:
    fight = leave_bridge_fight(tmp_path, "captain move 5,3", "captain end_turn")
    then = affray(tmp_path, "show", "bridge.jsonl", "--at", "31", "--json").json
    now = affray(tmp_path, "show", "bridge.jsonl", "--json").json
    assert (then["at"], then["state"]["combatants"]["captain"]["place"]) == (31, "7,1")
    assert (now["at"], now["state"]["combatants"]["captain"]["place"]) == (fight.head, "5,3")
    assert now["digest"] == digest(fight.state)
    assert now["waiting"] == {"for": "action", "of": ["ilse"]}


def draw_after_rulings(system: str, encounter: str, *lines: str) -> tuple[Fight, list[str]]:
    """Open an encounter of the project, rule some lines; return the fight and the lines of its picture."""
    content: dict[str, Any] = msgspec.toml.decode((ENCOUNTERS / system / f"{encounter}.toml").read_bytes())
    fight = begin_fight("fight", content, who="gm", seed=bytes(32), store=MemoryStore(), clock=noon)
    for line in lines:
        submit(fight, intent_parser.intent(fight, line, "so it is"))
    return fight, draw_state(fight.state, fight)


def draw_state(state: State, fight: Fight) -> list[str]:
    """Return the lines of the picture of a state."""
    screen = StringIO()
    Console(file=screen, width=200).print(picture(state, fight.ruleset))
    return [line.rstrip() for line in screen.getvalue().splitlines()]


def test_show_tells_who_is_bound_to_whom_and_what_players_do_not_see() -> None:
    fight, lines = draw_after_rulings(
        *("wwn", "ambush", "begin", "rule melee members=osric;archer-a", "rule condition mab grappled source=archer-b"),
        *("rule conceal the-fox", "rule veil archer-b hp"),
    )
    assert "  Osric: in melee with Archer A" in lines
    assert "  Archer A: in melee with Osric" in lines
    assert "  Mab: grappled because of Archer B" in lines
    assert "Hidden from the players: The Fox" in lines
    assert "Shown to the players only roughly: Archer B's HP" in lines
    seen = draw_state(project_state(Viewer(role="spectator"), fight.state), fight)
    assert not [line for line in seen if "Fox" in line or "players" in line]


def test_show_tells_who_rides_whom_and_what_is_left_of_ammunition() -> None:
    _, lines = draw_after_rulings("verdigris", "toll-road")
    assert "  Ilka: rides Bruno" in lines
    assert "  Bruno: carries Ilka" in lines
    assert next(line for line in lines if line.startswith("  Pell ")).endswith("arrows (12), hide (rating 1)")


@pytest.mark.parametrize(
    ("system", "encounter", "line", "bond"),
    [
        ("hexblade", "barrow", "rule place isen 0,2", "  Isen: in melee with Lord"),
        ("vestige", "ford", "rule place ilse 6,1", "  Ilse: in melee with Captain, Bandit A and Bandit B"),
        ("wyrd", "barrow", "rule relate melee-1 members=torvald;the-king", "  Torvald: in melee with The King"),
    ],
)
def test_show_tells_who_is_in_melee_in_every_system(system: str, encounter: str, line: str, bond: str) -> None:
    assert bond in draw_after_rulings(system, encounter, "begin", line)[1]


def test_show_has_a_column_for_armour_class_and_morale() -> None:
    _, lines = draw_after_rulings("wwn", "ambush")
    head = next(line for line in lines if "Main Actions" in line)
    fox = next(line for line in lines if line.startswith("  The Fox"))
    assert [fox[head.index(one) :].split()[0] for one in ("AC", "morale")] == ["14", "10"]


@pytest.mark.parametrize("position", ["0", "9999"])
def test_show_knows_no_position_that_is_not_there(tmp_path: Path, position: str) -> None:
    fight = leave_bridge_fight(tmp_path)
    shown = affray(tmp_path, "show", "bridge.jsonl", "--at", position)
    assert (shown.code, shown.out) == (2, "")
    assert f"must be from 1 to {fight.head}" in shown.err


def test_the_stack_and_what_is_awaited_are_shown(tmp_path: Path) -> None:
    fight = leave_bridge_fight(tmp_path, "captain ready", "pass captain", "ilse move 3,1")
    assert waiting_line(fight) == "Captain may announce or pass: Ilse means to move to 3,1"
    shown = affray(tmp_path, "show", "bridge.jsonl").out
    assert "Pending, the uppermost first:\n  1. Ilse: move to 3,1 (standard)  1/ilse/move.1" in shown
    assert "readied" in shown


def test_awaited_dice_and_questions_are_said_in_one_line(tmp_path: Path) -> None:
    fight = leave_bridge_fight(tmp_path, "captain move 3,1", "captain skill lunge ilse")
    assert waiting_line(fight) == "Captain's dice are awaited: 1d20 for attack"
    submit(fight, intent_parser.intent(fight, "roll 20"))
    for line in ("captain end_turn", "rule harm ilse 20"):
        submit(fight, intent_parser.intent(fight, line))
    assert waiting_line(fight) == (
        "Ilse must answer, forfeit: no (fights on at the brink) or yes (leaves the fight, beaten but alive)"
    )


def test_legal_groups_what_may_be_done_as_one_types_it(tmp_path: Path) -> None:
    leave_bridge_fight(tmp_path, "captain move 3,1")
    lines = [line.strip() for line in affray(tmp_path, "legal", "bridge.jsonl", "--all").out.splitlines()]
    assert lines[0] == "It is Captain's turn"
    assert "captain skill lunge  ilse  ep 0–3" in lines
    assert "captain swap  unarmed  pay=action" in lines
    assert "captain end_turn" in lines
    (moves,) = (line for line in lines if line.startswith("captain move"))
    assert "ways, such as  " in moves


def test_legal_says_step_by_step_what_may_follow_and_why_the_rest_may_not(tmp_path: Path) -> None:
    """The actors and actions; the next parameter of a partial action; the whole, ready to be typed."""
    leave_bridge_fight(tmp_path, "captain move 3,1")

    def lines(*words: str) -> list[str]:
        return affray(tmp_path, "legal", "bridge.jsonl", *words).out.splitlines()

    assert lines()[:2] == [
        "It is Captain's turn",
        "  captain  end_turn, move, ready, shift, skill, swap",
    ]
    assert "    not delay: Captain has already acted this turn (VES-052)" in lines("captain")
    assert lines("ilse")[0] == "  ilse  nothing"
    assert lines("captain", "attack") == [
        "  captain attack …  target: nothing",
        "    not ilse: Ilse is 2 m away, beyond 1 m (VES-021)",
        "    not tomas: Tomas is 3 m away, beyond 1 m (VES-021)",
    ]
    assert lines("captain", "attack", "tomas") == [
        "    not captain attack tomas: Tomas is 3 m away, beyond 1 m (VES-021)"
    ]
    lunge = ("captain", "skill", "lunge")
    assert lines(*lunge) == [
        "  captain skill lunge …  target: ilse",
        "    not tomas: Tomas is 3 m away, beyond 2 m (VES-021)",
    ]
    assert lines(*lunge, "ilse") == ["  captain skill lunge ilse …  ep, which may be left out: ep=0, ep=1, ep=2, ep=3"]
    assert lines(*lunge, "ilse", "ep=1") == [
        "  captain skill lunge ilse ep=1  – Captain uses Lunge on Ilse",
        "    60 % to succeed; takes 4 health; costs one action and 2 energy",
    ]
    both = affray(tmp_path, "legal", "bridge.jsonl", "captain", "--all")
    assert (both.code, both.err) == (2, "affray: --all lists everything; leave WHO and ACTION out\n")


def test_every_listed_line_can_be_typed(tmp_path: Path) -> None:
    """The machine's list says each declaration as a line; the line means just that declaration."""
    fight = leave_bridge_fight(tmp_path, "captain move 3,1")
    offered = affray(tmp_path, "legal", "bridge.jsonl", "--all", "--json").json["legal"]
    assert len(offered) > 100
    for one in offered:
        said = intent_parser.intent(fight, one["line"])
        assert isinstance(said, Declared)
        params, meant = msgspec.json.decode(said.params), one["intent"]["params"]
        if "path" in meant:
            meant["to"] = meant.pop("path")[-1]
        assert (said.actor, said.kind, params) == (one["intent"]["actor"], one["intent"]["kind"], meant)


def test_legal_lists_answers_passes_and_dice(tmp_path: Path) -> None:
    fight = leave_bridge_fight(tmp_path, "captain ready")
    assert "pass captain" in list_choices(fight)
    for line in ("pass captain", "ilse move 3,1", "pass captain", "ilse skill lunge captain"):
        if line.startswith("ilse skill"):
            submit(fight, intent_parser.intent(fight, "rule place captain 4,1"))
        submit(fight, intent_parser.intent(fight, line))
    submit(fight, intent_parser.intent(fight, "pass captain"))
    assert list_choices(fight) == ["roll FACES  (1d20 for attack, thrown by ilse)"]


def test_log_tells_what_counts_and_with_undone_what_does_not(tmp_path: Path) -> None:
    fight = leave_bridge_fight(tmp_path, "captain move 3,1")
    submit(fight, Undo(reason="he would not"))
    told = affray(tmp_path, "log", "bridge.jsonl").out
    assert "Round 1\n  Initiative – " in told
    assert "14 (entered)" in told
    assert "Captain moves" not in told
    undone = affray(tmp_path, "log", "bridge.jsonl", "--undone").out
    assert "    undone: Captain moves to 3,1 [from 7,1, cost 5 m]\n" in undone
    assert "(one command taken back, to position " in undone
    assert "he would not" in undone


def test_log_verbose_and_json_name_positions(tmp_path: Path) -> None:
    fight = leave_bridge_fight(tmp_path)
    lines = affray(tmp_path, "log", "bridge.jsonl", "--verbose").out.splitlines()
    assert len(lines) == fight.head + 1
    assert lines[-2].startswith(f"{fight.head:>5}  Phase: turn, on comes up (VES-008)")
    told = affray(tmp_path, "log", "bridge.jsonl", "--json").json["told"]
    assert told[0] == {
        "position": 1,
        "to": 2,
        "depth": 0,
        "text": "“The bridge at dusk”, a fight by the rules of Vestige, version 4",
        "undone": False,
    }


def test_replay_happens_again_and_ends_in_the_same_state(tmp_path: Path) -> None:
    fight = leave_bridge_fight(tmp_path, "captain move 3,1", "captain end_turn")
    replayed = affray(tmp_path, "replay", "bridge.jsonl")
    assert replayed.code == 0
    assert "Captain moves to 3,1 [from 7,1, cost 5 m]" in replayed.out
    assert f"replayed   9 commands, {fight.head} events\n" in replayed.out
    assert f"chain      verified to {fight.history.head_hash}\n" in replayed.out
    assert f"digest     {digest(fight.state)}\n" in replayed.out


def test_replay_stops_where_it_is_told_and_steps_on_enter(tmp_path: Path) -> None:
    leave_bridge_fight(tmp_path, "captain move 3,1", "captain end_turn")
    part = affray(tmp_path, "replay", "bridge.jsonl", "--to", "30", "--json").json
    assert (part["events"], part["commands"], part["state"]["phases"]) == (30, 1, {"": "setup"})
    stepped = affray(tmp_path, "replay", "bridge.jsonl", "--step", said="\n" * 9)
    whole = affray(tmp_path, "replay", "bridge.jsonl")
    assert (stepped.code, stepped.out.splitlines()[-1]) == (0, whole.out.splitlines()[-1])


def test_replay_finds_an_altered_line_unless_told_not_to_look(tmp_path: Path) -> None:
    leave_bridge_fight(tmp_path)
    log = tmp_path / "bridge.jsonl"
    log.write_bytes(log.read_bytes().replace(b'"name":"Ilse"', b'"name":"Elsa"'))
    caught = affray(tmp_path, "replay", "bridge.jsonl")
    assert caught.code == 2
    assert "bridge.jsonl, line 8: the hash of position 8 does not fit what is written" in caught.err
    trusting = affray(tmp_path, "replay", "bridge.jsonl", "--unverified")
    assert trusting.code == 0
    assert "Elsa joins the heroes" in trusting.out
    assert "chain      not verified" in trusting.out


def test_the_demonstration_is_short_and_the_same_every_time(tmp_path: Path) -> None:
    """The output of ``make demo``; rounds without a sentence are left out."""
    first, second = (affray(tmp_path, "demo") for _ in range(2))
    assert (first.code, first.err) == (0, "")
    assert "the digests agree\n" in first.out
    assert "The fight is over" in first.out
    lines = first.out.splitlines()
    assert len(lines) < 90
    assert max(len(line) for line in lines if line.startswith("  affray")) <= 80
    assert not [one for one, then in pairwise(lines) if one.startswith("Round") and then.startswith("Round")]
    assert _timeless(first.out) == _timeless(second.out)
    assert list(tmp_path.iterdir()) == []


def test_the_demonstration_leaves_fights_and_encounters_to_try_things_with(tmp_path: Path) -> None:
    """In a new folder; its parent must exist."""
    ran = affray(tmp_path, "demo", "--copy", "tried")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("copied 15 encounters and 6 recorded fights to tried\n")
    assert affray(tmp_path / "tried", "audit", "replays/wwn/closed-cellar.jsonl").code == 0
    again = affray(tmp_path, "demo", "--copy", "tried")
    assert (again.code, again.err) == (2, "affray: tried exists already; name a new folder\n")
    nowhere = affray(tmp_path, "demo", "--copy", "no/where")
    assert (nowhere.code, nowhere.err) == (2, "--copy: there is no folder no\n")


def _timeless(text: str) -> list[str]:
    """Leave out the one line that depends on the clock: the head of the hash chain."""
    return [line for line in text.splitlines() if "hash chain" not in line]


def test_everybody_on_a_board_has_a_letter_of_their_own() -> None:
    people = [Combatant(id=str(nth), name=name, side="a") for nth, name in enumerate(("Ilse", "Ivo", "Bandit A", "Bo"))]
    assert list(initials(people).values()) == ["I", "V", "a", "B"]


def test_zones_are_listed_with_who_is_in_them() -> None:
    """A system without cells needs no special drawing."""
    state = State(
        combatants={"ilse": Combatant(id="ilse", name="Ilse", side="a", place="hall")},
        places={
            "hall": Place(id="hall", traits=("indoors",), exits=("yard",)),
            "yard": Place(id="yard", exits=("hall",)),
        },
    )
    names = Names()
    names["ilse"] = "Ilse"
    assert board(state, "zones", names) == ["hall (“indoors”): Ilse → yard", "yard: nobody → hall"]


def test_on_a_terminal_a_long_line_of_a_story_goes_on_further_in(tmp_path: Path) -> None:
    leave_bridge_fight(tmp_path)
    shown = type_at_terminal(tmp_path, [AFFRAY, "log", "bridge.jsonl"], "", COLUMNS="50", TERM="xterm")
    lines = re.sub(r"\x1b\[[\d;]*m|\r", "", shown).splitlines()
    assert lines[:2] == ["“The bridge at dusk”, a fight by the rules of", "    Vestige, version 4"]
    assert max(map(len, lines)) <= 50
