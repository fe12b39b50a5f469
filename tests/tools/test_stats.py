"""The dice of a fight in numbers, bars and a picture, as the installed program tells them."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from affray.engine import begin_fight
from affray.engine.stores import FileStore
from tests.tools.program import ENCOUNTER, affray

REPLAYS = Path(__file__).parents[2] / "replays"
SVG = "{http://www.w3.org/2000/svg}"

DUEL = """\
Nothing is unusual: the 2 groups of dice fell as fair dice often do. Few dice
were thrown: only a very uneven die could show.

                    dice   mean  fair    95 % interval       p  adjusted
Ilse, d20, entered     1  15.00  10.5    3.70 – 20.00   1.000     1.000
Bram, d20, entered     1   3.00  10.5    1.00 – 14.30   1.000     1.000

p is how often fair dice would fall at least as unevenly as these: a small p is
a reason to look closer and no proof of anything, and a large one does not prove
a die fair. 2 groups were tested: of fair dice one group in twenty falls below
0.05 by chance alone, and the adjusted p (after Holm) allows for that.

The test is exact where fewer than 5 of each face are expected, and chi-square
otherwise. The interval is that of the mean, by the normal distribution and the
variance of a fair die.

2 groups have fewer dice than faces and are not plotted; --all plots them.
"""

D4 = """\
D4, engine: 12 dice
  1  █████████████████████████│                             3
  2  █████████████████████████│████████████████████████     6
  3  █████████████████        │                             2
  4  ████████                 │                             1
     │ expected 3.0
  longest run of 2: 4; as long or longer in 11 % of fair runs
  longest run of the high half: 2; as long or longer in 91 % of fair runs
  longest run of the low half: 6; as long or longer in 6 % of fair runs
