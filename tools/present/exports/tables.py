"""The events and the rolls of a fight as CSV (RFC 4180), safe to open in a spreadsheet."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO

import msgspec

from affray.engine.fight import Fight
from affray.engine.history.timeline import History
from affray.events import ABOUT_THE_RECORD, Judged, Modifier, Recorded, Rolled, RoundBegan
from affray.tools.present.story.narration import tell
from affray.tools.present.story.words import Names, as_people_say, name_of, names_of, term_said
from affray.tools.text.printable import json_text, printable

Cell = str | int

FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
"""The visible characters that begin a formula in a spreadsheet; tabs and line ends are written out."""

EVENT_HEADS = ("position", "time", "who", "command", "round", "counts", "type", "text", "fields", "rules")

ROLL_HEADS = (
    "position", "round", "counts", "roller", "purpose", "dice", "faces", "fates", "reading", "from", "modifiers",
    "total", "against", "outcome", "margin", "source", "roll", "rules",
)  # fmt: skip


def events_csv(fight: Fight) -> str:
    """Return the events as CSV, one a row; an event's fields are one JSON object."""
    names = names_of(fight.history.recorded)
    return _table(EVENT_HEADS, (_event(fight, names, one, round) for one, round in _by_rounds(fight)))


def rolls_csv(fight: Fight) -> str:
    """Return the rolls as CSV, one a row, with their outcomes."""
    names = names_of(fight.history.recorded)
    outcomes = _outcomes(fight.history.recorded)
    rolls = ((one, round) for one, round in _by_rounds(fight) if isinstance(one.event, Rolled))
    return _table(ROLL_HEADS, (_roll(fight, names, one, round, outcomes.get(one.position)) for one, round in rolls))


def _event(fight: Fight, names: Names, one: Recorded, round: int) -> Sequence[Cell]:
    fields = msgspec.json.decode(msgspec.json.encode(one.event))
    kind, rules = fields.pop("type"), fields.pop("rules", ())
    text = tell(one.event, names, verbose=True) or ""
    counts = _counts(fight.history, one)
    written = json_text(fields)
    return (one.position, one.time, one.who, one.cause, round, counts, kind, text, written, " ".join(rules))


def _roll(fight: Fight, names: Names, one: Recorded, round: int, judged: Judged | None) -> Sequence[Cell]:
    roll = one.event
    assert isinstance(roll, Rolled)
    return (
        one.position,
        round,
        _counts(fight.history, one),
        name_of(names, roll.by),
        as_people_say(roll.purpose),
        _dice(roll),
        " | ".join(" ".join(map(str, group.faces)) for group in roll.dice),
        " | ".join(", ".join(group.fates) for group in roll.dice) if any(group.fates for group in roll.dice) else "",
        roll.reading,
        _terms(roll.pool, names),
        _terms(roll.modifiers, names),
        roll.total,
        "" if roll.against is None else roll.against,
        judged.outcome if judged else "",
        judged.margin if judged else "",
        roll.source,
        roll.roll,
        " ".join(roll.rules),
    )


def _dice(roll: Rolled) -> str:
    """Return the dice of a roll; name their kinds only if there are several."""
    kinds = len({group.kind for group in roll.dice}) > 1
    return " | ".join(
        f"{as_people_say(group.kind)} " * kinds + f"{len(group.faces)}d{group.sides}" for group in roll.dice
    )


def _terms(modifiers: Iterable[Modifier], names: Names) -> str:
    return "; ".join(f"{term_said(one, names)} {one.value:+d}" for one in modifiers)


def _outcomes(recorded: Iterable[Recorded]) -> dict[int, Judged]:
    """Return the outcome of each roll by the roll's position; roll ids recur after an undo."""
    at: dict[str, int] = {}
    found: dict[int, Judged] = {}
    for one in recorded:
        if isinstance(one.event, Rolled):
            at[one.event.roll] = one.position
        elif isinstance(one.event, Judged) and one.event.roll in at:
            found.setdefault(at[one.event.roll], one.event)
    return found


def _by_rounds(fight: Fight) -> Iterator[tuple[Recorded, int]]:
    """Yield every event with its round, across undone branches; 0 before the first round."""
    history = History()
    rounds = {0: 0}
    for one in fight.history.recorded:
        before = history.path[-1] if history.path else 0
        number = one.event.round if isinstance(one.event, RoundBegan) else rounds[before]
        rounds[one.position] = number
        history.add([one])
        yield one, number


def _counts(history: History, one: Recorded) -> str:
    """Return ``yes``, ``undone``, or ``record`` for events about the record, never taken back."""
    if type(one.event) in ABOUT_THE_RECORD:
        return "record"
    return "yes" if history.is_effective(one.position) else "undone"


def _table(heads: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Write a table: texts in quotes, numbers bare, so that no separator of any locale parts a text."""
    written = StringIO()
    writer = csv.writer(written, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
    writer.writerow(heads)
    writer.writerows([_safe(cell) for cell in row] for row in rows)
    return written.getvalue()


def _safe(cell: Cell) -> Cell:
    """Put an apostrophe before a text that a spreadsheet would run as a formula."""
    if isinstance(cell, int):
        return cell
    text = printable(cell)  # which may leave out the text before a sign
    return f"'{text}" if text.lstrip().startswith(FORMULA) else text
