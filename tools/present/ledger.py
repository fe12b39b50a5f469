"""The ledger of chances as text: each offer or question, and each combatant's reply."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from affray.engine.analysis.ledger import FATES, Chance, ChanceReply, Fate
from affray.engine.errors import Unusable
from affray.engine.fight import Fight
from affray.engine.history.timeline import History
from affray.engine.texts import comparison_key
from affray.events import Answered, Asked, Declared, Id, Joined, Stacked, topic_of
from affray.tools.parse.typed_names import Called

from .story.actions import phrase
from .story.sentences import choice_said
from .story.words import Names, capital, name_of, series, third_person

HEADINGS: dict[Fate, str] = {
    "took": "took",
    "declined": "passed",
    "standing": "standing",
    "forestalled": "too late",
    "shut": "shut",
    "open": "open",
}
"""The heading of the column for each fate of a chance."""

LEGEND = (
    "Passed: let it go by. Standing: a standing pass answered. Too late: somebody else",
    "answered first. Shut: by the game master. Open: nobody has answered yet.",
)


class LedgerEntry(Struct, frozen=True):
    """A line of the ledger, and whether it was taken back."""

    text: str
    undone: bool = False


def somebody(fight: Fight, word: str) -> Id:
    """Find the combatant, past or present, or the game master that a word names.

    Raises:
        Unusable: The word names none, or more than one.
    """
    joined = [one.event for one in fight.history.recorded if isinstance(one.event, Joined)]
    people = {"gm": "gm"} | {event.who: event.name for event in joined}
    meant: Sequence[Id] = Called(people.items()).find(word)
    meant = meant or [who for who in people if comparison_key(who).startswith(comparison_key(word))]
    if len(meant) != 1:
        fault = f"{word} could be {', '.join(meant)}" if meant else f"nobody called {word} was ever in this fight"
        raise Unusable(f"{fault}; there were {', '.join(people)}", "--who")
    return meant[0]


def list_ledger(history: History, chances: Iterable[Chance], names: Names, who: Id = "") -> Iterator[LedgerEntry]:
    """Yield the chances round by round; with ``who``, only that combatant's replies."""
    last = -1
    for chance in chances:
        if chance.round != last:
            last = chance.round
            yield LedgerEntry(f"Round {last}" if last else "Before the first round")
        yield LedgerEntry(f"{chance.position:>6}  {capital(_offer_text(history, chance, names))}", chance.undone)
        replies = [reply for reply in chance.replies if who in ("", reply.who)]
        for text, undone in _became(history, chance, replies, names):
            yield LedgerEntry(f"          {text}", undone or chance.undone)


def _offer_text(history: History, chance: Chance, names: Names) -> str:
    whom = [name_of(names, one) for one in chance.to]
    event = history.at(chance.position).event
    if isinstance(event, Asked):
        ways = series((names.label("options", option.choice) for option in event.options), "or")
        verb = "was" if len(whom) == 1 else "were"
        text = f"{series(whom)} {verb} asked, {names.label('questions', topic_of(chance.what))}: {ways}"
    else:
        text = f"{series(whom)} could {names.label('triggers', chance.what)}"
    stacked = history.at(chance.pending).event if chance.pending else None
    if isinstance(stacked, Stacked):
        what = phrase(stacked.kind, stacked.params, names, stacked.actor)
        return f"{text} – {name_of(names, stacked.actor)} means to {what}"
    if not chance.up:
        return text
    return f"{text} – {'between turns, after' if chance.between else 'in the turn of'} {name_of(names, chance.up)}"


def _became(
    history: History, chance: Chance, replies: Sequence[ChanceReply], names: Names
) -> Iterator[tuple[str, bool]]:
    """Yield the replies to a chance; combatants with the same reply share a line."""
    alike: dict[tuple[object, ...], list[ChanceReply]] = {}
    for reply in replies:
        key = (reply.fate, reply.standing and reply.sender, reply.position, reply.undone)
        alike.setdefault(key, []).append(reply)
    for together in alike.values():
        first = together[0]
        whom = series(name_of(names, reply.who) for reply in together)
        if first.fate == "took":
            text = f"{whom} {_did(history, first, names)}"
        elif first.fate == "declined":
            text = f"{whom} let it pass"
        elif first.fate == "standing":
            whom = series(f"{name_of(names, reply.who)} (since {reply.standing})" for reply in together)
            passes = "a standing pass" if len(together) == 1 else "standing passes"
            text = f"{passes} answered for {whom}, sent by {first.sender}"
        elif first.fate == "forestalled":
            text = f"{whom}: closed when {name_of(names, first.by)} answered"
        elif first.fate == "shut":
            text = f"{whom}: shut by a ruling"
        else:
            text = f"{whom}: {'taken back before an answer' if first.undone else 'still open'}"
        yield capital(text) + _where(first), first.undone


def _where(reply: ChanceReply) -> str:
    if reply.fate in ("standing", "open"):
        return ""
    return f" ({reply.position})" if reply.fate == "forestalled" else f" ({reply.position}, sent by {reply.sender})"


def _did(history: History, reply: ChanceReply, names: Names) -> str:
    event = history.at(reply.position).event
    if isinstance(event, Answered):
        return f"answered: {choice_said(event, names.label('options', event.choice), names)}"
    assert isinstance(event, Declared)
    return f"took it: {third_person(phrase(event.kind, event.params, names, event.actor))}"


def tally_table(tallies: dict[Id, dict[Fate, int]], names: Names) -> list[str]:
    """Return an aligned table with the number of chances and of each fate, per combatant."""
    width = max(len(name_of(names, who)) for who in tallies)
    heads = ["offered", *(HEADINGS[fate] for fate in FATES)]
    rows = [[sum(fates.values()), *(fates[fate] for fate in FATES)] for fates in tallies.values()]
    lines = ["  ".join([" " * width, *heads])]
    for who, row in zip(tallies, rows, strict=True):
        numbers = [f"{number:>{len(head)}}" for number, head in zip(row, heads, strict=True)]
        lines.append("  ".join([f"{capital(name_of(names, who)):<{width}}", *numbers]))
    return [*lines, *LEGEND]
