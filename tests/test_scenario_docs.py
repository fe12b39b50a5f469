"""``docs/scenarios.md`` is run: every file on it holds, or fails as the page says; and it names all there is to say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from affray.engine.core.loading import load
from affray.events import RelationSet
from affray.tools.cli.commands.scenario import scenario
from affray.tools.scenarios.scenario_file import _File, _Scenario
from affray.tools.scenarios.state_check import FIGHT, TABLES
from affray.tools.scenarios.state_now import _words
from affray.tools.scenarios.state_people import NESTED, PERSON, THING
from affray.tools.scenarios.step import ScenarioStep
from affray.tools.scenarios.step_text import KEYS, NOTHING, read_steps
from tests.rulesets.coverage import trials
from tests.rulesets.systems import PRESENT
from tests.tools.program import affray

PAGE = (Path(__file__).parents[1] / "docs" / "scenarios.md").read_text("utf-8")
STEPS = 'steps = """\n'


class Block(NamedTuple):
    """A block of code, and the section it stands in."""

    language: str
    text: str


BLOCKS = [Block(*found) for found in re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)]


def write_documented_file(folder: Path, block: Block) -> str:
    """Write what a block says of a file, as its first line says; return the file's name."""
    first, _, text = block.text.partition("\n")
    name, _, how = first.removeprefix("# ").partition(", ")
    file = folder / name
    if how == "added":
        text = file.read_text("utf-8") + "\n" + text
    elif how == "from its steps on":
        text = file.read_text("utf-8").partition(STEPS)[0] + text
    else:
        assert how == "", f"what is {how}?"
    file.write_text(text, "utf-8")
    return name


def iterate_doc_commands(block: Block) -> Iterator[tuple[list[str], str]]:
    """Yield each command of a block, and what it prints."""
    for said in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, printed = said.partition("\n")
        program, *words = command.split()
        assert program == "affray"
        yield words, printed


def strip_lines(text: str) -> list[str]:
    """The lines of a text, without the spaces at their ends."""
    return [line.rstrip() for line in text.splitlines()]


def test_every_file_of_the_page_holds_or_fails_as_it_says(tmp_path: Path) -> None:
    following = [*BLOCKS[1:], Block("", "")]
    for block, after in zip(BLOCKS, following, strict=True):
        if block.language == "toml":
            name = write_documented_file(tmp_path, block)
            if after.language != "console" and name != "cast.toml":
                ran = affray(tmp_path, "scenario", name)
                assert (ran.code, ran.err) == (0, ""), f"{name}\n{ran.out}"
        else:
            for words, printed in iterate_doc_commands(block):
                ran = affray(tmp_path, *words)
                assert strip_lines(ran.out + ran.err) == strip_lines(printed)


def test_the_page_has_a_turn_of_every_system() -> None:
    assert {f"# {system}.toml" for system in PRESENT} <= {block.text.partition("\n")[0] for block in BLOCKS}


@pytest.mark.parametrize("form", [_File, _Scenario, ScenarioStep])
def test_the_page_shows_every_key_of_a_file(form: type[msgspec.Struct]) -> None:
    (everything,) = (block.text for block in BLOCKS if block.text.startswith("# everything.toml"))
    tables = {"scenario", "step"}
    for field in msgspec.structs.fields(form):
        name = field.encode_name
        said = rf"^\[\[?(scenario\.)?{name}\]\]?$" if name in tables else rf"^{name}(\.\w+)? = "
        assert re.search(said, everything, re.MULTILINE) or f"`{name}`" in PAGE, name


def test_page_names_every_line_of_a_step_and_each_can_be_read() -> None:
    section = PAGE.partition("## How a step is written")[2].partition("\n\nA step that says")[0]
    lines = re.findall(r"^\| `(.*?)` \|", section, re.MULTILINE)
    assert {line.split()[0] for line in lines} >= {*KEYS, NOTHING, "#"}
    for line in lines:
        assert read_steps(f"begin\n{line}"), line


def test_the_page_tells_all_that_can_be_said_of_the_state() -> None:
    of_the_fight, of_somebody = re.findall(r"^\| of .*?\n\n", PAGE, re.DOTALL | re.MULTILINE)
    assert [word for word in (*FIGHT, *TABLES) if f"{word}" not in of_the_fight] == []
    missing = [word for word in (*PERSON, *NESTED) if f"bram.{word}" not in of_somebody]
    assert missing + [word for word in THING if word not in of_somebody] == []


def test_the_page_names_every_option() -> None:
    options = {one for param in scenario.params for one in param.opts if one.startswith("--")}
    assert [one for one in options - {"--force", "--json"} if one not in PAGE] == []


def test_the_page_names_questions_and_answers_that_the_rules_have() -> None:
    """Every option and question is a word of some system's rules, or a shared one."""
    system, seen = "", set()
    for first, asked, answers in re.findall(r"^\| ([\w ]*?) ?\| (`.+?): .*? \| (.*) \|$", PAGE, re.MULTILINE):
        system = next((one for one in PRESENT if load(one).title.startswith(first)), "") if first else system
        choices = re.findall(r"`([\w]+)", asked + answers)
        known = [_words(load(one)) for one in ([system] if system else PRESENT)]
        assert [one for one in choices if not all(one in words for words in known)] == [], system
        seen.add(system)
    assert seen == {"", *PRESENT}


def test_the_page_says_which_system_has_which_relation() -> None:
    (row,) = re.findall(r"^\| `bram\.melee.*$", PAGE, re.MULTILINE)
    said = {
        (kind, title)
        for kinds, titles in re.findall(r"(`\w+`(?: and `\w+`)?) \(([^)]*)\)", row)
        for kind in re.findall(r"\w+", kinds.replace(" and ", " "))
        for title in titles.split(", ")
    }
    there = {
        (one.event.kind, load(system).title.partition(" (")[0])
        for system in PRESENT
        for trial in trials(system)
        for one in trial.fight.history.recorded
        if isinstance(one.event, RelationSet) and one.event.kind != "allies"
    }
    assert said == there
