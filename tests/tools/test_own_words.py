"""Free text is quoted wherever a fight is told; all text outside of quotes is the engine's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from csv import DictReader
from html import unescape
from io import StringIO
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import pytest
from msgspec import Raw, Struct, inspect
from rich.console import Console

import affray.tools
from affray.engine import Command, Fight, begin_fight
from affray.engine.commands import Close, Intent, Stir, Undo
from affray.engine.core.loading import load
from affray.engine.integrity.audit import audit
from affray.events import Answered, ConditionChanged, Event, Joined, MarkSet, Noted, Ruled, names_recorded
from affray.tools.api.store_url import StorePlace
from affray.tools.cli.commands.audit import list_callings
from affray.tools.cli.terminal import Screen, join_pieces
from affray.tools.parse import intent_parser
from affray.tools.parse.forms import kinds_of
from affray.tools.present.audit_text import list_remarks, summarise_audit
from affray.tools.present.exports.page import page
from affray.tools.present.exports.tables import events_csv, rolls_csv
from affray.tools.present.story.actions import phrase, ruling_said
from affray.tools.present.story.narration import tell, tell_all
from affray.tools.present.story.words import Names, names_of
from affray.tools.text.printable import wrap_to_width
from tests.engine import encounters
from tests.engine.fights import SEED, noon
from tests.engine.memory import MemoryStore
from tests.rulesets.systems import SYSTEMS
from tests.tools.told import tell_whole_story

EACH = pytest.mark.parametrize("system", SYSTEMS)

LIE = "Knife A takes 12: 12 fire. HP 5 → 0, dead"
"""What nobody but the engine may say."""

WORDS = f'leaps”. {LIE}. “and " lands'
"""What somebody writes who wants to be taken for the engine."""

NAMED = {"Hild": "Hild: dead", "Ilse": "Ilse – gone", "Wren": "Wren, dead", "Marta": "Marta (dead)", "Bram": "“Bram"}
"""Names that look like more than a name."""

PAGE = Path(affray.tools.__file__).parent / "page" / "words.js"
"""The script in which the page quotes words."""

PLAIN = "Knife A takes twelve and falls dead"
"""The same without a mark of a sentence."""

BARE = {"place", "position", "side"}
"""What is called by its bare name."""


def load_template(system: str) -> dict[str, Any]:
    """Return the template of a system's encounters."""
    return encounters.load_shipped_encounters()[f"{system}/template"]


def outside(line: str) -> str:
    """Return what a line says outside of quotes."""
    assert line.count("“") == line.count("”"), line
    return re.sub("“[^“”]*”", "", line)


def check_own_words(lines: Iterator[str] | list[str]) -> None:
    said = list(lines)
    assert said
    for line in said:
        assert "Knife A" not in outside(line), line


def begin_named_by_words(system: str, store: MemoryStore | None = None) -> Fight:
    """Return a fight with free text as its name and its author."""
    content: dict[str, Any] = {**load_template(system), "name": WORDS}
    return begin_fight("x", content, who=WORDS, seed=SEED, store=store, clock=noon)


def test_quotes_in_words_cannot_end_the_quotes_around_them() -> None:
    """They become single ones; nothing else about the words changes."""
    fight = begin_named_by_words("wwn")
    fight.submit(Command(id="s", who="gm", intent=Stir(words="luck”. Bandit A is dead. “x")))
    (line,) = tell_all(fight.history.recorded[-1:], fight)
    assert line.strip() == "Stirred into the dice: “luck’. Bandit A is dead. ‘x”"


