"""The spelling of a line's values, which the short check of docs/verify.md leaves to the audit."""

import re
from pathlib import Path

import pytest

from affray.engine.integrity.audit import audit
from tests.test_docs import PAGE, REPLAYS, check, save_log_in_folder


@pytest.mark.parametrize("changed", ["blanks", "order"])
def test_how_values_beside_the_opening_are_spelt_is_for_the_audit(tmp_path: Path, changed: str) -> None:
    """The lines of the page read the same values; the audit finds that Affray does not write them so."""
    source = (REPLAYS / "vestige" / "opening-bound.jsonl").read_bytes()
    first, rest = source.split(b"\n", 1)
    if changed == "blanks":
        other = first.replace(b'{"position":', b'{ "position" : ', 1)
    else:
        other = re.sub(rb'^\{("position":\d+),("time":"[^"]*"),', rb"{\2,\1,", first)
    assert other != first
    lines = [other, *rest.splitlines()]
    save_log_in_folder(tmp_path, "fight", lines)
    position = next(nth for nth, one in enumerate(lines, 1) if b'"type":"Rolled"' in one and b'"entered"' not in one)
    ran = check(tmp_path, "fight", position)
    assert (ran.code, ran.err) == (0, "")
    assert "right" in ran.out
    assert "WRONG" not in ran.out
    (found, *_) = audit(lambda: lines).findings
    assert (found.layer, found.position) == ("record", 1)
    assert "How the values beside an event are spelt" in PAGE
