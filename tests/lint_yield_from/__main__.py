"""Find rules that nothing drives: ``python -m tests.lint_yield_from FOLDER…``."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

from affray.engine.system_check.driving import Driving
from tests.lint_yield_from.typed import check_modules


def main(folders: list[str]) -> int:
    """Print each rule of the folders that is called and not driven.

    No rule at all is wrong too: then rules have become something that is not recognised here.
    """
    seen = [(module, Driving(module)) for folder in folders for module in check_modules(Path(folder))]
    found = [(module.path, *one) for module, driving in seen for one in driving.undriven()]
    for path, call, wrong in found:
        print(f"{path}:{call.lineno}: `{ast.unparse(call)}` {wrong}; write `yield from`, or hand it on")
    rules = sum(len(driving.rules) for _, driving in seen)
    print(f"{rules} calls come to a rule, {len(found)} of them are not driven")
    return bool(found) or not rules


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
