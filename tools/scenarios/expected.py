"""Compare what a step must lead to with what it led to.

A line of a scenario may leave out parts of the line it means, written ``…`` or ``...``: ``ilse attack … hit``. A space
beside it only says that a word ends or begins there: ``ilse moves …`` also means ``ilse moves, cost 1``. It may name
clauses in braces at its end, which the line must cite among others.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import islice

from msgspec import Struct

from affray.events import Clause
from affray.tools.scenarios.notation import OutcomeLine
from affray.tools.scenarios.step import ScenarioStep

_CLAUSES = re.compile(r"(.*)\{([^{}]*)\}")
LEFT_OUT = re.compile(r"…|\.\.\.")
"""The pattern of an ellipsis, which stands for omitted words."""

_ALIKE = 0.5
"""The least similarity at which a line is shown as nearly another."""


class FoundOutcome(Struct, frozen=True):
    """The result of a step: its lines, the refusal, or the fault of the input.

    Attributes:
        message: The reason of the refusal, as a sentence.
        unknown: Whether it was refused for an unknown action.
        dice: The dice that fell, as in a scenario file.
        undone: Whether there is no result, since the scenario lacks dice for the step.
    """

    lines: tuple[OutcomeLine, ...] = ()
    refused: str = ""
    clause: Clause = ""
    message: str = ""
    unknown: bool = False
    unusable: str = ""
    dice: str = ""
    undone: bool = False

    @property
    def failure(self) -> tuple[str, str]:
        """The reason why a step did nothing, as key and value of a step that expects it."""
        if self.refused:
            return "refused", " ".join(dict.fromkeys((self.refused, self.clause))).strip()
        return "unusable", self.unusable

    @property
    def said(self) -> list[str]:
        """The failure in the notation of a scenario file."""
        return [": ".join(self.failure)] if self.failed else [line.text.rstrip() for line in self.lines]

    @property
    def failed(self) -> bool:
        """True if the step was refused or unusable."""
        return bool(self.refused or self.unusable)


class Wanted(Struct, frozen=True):
    """An expected line of a scenario.

    Attributes:
        said: The line as written.
        text: The line without the clauses.
        parts: The parts that must follow each other, if the line has an ellipsis; otherwise empty.
        clauses: The clauses it asserts.
    """

    said: str
    text: str
    parts: tuple[re.Pattern[str], ...] | None
    clauses: frozenset[Clause]

    def means(self, text: str) -> bool:
        """Tell whether a text equals the expected one; trailing space does not count."""
        if self.parts is None:
            return self.text in (text, text.rstrip())
        at = 0
        for part in self.parts:
            found = part.search(text, at)
            if found is None:
                return False
            at = found.end()
        return True

    def fits(self, line: OutcomeLine) -> bool:
        """Tell whether a line matches the expected one, with at least its clauses."""
        return self.means(line.text) and self.clauses <= line.clauses


@lru_cache(4096)
def parse_expected_line(said: str) -> Wanted:
    """Return a line as a scenario says it, taken apart."""
    cited = _CLAUSES.fullmatch(said)
    text, clauses = (cited[1].rstrip(), cited[2]) if cited else (said, "")
    cut = LEFT_OUT.split(text)
    parts = tuple(_parts(cut)) if len(cut) > 1 else None
    return Wanted(said, text, parts, frozenset(one.strip() for one in clauses.split(",")) - {""})


def _parts(cut: Sequence[str]) -> Iterator[re.Pattern[str]]:
    """Yield the parts between ellipses; at a space beside one, a word boundary is needed."""
    for nth, part in enumerate(cut):
        first, last = nth == 0, nth == len(cut) - 1
        begins = r"\A" if first else r"(?<!\S)" if part[:1].isspace() else ""
        ends = r"\Z" if last else r"(?![^\s,:;])" if part[-1:].isspace() else ""
        if part.strip():
            yield re.compile(f"{begins}{re.escape(part.strip())}{ends}")


def outcome_differences(step: ScenarioStep, found: FoundOutcome) -> list[str]:
    """Compare the outcome of a step with the expected one; return no lines if equal.

    Missing lines begin with ``-``, unexpected ones with ``+``, lines nearly equal to a missing one with ``~``, and
    right ones with a space.
    """
    if step.refused:
        right = any(set(one.split()) <= {found.refused, found.clause} for one in step.refusals) and found.refused
        return [] if right else [f"- refused: {' or '.join(step.refusals)}", *_instead(found), *_to_write(found)]
    if step.unusable:
        right = step.unusable in found.unusable and found.unusable
        return [] if right else [f"- unusable: … {step.unusable} …", *_instead(found), *_to_write(found)]
    if found.failed:
        said = step.then if step.then is not None else step.has
        return [*(f"- {one}" for one in said), *_instead(found)]
    return [*_whole(step.then, found.lines), *_among(step.has, found.lines), *_lacking(step.lacks, found.lines)]


def cited_clauses(step: ScenarioStep, found: FoundOutcome) -> frozenset[Clause]:
    """Return the clauses that are cited by what a step asserts: its refusal, all its lines, or those it names."""
    if step.refused:
        return frozenset({found.clause}) - {""}
    lines = found.lines if step.then is not None else _find_named_lines(step.has, found.lines)
    return frozenset().union(*(line.clauses for line in lines))


def _find_named_lines(said: Sequence[str], lines: Sequence[OutcomeLine]) -> list[OutcomeLine]:
    """Return the lines that match these expected ones, in order, among others."""
    rest = iter(lines)
    return [line for one in said for line in _next(parse_expected_line(one), rest)]


def _next(one: Wanted, rest: Iterator[OutcomeLine]) -> list[OutcomeLine]:
    return [*islice((line for line in rest if one.fits(line)), 1)]


def _whole(said: Sequence[str] | None, lines: Sequence[OutcomeLine]) -> list[str]:
    """Compare all lines with the expected ones, unless they are equal."""
    meant = [parse_expected_line(one) for one in said or ()]
    if said is None or (len(meant) == len(lines) and all(map(Wanted.fits, meant, lines))):
        return []
    texts, told = [line.text for line in lines], []
    same = [_text(one, at, lines) for at, one in enumerate(meant)]
    for how, first, last, start, end in SequenceMatcher(None, same, texts, autojunk=False).get_opcodes():
        before, after = ("  ", []) if how == "equal" else ("- ", lines[start:end])
        told += [f"{before}{one.said}" for one in meant[first:last]]
        told += [f"+ {_line_text(line, meant[first:last])}" for line in after]
    return told


def _text(one: Wanted, at: int, lines: Sequence[OutcomeLine]) -> str:
    """Return the text of the matching line, at its index if possible; or else the expected."""
    near = (*lines[at : at + 1], *lines)
    return next((line.text for line in near if one.fits(line)), f"\n{one.said}")


def _among(said: Sequence[str], lines: Sequence[OutcomeLine]) -> list[str]:
    """Show where among the actual lines the missing ones belong, if any is missing."""
    meant = [parse_expected_line(one) for one in said]
    told, at, missing, right = [], 0, [], set()
    for one in meant:
        there = next((nth for nth in range(at, len(lines)) if one.fits(lines[nth])), None)
        if there is None:
            missing.append(one)
            told.append((-1, f"- {one.said}"))
        else:
            told += [(nth, _line_text(lines[nth], meant)) for nth in range(at, there)]
            told.append((-1, f"  {one.said}"))
            right.add(there)
            at = there + 1
    told += [(nth, _line_text(lines[nth], meant)) for nth in range(at, len(lines))]
    near = {_nearest(one, [nth for nth in range(len(lines)) if nth not in right], lines) for one in missing}
    return [text if nth < 0 else f"{'~' if nth in near else ' '} {text}" for nth, text in told] if missing else []


def _nearest(one: Wanted, left: Iterable[int], lines: Sequence[OutcomeLine]) -> int:
    """Return the index of the most similar remaining line; -1 if none is similar."""
    alike = SequenceMatcher(None, b=LEFT_OUT.sub("", one.text), autojunk=False)
    best, at = _ALIKE, -1
    for nth in left:
        alike.set_seq1(lines[nth].text)
        if alike.ratio() > best:
            best, at = alike.ratio(), nth
    return at


def _lacking(said: Sequence[str], lines: Sequence[OutcomeLine]) -> list[str]:
    """Show what came although it must not."""
    pairs = ((one, line) for one in map(parse_expected_line, said) for line in lines if one.fits(line))
    return [text for one, line in pairs for text in (f"- not: {one.said}", f"+ {_line_text(line, [one])}")]


def _to_write(found: FoundOutcome) -> list[str]:
    """Return the text with which a step expects its refusal or input fault.

    It is empty where the action may be misspelt.
    """
    if found.unknown or not found.failed:
        return []
    key, value = found.failure
    return [f"  write {key}: {value}"]


def _line_text(line: OutcomeLine, meant: Sequence[Wanted]) -> str:
    """Return a line, with its clauses if an equal expected line asserts some."""
    cites = any(one.clauses and one.means(line.text) for one in meant)
    return f"{line.text} {{{', '.join(sorted(line.clauses))}}}" if cites else line.text


def _instead(found: FoundOutcome) -> list[str]:
    """Return the actual outcome in place of another kind, with a refusal's reason."""
    if found.refused:
        return [f"+ {found.said[0]}: {found.message}"]
    return [f"+ {one}" for one in found.said] or ["+ nothing came of it"]
