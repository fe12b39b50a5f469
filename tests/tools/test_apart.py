"""Distances of combatants on the terminal, and moves relative to them."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

from msgspec.structs import replace
from rich.console import Console

from affray.engine import begin_fight
from affray.engine.fight import Fight
from affray.engine.visibility import Viewer, project_state
from affray.events import Declared
from affray.tools.api.distances import list_distances
from affray.tools.cli.render_distances import MOST_SHOWN, draw_distances, lines_apart
from affray.tools.cli.render_state import picture
from affray.tools.parse.encounter_file import read_toml
from affray.tools.parse.intent_parser import intent
from affray.tools.present.names import names_of_state
from tests.engine.encounters import load_shipped_encounters
from tests.engine.fights import NAME, SEED, noon
from tests.engine.memory import MemoryStore
from tests.engine.phases import submit_lines
from tests.tools.program import affray

CAUSEWAY = """\
system = "wwn"
name = "The causeway"
apart = 40

[[combatant]]
name = "Maren"
side = "company"
pc = true
class = "warrior"
hp = 10

[[combatant]]
name = "Toke"
side = "company"
pc = true
class = "warrior"
hp = 10

[[combatant]]
name = "Bog Raider"
count = {count}
side = "bog gang"
ac = 12
hp = 5
attack = 1
"""


def causeway(count: int = 3, more: str = "") -> Fight:
    """Return a fight without a map, of two heroes and some raiders."""
    _, content = read_toml(CAUSEWAY.format(count=count) + more)
    return begin_fight(NAME, content, who="gm", seed=SEED, store=MemoryStore(), clock=noon)


def run_show(fight: Fight) -> str:
    """Return what ``show`` prints of a fight."""
    out = StringIO()
    Console(file=out, width=200).print(picture(fight, fight.ruleset))
    return out.getvalue()


def test_few_are_shown_in_a_table_and_many_in_a_line_each() -> None:
    """None is left out, however many there are, and those who are alike are told by their letters."""
    few = run_show(causeway()).splitlines()
    assert any(line.split() == ["Maren", "5", "40", "40", "40"] for line in few)
    many = run_show(causeway(14))
    assert "Maren         5 feet: Toke · 40 feet: Bog Raider A, B, C, D, E, F, G, H, I, J, K, L, M, N" in many
    assert "Bog Raider N  5 feet: Bog Raider A, B, C, D, E, F, G, H, I, J, K, L, M · 40 feet: Maren, Toke" in many


def test_one_sees_how_far_all_others_are_the_nearest_first(tmp_path: Path) -> None:
    """By the command, for people and machines, and in a conversation."""
    (tmp_path / "causeway.toml").write_text(CAUSEWAY.format(count=2), "utf-8")
    affray(tmp_path, "new", "causeway.toml")
    told = "Bog Raider B  5 feet\nMaren         40 feet\nToke          40 feet\n"
    assert affray(tmp_path, "apart", "causeway.jsonl", "Bog", "Raider", "A").out == told
    reply = affray(tmp_path, "apart", "causeway.jsonl", "maren", "--json").json
    assert [(one["who"], one["distance"]) for one in reply["apart"]][:2] == [("toke", 5), ("bog-raider-a", 40)]
    wrong = affray(tmp_path, "apart", "causeway.jsonl", "nobody")
    assert (wrong.code, "there is no nobody" in wrong.err) == (2, True)
    played = affray(tmp_path, "play", "causeway.jsonl", said="apart maren\napart\n")
    assert "  Toke          5 feet\n" in played.out
    assert "as in: apart maren" in played.out + played.err


def test_on_a_map_it_is_what_the_places_are_apart() -> None:
    """In the map's own unit, and nothing where nothing is known."""
    for name, unit in (("vestige/bridge", "m"), ("hexblade/palisade", "feet"), ("verdigris/gatehouse", "zone")):
        content = load_shipped_encounters()[name]
        fight = begin_fight(NAME, content, who="gm", seed=SEED, store=MemoryStore(), clock=noon)
        found = list_distances(fight, fight.ruleset, next(iter(fight.state.combatants)))
        assert any(unit in one.says for one in found if one.distance is not None), name
        far = [one.distance for one in found if one.distance is not None]
        assert far == sorted(far)


def test_a_player_sees_only_those_of_whom_they_may_know() -> None:
    """A concealed combatant is in no list of distances."""
    fight = causeway(
        more='\n[[combatant]]\nname = "Lurker"\nside = "lurkers"\nac = 12\nhp = 5\nattack = 1\nconcealed = true\n'
    )
    seen = project_state(Viewer(role="player", owns=("maren",)), fight.state)
    assert "lurker" in [one.who for one in list_distances(fight, fight.ruleset, "maren")]
    assert "lurker" not in [one.who for one in list_distances(seen, fight.ruleset, "maren")]


def test_a_move_names_whom_it_leads_to_in_words() -> None:
    """A parameter's name may precede its value; sides and all combatants can be named."""
    fight = causeway()
    for line, params in (
        ("maren move beside Bog Raider B", {"beside": "bog-raider-b"}),
        ("maren move away from bog gang", {"away_from": "bog gang"}),
        ("maren move away_from=*", {"away_from": "*"}),
        ("maren move beside toke pay=main", {"beside": "toke", "pay": "main"}),
    ):
        meant = intent(fight, line)
        assert isinstance(meant, Declared)
        assert json.loads(bytes(meant.params)) == params, line


def find_distances(fight: Fight, who: str) -> set[int]:
    """Return the stated distances of a combatant."""
    return {far for one, by in fight.state.distances.items() for other, far in by.items() if who in (one, other)}


def test_a_ruling_says_how_far_a_side_is() -> None:
    fight = causeway()
    submit_lines(fight, "rule distance maren bog gang to=15")
    assert find_distances(fight, "maren") == {5, 15}
    submit_lines(fight, "rule distance toke * 20")
    assert find_distances(fight, "toke") == {20}


def test_a_name_with_marks_of_a_sentence_is_quoted_in_the_list_of_one() -> None:
    """Text outside of quotes is the engine's; see ``name_said``."""
    fight = causeway(
        1, more='[[combatant]]\nname = "Toke: dead"\nside = "company"\npc = true\nclass = "warrior"\nhp = 10\n'
    )
    assert any(line.startswith("“Toke: dead”  ") for line in lines_apart(fight, "maren"))


def test_a_fight_of_very_many_is_shown_without_the_distances_of_all_pairs() -> None:
    """Their number grows with the square of the combatants' number; a log may hold thousands."""
    content = load_shipped_encounters()["vestige/alley"]
    fight = begin_fight(NAME, content, who="gm", seed=SEED, store=MemoryStore(), clock=noon)
    one = next(iter(fight.state.combatants.values()))
    many = {f"x{nth}": replace(one, id=f"x{nth}", name=f"X{nth}") for nth in range(MOST_SHOWN + 1)}
    state = replace(fight.state, combatants=many)
    (line,) = draw_distances(state, fight.ruleset, names_of_state(state))
    assert "affray apart FIGHT WHO" in str(line)
