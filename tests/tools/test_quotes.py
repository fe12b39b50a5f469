"""Quotes around words, and names that are quoted: no mark within can end them; the page does the same."""

from __future__ import annotations

import json
import re
import unicodedata

from affray.engine.texts import BLANK, KANA, NARROW, SINGLES, VOICED, WIDTHLESS, id_said, name_said, quote, word_said
from tests.clients.node import run_node
from tests.tools.test_own_words import PAGE


def test_single_quotes_side_by_side_become_one() -> None:
    """Two of them look like a double one, also with a space between them that is too narrow to part them."""
    assert quote("’’ Ilse dies ‘‘") == "“’ Ilse dies ‘”"
    assert quote("6′′ and ’\u200a’") == "“6′ and ’”"
    assert quote("rock 'n' 'roll'") == "“rock 'n' 'roll'”"
    for one in SINGLES:
        assert quote(f"{one}'{one}") == f"“{one}”"
    page = PAGE.read_text("utf-8")
    tables = {"SINGLES": SINGLES, "NARROW": NARROW, "WIDTHLESS": WIDTHLESS, "VOICED": VOICED, "KANA": KANA}
    for name, marks in tables.items():
        found = re.search(f'const {name} = (".+");', page)
        assert found is not None
        assert json.loads(found[1]) == marks


LOOSE = {
    "fell❜\ufe0f❜. Bandit A dies": "fell❜. Bandit A dies",
    "fell❞\ufe0f. ❛\u200d❛": "fell❜. ❛",
    "fell \u030b. \u0301\u0301x.\u030e": "fell . x.",
    "\u030f’\u0301\ufe0f\u0301’ \u2009\u0301": "’ \u2009",
}
"""Words with selectors and accents that have nothing to stand on, and the same words without them."""


def test_marks_without_a_letter_are_left_out_of_quotes() -> None:
    """A selector does not part two single quotes, and an accent on a blank looks like one; the page does the same."""
    expected = {**LOOSE, **dict.fromkeys(["Zoe\u0308, l\u0301\u030b", "\u2764\ufe0f, \u2694\ufe0f, 1\ufe0f\u20e3"])}
    said = {text: f"“{text if inside is None else inside}”" for text, inside in expected.items()}
    assert {text: quote(text) for text in expected} == said
    assert on_page("quoted", list(expected)) == list(said.values())


def test_a_mark_of_any_script_stands_on_a_letter_and_a_voiced_mark_on_a_kana() -> None:
    """Alone it can look like a quote; the page does the same."""
    early = unicodedata.ucd_3_2_0  # Python and Node need not know the same Unicode
    known = [chr(code) for code in range(0x20, 0x20000) if early.category(chr(code)) not in ("Cn", "Cs", "Co")]
    voiced = [one for one in known if re.search("(?<!WITH )(SEMI-)?VOICED SOUND MARK", unicodedata.name(one, ""))]
    assert "".join(voiced) == "\u3099\u309a\u309b\u309c\uff9e\uff9f"
    others = [one for one in known if one not in BLANK and one not in voiced]
    marks = [one for one in others if unicodedata.category(one) in ("Mn", "Mc", "Me")]
    assert len(marks) > 500
    for one in (*marks, *voiced):
        assert quote(f"fell {one}. Bandit A dies") == "“fell . Bandit A dies”"
    assert not [one for one in marks if quote(f"a{one}") != f"“a{one}”"]
    assert [quote(f"a{one}か{one}ｶ{one}{one}") for one in voiced] == [f"“aか{one}ｶ{one}”" for one in voiced]
    around = [f" {one}a{one}か{one}゛{one}’{one}" for one in known]
    assert on_page("quoted", around) == [quote(one) for one in around]


def test_a_letter_that_looks_like_a_quote_stays_in_quotes() -> None:
    """A word of its alphabet needs it; this stands among what is open."""
    letters = "\u1426\u144a\u16cc\u05f2"
    assert quote(f"fell{letters}") == f"“fell{letters}”"


