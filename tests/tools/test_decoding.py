"""Faults of input are described in our words: no decoder's message is shown, for any kind of input."""

from __future__ import annotations

import json
import shlex
import tomllib
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import pytest
from msgspec import Meta, Struct

from affray.tools.api.schemas.fights import NAME
from affray.tools.parse.decoding import reword_decoder_text, toml_worded
from tests.tools.hostile import RAW
from tests.tools.program import ENCOUNTER, affray, duel

TARGET = "target: attack needs a combatant here; there are ilse, bram\n"


class Form(Struct, forbid_unknown_fields=True):
    """Something of every kind."""

    number: int
    word: Literal["a", "b"] = "a"
    small: Annotated[int, Meta(ge=0, le=5)] = 0
    short: Annotated[str, Meta(max_length=3)] = ""
    long: Annotated[str, Meta(min_length=2)] = "ab"
    said: Annotated[str, Meta(min_length=1)] = "a"
    few: Annotated[tuple[str, ...], Meta(max_length=1)] = ()
    some: Annotated[tuple[str, ...], Meta(min_length=1)] = ("a",)
    more: Annotated[tuple[str, ...], Meta(min_length=2)] = ("a", "b")
    pair: tuple[str, str] = ("a", "b")
    die: Annotated[str, Meta(pattern="^d[1-9][0-9]?$")] = "d6"
    name: Annotated[str, Meta(pattern=NAME)] = "a"
    odd: Annotated[str, Meta(pattern="^x")] = "x"
    by_name: dict[str, int] = {}
    perhaps: str | None = None
    true: bool = True


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (b"{}", "number is missing"),
        (b'{"number":"x"}', "number must be a whole number, not a text"),
        (b'{"number":1.5}', "number must be a whole number, not a number with a fraction"),
        (b'{"number":1e999}', "number is too big a number"),
        (b'{"number":1,"word":"c"}', "word cannot be c"),
        (b'{"number":1,"small":9}', "small must be at most 5"),
        (b'{"number":1,"small":-1}', "small must be at least 0"),
        (b'{"number":1,"short":"long"}', "short must have at most 3 characters"),
        (b'{"number":1,"few":["a","b"]}', "few must have at most 1 entry"),
        (b'{"number":1,"long":"a"}', "long must have at least 2 characters"),
        (b'{"number":1,"said":""}', "said must not be empty"),
        (b'{"number":1,"some":[]}', "some must have at least 1 entry"),
        (b'{"number":1,"more":["a"]}', "more must have at least 2 entries"),
        (b'{"number":1,"pair":["a"]}', "pair must have 2 entries"),
        (b'{"number":1,"die":"6"}', "die must be a die, such as d6"),
        (b'{"number":1,"name":"a b"}', "name must be letters, digits, - and _, a letter or digit first"),
        (b'{"number":1,"odd":"a"}', "odd is not written as it must be"),
        (b'{"number":1,"by_name":{"a":"b"}}', "by_name[...] must be a whole number, not a text"),
        (b'{"number":1,"perhaps":3}', "perhaps must be a text, not a whole number"),
        (b'{"number":1,"true":null}', "true must be true or false, not nothing"),
        (b'{"number":1,"none":3}', "there is no field none"),
        (b"[]", "must be an object, not a list"),
        (b'{"number":1', "is not JSON: it ends too early"),
        (b'{"number":1}}', "is not JSON: trailing characters at byte 13"),
        (b"\xff", "is not JSON: invalid character at byte 0"),
    ],
)
def test_what_a_decoder_of_json_says_is_said_in_our_words(given: bytes, told: str) -> None:
    with pytest.raises(msgspec.DecodeError) as met:
        msgspec.json.decode(given, type=Form)
    assert reword_decoder_text(str(met.value)) == told
    assert reword_decoder_text(f"attack: {met.value}") == f"attack: {told}"
    assert not RAW.search(told)


@pytest.mark.parametrize(
    "given",
    ["a", "a = ", "a = 1 2", "[a", "[[a]", 'a = "x', "a=1\na=2", "[a]\n[a]", "a = [1", "a={b=1", 'a="\\q"', "= 3",
     "a={b=1,b=2}", "a={}\n[a.b]", 'a = "x\n"', "\x01", "a.=1", 'a = "\x01"'],
)  # fmt: skip
def test_what_the_reader_of_toml_says_is_said_in_our_words(given: str) -> None:
    with pytest.raises(tomllib.TOMLDecodeError) as met:
        tomllib.loads(given)
    told = toml_worded(str(met.value).partition(" (at")[0])
    assert told != "it cannot be read"
    assert not RAW.search(told)


