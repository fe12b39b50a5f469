"""Dates for people are in their own time zone, and name it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from affray.engine.opening import begin_fight
from affray.engine.stores import FileStore
from tests.tools.program import ENCOUNTER, affray

EVENING = ("2026-11-27T04:00:00.000Z", "2026-11-27T05:30:00.000Z")
"""A session in Los Angeles on 26 November, from eight in the evening on, in UTC."""

LOS_ANGELES, BERLIN, UTC = "PST8PDT,M3.2.0,M11.1.0", "CET-1CEST,M3.5.0,M10.5.0/3", "UTC0"
"""Zones as every machine knows them, also one without a table of zones."""


def periods(zone: str, *moments: tuple[str, str]) -> list[str]:
    """Say from when to when something was, as a machine in that time zone says it."""
    code = f"from affray.tools.present.times import format_period\nfor one in {moments!r}: print(format_period(*one))"
    env = {**os.environ, "TZ": zone}
    ran = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=60, check=True)
    return ran.stdout.splitlines()


@pytest.mark.parametrize("form", ["markdown", "html"])
def test_a_report_bears_the_date_of_the_evening_it_was_played_on(tmp_path: Path, form: str) -> None:
    begin_fight(
        "duel", msgspec.toml.decode(ENCOUNTER), who="gm", seed=None, store=FileStore(tmp_path), clock=lambda: EVENING[0]
    )
    for zone, date in (
        (LOS_ANGELES, "2026-11-26 PST"),
        (BERLIN, "2026-11-27 CET"),
        (UTC, "2026-11-27 UTC"),
    ):
        ran = affray(tmp_path, "export", "duel.jsonl", "--format", form, TZ=zone)
        assert ran.code == 0
        assert f" · {date} · " in ran.out


def test_a_session_past_midnight_has_two_dates_and_one_zone() -> None:
    late = ("2026-11-27T05:00:00.000Z", "2026-11-27T10:00:00.000Z")
    assert periods(LOS_ANGELES, EVENING, late) == ["2026-11-26 PST", "2026-11-26 to 2026-11-27 PST"]
    assert periods(UTC, EVENING, late) == ["2026-11-27 UTC", "2026-11-27 UTC"]


def test_where_the_clocks_changed_in_between_both_zones_are_named() -> None:
    winter = ("2026-10-24T18:00:00.000Z", "2026-11-01T18:00:00.000Z")
    assert periods(BERLIN, winter) == ["2026-10-24 CEST to 2026-11-01 CET"]


def test_a_zone_that_has_hours_for_a_name_is_one_of_utc() -> None:
    assert periods("<-03>3", EVENING) == ["2026-11-27 UTC-03"]


def test_what_is_no_time_stays_as_it_is_written() -> None:
    """A forged log may hold any text; a year that no calendar of this machine reaches is one."""
    strange = (("yesterday", "yesterday"), ("", ""), ("0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"))
    said = periods(LOS_ANGELES, *strange)
    assert said[:2] == ["yesterday", ""]
    assert said[2].startswith("0001-01-01 to 9999-12-31")
