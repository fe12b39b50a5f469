"""Sentences that every format of a report shares."""

from affray.tools.stats import MANY as MANY_GROUPS
from affray.tools.stats import MEANING

from .report import Report


def subtitle(report: Report) -> str:
    """Return by what rules, when, and how long."""
    began, ended = report.began[:10], report.ended[:10]
    when = began if began == ended else f"{began} to {ended}"
    rounds = "1 round" if report.rounds == 1 else f"{report.rounds} rounds"
    return f"{report.rules} · {when} · {rounds}"


def dice_meaning(report: Report) -> str:
    """Return what the numbers of dice mean and do not mean."""
    return MEANING + (f" {MANY_GROUPS.format(many=report.groups)}" if report.groups > 1 else "")


def record_said(report: Report) -> list[tuple[str, str]]:
    """Return what there is to know of the record, each with its name."""
    said = [
        ("Events", f"{report.events} in {report.commands} commands"),
        ("Head", f"position {report.head}, hash {report.hash}"),
        ("Fork of", report.parent),
        ("Dice", "all entered from real dice" if not report.commitment else ""),
        ("Commitment of the dice", report.commitment),
        ("Seed", report.seed or ("secret until the record is closed" if report.commitment else "")),
        ("Audit", report.audit),
    ]
    return [(name, text) for name, text in said if text]


HOW_TO_VERIFY = (
    "This report is told from an event log. With the log at hand, affray audit proves its chain, its dice and its"
    " rules; the log is the one told here if its head has the hash above. What Affray does can also be done without it:"
    " docs/verify.md shows how, in a page of Python."
)
