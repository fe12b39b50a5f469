"""The engine's texts about recorded fights, a line each: explanations, refusals, dice, differences.

Those fights never change, so what is said of them changes only with the code that says it. It is kept in
``tests/engine/golden/``; ``python -m tests.engine.golden`` writes it anew, for somebody to look at the difference.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from affray.engine import FileStore, open_fight
from affray.engine.analysis.diff import list_changes
from affray.engine.analysis.explain import Term, explain_event, explain_refusal, rebuild_fight_at
from affray.engine.analysis.ledger import collect_chances, tally_chances
from affray.engine.analysis.stats import collect_dice, summarise_dice
from affray.engine.core.state import digest
from affray.engine.errors import Diverged
from affray.engine.fight import Fight
from affray.engine.integrity.audit import Listed, Redeclared, Report, audit
from affray.engine.runtime.offers import LegalAction, list_legal_actions
from affray.engine.visibility import Viewer, list_bands, project_state
from affray.events import Damaged, Declared, Rolled, write_source
from tests.forging import encode_log as lines_of
from tests.forging import rechain_log
from tests.tampering.edits import Tampered
from tests.tampering.fights import recorded_fight
from tests.tampering.matrix import sites

REPLAYS = Path(__file__).parents[2] / "replays"
GOLDEN = Path(__file__).with_name("golden")

FIGHTS = (
    "hexblade/version-2-closed-common-room",
    "verdigris/version-2-closed-toll-road",
    "vestige/format-1",
    "vestige/version-2-hidden-archer",
    "vestige/version-2-fork-of-the-bridge",
    "vestige/version-2-closed-bridge",
    "wwn/version-1-riders-at-the-ford",
    "wyrd/version-1-the-king-under-grey-howe",
)
"""Of earlier versions, which are never recorded anew."""

FORGED = "hexblade/version-2-closed-common-room"
"""The one that is tampered with."""

EVERY_NUMBER, EVERY_EVENT, EVERY_COMMAND = 5, 23, 19
"""So much of it is told: every fifth roll or damage, every 23rd event, refusals behind every 19th command."""


def load_told_fight(name: str) -> Fight:
    """Return a recorded fight."""
    system, _, stem = name.partition("/")
    return open_fight(stem, FileStore(REPLAYS / system))


def tell_explanations(this: Fight) -> Iterator[str]:
    """Yield why events are what they are."""
    numbers = [one.position for one in this.history.recorded if isinstance(one.event, Rolled | Damaged)]
    for position in sorted({*numbers[::EVERY_NUMBER], *range(1, this.head + 1, EVERY_EVENT)}):
        found = explain_event(this, position)
        yield f"{position} {type(this.history.at(position).event).__name__} by {found.command.position}"
        yield f"    of {_row(found.chain)} to {_row(found.consequences)} undone {found.undone_by}"
        yield f"    cites {_row(found.clauses)}"
        if found.receipt is not None:
            slip = found.receipt
            yield f"    roll of {slip.declared}, entered {slip.entered}, judged {_row(slip.judged)}"
            for die in (die for group in slip.dice for die in group.dice):
                yield f"        {die.face} {die.fate}, {die.origin} {die.name}.{die.word} at {die.at}"
            yield from map(_term, (*slip.pool, *slip.modifiers))
        for harm in (*(found.receipt.damage if found.receipt else ()), *((found.harm,) if found.harm else ())):
            yield f"    harm of {harm.who} at {harm.at}: {harm.amount}"
            yield from map(_term, harm.terms)


def _row(parts: tuple[object, ...]) -> str:
    return " ".join(map(str, parts)) or "nothing"


def _term(term: Term) -> str:
    return f"        {term.value:+d} {term.label} ({write_source(term.source)}, {term.rule}) from {_row(term.granted)}"


def tell_refusals(this: Fight) -> Iterator[str]:
    """Yield why what could be declared at earlier moments cannot be at later ones."""
    ends = [one.position for one in this.history.effective() if not one.more][::EVERY_COMMAND]
    before: dict[tuple[str, str], Declared] = {}
    for position in ends:
        then = rebuild_fight_at(this, position)
        yield f"{position} {then.state.phase}"
        for intent in before.values():
            found = explain_refusal(then, intent)
            yield f"    {intent.actor} {intent.kind} {bytes(intent.params).decode()} {intent.manner}"
            if not found.allowed:
                yield f"        {found.by} {found.guard} {'>'.join(found.row)} {found.row_rule}"
                yield f"        {found.code} {found.rule} {write_source(found.source)} since {_row(found.made_so)}"
        now = {
            (one.intent.kind, one.intent.manner): one.intent
            for one in list_legal_actions(this.ruleset, then.table)
            if isinstance(one, LegalAction)
        }
        before = dict([*before.items(), *now.items()][-8:])


def chances(this: Fight) -> Iterator[str]:
    """Yield who was offered what, and what became of it."""
    for chance in collect_chances(this.history, undone=True):
        yield f"{chance.position} {chance.kind} {chance.what} {chance.id} round {chance.round} up {chance.up}"
        yield f"    about {chance.pending} between {chance.between} undone {chance.undone} to {_row(chance.to)}"
        for one in chance.replies:
            sent = f"by {one.sender}, after {one.by or 'nobody'}, standing {one.standing}, undone {one.undone}"
            yield f"        {one.who} {one.fate} at {one.position} {sent}"
    for who, fates in sorted(tally_chances(collect_chances(this.history)).items()):
        yield f"{who}: {', '.join(f'{fate} {many}' for fate, many in fates.items())}"


def thrown_dice(this: Fight) -> Iterator[str]:
    """Yield what the dice came to."""
    fell = collect_dice([this.history])
    yield f"{len(fell.dice)} dice, {fell.again} again, {fell.corrected} corrected"
    for one in summarise_dice(fell.dice, "die"):
        yield f"d{one.sides} {one.kind}: {one.throws}, {one.undone} undone, {one.counts}"
        yield f"    expected {one.expected:.6f} in {one.band}, mean {one.mean:.6f} of {one.fair_mean}"
        test = one.fairness
        yield f"    {one.low:.6f} to {one.high:.6f}, adjusted {one.adjusted:.9f}"
        yield f"    {test.test} {test.statistic:.6f} with {test.freedom}: {test.p:.9f}"
        yield f"    {'; '.join(f'{run.of} {run.length} of {run.face}: {run.chance:.9f}' for run in one.streaks)}"


def tell_differences(this: Fight) -> Iterator[str]:
    """Yield how the end of the fight differs from its beginning."""
    for one in list_changes(this.state_at(this.history.recorded[0].more + 1), this.state):
        yield f"{one.about} {one.of} {one.name}: {one.one!r} {one.other!r}"


def tell_audit_findings(this: Fight) -> Iterator[str]:
    """Yield an audit's findings in a log, also in changed copies of one log."""
    name = f"{this.ruleset.name}/{this.name}"
    lines = (REPLAYS / f"{name}.jsonl").read_bytes().splitlines()
    honest = list(_report(audit(lambda: lines)))
    yield from honest
    for one in list_tamperings(name) if name == FORGED else ():
        for how, log in (("left", one.left), ("recomputed", rechain_log(one.forged))):
            yield f"{one.row}, the chain {how}"
            report = audit(lambda log=log: lines_of(log))  # type: ignore[misc]
            yield from (line for line in _report(report) if line not in honest)