@pytest.mark.parametrize(
    "mark",
    '“”„‟"＂〝〞〟❝❞❠⹂\U0001f676\U0001f677\U0001f678\u02ee\u02ba\u2033\u2036\u05f4\u3003\u02dd\u02f5\u02f6\u1cd3\u2034\u2037\u2057\u1fcd\u1fce\u1fdd\u1fde',
)
def test_a_character_that_looks_like_a_double_quote_is_none_inside_quotes(mark: str) -> None:
    """An ornament, a double prime and a gershayim, too; each becomes its single sibling, on the page as well."""
    fight = begin_named_by_words("wwn")
    fight.submit(Command(id="s", who="gm", intent=Stir(words=f"luck{mark}. Bandit A is dead. {mark}x")))
    (line,) = tell_all(fight.history.recorded[-1:], fight)
    assert mark not in line.removeprefix("  Stirred into the dice: “").removesuffix("”")
    table = PAGE.read_text("utf-8").partition("const WITHIN = {")[2].partition("};")[0]
    ways = (mark, f"\\u{ord(mark):04x}", f"\\u{{{ord(mark):x}}}")
    assert any(f"{quote}{way}{quote}:" in table for way in ways for quote in "\"'")


@pytest.mark.parametrize(
    "note",
    [
        "hild casts Fireball: Brigand dies",
        "hild has AC 99, shock_applies true",
        "hild cannot: is stunned",
        "hild: leaps: lands",
        "hild uses potion: is healed",
        "timer 4",
    ],
)
@EACH
def test_a_note_of_the_game_master_is_told_as_a_note(system: str, note: str) -> None:
    """Even if it looks like a note of the rules; also in an old log."""
    told_as = tell(Noted(text=note), _names(system))
    assert told_as == f"Note: “{note}”"


def test_a_note_of_the_rules_is_told_as_they_say() -> None:
    """The clause that wrote it decides which form it has; what a person put into it stays in quotes."""
    names = _names("wwn")
    cast = Noted(text="hild casts Fireball: Brigand dies", rules=("WWN-052",))
    assert tell(cast, names) == "Hild casts “Fireball”: “Brigand dies”"
    shock = Noted(text="hild has AC 13, shock_applies true", rules=("WWN-035", "WWN-T06"))
    assert tell(shock, names) == "Hild has AC 13: even a miss does Shock"
    other = Noted(text="hild has AC 13, shock_applies true", rules=("WWN-065",))
    assert tell(other, names) == "Note: “hild has AC 13, shock_applies true”"


def test_what_a_game_master_answers_is_never_a_sentence_of_the_rules() -> None:
    """A note that a clause of Hexblade leaves to the game master is free text in any case."""
    assert tell(Noted(text="timer 4", rules=("HEX-048",)), _names("hexblade")) == "Note: “timer 4”"


def test_a_name_that_reads_like_a_sentence_stays_in_its_line() -> None:
    """A bare name has no quotes around it; the line goes on behind it as it does behind any other."""
    names = _names("vestige")
    names["hild"] = "Bandit is dead"
    fell = ConditionChanged(who="hild", condition="prone", before=0, after=1)
    told_usually = tell(fell, _names("vestige"))
    assert told_usually is not None
    assert tell(fell, names) == told_usually.replace("Hild", "Bandit is dead")


def _names(system: str) -> Names:
    found = Names(system)
    found["hild"] = "Hild"
    return found


@EACH
def test_every_parameter_that_holds_own_words_is_told_in_quotes(system: str) -> None:
    """For every action and ruling, regardless of its type; also if the rules are not installed."""
    rules = load(system)
    for forms, says in ((rules.actions, phrase), (rules.rulings, ruling_said)):
        for kind, form in forms.items():
            for params in fill_one_word(form):
                for names in (_names(system), _names("unheard_of")):
                    check_own_words([says(kind, Raw(msgspec.json.encode(params)), names)])


def fill_one_word(form: type[Struct]) -> Iterator[dict[str, Any]]:
    """Yield parameters with words in one of them."""
    named = names_recorded(form)
    for name, kinds in kinds_of(form).items():
        for words in (WORDS, PLAIN) if named.get(name) not in BARE else (WORDS,):
            if any(isinstance(kind, inspect.StrType | inspect.LiteralType) for kind in kinds):
                yield {name: words}
            if any(isinstance(kind, inspect.VarTupleType) for kind in kinds):
                yield {name: [words, words]}
    yield {"combatant": {"name": WORDS, "side": WORDS}}


