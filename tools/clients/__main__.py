"""Regenerate files of the JavaScript client: ``python -m affray.tools.clients``."""

from affray.tools.clients import FOLDER, generate_files
from affray.tools.text.output_files import write_output

for name, text in generate_files().items():
    write_output(FOLDER / name, text, force=True)
