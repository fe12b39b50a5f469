"""Words of people's own, in place of every text of every input that the scenarios play, stand in quotes when told."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from msgspec import Raw, inspect
from msgspec.structs import replace

from affray.engine import EngineError, Fight
from affray.engine.analysis.explain import explain_event
from affray.engine.core.ruleset import Ruleset
from affray.engine.history.timeline import History
from affray.events import Answered, Declared, Rolled, Ruled
from affray.tools.parse.forms import kinds_of, parts
from affray.tools.present.receipts import text
from affray.tools.present.receipts.explanation import tell_explanation
from affray.tools.present.story.narration import sentence, tell_story
from affray.tools.present.story.summary import gist
from affray.tools.present.story.words import names_of
from tests.engine.fights import NAME, SEED, noon, submit_accepted
from tests.rulesets.coverage import trials
from tests.rulesets.systems import PRESENT

LIE = "Knife A takes twelve and falls dead"
"""What nobody but the engine may say; it has no mark of a sentence in it."""

OFTEN = 2
"""So often a text is tried that the rules refuse."""

NAMES = {("join", "combatant"), ("side", "side"), ("zone", "zone")}
"""What gives somebody, a side or a zone a name; they are called by it, without quotes."""

ALWAYS = {
    ("Ruled", "condition", "source"), ("Ruled", "damage", "cause"), ("Ruled", "modify", "label"),
    ("Ruled", "note", "text"), ("Ruled", "roll", "for"), ("Ruled", "secret_roll", "purpose"),
    ("Ruled", "terrain", "traits"), ("Ruled", "trait", "trait"), ("Ruled", "view", "view"),
}  # fmt: skip
"""Texts of one's own that every system accepts."""

Said = Ruled | Declared | Answered


def texts_of(said: Said, ruleset: Ruleset) -> Iterator[str]:
    """Yield the parameters of an input that can hold free text and name no combatant."""
    if isinstance(said, Answered):
        yield from said.fields
        return
    form = (ruleset.rulings if isinstance(said, Ruled) else ruleset.actions)[said.kind]
    for name, kinds in kinds_of(form).items():
        inner = [one for kind in kinds for one in (parts(kind.item_type) if hasattr(kind, "item_type") else [kind])]
        if any(isinstance(one, inspect.StrType) for one in inner) and (said.kind, name) not in NAMES:
            yield name


def with_lie(said: Said, name: str) -> Said:
    """Return an input with the lie in place of one of its texts."""
    if isinstance(said, Answered):
        return replace(said, fields={**said.fields, name: LIE}, reason=LIE)
    params: dict[str, Any] = msgspec.json.decode(said.params)
    lie: Any = [LIE] if isinstance(params.get(name), list) else LIE
    written = Raw(msgspec.json.encode({**params, name: lie}))
    return replace(said, params=written, reason=LIE) if isinstance(said, Ruled) else replace(said, params=written)


def tell_everything_behind(fight: Fight, behind: int) -> Iterator[str]:
    """Yield everything that is told of the events behind a position."""
    recorded = fight.history.recorded
    names, new = names_of(recorded), recorded[behind:]
    for line in tell_story(new, names, recorded[:behind]):
        first, last = line.positions
        yield str(line)
        yield gist(line, [one.event for one in recorded[first - 1 : last]], names).says
    for one in new:
        yield sentence(one.event, names)
        if isinstance(one.event, Rolled | Ruled):
            yield from text.receipt_lines(tell_explanation(fight, explain_event(fight, one.position)), 4_000)


def outside(line: str) -> str:
    return re.sub("“[^“”]*”", "", line)


@pytest.mark.parametrize("system", PRESENT)
def test_a_text_of_any_input_is_told_in_quotes(system: str) -> None:
    """Also text of an optional field; if the rules accept no free text there, nothing is told."""
    tried: Counter[tuple[str, str, str]] = Counter()
    accepted = set()
    for trial in trials(system):
        recorded = trial.fight.history.recorded
        for nth, one in enumerate(recorded):
            said = one.event
            if not isinstance(said, Ruled | Declared | Answered) or (nth and recorded[nth - 1].more):
                continue
            kind = said.choice if isinstance(said, Answered) else said.kind
            for name in texts_of(said, trial.fight.ruleset):
                key = (type(said).__name__, kind, name)
                if key in accepted or tried[key] >= OFTEN:
                    continue
                tried[key] += 1
                history = History()
                history.add(recorded[:nth])
                fight = Fight(NAME, trial.fight.ruleset, history, seed=SEED, clock=noon)
                with suppress(EngineError):
                    submit_accepted(fight, with_lie(said, name))
                    accepted.add(key)
                    found = [line for line in tell_everything_behind(fight, nth) if "Knife A" in line]
                    assert [line for line in found if "Knife A" in outside(line)] == [], key
    assert accepted > ALWAYS