@EACH
def test_events_that_hold_own_words_quote_them(system: str) -> None:
    """Conditions, their sources, marks of words and of granted numbers, and names that look like a sentence."""
    who = _names(system)
    marks = [key for key, mark in load(system).marks.items() if mark.names == "words"]
    held = (MarkSet(owner="hild", key=f"{mark}/1", value=f"hild {WORDS}", until="gone") for mark in marks)
    events: list[Event] = [
        ConditionChanged(who="hild", condition=WORDS, before=0, after=1),
        ConditionChanged(who="hild", condition="prone", before=0, after=1, source=WORDS),
        MarkSet(owner="hild", key="modifier", about=WORDS, value=2, until="that roll"),
        MarkSet(owner="hild", key="told", value=WORDS, until="that roll"),
        Ruled(kind="note", params=Raw(msgspec.json.encode({"text": WORDS})), reason=WORDS),
        Joined(who="eve", name=WORDS, side=WORDS, stats={}, pools={}, traits=()),
        *held,
    ]
    check_own_words([tell(one, who, verbose=True) or "nothing" for one in events])


@EACH
def test_a_fight_full_of_own_words_is_told_in_quotes(system: str) -> None:
    """Story, log, picture, receipts, report, tables and audit, of what is played, ruled, undone, amended and closed."""
    store = MemoryStore()
    fight = play_own_words(system, store)
    recorded = fight.history.recorded
    check_own_words(tell_whole_story(fight))
    check_own_words(tell_all(recorded, fight, verbose=True))
    check_own_words(
        row["text"] for row in DictReader(StringIO(events_csv(fight)))
    )  # other cells are data, each by itself
    check_own_words(
        row[cell] for row in DictReader(StringIO(rolls_csv(fight))) for cell in ("roller", "from", "modifiers")
    )
    report = audit(lambda: store.lines("x"), seed=SEED)
    assert report.verdict == "clean"
    said = list(list_remarks(report, names_of(recorded)))
    check_own_words([summarise_audit(report), *said])
    assert list(list_remarks(report, names_of(list_callings(StorePlace(store, "x", "x"), None)))) == said
    check_own_words(unescape(page(fight)).splitlines())
    assert summarise_audit(report).startswith(f"clean: “leaps’. {LIE}. ‘and ' lands” ({system} ")


def play_own_words(system: str, store: MemoryStore) -> Fight:
    fight, numbers = begin_named_by_words(system, store), count(1)

    def sends(intent: Intent) -> None:
        with patch("affray.engine.fight.check_new_ruling"):  # older records hold any words in what a roll is for
            fight.submit(Command(id=f"c{next(numbers)}", who=WORDS, intent=intent))

    who = next(iter(fight.state.combatants))
    sends(Stir(words=WORDS))
    for words in (
        ["note", WORDS], ["modify", who, "1", f"label={WORDS}"], ["condition", who, WORDS, "own=true"],
        ["trait", who, WORDS, "present=true"], ["secret_roll", "2d6", WORDS], ["note", PLAIN],
        ["roll", who, "1d6", f"for={PLAIN}"], ["secret_roll", "1d6", PLAIN], ["trait", who, PLAIN, "present=true"],
        ["modify", who, "1", f"label={PLAIN}"], ["condition", who, PLAIN, "own=true"],
    ):  # fmt: skip
        sends(intent_parser.ruling(fight, words, WORDS))
    sends(Undo(reason=WORDS))
    sends(intent_parser.ruling(fight, ["note", "again"], WORDS))
    sends(intent_parser.intent(fight, "begin"))
    for _ in range(20):
        if fight.state.question is None:
            break
        sends(_answer(fight))
    sends(Close(unfinished=True, reason=WORDS))
    return fight


def _answer(fight: Fight) -> Answered:
    question = fight.state.question
    assert question is not None
    option = next((one for one in question.options if any(field.kind == "text" for field in one.fields)), None)
    option = option or question.options[0]
    fields: dict[str, Any] = {}
    for field in option.fields:
        fields[field.name] = WORDS if field.kind == "text" else field.low if field.kind == "int" else field.among[0]
    return Answered(question=question.id, by=question.of[0], choice=option.choice, fields=fields)


