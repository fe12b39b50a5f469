"""Configuration of the documentation site, which ``make docs`` builds into ``build/site``.

The pages lie in the folders that they describe, so the whole checkout is the source. What the code itself declares is
written to ``docs/reference/`` before each build.
"""

from __future__ import annotations

import sys
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from docs.reference import write_reference
from docs.signatures import split_shared_fields, write_signature

from affray.engine.core import actions, effects

vars(effects)["Action"] = actions.Action  # its module imports the type for type checkers alone
write_reference()

project = "Affray"
author = "The Affray maintainers"
version = release = installed_version("affray")

root_doc = "docs/index"
include_patterns = [
    "*.md",
    "docs/**.md",
    "engine/README.md",
    "engine/**/README.md",
    "events/README.md",
    "tools/README.md",
]
include_patterns += ["replays/README.md"]
exclude_patterns = [".*", "build", "dist", "encounters", "src", "tests", "**/__pycache__"]
templates_path = ["_templates"]

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
napoleon_use_ivar = True
napoleon_attr_annotations = False  # the signature shows the types
napoleon_custom_sections = [("Class attributes", "params_style")]
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 88

myst_heading_anchors = 4
myst_enable_extensions = ["html_image"]

smartquotes = False  # they would turn --option into a dash

html_theme = "furo"
html_title = f"Affray {release}"
html_show_copyright = False
html_copy_source = False
html_additional_pages = {"index": "start.html"}


def setup(app: Any) -> None:
    """Write signatures and shared attributes readably."""
    app.connect("autodoc-process-signature", write_signature)
    app.connect("autodoc-process-docstring", split_shared_fields, priority=600)  # behind napoleon
