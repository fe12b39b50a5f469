"""The version of a release: in the program, the changelog and the tag."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

TAG = re.compile(r"v\d.*")


def list_wrong_versions(version: str, changelog: str, tags: Sequence[str]) -> Iterator[str]:
    """Yield a sentence for each place that does not fit the program's version.

    Args:
        version: The program's own.
        changelog: The text of the changelog.
        tags: The tags of the commit.
    """
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        yield f"affray.__version__ is {version}; it must have the form 1.2.3"
    if not re.search(rf"^## \[?{re.escape(version)}\]?( |$)", changelog, re.MULTILINE):
        yield f"CHANGELOG.md has no entry for {version}; call its section: ## {version}"
    found = [tag for tag in tags if TAG.fullmatch(tag)]
    if not found:
        yield f"the commit has no version tag; give it one: git tag v{version}"
    for tag in found:
        if tag != f"v{version}":
            yield f"the commit has the tag {tag}, but affray.__version__ is {version}"
