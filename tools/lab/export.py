"""The command ``export``, which writes a report or a table of a fight."""

from collections.abc import Callable
from pathlib import Path

import click

from affray.engine.errors import Unusable
from affray.engine.fight import Fight
from affray.engine.integrity.audit import Report
from affray.tools.api.queries import audit_fight
from affray.tools.api.store_url import StorePlace, looking_at, place_of
from affray.tools.cli.options import fight_argument, force_option, jobs_option, json_option
from affray.tools.cli.printing import say, say_document, say_json
from affray.tools.cli.progress import watched_lines
from affray.tools.lab.luck.luck_answer import TURNING, make_luck
from affray.tools.lab.trials import compute_luck_curve
from affray.tools.parse.sides import side_of
from affray.tools.present.exports.markdown import markdown
from affray.tools.present.exports.page import page
from affray.tools.present.exports.tables import events_csv, rolls_csv
from affray.tools.present.luck import Luck
from affray.tools.present.story.words import names_of
from affray.tools.text.output_files import check_output, write_output

ENDINGS = {"markdown": (".md", ".markdown"), "html": (".html", ".htm"), "rolls": (".csv",), "events": (".csv",)}
"""File endings of each format. Without ``--format`` the first format with the ending is used."""

REPORTS: dict[str, Callable[[Fight, Report, Luck | None], str]] = {"markdown": markdown, "html": page}
TABLES: dict[str, Callable[[Fight], str]] = {"rolls": rolls_csv, "events": events_csv}

MARK = "\ufeff"
"""Byte order mark, by which spreadsheets recognise UTF-8. Standard output and JSON get none."""


@click.command()
@fight_argument
@click.option(
    "--format", "form", type=click.Choice(list(ENDINGS)), help="By the ending of FILE if not given, or markdown."
)
@click.option(
    "-o", "target", type=click.Path(path_type=Path), metavar="FILE", help="Where to write it; else it is shown."
)
@click.option(
    "--luck",
    "trials",
    type=click.IntRange(10, 100_000),
    metavar="TRIALS",
    help="Tell in a report what dice and decisions were worth, from so many fights at each moment; 100 will do.",
)
@jobs_option()
@force_option
@json_option
def export(
    said: str, form: str | None, target: Path | None, trials: int | None, jobs: int, force: bool, as_json: bool
) -> None:
    """Write a report or a table of a fight, to share: Markdown, one HTML page, or CSV.

    A report holds the whole log, also facts that some players may not know yet. A table in a file begins with a byte
    order mark, so that spreadsheets read it as UTF-8; on standard output it does not.
    """
    form = form or _by_ending(target)
    if trials and form not in REPORTS:
        raise Unusable(f"{form} are a table, which tells no luck; a report does: {' or '.join(REPORTS)}", "--luck")
    if target is not None:
        check_output(target, force=force)
    place = place_of(said)
    with looking_at(said, whole=as_json) as fight:
        worth = _worth(fight, trials, jobs) if trials else None
        content = export_fight(fight, place, form, worth)
        if target is not None:
            write_output(target, MARK + content if form in TABLES else content, force=force)
        if as_json:
            written = {"file": str(target)} if target else {"content": content}
            say_json({"fight": said, "format": form, **written})
        elif target is None:
            say_document(content)
        else:
            say(f"written to {target}")


def _worth(fight: Fight, trials: int, jobs: int) -> Luck:
    """Compute the luck of a fight for its report."""
    found = compute_luck_curve(fight, side_of(fight), trials, "luck", jobs, "")
    return make_luck(fight, found, names_of(fight.history.recorded), TURNING)


def export_fight(fight: Fight, place: StorePlace, form: str, luck: Luck | None = None) -> str:
    """Return a fight in one of the formats."""
    if form in TABLES:
        return TABLES[form](fight)
    lines = watched_lines(lambda: place.store.lines(place.name))
    return REPORTS[form](fight, audit_fight(place.store, place.name, lines), luck)


def _by_ending(target: Path | None) -> str:
    """Return the format that a file's ending asks for."""
    if target is None:
        return "markdown"
    for form, endings in ENDINGS.items():
        if target.suffix in endings and form not in TABLES:
            return form
    raise Unusable(f"{target.name} does not say which format; say --format {', '.join(ENDINGS)}", "--format")
