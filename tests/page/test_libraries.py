"""Third-party files of the page and its tests: unchanged, with licences; the page loads nothing else."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

PAGE = Path(__file__).parents[2] / "tools" / "page"
LIBRARIES = PAGE / "lib"
MEASURES = Path(__file__).parent / "lib"
BOTH = pytest.mark.parametrize("folder", [LIBRARIES, MEASURES], ids=["the page", "its tests"])
IMPORTS: dict[str, str] = msgspec.json.decode(
    re.findall(r"<script type=\"importmap\">(.*?)</script>", (PAGE / "index.html").read_text("utf-8"), re.DOTALL)[0]
)["imports"]
IMPORTED = re.compile(r"\b(?:from|import)\s*\"([\w@./-]+)\"")


def list_libraries(folder: Path) -> list[dict[str, str]]:
    """The list of a folder."""
    found: list[dict[str, str]] = msgspec.json.decode((folder / "libraries.json").read_bytes())
    return found


@BOTH
def test_every_file_is_what_was_published(folder: Path) -> None:
    for one in list_libraries(folder):
        assert sha256((folder / one["file"]).read_bytes()).hexdigest() == one["sha256"], one["file"]
        assert one["version"]
        assert one["licence"] in {"MIT", "ISC", "Apache-2.0", "BSD-3-Clause", "MPL-2.0"}
        assert (folder / one["text"]).read_text("utf-8").strip()


@BOTH
def test_no_file_is_there_that_is_not_listed(folder: Path) -> None:
    there = {path.name for path in folder.iterdir()} - {"libraries.json"}
    assert there == {one[key] for one in list_libraries(folder) for key in ("file", "text")}


def test_every_module_finds_what_it_imports_in_the_package() -> None:
    """By a name of the import map, or as a file beside it; never from an address."""
    for path in [*PAGE.glob("*.js"), *PAGE.glob("host/*.js"), *LIBRARIES.glob("*.js")]:
        for name in IMPORTED.findall(path.read_text("utf-8")):
            if name in IMPORTS:
                assert (PAGE / IMPORTS[name].removeprefix("./static/")).is_file()
            else:
                assert name.startswith(("./", "../")), f"{path.name} imports {name}"
                assert (path.parent / name).is_file(), f"{path.name} imports {name}"


def test_every_name_of_the_import_map_is_used() -> None:
    texts = [path.read_text("utf-8") for path in (*PAGE.glob("*.js"), *PAGE.glob("host/*.js"), *LIBRARIES.glob("*.js"))]
    assert set(IMPORTS) <= {name for text in texts for name in IMPORTED.findall(text)}