def list_tamperings(name: str) -> Iterator[Tampered]:
    """Yield what can be done to a fight, in each way at one place: at another where the first lends itself to nothing.

    So it is where the rules of today refuse what was ruled there.
    """
    closed = recorded_fight(name)
    others = list(sites(closed, 3))
    for site in sites(closed, 1):
        with suppress(Diverged):
            places = (site, *(one for one in others if one.kind == site.kind))
            one = next((found for place in places if (found := place.edit()) is not None), None)
            if one is not None:
                yield one


def describe_replacement(one: Listed) -> str:
    return f"/{one.instead_of}" if isinstance(one, Redeclared) else ""


def _report(report: Report) -> Iterator[str]:
    yield f"    {report.events} events, {report.commands} commands, stopped {report.stopped}, closed {report.closed}"
    judged = report.rules
    yield f"    {report.dice}, {judged.judged} judged, {judged.unjudged} not, other code {judged.other_code}"
    listed = (report.rulings, report.entered, report.redeclared, report.amended, report.stirred)
    told = [" ".join(f"{one.position}{describe_replacement(one)}" for one in row) for row in listed]
    yield f"    lists {'; '.join(told)}; {report.taken_back} taken back"
    for renewed in report.renewed:
        yield f"    {renewed.position} by {renewed.who}: {renewed.generation}, {len(renewed.fell)} fell again"
    for one in report.findings[:6]:
        said = HASH.sub("#", f"{one.expected} | {one.found}")
        yield f"    {one.layer} {one.code} at {one.position} in {one.line}: {said}"
    yield f"    {len(report.findings)} in all"
    for left in report.missing:
        said = "" if left.layer == "rules" else f"{left.what} | {left.remedy}"  # which names the version of today
        yield f"    not judged: {left.layer} {said}".rstrip()


def tell_views(this: Fight) -> Iterator[str]:
    """Yield a spectator's and players' views of a fight with a hidden combatant."""
    people = list(this.state.combatants)
    viewers = (Viewer(role="spectator"), *(Viewer(role="player", owns=(who,)) for who in people[:3]), Viewer(role="gm"))
    for position in [one.position for one in this.history.effective() if not one.more]:
        state = this.state_at(position)
        if not (state.concealed or state.veiled):
            continue
        shown = [digest(project_state(viewer, state))[:12] for viewer in viewers]
        yield f"{position} {_row(state.concealed)}, {_row(tuple(state.veiled))}: {_row(tuple(shown))}"
        for viewer in viewers[:2]:
            known = [
                who for who in people if who in state.concealed and who not in project_state(viewer, state).combatants
            ]
            yield f"    {viewer.role} {list_bands(viewer, state)} without {_row(tuple(known))}"


HASH = re.compile(r"[0-9a-f]{64}")
"""Some of what is forged holds the digest of the rules of today, and hangs on it."""

TOPICS: dict[str, Callable[[Fight], Iterator[str]]] = {
    "audited": tell_audit_findings,
    "chances": chances,
    "differences": tell_differences,
    "explained": tell_explanations,
    "refused": tell_refusals,
    "seen": tell_views,
    "thrown": thrown_dice,
}


def load_golden_lines(topic: str, name: str) -> list[str]:
    """Return what was said of a fight when it was last looked at."""
    text = (GOLDEN / f"{topic}.txt").read_text("utf-8")
    return text.partition(f"== {name}\n")[2].partition("== ")[0].splitlines()


def main() -> None:
    """Regenerate the texts."""
    for topic, tell in TOPICS.items():
        text = "".join(f"== {name}\n" + "".join(f"{line}\n" for line in tell(load_told_fight(name))) for name in FIGHTS)
        (GOLDEN / f"{topic}.txt").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
