"""The servers that ``compose.yaml`` starts; Docker itself is not needed to see that it names what there is."""

from __future__ import annotations

import re
from pathlib import Path

from click.testing import CliRunner

from affray.tools.server.serve import serve

ROOT = Path(__file__).parent.parent
COMPOSE = ROOT.joinpath("compose.yaml").read_text("utf-8")


def test_what_it_copies_and_opens_is_there() -> None:
    copied = [name for line in re.findall(r"^ *COPY (.+) \S+$", COMPOSE, re.MULTILINE) for name in line.split()]
    named = [*copied, *re.findall(r"[\w/]+\.toml(?=\])", COMPOSE)]
    assert {"src", "engine", "events", "tools", "encounters/vestige/bridge.toml"} < set(named)
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_both_servers_are_started_with_options_that_there_are() -> None:
    commands = re.findall(r"^ *command: \[serve, (.+)\]$", COMPOSE, re.MULTILINE)
    assert len(commands) == 2
    known = CliRunner().invoke(serve, ["--help"]).output
    used = {option for command in commands for option in re.findall(r"(--[a-z]+)=", command)}
    assert used == {"--store", "--host", "--port"}
    assert [option for option in used if option not in known] == []
