"""A report as one self-contained page."""

from affray.engine.fight import Fight
from affray.engine.integrity.audit import Report as Audited
from affray.tools.documents import document

from .report import HOW_TO_VERIFY, dice_meaning, record_said, reported, subtitle


def page(fight: Fight, audited: Audited | None = None) -> str:
    """Return a battle report as one page of HTML.

    Args:
        fight: As it stands. Nothing is left out: this is for whoever may see everything.
    """
    report = reported(fight, audited)
    return document(
        "exports/page.html",
        title=report.name,
        report=report,
        subtitle=subtitle(report),
        dice_meaning=dice_meaning(report),
        record=record_said(report),
        how_to_verify=HOW_TO_VERIFY,
    )
