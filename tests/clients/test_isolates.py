"""The page isolates right-to-left words as everything else does, in every element that it builds."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from affray.tools.text.isolates import isolate
from tests.clients.node import run_node

PAGE = Path(__file__).parents[2] / "tools" / "page"

TEXTS = [
    "Initiative – Ilse א: 10, 3 ב: 5, Cap: 6",
    "דן כהן-גל: 17, אורי: 8 – “שלום, 3 (עולם)!”",
    "می\u200cخواهم ٣: “x”, “٣” \U0001e900\u0301",
    "Weiß 3 → 1 – “no such letters”",
]

LIBRARIES = {
    "htm": "htm",
    "preact": "preact",
    "preact/hooks": "preact-hooks",
    "@preact/signals": "signals",
    "@preact/signals-core": "signals-core",
}
"""Names that the page imports libraries by, and their files."""

BUILD = """
import { html } from "./parts.js";
const texts = %s;
const inside = (one) => (one?.props ? shown(one.props.children) : one ?? "");
const shown = (one) => (Array.isArray(one) ? one.map(shown).join("") : inside(one));
const Inner = ({ children }) => html`<b>${children}</b>`;
console.log(JSON.stringify({
  elements: texts.map((text) => shown(html`<p title=${text}>${[text]}</p>`)),
  typed: texts.map((text) => shown(html`<textarea>${text}</textarea>`)),
  given: texts.map((text) => shown(html`<${Inner}>${text}<//>`)),
}));
"""


@pytest.fixture
def built(tmp_path: Path) -> dict[str, Any]:
    """The page's rendering of texts, with its libraries."""
    page = shutil.copytree(PAGE, tmp_path / "page")
    for name, file in LIBRARIES.items():
        folder = page / "node_modules" / name.removesuffix("/hooks")
        folder.mkdir(parents=True, exist_ok=True)
        exports = {".": "./index.js", "./hooks": "./hooks.js"}
        (folder / "package.json").write_text(json.dumps({"type": "module", "exports": exports}), "utf-8")
        shutil.copy(PAGE / "lib" / f"{file}.js", folder / ("hooks.js" if name.endswith("/hooks") else "index.js"))
    (page / "package.json").write_text('{"type": "module"}', "utf-8")
    begin = "globalThis.document = { baseURI: 'http://x/' };\nawait import('./built.js');"
    (page / "build.js").write_text(begin, "utf-8")
    (page / "built.js").write_text(BUILD % json.dumps(TEXTS), "utf-8")
    ran = run_node("build.js", cwd=page)
    assert ran.code == 0, ran.err
    found: dict[str, Any] = ran.json
    return found


def test_the_page_isolates_as_the_terminal_does(built: dict[str, Any]) -> None:
    """Typed text is sent unchanged; components pass their text on."""
    isolated = [isolate(text) for text in TEXTS]
    assert built["elements"] == isolated
    assert built["typed"] == TEXTS
    assert built["given"] == TEXTS
