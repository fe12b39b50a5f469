"""Answers, passes and faces of dice as people type them: what a fight waits for, and why it is answered so."""

from collections.abc import Sequence

from affray import events as facts
from affray.engine.errors import Unusable
from affray.engine.fight import Fight
from affray.engine.texts import comparison_key
from affray.events import EVERYBODY, Id, Scalar
from affray.tools.text.isolates import remove_isolates

from .typed_names import BECAUSE, Called, gone_on, name_fields, people_called, words_of
from .values import parse_value


def split_reason(line: str) -> tuple[list[str], str]:
    """Split a line into its words and the reason after ``because``, kept as typed.

    Raises:
        Unusable: a quote before the reason is not closed.
    """
    at, line = -1, remove_isolates(line)
    while (at := line.find(f" {BECAUSE} ", at + 1)) >= 0:
        if line.count('"', 0, at) % 2 == 0:
            return words_of(line[:at]), line[at + len(BECAUSE) + 2 :].strip()
    return words_of(line), ""


def cut_reason(words: Sequence[str]) -> tuple[list[str], str]:
    """Split words into those before ``because`` and the reason after it."""
    at = list(words).index(BECAUSE) if BECAUSE in words else len(words)
    return [*words[:at]], " ".join(words[at + 1 :])


def parse_answer(
    fight: Fight, words: Sequence[str], by: Id | None = None, reason: str = ""
) -> facts.Answered | facts.Passed:
    """Parse ``CHOICE [NAME=VALUE …] [because REASON]``, or a pass in a window.

    Args:
        by: The answering combatant; by default the one that is asked.
        reason: The reason, if the words give none.

    Raises:
        Unusable: no question is pending, or a value is not of the form NAME=VALUE.
    """
    draft = fight.table.draft
    if is_pass_of_all(fight, words):
        return _pass_of_all(fight)
    words, why = cut_reason(words)
    if draft.window is not None and words in ([], ["pass"]) and not why:
        return facts.Passed(window=draft.window.id, who=by or draft.window.to[0])
    if draft.question is None:
        raise Unusable("nobody is asked anything now", "answer")
    if not words:
        choices = ", ".join(option.choice for option in draft.question.options)
        raise Unusable(f"say which: {choices}", "answer")
    by = by or draft.question.of[0]
    option = next((one for one in draft.question.options if one.choice == words[0]), None)
    known = name_fields(option) if option else {}
    fields: dict[str, Scalar] = {}
    rest = words[1:]
    while rest:
        word = rest.pop(0)
        while "=" not in word and rest:  # the name of a side may have several words
            word = f"{word} {rest.pop(0)}"
        name, equals, value = word.partition("=")
        if not equals:
            raise Unusable(f"say name=value, not {word}", "answer")
        name = next((one for one in known if comparison_key(one) == comparison_key(name)), name)
        among = Called((one, display_name(fight, one)) for one in (known[name].among if name in known else ()))
        more = gone_on(among, value, rest)
        fields[name] = parse_value(known.get(name), " ".join((value, *rest[:more])), by, among)
        del rest[:more]
    plain = {name: value for name, value in fields.items() if name not in known or not known[name].about}
    answer = facts.Answered(question=draft.question.id, by=by, choice=words[0], fields=plain, reason=why or reason)
    return facts.give_values(answer, [(known[name], value) for name, value in fields.items() if name in known])


def display_name(fight: Fight, id: Id) -> str:
    """Return the name of a combatant or an item, or else the id."""
    draft = fight.table.draft
    known = draft.combatants.get(id) or draft.items.get(id)
    return known.name if known is not None else id


def faces(fight: Fight, words: Sequence[str]) -> facts.DiceEntered:
    """Parse the faces thrown for the dice that are awaited now.

    Raises:
        Unusable: no dice are awaited, or a face is not a whole number.
    """
    awaited = fight.table.draft.awaited
    if awaited is None:
        raise Unusable("no dice are awaited now", "faces")
    try:
        return facts.DiceEntered(roll=awaited.roll, faces=tuple(int(word) for word in words))
    except ValueError:
        raise Unusable("a face is a whole number", "faces") from None


ALL = "all"
"""Another word for ``*``, which a shell expands unless it is quoted. A combatant with that name takes precedence."""


def is_pass_of_all(fight: Fight, words: Sequence[str]) -> bool:
    """Tell whether words pass for all combatants that are asked in the open window: ``pass *``."""
    if len(words) != 2 or words[0] != "pass":
        return False
    return words[1] == EVERYBODY or (words[1] == ALL and ALL not in people_called(fight.table.draft.combatants))


def _pass_of_all(fight: Fight) -> facts.Passed:
    """Return a pass for all combatants that are asked in the open window.

    Raises:
        Unusable: no window is open.
    """
    window = fight.table.draft.window
    if window is None:
        raise Unusable("no window is open now that could be passed", "pass")
    return facts.Passed(window=window.id, who=EVERYBODY)
