"""A fault in rules that do not come with the program: the server's log names its line, and no client reads it."""

from __future__ import annotations

from pathlib import Path

from structlog.testing import capture_logs

from tests.engine.test_rule_faults import FAULTS
from tests.rulesets.own_system import install_copy, plant
from tests.serve.server import serve_duel

POND = """\
system = "pebbles"
name = "At the pond"

[[combatant]]
name = "Ilse"
side = "north"

[[combatant]]
name = "Bram"
side = "south"
"""


def test_the_log_of_the_server_names_the_line_and_no_answer_does(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "fights").mkdir()
    with install_copy(tmp_path / "site") as package:
        line = plant(package / "rules.py", *FAULTS["trigger"][:2])
        with serve_duel(tmp_path / "fights", POND, "engine") as server, capture_logs() as logged:
            begun = server.gm.says("gm begin")
            audits = [one.looks("/audit") for one in (server.gm, server.ilse)]
    assert begun.status_code == 503
    assert "rules.py" not in begun.text
    assert any(f"rules.py:{line}: NoRow" in str(one.get("reason")) for one in logged)
    for audit in audits:
        assert audit.status_code == 200
        assert audit.json()["verdict"] == "found"
        assert "rules.py" not in audit.text
        assert "affray rules pebbles --check" in audit.text
