"""Turn an error into one or two lines on standard error, an object for programs, and an exit code."""

import re
from collections.abc import Iterable
from contextlib import suppress

import click
from msgspec import Struct
from msgspec.structs import replace

from affray.engine.core.catalogue import ClauseText
from affray.engine.core.loading import available, load
from affray.engine.core.rule_faults import RuleFault, RulesFailed, show_path
from affray.engine.errors import (
    Altered,
    Diverged,
    Endless,
    EngineError,
    Full,
    OutOfDate,
    Refused,
    Reused,
    Superseded,
    Unsure,
    Unusable,
)
from affray.events import ChainBroken, Clause, LogError, Malformed, Senseless, UnknownFormat
from affray.tools.text.spelling_hints import nearest

from .decoding import reword_decoder_text

REFUSED = 1
"""Exit code of a command that was understood and not allowed."""

UNUSABLE = 2
"""Exit code of unusable input: a file, its syntax, a name."""

INCOMPLETE = 3
"""Exit code of an audit that found nothing, but could not check everything."""


class Fault(Struct, frozen=True, kw_only=True):
    """An error, as ``--json`` prints it.

    Attributes:
        kind: ``refused``, ``out_of_date``, ``superseded``, ``full``, ``reused``, ``diverged``, ``unusable``, ``log``,
            ``store``, ``altered``, ``unsure`` or ``usage``.
        code: The reason as a code.
        rule: The clause that forbids the command.
        message: The reason as a sentence.
        field, line, file: The place of the fault; the line is 0 if unknown.
        source: The cause of a refusal: a stat, item, condition or phase, by name; for wrong usage the command.
    """

    kind: str
    message: str
    code: str = ""
    rule: Clause = ""
    field: str = ""
    line: int = 0
    file: str = ""
    source: str = ""

    @property
    def exit_code(self) -> int:
        """Refused by the rules or by the record, or not usable at all."""
        return REFUSED if self.kind in _REFUSALS else UNUSABLE


_REFUSALS = frozenset({"refused", "out_of_date", "superseded", "full", "reused", "diverged"})


class Faulty(Exception):
    """Something went wrong at a known place in a file."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


KNOWN = (Faulty, EngineError, LogError, click.ClickException, OSError)
"""The exceptions that ``fault_of`` converts; any other exception is a defect of the program."""

_LOG_CODES = {
    Malformed: "malformed",
    UnknownFormat: "unknown_format",
    ChainBroken: "chain_broken",
}


def fault_of(error: Exception, file: str = "") -> Fault:
    """Convert an exception to a fault.

    The fault has all details, for the person at this machine. The server sends its clients only ``problem_for``.

    Args:
        error: An exception of one of the ``KNOWN`` kinds.
        file: The file of the fault, if the exception has none.
    """
    if isinstance(error, Faulty):
        return error.fault
    if isinstance(error, LogError):
        return _of_log(error, file)
    if isinstance(error, EngineError):
        return _of_engine(error, file)
    if isinstance(error, click.ClickException):
        context = error.ctx if isinstance(error, click.BadParameter | click.NoSuchOption) else None
        typed = context.command_path if context is not None else ""
        return Fault(kind="usage", code="usage", message=" ".join(error.format_message().split()), source=typed)
    if isinstance(error, OSError):
        name = str(error.filename or file)
        return Fault(kind="unusable", code="file", message=error.strerror or str(error), file=name)
    return Fault(kind="unusable", message=str(error), file=file)


def _of_log(error: LogError, file: str) -> Fault:
    if isinstance(error, RulesFailed) and error.fault is not None:
        return _of_rules(error.fault)
    line = error.line or (1 if isinstance(error, UnknownFormat) else 0)
    code = "senseless" if isinstance(error, Senseless) else _LOG_CODES.get(type(error), "log")
    return Fault(kind="log", code=code, message=reword_decoder_text(error.reason), line=line, file=file)


def _of_rules(fault: RuleFault) -> Fault:
    """Return the fault of an exception in the rules of a system, for their author."""
    where = f"; in {fault.function}" if fault.function else ""
    message = f"the rules of {fault.system} fail: {fault.error}{where}, {fault.moment}"
    return Fault(kind="log", code="rules", message=message, file=show_path(fault.file), line=fault.line)


def _of_engine(error: EngineError, file: str) -> Fault:
    message = str(error)
    match error:
        case Refused(code=code, rule=rule, source=source):
            fault = Fault(kind="refused", code=code, rule=rule, message=error.message, source=source)
        case Endless():
            fault = Fault(kind="refused", code="endless", message=message)
        case OutOfDate(head=head):
            fault = Fault(kind="out_of_date", code="out_of_date", message=message, source=str(head))
        case Superseded(present=present):
            fault = Fault(kind="superseded", code="superseded", message=message, source=present)
        case Full():
            fault = Fault(kind="full", code="full", message=message)
        case Reused(position=position):
            fault = Fault(kind="reused", code="reused", message=message, source=str(position))
        case Diverged(safe=safe):
            details = f"; {error.details}" if error.details else ""
            fault = Fault(kind="diverged", code="diverged", message=message + details, source=str(safe), file=file)
        case Unusable(field=field):
            fault = Fault(
                kind="unusable", code="unusable", message=reword_decoder_text(error.message), field=field, file=file
            )
        case Altered():
            fault = Fault(kind="altered", code="altered", message=message)
        case Unsure():
            fault = Fault(kind="unsure", code="unsure", message=message)
        case _:
            fault = Fault(kind="store", code="store", message=message)
    return fault


def reason_in_log(error: Exception) -> str:
    """Return an error's text for the log of a server: with the details that no client may read."""
    details = error.details if isinstance(error, Diverged) else getattr(error, "fault", "")
    return f"{error}; {details}" if details else str(error)


