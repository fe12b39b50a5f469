"""A report as Markdown."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from affray.engine.fight import Fight
from affray.engine.integrity.audit import Report as Audited
from affray.tools.present.luck import Luck
from affray.tools.text.isolates import isolate
from affray.tools.text.printable import printable

from .report import (
    HOW_TO_VERIFY,
    BattleReport,
    Chapter,
    Fighter,
    Remark,
    dice_meaning,
    luck_said,
    make_report,
    record_said,
    subtitle,
)

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~#&])|^([+\-=])|^(\d+)([.)])")


def markdown(fight: Fight, audited: Audited | None = None, luck: Luck | None = None) -> str:
    """Return a battle report as Markdown, as the usual sites read it.

    Args:
        fight: The fight. Nothing is left out: the report is for readers who may see everything.
        luck: Worth of its dice and decisions.
    """
    return "\n".join(_lines(make_report(fight, audited, luck))) + "\n"


def _plain(text: str) -> str:
    """Escape a text for Markdown, on one line."""
    plain = isolate(printable(" ".join(text.split())))
    return _SPECIAL.sub(lambda found: f"{found[3]}\\{found[4]}" if found[3] else f"\\{found[0]}", plain)


def _lines(report: BattleReport) -> Iterator[str]:
    yield f"# {_plain(report.name)}"
    yield f"\n{_plain(subtitle(report))}"
    yield f"\n**{_plain(report.outcome)}**"
    yield "\n## Who fought\n"
    yield from _table(
        ("who", "start → end", "at the end", "dealt", "taken", "felled"), _fighters(report.fighters), numbers=3
    )
    yield from _section("Turning points", [f"- {_round(one.round)}{_plain(one.text)}" for one in report.highlights])
    if report.luck:
        yield f"\n## Was it the dice?\n\n{_plain(luck_said(report.luck))}\n"
        yield from (f"{nth}. {_plain(one.says)}" for nth, one in enumerate(report.luck.turning, 1))
    for nth, chapter in enumerate(report.chapters):
        yield from _chapter(chapter, chapter.title if nth else "The setting")
    yield from _section("Rulings", map(_remark, report.rulings))
    yield from _section("Taken back and corrected", map(_remark, report.corrections))
    if report.dice:
        yield "\n## The dice\n"
        rows = ((_plain(one.title), str(one.throws), one.mean, one.fair, one.p) for one in report.dice)
        yield from _table(("", "dice", "mean", "fair", "p"), rows, numbers=4)
        yield f"\n{_plain(dice_meaning(report))}"
    yield "\n## The record\n"
    yield from (f"- {name}: {_plain(text)}" for name, text in record_said(report))
    yield f"\n{_plain(HOW_TO_VERIFY)}"


def _round(number: int) -> str:
    return f"**Round {number}** " if number else ""


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    """Yield a section; none if it is empty."""
    inside = list(lines)
    if inside:
        yield from (f"\n## {title}\n", *inside)


def _remark(one: Remark) -> str:
    return f"- {one.position}, {_plain(one.who)}: {_plain(one.text)}"


def _fighters(fighters: Sequence[Fighter]) -> Iterator[tuple[str, ...]]:
    for heading, group in groupby(fighters, key=lambda one: one.heading):
        yield (f"**{_plain(heading)}**", "", "", "", "", "")
        for one in group:
            words = (one.name, ", ".join(map(str, one.counters)), one.conditions)
            yield (*map(_plain, words), str(one.dealt), str(one.taken), str(one.felled))


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: int) -> Iterator[str]:
    """Yield a table with escaped first cells; the last ``numbers`` columns are right-aligned."""
    yield f"| {' | '.join(heads)} |"
    yield "|" + " --- |" * (len(heads) - numbers) + " ---: |" * numbers
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _chapter(chapter: Chapter, title: str) -> Iterator[str]:
    yield f"\n## {_plain(title)}"
    for heading, acts in chapter.turns:
        yield f"\n**{_plain(heading)}**\n" if heading else ""
        yield from (f"- {_plain(act)}" for act in acts)