"""


def logs() -> list[Path]:
    return sorted(REPLAYS.glob("*/*.jsonl"))


def test_a_small_fight_is_told_wholly(log: Path) -> None:
    told = affray(log.parent, "stats", log.name)
    assert (told.code, told.out, told.err) == (0, DUEL, "")


def test_it_says_first_that_dice_fell_as_fair_ones_rarely_do(log: Path) -> None:
    """Ilse throws a 1 six times; Bram throws once."""
    turn = "attack bram\n1\nattack bram\n1\nend_turn\npass\nbram end_turn\npass\n"
    affray(log.parent, "play", log.name, said=turn * 3)
    told = affray(log.parent, "stats", log.name)
    first = " ".join(told.out.partition("\n\n")[0].split())
    assert first.startswith("Look closer: fair dice rarely fall as these did: Ilse, d20, entered (adjusted p "), (
        told.out
    )
    assert affray(log.parent, "stats", log.name, "--json").json["says"] == first


def test_a_group_is_plotted_with_what_is_expected() -> None:
    """One of fifteen groups; every line fits 80 columns."""
    told = affray(REPLAYS / "wyrd", "stats", "the-king-under-grey-howe.jsonl", "--by", "source").out
    assert D4 in told
    assert "  10  █████████████████│████████████████████████████████     5*\n" in told
    assert "   * outside 0 to 4, where 95 of 100 fair counts lie\n" in told
    assert "Of the dice, 7 lie in what was taken back; they were thrown all the same." in told
    assert max(map(len, told.splitlines())) <= 80


def test_small_groups_are_plotted_when_asked_for(log: Path) -> None:
    told = affray(log.parent, "stats", log.name, "--all").out
    assert "Ilse, d20, entered: 1 die\n" in told
    assert "not plotted" not in told


def test_a_fight_given_twice_is_counted_once(log: Path) -> None:
    once = affray(log.parent, "stats", log.name, "--json").json
    twice = affray(log.parent, "stats", log.name, log.name, "--json").json
    assert (once["dice"], once["again"]) == (2, 0)
    assert (twice["dice"], twice["again"]) == (2, 2)
    assert twice["groups"] == once["groups"]
    assert (
        "Dice met again under the same name, and counted once: 2."
        in affray(log.parent, "stats", log.name, log.name).out
    )


@pytest.mark.parametrize("system", sorted({log.parent.name for log in logs()}))
def test_every_die_of_the_replays_is_in_one_group_however_they_are_cut(system: str) -> None:
    names = [log.name for log in logs() if log.parent.name == system]
    for cut in ((), ("--by", "roller"), ("--by", "die"), ("--by", "source")):
        told = affray(REPLAYS / system, "stats", *names, *cut, "--json").json
        groups = told["groups"]
        assert told["dice"] == sum(group["throws"] for group in groups) > 0
        assert all(sum(group["counts"]) == group["throws"] for group in groups)
        assert all(len(group["counts"]) == group["sides"] for group in groups)
        assert all(0 <= group["fairness"]["p"] <= group["adjusted"] <= 1 for group in groups)
        keys = [(group["roller"], group["kind"], group["source"], group["sides"]) for group in groups]
        assert len(set(keys)) == len(keys)


def test_nothing_was_thrown(tmp_path: Path) -> None:
    content = msgspec.toml.decode(ENCOUNTER)
    begin_fight(
        "duel", content, who="gm", seed=None, store=FileStore(tmp_path), clock=lambda: "2026-01-01T00:00:00.000Z"
    )
    told = affray(tmp_path, "stats", "duel.jsonl", "--svg", "dice.svg")
    assert (told.code, told.out, told.err) == (
        0,
        "No die has been thrown yet.\n\nThe picture is in dice.svg.\n",
        "",
    )
    assert affray(tmp_path, "stats", "duel.jsonl", "--json").json["groups"] == []
    assert "No die has been thrown yet." in "".join(ElementTree.parse(tmp_path / "dice.svg").getroot().itertext())


def test_the_picture_is_well_formed_labelled_and_stands_by_itself(tmp_path: Path) -> None:
    replay = REPLAYS / "wyrd" / "the-king-under-grey-howe.jsonl"
    affray(tmp_path, "stats", str(replay), "--by", "source", "--svg", "dice.svg")
    text = (tmp_path / "dice.svg").read_text("utf-8")
    root = ElementTree.fromstring(text)
    assert root.get("role") == "img"
    title, described = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert described is not None
    assert root.get("aria-labelledby") == f"{title.get('id')} {described.get('id')}"
    assert "D6, entered: 21 dice, mean 4.00 (fair 3.5), p 0.257" in str(described.text)
    assert "prefers-color-scheme: dark" in text
    assert not any(word in text for word in ("href", "@import", "url(", "<script"))
    bars = [bar.text for bar in root.iter(f"{SVG}title")]
    assert "10: 5, expected 1.7, usually 0 to 4" in bars
    counts = [
        group["counts"] for group in affray(tmp_path, "stats", str(replay), "--by", "source", "--json").json["groups"]
    ]
    assert len(bars) - 1 == sum(len(faces) for faces in counts if sum(faces) >= len(faces))


def test_a_name_cannot_write_into_the_picture(tmp_path: Path) -> None:
    content = msgspec.toml.decode(ENCOUNTER.replace('"Ilse"', '"<b>&\'Ilse"').replace('"ilse"', '"b-ilse"'))
    fight = begin_fight("duel", content, who="gm", seed=bytes(32), store=FileStore(tmp_path), clock=lambda: "")
    assert any(one.name == "<b>&'Ilse" for one in fight.state.combatants.values())
    begun = affray(tmp_path, "do", "duel.jsonl", "gm", "begin")
    assert begun.code == 0, begun.err
    affray(tmp_path, "stats", "duel.jsonl", "--svg", "dice.svg")
    root = ElementTree.parse(tmp_path / "dice.svg").getroot()
    assert any("“<b>&'Ilse”, d20, engine" in str(text.text) for text in root.iter(f"{SVG}text"))
    assert root.find(f".//{SVG}b") is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "FIGHT..."),
        (("nothing.jsonl",), "nothing"),
        (("duel.txt",), "is no fight"),
        (("duel.jsonl", "--by", "weather"), "--by"),
        (("duel.jsonl", "--svg", "no/such/folder/dice.svg"), "no/such/folder/dice.svg"),
    ],
)
def test_what_cannot_be_used_is_said(log: Path, words: tuple[str, ...], said: str) -> None:
    told = affray(log.parent, "stats", *words)
    assert (told.code, told.out) == (2, "")
    assert said in told.err
    assert len(told.err.splitlines()) <= 2