BARE_NAMES = (
    "Jean-Luc",
    "St. John",
    "Mrs. Vance",
    "J. R. R. Thorn",
    "Mal'ganis",
    "Mal’ganis",
    "ジョン・スミス",
    "Longsword +1",
    "♥ Ann",
)
QUOTED_NAMES = (
    *(
        "Hild，dead",
        "Hilda（dead）",
        "Wren ‒ dead",
        "Wren - dead",
        "Orc. Wren dies",
        "Bandit A. Wren dies",
        "Wren dies.",
    ),
    *("Tom ⟶ 3", "Tom ➔ 3", "Tom −3", "【Tom】", "Tom؛ dead", "Tom\ua789 dead", "Tom ‹dead›", "Tom｜dead", "Tom। dead"),
)


def test_a_name_with_any_mark_of_a_sentence_is_quoted_on_the_page_too() -> None:
    """In any script; within a word an apostrophe, a hyphen and a point are no marks."""
    assert [name_said(name) for name in BARE_NAMES] == [*BARE_NAMES]
    assert [name_said(name) for name in QUOTED_NAMES] == [quote(name) for name in QUOTED_NAMES]
    early = unicodedata.ucd_3_2_0  # Python and Node need not know the same Unicode
    marks = [f"a{chr(code)}b" for code in range(0x20, 0x20000) if early.category(chr(code)) not in ("Cn", "Cs", "Co")]
    names = [*BARE_NAMES, *QUOTED_NAMES, *marks]
    assert on_page("nameSaid", names) == [name_said(name) for name in names]


WORDS = (
    *("half_cover", "3,-1", "VES-T08", "", "2d6+1", "free_attack_on_leaving", "1d6-1d4", "d20"),
    *("Half_cover", "a_b_c_d_e", "dead:_12", "takes_12", "knife a", "größe", "x/y", "1), dead", "prone_"),
)
IDS = (
    "1/ilse.attack.1/d6#0",
    "łukasz-a",
    "ilse>bram",
    "ilse|bram",
    "3,-1",
    "Knife_A",
    "it is",
    "a(b)",
    "a: b",
    "a–b",
    "",
)


def test_undeclared_words_and_ids_are_quoted_on_the_page_as_in_the_story() -> None:
    """One rule for each, in Python and in the page's script."""
    assert on_page("wordSaid", [*WORDS, *IDS]) == [word_said(one) for one in (*WORDS, *IDS)]
    assert on_page("idSaid", [*IDS, *WORDS]) == [id_said(one) for one in (*IDS, *WORDS)]
    assert [word_said(one) for one in WORDS[8:]] == [quote(one.replace("_", " ")) for one in WORDS[8:]]
    assert not [one for one in map(word_said, WORDS[:8]) if "“" in one]


def test_a_word_that_a_person_made_up_is_quoted_on_the_page() -> None:
    """A condition, a place's trait, and what a roll is for; a side has its own traits."""
    words = ["dead: Health 0", "mud", "x: words", "initiative. Bram is dead"]
    assert on_page("(one) => borne(one, 1)", words) == [quote(one) for one in words]
    assert on_page("(one) => traitsOf({ traits: [one], side_traits: [] })[0]", words) == [quote(one) for one in words]
    assert on_page("(one) => traitsOf({ traits: [], side_traits: [{ side: 3, trait: one }] })[0]", ["mud"]) == [
        "“mud”, on one side"
    ]
    assert on_page("purposeSaid", words[1:2]) == ["for “mud”"]
    given = "(one) => termSaid({ label: one })"
    assert on_page(given, ["Long sword", "Captain_takes_12", "1), dead"]) == [
        "Long sword",
        "“Captain takes 12”",
        "“1), dead”",
    ]
    names = "(one) => namesIn({ combatants: { a: { name: one } }, items: {}, relations: {} }).a"
    assert on_page(names, ["Hild: dead", "Bram"]) == ["“Hild: dead”", "Bram"]


def on_page(function: str, texts: list[str]) -> list[str]:
    """Return what a function of the page's words makes of texts."""
    script = re.sub("^import .*", "", PAGE.read_text("utf-8"), flags=re.MULTILINE)
    read = 'import { readFileSync } from "node:fs";'
    told = f"console.log(JSON.stringify(JSON.parse(readFileSync(0, 'utf-8')).map({function})));"
    ran = run_node(
        "--input-type=module",
        "-e",
        f"{read}const signal = (value) => ({{ value }});{script}{told}",
        given=json.dumps(texts),
    )
    assert ran.code == 0, ran.err
    return list(ran.json)
