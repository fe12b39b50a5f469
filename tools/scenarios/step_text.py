'''Read the steps of a scenario from one text.

::

    steps = """
    ilse attack captain ep=1 : d20=10       a command, and after " : " every die that falls, in order
        ilse actions 2 > 1                  an expected line, see ``notation``; no other lines may occur
        ilse attack … hit {VES-026}         the line must cite the clause
    captain attack ilse -> refused: VES-008     a single expected line may follow after " -> "
    state: turn = "ilse"                    no command; the state is checked
    """

A command begins at the margin; its expected lines are indented below it. ``KEYS`` lists the words with a colon that may
begin such a line. A line that begins with ``#`` is a comment, and empty lines mean nothing.
'''

import re
from collections.abc import Iterator, Sequence
from typing import Any

from affray.engine.errors import Unusable
from affray.tools.parse.encounter_file import read_toml
from affray.tools.parse.faults import Faulty
from affray.tools.scenarios.plain import FIRST_WORDS
from affray.tools.scenarios.step import DETAILS, ScenarioStep, check_step
from affray.tools.text.spelling_hints import nearest

DICE = " : "
"""The mark between a command and its dice."""

FOLLOWS = " -> "
"""The mark between a command and its single expected line, on one line."""

NOTHING = "nothing"
"""The line that expects no outcome."""

INDENT = "    "

WIDTH = 100
"""The longest line for a command with its outcome, in characters."""

KEYS = {
    "has:": "has: bram health 4 > 0",
    "not:": "not: bram brink …",
    "refused:": "refused: not_your_turn VES-008",
    "unusable:": "unusable: there is no odo in this fight",
    "state:": "state: bram.health = 4",
    "reason:": "reason: a splinter",
    "details:": f"details: {' '.join(DETAILS)}",
}
"""The words that may begin a line below a step, each with an example."""

_OF_TABLES = {
    "dice:": "dice stand behind what is done; write ilse attack bram : d20=9",
    "do:": "what is done stands alone, not indented; write ilse attack bram",
    "then:": "a line that comes of a step stands alone; write bram health 4 > 0",
}
"""The keys of a step as a table that a text has no use for, and the form that a text uses."""

_LISTS = {"has:": "has", "not:": "lacks", "refused:": "refused"}

Line = tuple[int, str]
"""The number of a line in the text, from 0, and the line without surrounding space."""

_OPENS = re.compile(r"""(?<![^\s=;])["']|“""")
_CLOSES = {'"': re.compile(r'"(?![^\s;])'), "'": re.compile(r"'(?![^\s;])"), "“": re.compile("”")}


def split_dice(said: str) -> tuple[str, str]:
    """Split a command from the dice after its last `` : ``; quoted text stays whole."""
    at = _without_quotes(said).rfind(DICE)
    return (said[:at].rstrip(), said[at + len(DICE) :].strip()) if at >= 0 else (said, "")


def _without_quotes(said: str) -> str:
    """Blank out the text in quotes of a line, which keeps its length; see ``words_of``."""
    parts: list[str] = []
    at, unclosed = 0, ""
    for opened in _OPENS.finditer(said):
        closed = None
        if opened.start() >= at and opened[0] not in unclosed:
            closed = _CLOSES[opened[0]].search(said, opened.end())
            unclosed += "" if closed else opened[0]
        if closed:
            parts += [said[at : opened.start()], "_" * (closed.end() - opened.start())]
            at = closed.end()
    return "".join([*parts, said[at:]])


def with_dice(do: str, dice: str) -> str:
    """Join a command and its dice, as ``split_dice`` takes them apart."""
    return f"{do}{DICE}{dice}" if dice else do


def read_steps(text: str, field: str = "steps") -> tuple[ScenarioStep, ...]:
    """Parse the steps of a text.

    Args:
        field: The name of the text in its file.

    Raises:
        Unusable: a line means nothing; its field is that of the line, such as ``steps[3]``.
    """
    return tuple(_step(first, below, field) for first, below in _groups(text, field))


def extents(text: str) -> list[tuple[int, int]]:
    """List the first and the last line of each step of a text, from 0; comments and empty lines end no step."""
    return [(first[0], (below[-1] if below else first)[0]) for first, below in _groups(text, "steps")]


def add_dice(lines: list[str], first: int, dice: str) -> None:
    """Add dice to the step that begins on a line of a text."""
    mark = _without_quotes(lines[first]).find(FOLLOWS)
    do, rest = (lines[first], "") if mark < 0 else (lines[first][:mark], lines[first][mark:])
    lines[first] = f"{do.rstrip()}{DICE}{dice}{rest}"


def add_outcome(lines: list[str], first: int, last: int, came: Sequence[str]) -> None:
    """Add the outcome of a step to the lines of a text: on its first line if the result is short."""
    begun = lines[first]
    brief = f"{begun.rstrip()}{FOLLOWS}{came[0]}"
    if first == last and len(came) == 1 and len(brief) <= WIDTH and FOLLOWS not in _without_quotes(begun):
        lines[first] = brief
    else:
        margin = begun[: len(begun) - len(begun.lstrip())]
        lines[last + 1 : last + 1] = [f"{margin}{INDENT}{one}" for one in came]


