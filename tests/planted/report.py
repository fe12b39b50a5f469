"""What came of the faults, as people read it."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping
from math import sqrt
from pathlib import Path

from tests.planted.faults import Fault
from tests.planted.planting import KILLED

EQUIVALENT = Path(__file__).with_name("equivalent.toml")


def interval(hits: int, of: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share."""
    if of == 0:
        return 0.0, 1.0
    z, share = 1.96, hits / of
    middle, width = share + z * z / (2 * of), z * sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return (middle - width) / (1 + z * z / of), (middle + width) / (1 + z * z / of)


def equivalents() -> dict[tuple[str, str, str], str]:
    """Return the faults that change nothing anybody could notice: file, line before and after, and why."""
    told = tomllib.loads(EQUIVALENT.read_text("utf-8")).get("equivalent", [])
    return {(one["file"], one["was"], one["now"]): one["why"] for one in told}


def report(outcomes: Mapping[Fault, str]) -> str:
    """Return the table of files, each survivor, and the score."""
    known = equivalents()
    same = [one for one, what in outcomes.items() if what != KILLED and (one.file, *one.lines()) in known]
    counted = {one: what for one, what in outcomes.items() if one not in same}
    files, killed = Counter(one.file for one in counted), Counter[str]()
    rows = []
    for one, what in sorted(counted.items()):
        killed[one.file] += what == KILLED
        if what != KILLED:
            name, clauses = one.function()
            was, now = one.lines()
            rows += [f"{one.file}:{one.line} {what}, in {name or 'the module'} ({clauses or 'no clause'})"]
            rows += [f"    - {was}", f"    + {now}"]
    rows += ["", *(f"{killed[file]:>4} of {of:>4}  {file}" for file, of in sorted(files.items())), ""]
    hits, of = killed.total(), len(counted)
    low, high = interval(hits, of)
    rows += [f"killed {hits}, survived {of - hits}, equivalent {len(same)}"]
    rows += [f"score {hits / max(of, 1):.1%} (95 %: {low:.1%} to {high:.1%})"]
    return "\n".join(rows)
