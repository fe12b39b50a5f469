"""The errors of the engine.

::

    EngineError
    ├── Refused        the rules or the phase forbid it; nothing changed
    ├── OutOfDate      the writer believed in another head; nothing changed
    ├── Reused         a command's id came again with other content; nothing changed
    ├── Superseded     the writer of a document knew another version of it; nothing changed
    ├── Full           the number or size of documents has reached its maximum; nothing changed
    ├── Endless        carried out, the command would go on without end; nothing changed
    ├── Unusable       the input cannot be understood
    │   ├── NoFight    there is no fight of that name
    │   ├── NoDocument there is no document of that name
    │   ├── LostSeed   no die can fall, because the seed is not kept here
    │   ├── NotInFight a combatant or a thing is not in the fight
    │   ├── NotLoaded  the code of a rule system cannot be imported
    │   └── NoSuch     there is no thing of that name
    ├── Diverged       the rules no longer yield the recorded events
    └── StoreFailed    the record could not be read or written
        ├── Altered    it is not the record that was read before
        ├── Exists     there is a fight of that name already
        └── Unsure     it is unknown whether a command was written
"""

import importlib
from collections.abc import Iterable
from pathlib import Path
from traceback import extract_tb

from affray.events import AnySource, Clause, Event

RULE_ERRORS = (
    *(ArithmeticError, AssertionError, AttributeError, LookupError, NameError, RuntimeError, TypeError, ValueError),
)
"""The errors that rules raise on a state that they could never have led to."""


SHORT = 100
"""The maximum length of an error's message within another one, in characters."""


def split_decoder_message(said: str) -> tuple[str, str]:
    """Split a decoder's message into text and field path; the path may be empty."""
    message, _, path = said.partition(" - at `$")
    return message, path.rstrip("`")


def join_example(reason: str, example: str) -> str:
    """Return a reason with the line that would work, if there is one."""
    return f"{reason}; say: {example}" if example else reason


class EngineError(Exception):
    """The base class of the engine's errors."""


class Refused(EngineError):
    """The rules, or the phase, forbid the command.

    Attributes:
        code: The reason in one word, as the rule page names it.
        rule: The clause that forbids it.
        reason: The reason in a sentence.
        source: The cause: the id or name of a thing, or a struct, such as for a view.
        example: A line that would work instead, as typed; empty if none is known.
    """

    def __init__(self, code: str, rule: Clause, reason: str, source: AnySource = "", *, example: str = "") -> None:
        self.code = code
        self.rule = rule
        self.reason = reason
        self.source = source
        self.example = example

    def __str__(self) -> str:
        rule = f", {self.rule}" if self.rule not in ("", self.code) else ""
        return f"{self.message} ({self.code}{rule})"

    @property
    def message(self) -> str:
        """The reason, and the line that would work."""
        return join_example(self.reason, self.example)


class OutOfDate(EngineError):
    """The expected head is not the head: another writer was faster.

    Attributes:
        expected: The position the writer believed to be the head.
        head: The present one.
        hash: The present head's hash.
    """

    def __init__(self, expected: int, head: int, hash: str = "") -> None:
        super().__init__(f"the fight has moved on: its head is {head}, not {expected}")
        self.expected = expected
        self.head = head
        self.hash = hash


class Superseded(EngineError):
    """A document is not in the version that its writer knew.

    Another writer changed or deleted it.

    Attributes:
        present: Its present version; empty if there is no such document.
    """

    def __init__(self, kind: str, name: str, present: str) -> None:
        now = f"was changed meanwhile: it is in version {present}" if present else "is not there any more"
        super().__init__(f"the {kind} {name} {now}")
        self.present = present


class Full(EngineError):
    """No further document can be kept."""


class Reused(EngineError):
    """The id of a command came again with other content."""

    def __init__(self, id: str, position: int) -> None:
        super().__init__(f"the command id {id} already stands for another command, at position {position}")
        self.id = id
        self.position = position


class Endless(EngineError):
    """One command leads to more events than allowed, as with rules that never end.

    Attributes:
        most: The maximum number of events.
    """

    def __init__(self, most: int) -> None:
        super().__init__(f"the rules would go on without end: a command may decide at most {most} events")
        self.most = most


class Unusable(EngineError):
    """The input cannot be understood.

    Attributes:
        field: The part at fault, as a path; empty for the whole.
        reason: The fault and the right form, as a sentence.
        known: The possible values of the field, as far as they can be listed.
        example: A line that would work instead, as typed; empty if none is known.
    """

    def __init__(self, reason: str, field: str = "", *, known: Iterable[str] = ()) -> None:
        self.reason = reason
        self.field = field
        self.known = tuple(known)
        self.example = ""

    def __str__(self) -> str:
        return f"{self.field}: {self.message}" if self.field else self.message

    @property
    def message(self) -> str:
        """The reason, and the line that would work."""
        return join_example(self.reason, self.example)