def test_what_people_wrote_stays_as_it_is() -> None:
    for said in ("I expected more", "an object of desire: gone", "invalid, says the clerk", "at `$.x`"):
        assert reword_decoder_text(said) == said


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A duel, and files that cannot be read."""
    log = duel(tmp_path)
    lines = log.read_text("utf-8").splitlines()
    (tmp_path / "typed.jsonl").write_text(
        "\n".join([*lines[:3], lines[3].replace('"position":4', '"position":"x"'), *lines[4:]]) + "\n"
    )
    (tmp_path / "cut.jsonl").write_text("\n".join([*lines[:3], lines[3][:-9], *lines[4:]]) + "\n")
    (tmp_path / "latin.jsonl").write_bytes(log.read_bytes().replace(b"Ilse", b"Ils\xe9"))
    (tmp_path / "one.toml").write_text(ENCOUNTER.replace("agility = 12", 'agility = "12"'))
    (tmp_path / "two.toml").write_text(ENCOUNTER.replace("agility = 12", "agility 12"))
    (tmp_path / "three.toml").write_text(
        ENCOUNTER.replace('system = "vestige"', 'system = "vestige"\nconfig = {brink_target = "x"}')
    )
    (tmp_path / "story.toml").write_text('cast = "duel.toml"\n[[scenario]]\ntitle = 3\n')
    return tmp_path


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("do duel.jsonl ilse attack", TARGET),
        ("do duel.jsonl ilse attack ep=1", TARGET),
        ("do duel.jsonl ilse attack bram ep=lots", "ep: must be a whole number, not a text"),
        ("do duel.jsonl ilse attack bram ep=-1", "ep: must be at least 0"),
        ("do duel.jsonl ilse attack bram ep={", "ep: must be a whole number, not a text"),
        ("rule duel.jsonl pool --reason x", "who: pool needs a combatant here; there are ilse, bram"),
        ("rule duel.jsonl pool ilse --reason x", "pool: pool needs a pool here"),
        ("legal duel.jsonl ilse attack bram ep=lots", "ep: must be a whole number, not a text"),
        ("explain duel.jsonl --why-not 'ilse attack'", "target: attack needs a combatant here"),
        ("odds duel.jsonl --if 'ilse attack'", "target: attack needs a combatant here"),
        ("explain duel.jsonl --why-not 'ilse \"attack'", "affray: a quote is not closed"),
        ("show typed.jsonl", "typed.jsonl, line 4: position must be a whole number, not a text"),
        ("replay cut.jsonl", "cut.jsonl, line 4: "),
        ("log latin.jsonl", "latin.jsonl, line "),
        ("new one.toml -o n.jsonl", "one.toml, line 13, combatant[1].agility: must be a whole number, not a text"),
        ("new two.toml -o n.jsonl", "two.toml, line 13: not TOML at column 9: behind a key comes ="),
        ("new three.toml -o n.jsonl", "three.toml, line 2, config.brink_target: must be a whole number, not a text"),
        ("balance one.toml", "one.toml, line 13, combatant[1].agility: must be a whole number, not a text"),
        ("scenario story.toml", "story.toml, line 3, scenario[0].title: must be a text, not a whole number"),
        ("regress duel.jsonl --set brink_target=x", "config.brink_target: cannot be x; it must be a whole number"),
    ],
)  # fmt: skip
def test_no_decoder_speaks_at_the_command_line(table: Path, words: str, told: str) -> None:
    ran = affray(table, *shlex.split(words))
    assert ran.code == 2
    assert ran.err.startswith(told), ran.err
    assert not RAW.search(ran.err)


@pytest.mark.parametrize("words", ["audit typed.jsonl", "audit cut.jsonl", "audit latin.jsonl"])
def test_no_decoder_speaks_in_an_audit(table: Path, words: str) -> None:
    ran = affray(table, *words.split())
    assert ran.code == 1
    found = [line for line in ran.out.splitlines() if line.startswith("  position")]
    assert found
    assert not RAW.search("".join(found)), found
    assert not RAW.search(json.dumps(affray(table, *words.split(), "--json").json["report"]["findings"]))


@pytest.mark.parametrize(
    "asked",
    [
        "{",
        "[]",
        '{"do":3}',
        '{"do":"dance"}',
        '{"do":"state","at":"x"}',
        '{"do":"command","intent":{"type":"Declared","actor":"ilse","kind":"attack"}}',
        '{"do":"command","intent":{"type":"Declared","actor":"ilse","kind":"attack","params":{"target":3}}}',
        '{"do":"command","intent":{"type":"Declared","actor":"ilse","kind":"attack","params":{}}}',
        '{"do":"command","intent":{"type":"Undo","commands":"x"}}',
        '{"do":"command","intent":{"type":"Said","words":"ilse attack"}}',
        '{"do":"legal","who":"ilse","kind":"attack","chosen":{"ep":"x"}}',
    ],
)
def test_no_decoder_speaks_on_the_pipe(table: Path, asked: str) -> None:
    answers = affray(table, "pipe", "duel.jsonl", said=f"{asked}\n").out.splitlines()
    problem = json.loads(answers[-1])["problem"]
    assert not RAW.search(json.dumps(problem, ensure_ascii=False)), problem
