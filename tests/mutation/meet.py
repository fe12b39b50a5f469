"""Run the tests that reach the changed line of this copy of the checkout.

That is the test command of a session, ``python -m tests.mutation.meet SEEN SECONDS CHECKOUT``. Where nothing differs it
runs the fastest of all tests.
"""

from __future__ import annotations

import resource
import sys
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from pathlib import Path

import msgspec
import pytest

from tests.mutation.faults import ROOT
from tests.mutation.seeing import Seen

OPTIONS = ("-x", "-q", "-p", "no:cacheprovider")


class Chosen:
    """Keeps of what pytest collects the chosen tests, in their order."""

    def __init__(self, tests: Sequence[str]) -> None:
        self.tests = {test: nth for nth, test in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted((one for one in items if one.nodeid in self.tests), key=lambda one: self.tests[one.nodeid])


def find_changed_lines(files: Iterable[str], checkout: Path) -> tuple[str, int, int] | None:
    """Return the file and the lines in which this copy differs from the checkout."""
    for file in files:
        was, now = ((room / file).read_text("utf-8") for room in (checkout, ROOT))
        if was != now:
            blocks = SequenceMatcher(None, was.splitlines(), now.splitlines(), autojunk=False).get_opcodes()
            changed = [block for block in blocks if block[0] != "equal"]
            return file, changed[0][1] + 1, max(changed[0][1] + 1, changed[-1][2])
    return None


def order_tests(tests: Iterable[str]) -> list[list[str]]:
    """Return tests in several runs: first those of files that are soon collected."""
    rooms = ("events", "engine", "rulesets")
    runs: dict[str, list[str]] = {key: [] for key in (*rooms, "")}
    for test in tests:
        room = test.split("/")[1]
        runs[room if room in rooms else ""].append(test)
    return [run for run in runs.values() if run]


def main(seen_file: str, seconds: str, checkout: str) -> int:
    """Run tests until one fails; return 0 if none does."""
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    seen = msgspec.json.decode(Path(seen_file).read_bytes(), type=Seen)
    changed = find_changed_lines(seen.files, Path(checkout))
    for tests in order_tests(seen.choose_tests(*changed, float(seconds)) if changed else seen.fastest(float(seconds))):
        files = sorted({test.partition("::")[0] for test in tests})
        code = int(pytest.main([*OPTIONS, *files], plugins=[Chosen(tests)]))
        if code != pytest.ExitCode.OK:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
