"""A battle report as one self-contained page."""

from base64 import b64encode

from affray.engine.fight import Fight
from affray.engine.integrity.audit import Report as Audited
from affray.tools.present.charts.luck import draw_luck
from affray.tools.present.documents import document
from affray.tools.present.luck import Luck

from .report import HOW_TO_VERIFY, dice_meaning, luck_said, make_report, record_said, subtitle


def page(fight: Fight, audited: Audited | None = None, luck: Luck | None = None) -> str:
    """Return a battle report as one page of HTML.

    Args:
        fight: The fight. Nothing is left out: the report is for readers who may see everything.
        luck: Worth of its dice and decisions.
    """
    report = make_report(fight, audited, luck)
    return document(
        "present/exports/page.html",
        title=report.name,
        report=report,
        subtitle=subtitle(report),
        dice_meaning=dice_meaning(report),
        record=record_said(report),
        how_to_verify=HOW_TO_VERIFY,
        luck=luck_said(luck) if luck else "",
        curve=b64encode(draw_luck(luck).encode()).decode() if luck else "",
    )
