"""Find rules that nothing drives: ``python -m tests.undriven FOLDER…``."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.undriven.driven import Scopes
from tests.undriven.typed import check_modules


def main(folders: list[str]) -> int:
    """Print each rule of the folders that is called and not driven.

    No rule at all is wrong too: then rules have become something that is not recognised here.
    """
    seen = [Scopes(module) for folder in folders for module in check_modules(Path(folder))]
    found = [one for module in seen for one in module.undriven()]
    for one in found:
        print(one)
    rules = sum(len(module.rules) for module in seen)
    print(f"{rules} calls come to a rule, {len(found)} of them are not driven")
    return bool(found) or not rules


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
