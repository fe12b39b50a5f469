"""What the page is made with: files of others, unchanged, with their licences; it fetches nothing from anybody."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

import msgspec

PAGE = Path(__file__).parents[2] / "tools" / "page"
LIBRARIES = PAGE / "lib"
LISTED: list[dict[str, str]] = msgspec.json.decode((LIBRARIES / "libraries.json").read_bytes())
IMPORTS: dict[str, str] = msgspec.json.decode(
    re.findall(r"<script type=\"importmap\">(.*?)</script>", (PAGE / "index.html").read_text("utf-8"), re.DOTALL)[0]
)["imports"]
IMPORTED = re.compile(r"\b(?:from|import)\s*\"([\w@./-]+)\"")


def test_every_file_is_what_was_published() -> None:
    for one in LISTED:
        assert sha256((LIBRARIES / one["file"]).read_bytes()).hexdigest() == one["sha256"], one["file"]
        assert one["version"]
        assert one["licence"] in {"MIT", "ISC", "Apache-2.0", "BSD-3-Clause"}
        assert (LIBRARIES / one["text"]).read_text("utf-8").strip()


def test_no_file_is_there_that_is_not_listed() -> None:
    there = {path.name for path in LIBRARIES.iterdir()} - {"libraries.json"}
    assert there == {one[key] for one in LISTED for key in ("file", "text")}


def test_every_module_finds_what_it_imports_in_the_package() -> None:
    """By a name of the import map, or as a file beside it; never from an address."""
    for path in [*PAGE.glob("*.js"), *LIBRARIES.glob("*.js")]:
        for name in IMPORTED.findall(path.read_text("utf-8")):
            if name in IMPORTS:
                assert (PAGE / IMPORTS[name].removeprefix("./static/")).is_file()
            else:
                assert name.startswith("./"), f"{path.name} imports {name}"
                assert (path.parent / name).is_file(), f"{path.name} imports {name}"


def test_every_name_of_the_import_map_is_used() -> None:
    texts = [path.read_text("utf-8") for path in (*PAGE.glob("*.js"), *LIBRARIES.glob("*.js"))]
    assert set(IMPORTS) <= {name for text in texts for name in IMPORTED.findall(text)}
