"""Regenerate shipped data of the books: ``python -m affray.tools.book [SYSTEM…]``.

Run it at the root of a checkout, which has ``tests/`` and ``replays/``.
"""

import sys
from importlib.resources import files
from pathlib import Path

from affray.engine.core.loading import available, load
from affray.tools.scenarios.scenario_file import read_scenarios, scenario_files
from affray.tools.scenarios.scenario_run import run_scenario
from affray.tools.text.output_files import write_output

from .shipped import MADE, encode_made, make

for system in sys.argv[1:] or available():
    ruleset = load(system)
    found = scenario_files([Path("tests", "rulesets", system, "scenarios")])
    trials = [run_scenario(one) for file in found for one in read_scenarios(file)]
    content = encode_made(make(ruleset, trials, Path("replays", system)))
    write_output(Path(str(files(ruleset.package) / MADE)), content, force=True)