def _groups(text: str, field: str) -> Iterator[tuple[Line, list[Line]]]:
    """Yield each line at the margin, with the lines that belong to it."""
    margin, first, below = -1, None, []
    for at, whole in enumerate(text.split("\n")):
        said = whole.strip()
        if not said or said.startswith("#"):
            continue
        indent = len(whole) - len(whole.lstrip())
        margin = indent if margin < 0 else margin
        if indent < margin:
            raise Unusable("begins left of the first step; let every step begin in the same column", f"{field}[{at}]")
        if indent > margin:
            below.append((at, said))
            continue
        if first is not None:
            yield first, below
        mark = -1 if said.startswith("state:") else _without_quotes(said).find(FOLLOWS)
        first = (at, said if mark < 0 else said[:mark].rstrip())
        below = [] if mark < 0 else [(at, said[mark + len(FOLLOWS) :].strip())]
    if first is not None:
        yield first, below


def _step(first: Line, below: Sequence[Line], field: str) -> ScenarioStep:
    at, said = first
    word = said.partition(" ")[0]
    keys: dict[str, Any] = {}
    if word == "state:":
        below = [first, *below]
    elif word in _OF_TABLES:
        raise Unusable(_OF_TABLES[word], f"{field}[{at}]")
    elif word in KEYS or said == NOTHING or " > " in _without_quotes(said):
        raise Unusable(f"must be indented, below what is done; write {INDENT}{said}", f"{field}[{at}]")
    elif said.endswith((DICE.rstrip(), FOLLOWS.rstrip())):
        example = f"{said} {'d20=9' if said.endswith(':') else NOTHING}"
        raise Unusable(f"says nothing behind its last word; write {example}", f"{field}[{at}]")
    else:
        keys["do"], keys["dice"] = split_dice(said)
    lines: list[Line] = []
    keyed: list[Line] = []
    for one in below:
        (keyed if _is_keyed(one, field) else lines).append(one)
    nothing = [nth for nth, one in lines if one == NOTHING]
    if nothing and len(lines) > 1:
        raise Unusable("says nothing comes of it, and what does; leave one of them out", f"{field}[{nothing[0]}]")
    if lines:
        keys["then"] = () if nothing else tuple(one for _, one in lines)
    step = ScenarioStep(**keys, **_parse_keyed(keyed, field))
    check_step(step, f"{field}[{at}]")
    return step


def _is_keyed(line: Line, field: str) -> bool:
    """Tell whether a line begins with one of the ``KEYS``. An unknown word with a colon is refused."""
    word, _, rest = line[1].partition(" ")
    if word in KEYS:
        if not rest:
            raise Unusable(f"says nothing behind {word} write {KEYS[word]}", f"{field}[{line[0]}]")
        return True
    if word == FOLLOWS.strip():
        raise Unusable(f"{word} stands behind what is done, on the same line; write {rest}", f"{field}[{line[0]}]")
    if word.endswith(":") and word not in FIRST_WORDS:
        hint = nearest(word, KEYS) or f"; there are {', '.join(KEYS)}"
        raise Unusable(_OF_TABLES.get(word) or f"no line begins with {word}{hint}", f"{field}[{line[0]}]")
    return False


def _parse_keyed(lines: Sequence[Line], field: str) -> dict[str, Any]:
    """Parse the lines of a step that begin with one of the ``KEYS``."""
    keys: dict[str, Any] = {}
    lists: dict[str, list[str]] = {}
    state: list[Line] = []
    for at, said in lines:
        word, _, rest = said.partition(" ")
        rest = rest.strip()
        if word in _LISTS:
            lists.setdefault(_LISTS[word], []).append(rest)
        elif word == "state:":
            state.append((at, rest))
        elif word[:-1] in keys:
            raise Unusable(f"says {word} twice; leave one of them out", f"{field}[{at}]")
        else:
            keys[word[:-1]] = _details(rest, f"{field}[{at}]") if word == "details:" else rest
    keys |= {key: tuple(said) for key, said in lists.items()}
    if len(lists.get("refused", ())) == 1:
        (keys["refused"],) = lists["refused"]
    if state:
        keys["state"] = _state(state, field)
    return keys


def _details(said: str, field: str) -> tuple[str, ...]:
    words = tuple(said.split())
    unknown = next((word for word in words if word not in DETAILS), None)
    if unknown is not None:
        raise Unusable(f"there are no details {unknown}; write {KEYS['details:']}", field)
    return words


def _state(lines: Sequence[Line], field: str) -> dict[str, Any]:
    """Parse the state: together its lines hold the content of an inline table of TOML."""
    for at, said in lines:
        _table(said, f"{field}[{at}]")
    return _table(", ".join(said for _, said in lines), f"{field}[{lines[-1][0]}]")


def _table(said: str, field: str) -> dict[str, Any]:
    try:
        table = read_toml(f"_ = {{ {said} }}")[1]["_"]
    except Faulty as error:
        raise Unusable(f"{error.fault.message}; write {KEYS['state:']}", field) from None
    assert isinstance(table, dict)
    return table
