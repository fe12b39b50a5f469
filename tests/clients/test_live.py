"""The JavaScript client at a real server: each participant's state equals the server's."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.clients.node import ask_script, run_node
from tests.engine.closed import ENCOUNTERS
from tests.tools.program import start_program

ROOT = Path(__file__).parents[2]
BRIDGE = ENCOUNTERS / "vestige" / "bridge.toml"


class Serving(NamedTuple):
    """A server with one fight, and the tokens of its links."""

    base: str
    fight: str
    tokens: dict[str, str]


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Serving]:
    """Serve the fight on the bridge."""
    pytest.importorskip("litestar", reason="the server's packages are not installed")
    server = start_program(
        tmp_path, "serve", str(BRIDGE), "--port", "0", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        assert server.stdout is not None
        heard = ""
        for line in server.stdout:
            heard += line
            if line.startswith("Listening on"):
                break
        links = dict(re.findall(r"^ +(\w[\w ]*?) +http\S+&token=(\S+)$", heard, re.MULTILINE))
        tokens = {"gm": links["game master"], "ilse": links["Ilse"], "spectator": links["spectators"]}
        (base,) = re.findall(r"^Listening on (http://[\w.:]+)", heard, re.MULTILINE)
        yield Serving(base, "bridge", tokens)
    finally:
        server.terminate()
        server.communicate(timeout=30)


def test_everybody_has_the_state_the_server_says_they_have(serving: Serving) -> None:
    """After each command, hidden things and taking back included, from the first line or from the present state."""
    told: dict[str, Any] = ask_script("live.mjs", serving._asdict())
    assert (told["wrong"], told["commands"], told["repeated"]) == ([], 40, 0)
    assert told["partial"] == [False, False, True, True, True]
    assert told["opened"] == [0, 0, 4, 4, 4]  # a note, and who rolled in secret what


def test_the_page_about_clients_drives_a_fight(serving: Serving, tmp_path: Path) -> None:
    """Its lines, with only the address and the token put in."""
    page = (ROOT / "docs" / "clients.md").read_text("utf-8")
    _, lines = re.findall(r"^```js\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    (tmp_path / "affray").symlink_to(ROOT / "tools" / "page" / "affray")
    lines = lines.replace("http://127.0.0.1:8000", serving.base).replace("the token of a link", serving.tokens["ilse"])
    (tmp_path / "drive.mjs").write_text(lines, "utf-8")
    ran = run_node("drive.mjs", cwd=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    assert "the fight has not begun" in ran.out
