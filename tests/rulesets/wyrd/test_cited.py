"""Everything that comes of some moments: phases, marks, margins, and of each line exactly the clauses it rests on.

Scenarios name clauses that a line cites among others. Here nothing may be cited beside. After a change that means to
change any of it, run ``python -m tests.rulesets.wyrd.test_cited`` in the top folder, and read what has changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from affray.events import Judged
from affray.tools.scenarios.notation import DETAILS, lines
from tests.rulesets.wyrd.moments import Scene

TOLD = Path(__file__).with_name("cited.txt")

Change = dict[str, dict[str, Any]]
Told = tuple[str, ...]
SCENES: dict[str, tuple[str, Told, Told, Change, dict[str, Any]]] = {
    "one weapon, and two": (
        "grog mira orc",
        ("begin",),
        ("grog engage orc : d6=6 d10=5 d6=6 d6=6", "mira engage orc : d8=5 d6=5 d4=1 d6=1 d6=6", "answer nothing"),
        {},
        {},
    ),
    "a failed test, and armor of three pieces": (
        "brand orc",
        ("begin",),
        ("brand engage orc : d8=1 d6=1 d8=5 d6=5 d4=1 d4=2 d8=7",),
        {},
        {},
    ),
    "standing guard against a shot": (
        "brand bandit",
        ("begin pcs_surprised=true",),
        ("bandit attack brand", "answer guard ability=power : d8=6 d6=1 d4=2 d4=3"),
        {},
        {},
    ),
    "standing guard in one piece against a blow": (
        "grog orc",
        ("begin pcs_surprised=true",),
        ("orc attack grog", "answer guard : d6=5 d4=2", "answer nothing"),
        {},
        {},
    ),
    "striking back at whom one could not reach otherwise": (
        "mira bandit",
        ("begin pcs_surprised=true",),
        ("bandit attack mira", "answer riposte push=1 : d8=6 d6=6 d4=1 d6=6", "answer after : d6=6", "answer nothing"),
        {},
        {},
    ),
    "help and hindrance that were granted, and neither": (
        "mira orc",
        ("begin", "rule modify mira 2", "rule modify mira -1"),
        ("mira engage orc shortsword : d6=6 d6=5 d6=1+2 d6=6 d6=6", "rule modify mira 0"),
        {},
        {},
    ),
    "a shot with an arrow at what is arrowproof and what is not": (
        "mira brigand",
        ("begin", "rule tag brigand.helmet arrowproof"),
        ("mira fire brigand : d8=6 d8=5 d6=1 d4=3 d4=1 d2=2 d6=4",),
        {"mira": {"gear": ["arrows"], "load": 0}},
        {
            "config": {"npc_morale": False, "ammo_die": True},
            "gear": {"arrows": {"name": "arrows", "kind": "ammunition", "die": 6}},
        },
    ),
    "a miss that is answered, a miss that is not": (
        "mira bandit orc",
        ("begin",),
        (
            "mira fire bandit : d8=1 d8=2 d8=3 d2=1 d6=6",
            "answer take",
            "rule grant mira 1",
            "mira fire orc : d8=1 d8=2",
            "answer other outcome='she slips'",
        ),
        {},
        {},
    ),
    "a shot into a melee that goes astray among several": (
        "grog mira brand orc",
        ("begin", "grog engage orc : d6=6 d10=1 d6=6 d6=6", "brand engage orc : d8=6 d6=1 d6=6 d6=6"),
        ("mira fire orc : d6=2 d8=3 d2=2 d4=1 d2=1 d2=2 d8=8",),
        {},
        {},
    ),
    "somebody helpless, struck and shot": (
        "grog mira orc",
        ("begin", "rule condition orc incapacitated", 'rule join \'{"name": "Wolf", "side": "foes"}\''),
        ("grog engage orc : d10=4 d6=4 d6=6", "mira fire orc : d8=5 d4=4 d6=6"),
        {},
        {},
    ),
    "wounds of every kind": (
        "grog mira brand orc",
        ("begin",),
        (
            "rule harm orc 3 ignores_armor=true : d6=4",
            "rule harm grog 3 ignores_armor=true : d6=1",
            "answer take",
            "rule harm grog 3 ignores_armor=true : d4=3",
            "answer take",
            "rule harm mira 3 ignores_armor=true : d2=1",
            "answer take",
        ),
        {"mira": {"current": {"power": 2}}},
        {},
    ),
    "what a 1 wears down: the helmet at hindrance, a single-use piece, the last size": (
        "mira brand bandit",
        ("begin", "rule step brand.heater_shield -1"),
        (
            "mira improvise 'throws it' vial",
            "answer test ability=grace : d8=6 d1=1",
            "answer settled outcome='it burns'",
        ),
        {"mira": {"gear": ["vial"], "load": 0}},
        {"gear": {"vial": {"name": "vial", "kind": "other", "die": 1, "slots": 1}}},
    ),
    "a shot that wears what it meets": (
        "brand bandit",
        ("begin pcs_surprised=true", "rule step brand.heater_shield -1"),
        ("bandit attack brand", "answer avoid : d8=1 d8=1 d4=1 d2=2 d2=1 d8=8"),
        {},
        {},
    ),
    "a second move, a plain one, and a round without any surprise": (
        "grog orc",
        ("begin",),
        ("grog move", "grog move pay=action", "grog end_turn", "orc move contact=grog", "orc end_turn"),
        {},
        {},
    ),
    "a surprise that was told, and the round after it": (
        "grog orc",
        (),
        ("begin pcs_surprised=true", "orc end_turn", "grog end_turn"),
        {},
        {},
    ),
    "a surprise by a roll that is known already": (
        "grog orc",
        (),
        ("begin cause=encounter_roll pcs_surprised=true",),
        {},
        {},
    ),
    "the encounter roll, for good": (
        "grog orc",
        (),
        ("begin cause=encounter_roll : d6=1", "orc end_turn", "grog end_turn"),
        {},
        {"config": {"surprise_order": "kept"}},
    ),
    "the encounter roll, where it is always thrown, and the party gains by it": (
        "grog orc",
        (),
        ("begin : d6=6", "grog end_turn", "orc end_turn"),
        {},
        {"config": {"surprise_roll": "roll"}},
    ),
    "the encounter roll that surprises nobody": (
        "grog orc",
        (),
        ("begin : d6=3", "grog end_turn", "orc end_turn"),
        {},
        {"config": {"surprise_roll": "roll"}},
    ),
    "tags that are given": (
        "brand",
        (),
        (
            "rule tag brand.maille light",
            "rule tag brand.helmet light",
            "rule tag brand.helmet arrowproof",
            "rule tag brand.mace light",
            "rule tag brand.mace black_powder",
            "rule tag brand.mace durable",
        ),
        {},
        {},
    ),
    "steps that are ruled": (
        "grog",
        (),
        (
            "rule step grog.greatsword 2",
            "rule step grog.greatsword -1",
            "rule step grog.power -9",
            "rule step grog.power 9",
            "rule step grog.padded_leathers -2",
        ),
        {},
        {"config": {"chain_top": 20}},
    ),
    "recovery, with a healer, without, and as ruled": (
        "mira brand",
        ("rule end",),
        (
            "rule recover brand",
            "rule recover brand healer=true",
            "rule recover brand weeks=0",
            "rule recover mira ability=grace healer=true weeks=3",
            "mira repair shortsword",
            "answer weeks",
            "mira repair shortsword",
            "answer no",
            "mira rest : d6=2",
            "mira rest downtime",
        ),
        {
            "brand": {"power": 12, "current": {"power": 6}},
            "mira": {"current": {"grace": 4, "shortsword": 2}, "fatigue": 4},
        },
        {},
    ),
    "a spell, and what it costs": (
        "mira orc",
        ("begin",),
        ("mira spell light scope=0 ability=will : d6=6", "answer settled outcome='there is light'"),
        {},
        {},
    ),
    "a spell beyond one's strength": (
        "mira orc",
        ("begin",),
        ("mira spell fire orc scope=5 : d6=1 d6=6", "answer take", "answer settled outcome='it burns her'"),
        {},
        {},
    ),
    "an ability off the list, once": (
        "mira orc",
        ("begin", "rule allow mira will", "rule allow mira power"),
        (
            "mira engage orc ability=will : d6=6 d6=5 d4=1 d6=6 d6=6",
            "rule grant mira 1",
            "mira move",
            "mira fire orc ability=power : d6=6 d8=5 d4=4 d6=6",
        ),
        {},
        {},
    ),
    "morale that holds, and that does not": (
        "grog orc brigand bandit",
        ("begin", "rule harm orc 9 ignores_armor=true : d6=2"),
        ("answer test : d6=4", "rule harm brigand 9 ignores_armor=true : d6=2", "answer test : d6=3", "answer flee"),
        {},
        {"config": {}},
    ),
    "a lone foe that is wounded": (
        "grog mira orc",
        ("begin",),
        ("rule harm orc 1 ignores_armor=true : d6=6", "answer test : d6=1", "answer parley"),
        {},
        {"config": {}},
    ),
    "a hireling is rolled like a player character": (
        "grog brand orc",
        ("begin",),
        (
            "brand engage orc : d8=6 d6=5 d6=6 d6=6",
            "grog end_turn",
            "brand end_turn",
            "orc attack brand",
            "answer avoid : d8=6",
        ),
        {"brand": {"pc": False}},
        {},
    ),
    "a stunt, an ally's help, and reviving by a test": (
        "grog mira brand orc",
        ("begin", "rule condition brand incapacitated"),
        (
            "mira stunt prone orc helper=grog : d6=6 d6=6",
            "answer nothing",
            "rule grant mira 1",
            "rule test mira will",
            "mira revive brand : d6=5",
            "answer nothing",
            "rule grant mira 1",
            "rule condition brand incapacitated",
            "mira revive brand",
        ),
        {},
        {},
    ),
    "a blow that was ruled, once": (
        "grog orc",
        ("begin", "rule blow orc 12;4"),
        (
            "grog engage orc : d6=1 d10=2 d12=3 d4=4 d4=4 d6=6",
            "rule grant grog 1",
            "grog engage orc : d6=1 d10=2 d8=4 d4=4 d6=6",
        ),
        {},
        {},
    ),
    "a shield for what armor does not stop, once": (
        "brand orc",
        ("begin", "rule allow brand sunder"),
        (
            "rule harm brand 3 ignores_armor=true : d8=8",
            "answer sunder",
        ),
        {},
        {"config": {"shield_sunder": "step_down", "npc_morale": False}},
    ),
    "a dodge beyond the free slots, once": (
        "mira orc",
        ("begin", "rule pool mira fatigue to=3", "rule allow mira overflow"),
        ("rule harm mira 6 : d2=1 d6=6", "answer dodge fatigue=4", "answer take : d6=6", "answer take"),
        {},
        {},
    ),
}
"""Who is there, what was done before, what is done, what is otherwise about whom, and what else the encounter says."""


def transcript(title: str) -> Iterator[str]:
    """Say what comes of a scene: each command, and below it its lines."""
    roster, given, steps, change, said = SCENES[title]
    scene = Scene(roster, *given, change=change, **{"config": {"npc_morale": False}, **said})
    yield f"# {title}"
    for step in steps:
        yield step
        stack = scene.fight.state.stack
        events = scene.does(step)
        for line in lines(stack, events, DETAILS):
            clauses = " ".join(sorted(clause.removeprefix("WYR-") for clause in line.clauses))
            yield f"    {line.text} {{{clauses}}}"
        for one in events:
            if isinstance(one, Judged):
                yield f"    margin {one.margin}"
    yield ""


def every() -> str:
    """Say what comes of all scenes."""
    return "\n".join(line for title in SCENES for line in transcript(title))


@pytest.mark.parametrize("title", SCENES)
def test_a_scene_comes_out_with_these_clauses_and_no_others(title: str) -> None:
    told = TOLD.read_text("utf-8").split("\n")
    at = told.index(f"# {title}")
    wanted = told[at : told.index("", at) + 1]
    assert list(transcript(title)) == wanted


if __name__ == "__main__":
    TOLD.write_text(every() + "\n", "utf-8")
