"""The examples of the page about clients are run: their output is the printed one."""

from __future__ import annotations

import re
from pathlib import Path

from tests.clients.node import run_node

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "clients.md").read_text("utf-8")


def test_the_example_prints_what_it_says(tmp_path: Path) -> None:
    """In a folder with the client and the recorded fights."""
    lines = re.findall(r"^```js\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)[0]
    (printed,) = re.findall(r"^```text\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    (tmp_path / "affray").symlink_to(ROOT / "tools" / "page" / "affray")
    (tmp_path / "replays").symlink_to(ROOT / "replays")
    (tmp_path / "example.mjs").write_text(lines, "utf-8")
    ran = run_node("example.mjs", cwd=tmp_path)
    assert (ran.code, ran.out, ran.err) == (0, printed, "")


def test_it_names_every_module() -> None:
    """Internal modules are left out."""
    inner = {"strict.js", "possible.js", "sense.js", "scan.js", "sha256.js", "forms.js", "shapes.js", "splitting.js"}
    there = {path.name for path in (ROOT / "tools" / "page" / "affray").iterdir()}
    table = "".join(re.findall(r"^\| `.*", PAGE, re.MULTILINE))
    assert set(re.findall(r"`([\w.]+\.\w+)`", table)) == there - inner
