"""The rulings in twins: the same about known combatants, and sealed ones about a hidden one."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
from msgspec import Raw

from affray.engine.errors import EngineError
from affray.engine.fight import Fight
from affray.engine.visibility import Viewer
from affray.events import Ruled
from affray.tools.api.projection import project_fight
from tests.engine.choices import Choices
from tests.engine.encounters import DRAWN, RULED

ELSEWHERE = frozenset({"conceal", "foes", "reveal", "dice", "secret_roll", "note", "release", "unveil"})
"""Rulings about secrets and dice, and such as name positions, which differ between twins."""


def make_sent_ruling(kind: str, **params: Any) -> Ruled:
    """Return a ruling as it is sent."""
    return Ruled(kind=kind, params=Raw(msgspec.json.encode(params)), reason="so be it")


def rule_openly(fight: Fight, chance: Random) -> Ruled | None:
    """Return a ruling about what a spectator sees, usual or not; nothing if none of its kind is usual now."""
    usual = RULED[fight.ruleset.name]
    kind = chance.choice(sorted(usual.keys() - ELSEWHERE - ({"side"} if fight.state.foes != "open" else set())))
    seen = project_fight(Viewer(role="spectator"), fight)
    try:
        return make_sent_ruling(kind, **usual[kind](seen.table.draft, Choices(chance.randbytes(12))))
    except (EngineError, LookupError):
        return None


def rule_in_secret(fight: Fight, chance: Random) -> list[Ruled] | None:
    """Return a ruling about a hidden combatant, and a note, which must be indistinguishable; or nothing."""
    people = fight.state.combatants
    who = next((one for one in fight.state.concealed if one in people), None)
    if who is None:
        return None
    sealed = [
        make_sent_ruling("pool", who=who, pool=chance.choice(sorted(people[who].pools)), by=-1),
        make_sent_ruling("verdict", who=who, verdict=chance.choice(("miss", "hit", "fails", "succeeds"))),
        make_sent_ruling("condition", who=who, condition=chance.choice(DRAWN[fight.ruleset.name].conditions)),
        make_sent_ruling("trait", who=who, trait="brave"),
        make_sent_ruling("place", who=who, to=chance.choice([one.place for one in people.values()])),
        make_sent_ruling("damage", who=[who], dice="1d2"),
    ]
    engaged = {it.who for one in fight.state.relations.values() if one.kind == "melee" for it in one.members}
    free = [one.id for one in people.values() if one.side != people[who].side and one.id not in engaged]
    if free:
        sealed.append(make_sent_ruling("melee", members=[chance.choice(free), who]))
    return [chance.choice(sealed), make_sent_ruling("note", text="the birds are afraid")]
