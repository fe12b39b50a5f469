"""The messages to players and spectators do not depend on a secret: twins get the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from affray.engine.core.state import State
from affray.engine.fight import Fight
from affray.engine.visibility import Viewer
from affray.events import Passed, WhenAsked
from affray.tools.api import auto_pass, viewer_queries
from affray.tools.api.operations import ALLOWED_ROLES, OPEN_ROUTES
from tests.rulesets.systems import PRESENT
from tests.twins import casting
from tests.twins.known import known_of
from tests.twins.routes import OF_THE_CODE, SENT_ELSEWHERE, routes
from tests.twins.searching import search
from tests.twins.side import Side

ANSWERS = 250
"""So many pairs of answers are compared in each system; ``make thorough`` compares 10,000."""


@pytest.mark.parametrize("system", PRESENT)
def test_twins_that_differ_in_a_secret_are_told_alike(system: str) -> None:
    """In every answer and every message of the feed, but for what is known to differ and is yet to be mended."""
    known = known_of(system)
    found = search(system, answers=ANSWERS, seeds=[*known.values()], first=1, allowed=known)
    assert found.counts["answers"] >= ANSWERS
    assert found.counts["messages"] > ANSWERS
    assert "\n".join(one.text for one in found.differences if one.label not in known) == ""
    assert {one.label for one in found.differences} == known.keys(), "strike out of known.py what differs no more"


def test_every_route_of_the_application_is_asked(tmp_path: Path) -> None:
    """A new route is then compared automatically."""
    asked = {(route.method, route.path) for route in routes(Side(tmp_path, "one").app)}
    there = {(method, path) for method, path in {*ALLOWED_ROLES, *OPEN_ROUTES} if method != "WEBSOCKET"}
    there = {(method, path) for method, path in there if not path.startswith(OF_THE_CODE)}
    assert there - asked == SENT_ELSEWHERE


def test_a_leak_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A route that reveals a veiled counter makes the twins differ."""

    def telling(_: Viewer, state: State) -> dict[str, dict[str, str]]:
        return {who: {name: str(count) for name, count in one.pools.items()} for who, one in state.combatants.items()}

    monkeypatch.setattr(viewer_queries, "list_bands", telling)
    found = search("vestige", answers=4_000, first=100, allowed=())
    assert "GET /api/fights/{fight}/state" in {one.label for one in found.differences}


def test_a_leak_by_where_the_table_stops_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the table passes for a distant concealed combatant, it stops in one twin only."""
    known = auto_pass.not_worth

    def pass_for_distant(fight: Fight, unsaid: WhenAsked = "always") -> Iterator[Passed]:
        yield from known(fight, unsaid)
        draft = fight.table.draft
        for who in draft.window.to if draft.window and not draft.waits_for else ():
            place = draft.combatants[who].place
            if who in draft.concealed and place and int(place.split(",")[0]) > casting.FAR // 2:
                yield auto_pass.passed_for(draft, who, "not worth")

    monkeypatch.setattr(auto_pass, "not_worth", pass_for_distant)
    monkeypatch.setattr(casting, "SECRETS", {"elsewhere": casting.SECRETS["elsewhere"]})
    found = search("wwn", answers=4_000, first=0, allowed=())
    assert "stop in a window" in {one.label for one in found.differences}
