"""Write the generated files of the JavaScript client anew: ``python -m affray.tools.clients``."""

from __future__ import annotations

from affray.tools.clients import FOLDER, made

for name, text in made().items():
    (FOLDER / name).write_text(text, encoding="utf-8")
