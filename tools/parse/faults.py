"""Faults: the errors of commands and files, as programs get them."""

from collections.abc import Iterable

from msgspec import Struct

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
    join_example,
)
from affray.events import AnySource, ChainBroken, Clause, LogError, Malformed, Senseless, UnknownFormat
from affray.tools.text.spelling_hints import nearest

from .decoding import reword_decoder_text


class Fault(Struct, frozen=True, kw_only=True):
    """An error, as ``--json`` prints it.

    Attributes:
        kind: ``refused``, ``out_of_date``, ``superseded``, ``full``, ``reused``, ``diverged``, ``unusable``, ``log``,
            ``store``, ``altered``, ``unsure`` or ``usage``.
        code: The reason as a code.
        rule: The clause that forbids the command.
        message: The reason as a sentence.
        field, line, file: The place of the fault; the line is 0 if unknown.
        source: The cause of a refusal, as in ``Refused``; for wrong usage the command.
        example: A line that would work instead, as typed.
    """

    kind: str
    message: str
    code: str = ""
    rule: Clause = ""
    field: str = ""
    line: int = 0
    file: str = ""
    source: AnySource = ""
    example: str = ""

    @property
    def text(self) -> str:
        """The reason, and the line that would work."""
        return join_example(self.message, self.example)

    @property
    def is_refusal(self) -> bool:
        """Tell whether the rules or the record refused a command that was understood."""
        return self.kind in _REFUSALS


_REFUSALS = frozenset({"refused", "out_of_date", "superseded", "full", "reused", "diverged"})


class Faulty(Exception):
    """A fault at a known place in a file.

    Attributes:
        others: The other faults of the file, if all were looked for.
    """

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault
        self.others: tuple[Fault, ...] = ()


KNOWN = (Faulty, EngineError, LogError, OSError)
"""The exceptions that ``fault_of`` converts; any other exception is a defect of the program."""

_LOG_CODES = {Malformed: "malformed", UnknownFormat: "unknown_format", ChainBroken: "chain_broken"}


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
        case Refused(code=code, rule=rule, reason=reason, source=source, example=example):
            fault = Fault(kind="refused", code=code, rule=rule, message=reason, source=source, example=example)
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
        case Unusable(field=field, reason=reason, example=example):
            said = reword_decoder_text(reason)
            fault = Fault(kind="unusable", code="unusable", message=said, field=field, file=file, example=example)
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
