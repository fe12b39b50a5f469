"""Python code in documents: each program is run as it stands there, and each fragment is Python."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from affray import load_ruleset, read_template
from tests.rulesets.systems import PRESENT

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
ELSEWHERE = {
    "clients.md": "tests/client/test_following.py",
    "pipe.md": "tests/tools/test_pipe.py",
    "verify.md": "tests/test_docs.py",
}
"""Documents whose programs need a server, other processes or arguments, with the test that runs them."""

DOCUMENTS = {
    str(path.relative_to(ROOT)): BLOCK.findall(path.read_text("utf-8"))
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted(ROOT.glob("engine/**/README.md")))
    if path.name not in ELSEWHERE
}
WITH_CODE = [pytest.param(document, id=document) for document, blocks in DOCUMENTS.items() if blocks]


@pytest.mark.parametrize("document", WITH_CODE)
def test_python_in_a_document_runs(document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocks behind the first import are one program; those before it are fragments."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "replays").symlink_to(ROOT / "replays")
    for system in PRESENT:  # as ``affray new --template`` writes them
        (tmp_path / f"{system}.toml").write_text(read_template(load_ruleset(system)), "utf-8")
    page = (ROOT / document).read_text("utf-8")
    names: dict[str, object] = {"__name__": "__main__"}
    for block in DOCUMENTS[document]:
        lines_before = page[: page.index(block)].count("\n")
        code = compile("\n" * lines_before + block, str(ROOT / document), "exec")
        if "__builtins__" in names or re.match(r"(?:import|from) ", block):
            exec(code, names)


@pytest.mark.parametrize("document", ELSEWHERE)
def test_other_documents_are_run_by_their_own_tests(document: str) -> None:
    assert document in (ROOT / ELSEWHERE[document]).read_text("utf-8")


def test_the_program_of_the_guide_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is run until the fight is over, as a reader would."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wwn.toml").write_text(read_template(load_ruleset("wwn")), "utf-8")
    program = DOCUMENTS["docs/library.md"][0]
    assert len(program.splitlines()) <= 20
    heads: list[int] = []
    ended = False
    while not ended and len(heads) < 40:
        names: dict[str, Any] = {}
        exec(program, names)
        heads.append(names["fight"].head)
        ended = names["fight"].state.ended
    assert ended
    assert heads == sorted(set(heads))
    assert len(heads) > 1
