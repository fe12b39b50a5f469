"""Links between the project's documents."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md")), *sorted(ROOT.glob("*/README.md"))]


def anchors(document: Path) -> set[str]:
    """Return the names under which a document's sections can be linked to."""
    titles = re.findall(r"^#+ (.*)$", document.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_of_a_document_leads_somewhere(document: Path) -> None:
    links = re.findall(r"\]\((?!https?://)([^)#]*)(?:#([^)]*))?\)", document.read_text("utf-8"))
    for path, anchor in links:
        if path.startswith("reference/"):
            continue  # written by `make docs`, which fails where a link leads nowhere
        there = document.parent / path if path else document
        assert there.exists(), path
        assert not anchor or anchor in anchors(there), f"{path}#{anchor}"