class NoSuch(Unusable):
    """There is no thing of that name.

    Attributes:
        what: The kind of thing; empty for a combatant.
        name: The name as it was given.
    """

    def __init__(self, what: str, name: str, known: Iterable[str], field: str = "") -> None:
        self.what, self.name = what, name
        there = tuple(known)
        super().__init__(
            f"there is no {what}{' ' if what else ''}{name}; there are {', '.join(there)}", field, known=there
        )


class NotLoaded(Unusable):
    """The code of a rule system cannot be imported.

    Attributes:
        error: Type and message of the exception.
        file, line: The place of the exception in the system's own code; empty and 0 if unknown.
    """

    def __init__(self, system: str, error: Exception) -> None:
        self.error = f"{type(error).__name__}: {error}"
        frames = [frame for frame in extract_tb(error.__traceback__) if not frame.filename.startswith(NOT_THEIRS)]
        self.file, self.line = (frames[-1].filename, frames[-1].lineno or 0) if frames else ("", 0)
        if isinstance(error, SyntaxError):
            self.error, self.file, self.line = f"SyntaxError: {error.msg}", error.filename or "", error.lineno or 0
        place = f" ({self.file}:{self.line})" if self.file else ""
        super().__init__(f"the rules of {system} cannot be loaded: {self.error}{place}", "system")


NOT_THEIRS = ("<frozen", str(Path(__file__).parents[1]), str(Path(importlib.__file__).parent))
"""The path beginnings of the files of the import system and of this program."""


class LostSeed(Unusable):
    """The engine's dice cannot fall, because the committed seed is not kept here."""


class NotInFight(Unusable):
    """A combatant or a thing that the rules read is not in the fight."""


class NoFight(Unusable):
    """A store keeps no fight of that name."""


class NoDocument(Unusable):
    """A store keeps no document of that name."""


class Diverged(EngineError):
    """Deciding a recorded command again gives another event than the recorded one.

    Attributes:
        position: Position of the first recorded event that differs.
        recorded: The event in the log; ``None`` if the log has no further event.
        decided: The event of the rules now; ``None`` if they have no further event.
        safe: Position of the last quiet moment.
        details: The details for the author of the rules, where they fail; no player may read them.
    """

    details = ""

    def __init__(
        self, position: int, recorded: Event | None, decided: Event | None, safe: int, *, why: str = ""
    ) -> None:
        """Build the message; ``why`` is the rules' error, where they fail completely."""
        now = f"which the rules cannot follow: {why}" if why else f"the rules now say {decided!r}"
        super().__init__(f"position {position} says {recorded!r}, {now}; the fight can go on from position {safe}")
        self.position = position
        self.recorded = recorded
        self.decided = decided
        self.safe = safe


def describe_error(error: Exception) -> str:
    """Describe an error in one short line, without Python's own words."""
    if isinstance(error, EngineError | NoRow) or type(error) is LookupError:  # their messages are our own
        return str(error)[:SHORT]
    name = error.args[0] if isinstance(error, KeyError) and error.args else None
    if isinstance(name, str) and name:
        return f"there is no {name[:SHORT]}"
    return "something that it rests on is missing, or is of another kind"


class NoRow(LookupError):
    """The rules fired a trigger that the flow does not know in the present phase.

    Attributes:
        phase, trigger: The phase and the trigger.
    """

    def __init__(self, phase: str, trigger: object) -> None:
        super().__init__(f"no row for {trigger if isinstance(trigger, str) else repr(trigger)} in {phase}")
        self.phase = phase
        self.trigger = trigger


class StoreFailed(EngineError):
    """The record could not be read or written; its earlier content is untouched."""


class Altered(StoreFailed):
    """A stored log does not continue the part that was read of it before.

    It was replaced, cut or edited.

    Attributes:
        fight: Its name.
        position: The last position up to which the log was known.
    """

    def __init__(self, fight: str, position: int) -> None:
        super().__init__(f"the log of {fight} was changed: it is no longer what it was up to position {position}")
        self.fight = fight
        self.position = position


class Exists(StoreFailed):
    """A fight cannot begin under a name that another one has."""


class Unsure(StoreFailed):
    """It is unknown whether a command was written: the store failed during the commit.

    The same command may be sent again under the same id: it is written at most once.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(f"{reason}; {UNSURE}")


UNSURE = "whether it was written is not known: look before you do it again, or send it again under the same id"
"""The part of the message that says what to do."""
