"""Everything that people are told of a fight, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO

from rich.console import Console

from affray.engine.analysis.explain import explain_event
from affray.engine.fight import Fight
from affray.events import Damaged, Rolled
from affray.tools.cli.render_state import picture
from affray.tools.present.awaiting_history import list_headlines
from affray.tools.present.exports.markdown import markdown
from affray.tools.present.receipts import text
from affray.tools.present.receipts.explanation import tell_explanation
from affray.tools.present.story.entries import entries
from affray.tools.present.story.narration import sentence, tell_story
from affray.tools.present.story.words import names_of

FEW = 6
"""Of so many numbers the receipt is read."""


def tell_whole_story(fight: Fight) -> Iterator[str]:
    """Yield a story, the gist of its lines, each event, headlines, the picture of the end, the report, receipts."""
    recorded = fight.history.recorded
    names = names_of(recorded)
    yield from map(str, tell_story(recorded, names))
    yield from (one.gist for one in entries(recorded))
    yield from (sentence(one.event, names) for one in recorded)
    yield from (one.says for one in list_headlines(recorded))
    screen = StringIO()
    Console(file=screen, width=400).print(picture(fight, fight.ruleset))
    yield from screen.getvalue().splitlines()
    yield from markdown(fight).splitlines()
    numbers = [one.position for one in recorded if isinstance(one.event, Damaged | Rolled)]
    for position in numbers[:: 1 + len(numbers) // FEW]:
        yield from text.receipt_lines(tell_explanation(fight, explain_event(fight, position)), 400)
