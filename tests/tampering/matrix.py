"""The matrix: every edit, made at many places of every fight, with the chain left and recomputed, and who finds it."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from typing import Literal, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from affray import events
from affray.engine.integrity.audit import Finding, Layer, Report, audit
from affray.engine.integrity.checkpoint import Checkpoint, checkpoint_text, origin_of
from affray.engine.integrity.signed_note import Note
from tests.examples import THOROUGH
from tests.forging import Log, command_at, encode_log, rechain_lines, rechain_log
from tests.rulesets.systems import PRESENT
from tests.tampering import (  # noqa: F401 - they add edits
    claims,
    envelopes,
    facts,
    histories,
    lines,
    rolls,
    spellings,
    whole_commands,
)
from tests.tampering.edits import EDITS, RIGHT, Site, Tampered
from tests.tampering.fights import KEPT, Closed, closed_fight
from tests.tampering.rows import ROWS

FEW, SOME, MANY, ALL = 1, 2, 30, 100_000
OF_OPENING = ("opening", "format", "cut off")
"""How the ways begin that are about the opening of a fight."""


class Audited(NamedTuple):
    """A tampered log's report, and what it must find.

    Attributes:
        report: What was found.
        layer: What must find it; a checkpoint finds it only if nothing else finds anything. Or that not all can be
            judged.
        at: Where. Nothing may be found before it.
        first: Which line a checkpoint must name; none if the audit had no checkpoint.
        known: The position of the head that was kept; of what lies behind it the checkpoint knows nothing.
    """

    report: Report
    layer: Layer | Literal["incomplete"]
    at: int
    first: int = 0
    known: int = 0


class Cell(Struct):
    """The result of one edit, with the chain left or recomputed.

    Attributes:
        cases: How many there were.
        found: How many were found by the stated layer at the right position, and nothing before it.
        blind: How many would be found so with the stated layer switched off.
        wrong: What was found instead.
    """

    cases: int = 0
    found: int = 0
    blind: int = 0
    wrong: list[str] = field(default_factory=list)

    def count(self, case: Audited) -> None:
        """Count a case."""
        wrong = _wrong(*case)
        self.cases += 1
        self.found += not wrong
        if wrong:
            self.wrong.append(wrong)
        if case.layer != "incomplete":
            others = tuple(one for one in case.report.findings if one.layer != case.layer)
            self.blind += not _wrong(*case._replace(report=replace(case.report, findings=others)))


Matrix = dict[str, tuple[Cell, Cell]]
"""Per row the cells: the chain left, the chain recomputed."""

TRIED: dict[str, Matrix] = {}
"""The fights that were tampered with, as long as the tests run."""


def tamper_once(name: str) -> Matrix:
    """Tamper with a fight once, however many tests look at it.

    By default each way is tried at one place, which is another one in the next system. The long fights of ``replays/``
    then try a third of the ways, and all that are about their older openings.
    """
    if name not in TRIED:
        fight = closed_fight(name)
        if name not in KEPT:
            only = None if THOROUGH else PRESENT.index(name) + 1
            TRIED[name] = tampered_with(fight, ALL if THOROUGH else SOME, only=only)
        elif THOROUGH:
            TRIED[name] = tampered_with(fight, MANY)
        else:
            TRIED[name] = tampered_with(fight, FEW, every=3)
    return TRIED[name]


def tampered_with(fight: Closed, most: int, every: int = 1, only: int | None = None) -> Matrix:
    """Edit a fight in every way, or in some of the ways, each at so many places, and note what the audit finds.

    Args:
        fight: The fight.
        most: How many places each way has at most.
        every: Of so many ways one is tried, and each that is about the opening.
        only: Which one of these places is tried, counted round and round; all if not given.
    """
    matrix: Matrix = {}
    kept = find_head_before(fight)
    for one in _cases(fight, most, every, only):
        tampered = _as_the_promise_tells(fight, one)
        left, recomputed = matrix.setdefault(tampered.row, (Cell(), Cell()))
        left.count(_audit_left(fight, tampered, kept))
        if tampered.first:
            recomputed.count(_audit_recomputed(fight, tampered, kept))
    return matrix


def _cases(fight: Closed, most: int, every: int, only: int | None) -> Iterator[Tampered]:
    for site in sites(fight, most, every, only):
        tampered = site.edit()
        if tampered is not None:
            yield tampered


def sites(fight: Closed, most: int, every: int = 1, only: int | None = None) -> Iterator[Site]:
    """Yield where a fight can be edited, in each way or in some of them, at so many places or at only one of these."""
    found: dict[str, list[Site]] = {}
    for edit in EDITS:
        for site in edit(fight):
            found.setdefault(site.kind, []).append(site)
    for nth, (kind, one) in enumerate(found.items()):
        if nth % every and not kind.startswith(OF_OPENING):
            continue
        places = _evenly(one, most)
        yield from places if only is None else [places[only % len(places)]]


def _evenly(sites: list[Site], most: int) -> list[Site]:
    count = min(len(sites), most)
    return [sites[nth * len(sites) // count + len(sites) // count // 2] for nth in range(count)]


def find_head_before(fight: Closed) -> Checkpoint:
    """Return the head that was kept before the tampering."""
    *_, trail = checkpoint_text(fight.log).split()
    return Checkpoint(
        origin=origin_of(fight.log),
        position=len(fight.log),
        hash=fight.log[-1].hash,
        trail=b64decode(trail),
        note=Note(text="", signatures=()),
    )


def _audit_left(fight: Closed, tampered: Tampered, kept: Checkpoint) -> Audited:
    layer, at = ROWS[tampered.row].left, tampered.left_at
    if layer == "checkpoint":
        return Audited(audit_tampered(tampered.left, fight, kept), layer, at, at, kept.position)
    log = tampered.left if layer == "incomplete" else _up_to(tampered.left, at)
    told = encode_log(log)
    if tampered.spell is not None:
        told[at - 1] = tampered.spell(told[at - 1])
    return Audited(audit_lines(told, _key(log, fight) if tampered.key is RIGHT else tampered.key), layer, at)


def _audit_recomputed(fight: Closed, tampered: Tampered, kept: Checkpoint) -> Audited:
    """Audit with the kept head, which must name the first rewritten line, in any case."""
    layer, at, first = ROWS[tampered.row].layer, tampered.at, tampered.first
    assert layer is not None
    forged = rechain_tampered(tampered)
    whole = layer in ("checkpoint", "incomplete") or first <= fight.opening
    log = forged if whole else _up_to(forged, max(at, first))
    if layer == "incomplete":
        return Audited(audit_tampered(log, fight), layer, at)
    if tampered.spell is not None:
        told = encode_log(log)
        told[first - 1] = tampered.spell(told[first - 1])
        return Audited(audit_lines(rechain_lines(told), _key(log, fight)), layer, at)
    return Audited(audit_tampered(log, fight, kept), layer, at, first, kept.position)


def rechain_tampered(tampered: Tampered) -> Log:
    return rechain_log(tampered.forged, min(tampered.first, len(tampered.forged)))


def _as_the_promise_tells(fight: Closed, tampered: Tampered) -> Tampered:
    """Return an edit of an opening under the row that says so where the promise alone tells of it."""
    opening, true, first = tampered.forged[0].event, fight.log[0].event, tampered.first
    assert isinstance(true, events.FightOpened)
    if true.dice_scheme == 1 or not 0 < first <= fight.opening or not isinstance(opening, events.FightOpened):
        return tampered
    if opening.format > events.FORMAT or opening.commitment != true.commitment:
        return tampered
    if opening.dice_scheme != events.dice_scheme_of(opening.format):
        return tampered._replace(row="opening: a format that has other dice", at=1)
    if tampered.at < len(tampered.forged) and ROWS[tampered.row].layer not in ("checkpoint", "incomplete"):
        return tampered
    return tampered._replace(row="opening: what the promise covers", at=len(tampered.forged))


def _up_to(log: Log, position: int) -> Log:
    """Return as much of a log as it takes to find an edit: a command and the next, which saves most of the time."""
    end = command_at(log, min(position, len(log)))[1]
    return log[: command_at(log, min(end + 1, len(log)))[1]]


def audit_tampered(log: Log, fight: Closed, *kept: Checkpoint) -> Report:
    """Audit a log as it would be written; beside one that is not closed lies its key."""
    return audit_lines(encode_log(log), _key(log, fight), *kept)


def _key(log: Log, fight: Closed) -> bytes | None:
    return None if log and isinstance(log[-1].event, events.Closed) else fight.seed


def audit_lines(told: list[bytes], seed: bytes | None, *kept: Checkpoint) -> Report:
    return audit(lambda: told, seed=seed, checkpoints=kept)


def _wrong(report: Report, layer: Layer | Literal["incomplete"], at: int, first: int, known: int) -> str:
    """Return what is wrong with what an audit found; nothing if all is as the matrix states."""
    if layer == "incomplete":
        return "" if report.verdict == layer else f"{report.verdict}: {format_findings(list(report.findings))}"
    named = [one.position for one in report.findings if one.layer == "checkpoint"]
    if first and named != [first][: first <= known]:
        return f"the checkpoint names {named}, not {first}"
    if first and not all(one.position - one.line in (0, _is_more(one)) for one in report.findings):
        return "a line is named that is not at its position"
    alone = [one for one in report.findings if one.layer != "checkpoint"]
    if layer == "checkpoint":
        return f"without a checkpoint: {format_findings(alone)}" if alone else ""
    if not any(one.layer == layer and one.position == at for one in alone) or any(one.position < at for one in alone):
        return f"not found by {layer} at {at}, but {format_findings(alone)}"
    return ""


def _is_more(finding: Finding) -> bool:
    """Tell whether the rules have more to say than is written, which is found at the last line that is."""
    return finding.layer == "rules" and finding.written is None


def format_findings(findings: list[Finding]) -> str:
    told = ", ".join(f"{one.layer} {one.code} at {one.position}" for one in findings[:4])
    return told or "nothing"


def format_matrix(tried: dict[str, Matrix]) -> str:
    """Return the matrix as people read it."""
    told = [f"{'edit':<63}{'chain left':>18}  {'chain recomputed':>22}  where it is found then"]
    for what, row in ROWS.items():
        cells = [matrix[what] for matrix in tried.values() if what in matrix]
        left, recomputed = (
            f"{sum(cell[side].found for cell in cells)}/{sum(cell[side].cases for cell in cells)}" for side in (0, 1)
        )
        told.append(f"{what:<63}{row.left:>10}{left:>8}  {row.layer or '–':>12}{recomputed:>10}  {row.where}")
    return "\n".join(told)