SAY = "; say: "
"""The words in a message before a line that would work."""


def lines_of(fault: Fault) -> list[str]:
    """Return a fault as the lines that a person reads: one or two, and a line that would work if there is one."""
    message, _, line = fault.message.partition(SAY)
    return [*_reason_of(replace(fault, message=message)), *([f"say: {line}"] if line else [])]


def _reason_of(fault: Fault) -> list[str]:
    reason = ", ".join(dict.fromkeys(part for part in (fault.code, fault.rule) if part))
    if fault.exit_code == REFUSED:
        first = f"refused: {fault.message} ({reason})"
        if fault.kind == "diverged":
            return [first, f"to go on from there: affray undo {fault.file or 'FIGHT'} --to {fault.source}"]
        said = clause_text(fault.rule)
        return [first, f"{fault.rule} {said.title}. {_first_sentence(said.says)}"] if said else [first]
    if fault.kind == "usage" and fault.source:
        return [f"affray: {fault.message}", f"{fault.source} --help says more"]
    place = [fault.file, f"line {fault.line}" if fault.line else "", fault.field]
    return [": ".join((", ".join(part for part in place if part) or "affray", fault.message))]


def clause_text(rule: Clause) -> ClauseText | None:
    """Return the text of a clause of any rule system."""
    for system in available() if rule else ():
        with suppress(Unusable):  # a system that cannot be loaded has no clause of a fight
            found = load(system).clauses.get(rule)
            if found is not None:
                return found
    return None


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=[.!?]) ", " ".join(text.split()), maxsplit=1)[0]


def hint_setting(key: str, system: str, known: Iterable[str]) -> str:
    """Return the nearest setting of a system to an unknown one, and the command that lists them."""
    return f"{nearest(key, known)}; affray rules {system} --settings lists them"


LONGEST_LIST = 320
"""The longest list of known words, in characters."""


def known_instead(word: str, known: Iterable[str]) -> str:
    """Return ``; did you mean …?`` if a known word is close enough, else ``; there are …`` with as many as fit."""
    every = list(dict.fromkeys(known))
    return nearest(word, every) or (f"; there are {join_shortly(every)}" if every else "; there are none")


def join_shortly(words: Iterable[str]) -> str:
    """Join words by commas, up to a readable length."""
    listed = ", ".join(words)
    return listed if len(listed) <= LONGEST_LIST else listed[:LONGEST_LIST].rpartition(", ")[0] + ", …"
