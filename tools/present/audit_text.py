"""The findings of an audit in sentences."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from affray.engine.integrity.audit import Finding, Listed, ListedFork, Redeclared, Renewed, Report, RollShown
from affray.engine.integrity.audit.dice import dice_in_words, rolls_in_words
from affray.engine.texts import id_said, name_said, quote
from affray.events import UNREADABLE, Event, Forked, Previewed, Rolled, Ruled
from affray.tools.parse.decoding import reword_decoder_text
from affray.tools.parse.values import count_of
from affray.tools.present.fault_text import clause_text

from .story.narration import tell
from .story.words import Names, author_said, describe_shown_dice

LAYERS = {"record": "the record", "dice": "the dice", "rules": "the rules", "checkpoint": "a checkpoint"}
"""The name of each cause of a finding, as used in a sentence."""

SHORT = 12
"""The number of digits shown of a hash."""

MANY = 3
"""The most differing fields that a sentence names."""

WIDE = 60
"""The most characters shown of a value."""


class LayerResult(NamedTuple):
    """The result of a layer: a word, and a sentence."""

    layer: str
    word: str
    says: str

    def __str__(self) -> str:
        """Return both."""
        return f"{self.word}: {self.says}" if self.says else self.word


def layer_results(report: Report) -> Iterator[LayerResult]:
    """Yield the result of each layer."""
    kept = "the checkpoint" if report.checkpoints == 1 else f"{report.checkpoints} checkpoints"
    covers = "which covers" if report.checkpoints == 1 else "the last of which covers"
    yield _layer_result(
        report,
        "record",
        f"{count_of(report.events, 'event')} in {count_of(report.commands, 'command')}, the chain whole",
    )
    yield _layer_result(report, "dice", _dice(report))
    yield _layer_result(report, "rules", _rules(report))
    if report.checkpoints or any(one.layer == "checkpoint" for one in report.findings):
        yield _layer_result(report, "checkpoint", f"the log extends {kept}, {covers} {_reach(report)}")


def _reach(report: Report) -> str:
    """State which positions the checkpoints cover; later lines are not signed."""
    return f"positions 1 to {report.covered} of {report.events}"


def _layer_result(report: Report, layer: str, says: str) -> LayerResult:
    findings = sum(one.layer == layer for one in report.findings)
    if findings:
        return LayerResult(layer, count_of(findings, "finding"), "")
    missing = not report.system or any(one.layer == layer for one in report.missing)  # without an opening, all is
    return LayerResult(layer, "incomplete" if missing else "clean", says)


def _dice(report: Report) -> str:
    dice = report.dice
    parts = []
    if dice.checked:
        parts.append(f"{rolls_in_words(dice.checked)} derived again from the seed")
    if dice.entered:
        parts.append(f"{rolls_in_words(dice.entered)} entered from real dice, added up again")
    if dice.unchecked + dice.parents:
        parts.append(f"{rolls_in_words(dice.unchecked + dice.parents)} not checked")
    return ", ".join(parts) or "no dice fell"


def _rules(report: Report) -> str:
    rules = report.rules
    parts = [f"{count_of(rules.judged, 'input')} decided again, as recorded"] if rules.judged else []
    if rules.unjudged:
        parts.append(f"{rules.unjudged} not judged")
    if rules.other_code and rules.judged:
        parts.append("by other code of the same version than recorded them")
    return ", ".join(parts) or ("nothing was judged" if rules.why_not else "nothing was declared")


HEADINGS = {"clean": "clean", "incomplete": "incomplete", "found": "NOT clean"}
"""The first word of the summary, by verdict."""


def summarise_audit(report: Report) -> str:
    """Return the result of an audit in one line."""
    layers = ", ".join(f"{one.layer} {one.word}" for one in layer_results(report))
    if report.covered:
        layers += f" ({_reach(report)})"
    fight = f"{quote(report.fight)} ({id_said(report.system)} {id_said(report.version)})"
    whole = f"{fight}, {count_of(report.events, 'event')} to {report.head[:SHORT]}"
    return f"{HEADINGS[report.verdict]}: {whole}: {layers}"


def list_unjudged(report: Report) -> Iterator[str]:
    """Yield each check that could not be made, and the remedy that would allow it."""
    for one in report.missing:
        yield f"{LAYERS[one.layer]}: {one.what}; needed: {one.remedy}"


def finding_sentence(found: Finding, names: Names) -> str:
    """Return a finding as a sentence: position, expected value and found value."""
    where = f"position {found.position}"
    if found.line != found.position:
        where += f" (line {found.line})"
    rules = f" ({', '.join(dict.fromkeys(found.rules))})" if found.rules else ""
    return f"{where}, {LAYERS[found.layer]}{rules}: {_compare_declarations(found, names)}"


def _compare_declarations(found: Finding, names: Names) -> str:
    due, written = found.due, found.written
    if found.layer != "rules" or found.found:
        read = reword_decoder_text(found.found)
        return f"expected {found.expected}; found {'what cannot be read: ' if read != found.found else ''}{read}"
    if due is None and found.expected:
        said = _tell_or_quote(written, names) if written is not None else "nothing"
        return f"{quote(said)} is recorded, which the rules refuse: {found.expected}"
    if due is None:
        assert written is not None
        return f"nothing more follows here; recorded is {quote(_tell_or_quote(written, names))}"
    if written is None:
        return f"expected {quote(_tell_or_quote(due, names))}; recorded is nothing more"
    expected, recorded = _tell_or_quote(due, names), _tell_or_quote(written, names)
    if expected != recorded:
        return f"expected {quote(expected)}; recorded is {quote(recorded)}"
    differing = _differing("", _builtins(due), _builtins(written))  # for sentences do not tell every field
    unlike = [f"{path}: {due} expected, {found} found" for path, due, found in differing]
    more = f", and {len(unlike) - MANY} more" if len(unlike) > MANY else ""
    return f"{quote(expected)} is recorded, but with {', '.join(unlike[:MANY])}{more}"


def _differing(path: str, due: Any, written: Any) -> Iterator[tuple[str, str, str]]:
    """Yield the path of each field that differs, and both its values."""
    if isinstance(due, dict) and isinstance(written, dict):
        for name in {**due, **written}:
            yield from _differing(
                f"{path}.{id_said(name)}" if path else id_said(name), due.get(name), written.get(name)
            )
        if due.keys() == written.keys() and [*due] != [*written]:
            yield f"the order in {path}", ", ".join(map(id_said, due)), ", ".join(map(id_said, written))
    elif isinstance(due, list | tuple) and isinstance(written, list | tuple) and len(due) == len(written):
        for nth, (one, other) in enumerate(zip(due, written, strict=True), 1):
            yield from _differing(f"{path} {nth}", one, other)
    elif due != written or type(due) is not type(written):
        yield path, _plain(due), _plain(written)


def _builtins(event: Event) -> Any:
    """Convert an event to plain values; its raw parameters may be forged."""
    written = msgspec.json.encode(event)
    try:
        return msgspec.json.decode(written)
    except UNREADABLE:
        return written.decode()


def _plain(value: Any) -> str:
    said = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    shown = said if len(said) <= WIDE else f"{said[:WIDE]}…"
    return name_said(shown) if isinstance(value, str) else shown


def _tell_or_quote(event: Event, names: Names) -> str:
    """Return the sentence of an event; print a forged event that has no sentence as data."""
    try:
        return tell(event, names, verbose=True) or type(event).__name__
    except Exception:  # a forged event may hold anything
        return _plain(_builtins(event))


def list_remarks(report: Report, names: Names, *, entered: bool = True) -> Iterator[str]:
    """Yield remarks that are no faults.

    These are rulings, entered dice, forks, amendments, previews of dice, and undone commands.

    Args:
        entered: Whether to list every entered roll.
    """
    for one in report.stirred:
        yield f"{_at(one, names)}: {_tell_or_quote(one.event, names)}"
    if report.stirred:
        author = author_said(report.stirred[-1].who, names)
        yield f"       who knows the seed could choose these dice only if the last words, of {author}, are their own"
    for one in report.rulings:
        assert isinstance(one.event, Ruled)
        yield f"{_at(one, names)} ruled: {_tell_or_quote(one.event, names)}"
    for one in report.entered if entered else ():
        assert isinstance(one.event, Rolled)
        yield f"{_at(one, names)} entered real dice: {_tell_or_quote(one.event, names)}"
    for one in report.requests:
        yield f"{_at(one, names)}: {_tell_or_quote(one.event, names)}"
    for fork in report.forks:
        yield f"{_at(fork, names)} {_describe_fork(fork)}"
    yield from _list_looks(report, names)
    yield from _list_takebacks(report, names)
    for again in report.redeclared:
        yield f"{_at(again, names)} {_describe_difference(again, names)}"
    for renewed in report.renewed:
        yield f"{renewed.position:>5}  {author_said(renewed.who, names)} asked for fresh dice: {_fell_again(renewed)}"
    for one in report.amended:
        yield f"{_at(one, names)} amended: {_tell_or_quote(one.event, names)}"
    if report.ahead is not None:
        yield f"{report.ahead.position:>5}  recorded at {report.ahead.time}, later than now, like all behind it"


def _describe_fork(fork: ListedFork) -> str:
    """Describe a fork: its parent, its position, and whether it draws separate dice."""
    event = fork.event
    assert isinstance(event, Forked)
    if fork.own_dice:
        dice = "its dice are its own from there"
    else:
        dice = "its dice are those of its parent" if event.commitment else "all its dice are entered"
    return f"forked this fight from {quote(event.parent)} at position {event.position}; {dice}"


def _list_looks(report: Report, names: Names) -> Iterator[str]:
    """Yield the number of rolls seen before they fell, each viewer with positions, and the dice of each look."""
    by: dict[str, list[str]] = {}
    shown = 0
    for one in report.looks:
        assert isinstance(one.event, Previewed)
        shown += len(one.event.rolls)
        by.setdefault(author_said(one.who, names), []).append(str(one.position))
    if by:
        viewers = "; ".join(f"{who} at {', '.join(positions)}" for who, positions in by.items())
        times = count_of(len(report.looks), "time")
        yield f"dice looked at before they fell, {times}: {rolls_in_words(shown)}; {viewers}"
    for one in report.looks:
        assert isinstance(one.event, Previewed)
        yield f"{_at(one, names)} saw {describe_shown_dice(one.event)}"


def _list_takebacks(report: Report, names: Names) -> Iterator[str]:
    """Yield the number of commands and dice that were taken back, and each command with its dice."""
    takebacks = report.takebacks
    if not takebacks:
        return
    differs = {(one.instead_of, one.position) for one in report.redeclared if not one.again}
    commands, dice = sum(len(one.commands) for one in takebacks), sum(one.dice for one in takebacks)
    yield f"taken back, {count_of(len(takebacks), 'time')}: {count_of(commands, 'command')}, {_many_dice(dice)}"
    for one in takebacks:
        asked = f", as asked for at {one.request}" if one.request else ""
        much = f"{count_of(len(one.commands), 'command')}, {_many_dice(one.dice)}"
        kept = f", and decided {count_of(one.kept, 'more command')} again as before" if one.kept else ""
        how = f" by amending {one.amends}{kept}" if one.amends else ""
        yield f"{one.position:>5}  {author_said(one.who, names)} took back {much}, at {one.time}{asked}{how}:"
        for each in one.commands:
            dice_of = f"; {_dice_shown(each.rolls)}" if each.rolls else ""
            how = "declared otherwise at" if (each.position, each.instead) in differs else "declared again at"
            how = "counts again as at" if each.instead < one.position else how
            then = f"{how} {each.instead}" if each.instead else "not declared again"
            said = f"{author_said(each.who, names)}: {_tell_or_quote(each.event, names)}"
            yield f"         {each.position:>5}  {said}{dice_of}; {then}"


def _describe_difference(again: Redeclared, names: Names) -> str:
    """Describe the difference of a declaration from the undone one."""
    said = _tell_or_quote(again.event, names)
    shown = f"; {_dice_shown(again.before)}, then {_dice_shown(again.after)}" if again.before or again.after else ""
    if again.again:
        return f"declared again what was taken back at {again.instead_of}, with other dice: {said}{shown}"
    return f"declared otherwise than at {again.instead_of}, taken back before: {said}{shown}"


def _dice_shown(shown: Sequence[RollShown]) -> str:
    return ", ".join(f"{id_said(one.roll)} showed {dice_in_words(one.faces)}" for one in shown) or "no die fell"


def _many_dice(dice: int) -> str:
    return "1 die" if dice == 1 else f"{dice} dice"


def _fell_again(renewed: Renewed) -> str:
    fell = [
        f"{id_said(one.roll)} showed {dice_in_words(one.before)}, then {dice_in_words(one.after)}"
        for one in renewed.fell
    ]
    return "; ".join(fell) or "nothing that had fallen fell again"


def _at(one: Listed, names: Names) -> str:
    return f"{one.position:>5}  {author_said(one.who, names)}"


def cited_in_findings(report: Report) -> Iterator[str]:
    """Yield the clauses that findings cite, with their titles."""
    for rule in dict.fromkeys(rule for one in report.findings for rule in one.rules):
        text = clause_text(rule)
        if text is not None:
            yield f"{rule}  {text.title}: {' '.join(text.says.split())}"
