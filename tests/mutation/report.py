"""The results of the faults, for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import sqrt

from cosmic_ray.work_item import MutationSpec

from tests.mutation.faults import find_changed_line, find_function

KILLED, SURVIVED, EQUIVALENT = "killed", "survived", "equivalent"


def interval(hits: int, of: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share."""
    if of == 0:
        return 0.0, 1.0
    z, share = 1.96, hits / of
    middle, width = share + z * z / (2 * of), z * sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return (middle - width) / (1 + z * z / of), (middle + width) / (1 + z * z / of)


def report(outcomes: Iterable[tuple[MutationSpec, str]]) -> str:
    """Return each survivor, the table of files, and the score."""
    files: dict[str, Counter[str]] = {}
    rows = []
    for one, what in sorted(outcomes, key=lambda pair: (str(pair[0].module_path), pair[0].start_pos)):
        file = str(one.module_path)
        files.setdefault(file, Counter())[what] += 1
        if what == SURVIVED:
            name, clauses = find_function(one)
            was, now = find_changed_line(one)
            rows += [f"{file}:{one.start_pos[0]} {what}, in {name or 'the module'} ({clauses or 'no clause'})"]
            rows += [f"    - {was}", f"    + {now}"]
    total = sum(files.values(), Counter[str]())
    hits, of = total[KILLED], total[KILLED] + total[SURVIVED]
    low, high = interval(hits, of)
    rows += ["", *(f"{one[KILLED]:>4} of {one[KILLED] + one[SURVIVED]:>4}  {file}" for file, one in files.items()), ""]
    rows += [f"killed {hits}, survived {of - hits}, equivalent {total[EQUIVALENT]}"]
    rows += [f"score {hits / max(of, 1):.1%} (95 %: {low:.1%} to {high:.1%})"]
    return "\n".join(rows)