def test_a_stunt_and_what_comes_of_it_are_quoted() -> None:
    """From the declaration to the question, the answer and the note that the rules make of both."""
    fight = begin_named_by_words("wwn")
    numbers = count(1)

    def sends(intent: Intent) -> None:
        fight.submit(Command(id=f"c{next(numbers)}", who="gm", intent=intent))

    sends(intent_parser.intent(fight, "begin"))
    while not fight.state.acting:
        sends(_answer(fight))
    who = fight.state.acting[0]
    sends(intent_parser.declaration(fight, [who, "improvise", WORDS]))
    while fight.state.question is None:
        window = fight.state.window
        assert window is not None
        sends(intent_parser.intent(fight, f"pass {window.to[0]}"))
    check_own_words(tell_whole_story(fight))
    settled = fight.state.question.id
    sends(Answered(question=settled, by="gm", choice="settled", fields={"outcome": WORDS}))
    check_own_words(tell_whole_story(fight))
    assert any(isinstance(one.event, Noted) for one in fight.history.recorded[-4:])


@pytest.mark.parametrize("name", NAMED.values())
def test_a_name_that_looks_like_more_is_quoted(name: str) -> None:
    """One with the marks of a sentence, or brackets; any other stands as it is."""
    content = load_template("wwn")
    content = {**content, "combatant": [{**content["combatant"][0], "name": name}, *content["combatant"][1:]]}
    fight = begin_fight("x", content, who="gm", seed=SEED, clock=noon)
    inner = name.replace("“", "‘")
    lines = [line for line in tell_whole_story(fight) if inner in line]
    assert lines
    assert all(f"“{inner}”" in line for line in lines)


WIDTHS = (12, 20, 33, 80, 110)


@pytest.mark.parametrize("width", WIDTHS)
def test_no_part_of_a_line_begins_where_lines_begin(width: int) -> None:
    """On a terminal of any width, in any script; other output does not wrap lines."""
    for line in (f"Hild improvises: “{LIE * 3}”", "  影の者が" * 30, "x" * 300, f"    ruled – “{LIE * 2}”"):
        first, *rest = wrap_to_width(line, width)
        lead = re.match(" *", line)
        assert lead is not None
        assert first.startswith(lead[0])
        assert all(part.startswith(f"{lead[0]} ") for part in rest)
        assert re.sub(r"\s", "", "".join((first, *rest))) == re.sub(r"\s", "", line)
        screen = print_line(line, width, terminal=True)
        assert (len(screen) > 1) is (width < len(line))
        assert all(part.startswith(" ") for part in screen[1:])
        assert print_line(line, width, terminal=False) == [line]


def print_line(line: str, width: int, *, terminal: bool) -> list[str]:
    file = StringIO()
    screen = Screen(file=file, width=width, force_terminal=terminal, color_system=None, highlight=False)
    screen.print(join_pieces(line), soft_wrap=True)
    return file.getvalue().splitlines()


@pytest.mark.parametrize("width", WIDTHS)
def test_a_long_name_begins_no_line_of_the_picture(width: int) -> None:
    """Every line that goes on is indented, in the table of people, the order and what is awaited too."""
    from affray.tools.cli.render_state import picture  # noqa: PLC0415

    content = load_template("wwn")
    long = " ".join(["Knife A dies"] * 4)
    content = {**content, "combatant": [{**content["combatant"][0], "name": long}, *content["combatant"][1:]]}
    fight = begin_fight("x", content, who="gm", seed=SEED, clock=noon)
    for terminal in (True, False):
        file = StringIO()
        console: Console = Screen(file=file, width=width, force_terminal=terminal, color_system=None, highlight=False)
        console.print(picture(fight, fight.ruleset))
        assert not [line for line in file.getvalue().splitlines() if line.startswith(("Knife", "dies", "A "))]
