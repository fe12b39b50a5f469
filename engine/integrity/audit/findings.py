"""The report of an audit, and its findings."""

from collections import Counter
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.runtime.dice import Faces
from affray.events import Clause, Id
from affray.events.vocabulary import AnyEvent

Layer = Literal["record", "dice", "rules", "checkpoint"]
"""The layer of an audit: the written record, the dice, the rules, or a kept checkpoint."""

Verdict = Literal["clean", "incomplete", "found"]
"""The verdict: everything was judged and right; no finding, but some parts were not judged; findings."""


class Finding(Struct, frozen=True, omit_defaults=True):
    """A fault of the log.

    Attributes:
        layer: The layer that found it.
        position: Its position in the log; for a missing event, the missing position.
        line: The line of the log.
        code: The fault, in one word.
        expected, found: The expected text and the text found; empty where the events say it.
        due, written: The expected event and the recorded one, where the rules decide otherwise; ``None`` for no event.
        rules: The clauses that expect otherwise.
    """

    layer: Layer
    position: int
    line: int
    code: str
    expected: str = ""
    found: str = ""
    due: AnyEvent | None = None
    written: AnyEvent | None = None
    rules: tuple[Clause, ...] = ()


class Listed(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An event that is no fault, but of interest.

    Attributes:
        position: Its position.
        who: The sender of the command, as claimed.
        event: The event.
    """

    position: int
    who: str
    event: AnyEvent


class ListedFork(Listed, frozen=True, kw_only=True, omit_defaults=True):
    """A fork: the event that separates a log from its parent.

    Attributes:
        own_dice: Whether the dice from there on fall under another seed than before.
    """

    own_dice: bool = False


class RollShown(Struct, frozen=True):
    """The faces of a roll.

    Attributes:
        roll: Its id.
        faces: The faces of each group of dice.
    """

    roll: Id
    faces: Faces


class Redeclared(Listed, frozen=True, kw_only=True, omit_defaults=True):
    """A declaration after an undo that differs from the undone one, or met other dice.

    Attributes:
        instead_of: Position of the undone input.
        again: Whether it is the same declaration, and only the dice differ.
        before: The dice of the undone declaration, in any command.
        after: The dice that fell now.
    """

    instead_of: int
    again: bool = False
    before: tuple[RollShown, ...] = ()
    after: tuple[RollShown, ...] = ()


class UndoneCommand(Listed, frozen=True, kw_only=True, omit_defaults=True):
    """A command that was taken back.

    Attributes:
        rolls: The dice that had fallen in it.
        instead: Position of the input declared in its place, the same or another; 0 if there is none.
    """

    rolls: tuple[RollShown, ...] = ()
    instead: int = 0


class Takeback(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An undo, or a redo or amendment that took commands back.

    Attributes:
        position, who: As in ``Listed``.
        time: The time of recording.
        commands: The commands that it took back, in the order of the record.
        request: Position of the request that it grants; 0 if it grants none.
        amends: Position of the input that an amendment corrects or retracts; 0 for an undo or redo.
        kept: The number of further commands that an amendment decided again unchanged, with the same dice.
    """

    position: int
    time: str
    who: str
    commands: tuple[UndoneCommand, ...]
    request: int = 0
    amends: int = 0
    kept: int = 0

    @property
    def dice(self) -> int:
        """The number of dice that had fallen in the commands."""
        return sum(len(group) for one in self.commands for roll in one.rolls for group in roll.faces)


class Fell(Struct, frozen=True):
    """A roll that fell twice.

    Attributes:
        roll: Its id, without the generation of its dice.
        before: The faces before fresh dice were asked for, by group.
        after: The faces since then.
    """

    roll: Id
    before: Faces
    after: Faces


class Renewed(Struct, frozen=True, kw_only=True):
    """A request for fresh dice.

    Attributes:
        position, who: As in ``Listed``.
        generation: The generation of the dice from there on.
        fell: The rolls that were taken back and fell again.
    """

    position: int
    who: str
    generation: int
    fell: tuple[Fell, ...]


class Ahead(Struct, frozen=True, kw_only=True):
    """An event recorded later than the time of the audit.

    Attributes:
        position: The first such position. All later ones are too, because recorded times never decrease.
        time: The time of recording, as the log claims.
    """

    position: int
    time: str


class Missing(Struct, frozen=True, kw_only=True):
    """A part of the log that could not be judged.

    Attributes:
        layer: The layer that could not judge it.
        what: The part and the reason, as a sentence.
        remedy: The means to judge it.
    """

    layer: Layer
    what: str
    remedy: str


MOST = 1_000
"""The maximum of findings kept. The audit stops there, so that a malformed log costs little time."""

OF_EACH_LINE = frozenset({"chain", "spelling", "twice", "unreadable"})
"""The codes of faults that one cause, such as an editor, can put into every line."""

MOST_OF_EACH_LINE = 20
"""The maximum of findings kept for each of these codes; the others are counted."""

MOST_COUNTED = 100_000
"""The maximum of findings counted; the audit stops there too."""


class Findings:
    """The findings of all layers.

    Attributes:
        all: The findings, in the order in which they were found.
    """

    def __init__(self) -> None:
        self.all: list[Finding] = []
        self._many: Counter[str] = Counter()
        self._last: dict[str, Finding] = {}

    @property
    def full(self) -> bool:
        """True if further findings are dropped."""
        return len(self.all) >= MOST or self._many.total() >= MOST_COUNTED

    def add(self, finding: Finding) -> None:
        """Keep a finding."""
        self.all.append(finding)

    def note(self, layer: Layer, position: int, line: int, code: str, expected: str, found: str) -> None:
        """Keep a finding with texts.

        Of a code that one cause can put into every line, only the first findings are kept.
        """
        finding = Finding(layer, position, line, code, expected, found)
        self._many[code] += code in OF_EACH_LINE
        if self._many[code] <= MOST_OF_EACH_LINE:
            self.add(finding)
        else:
            self._last[code] = finding

    def sum_up(self) -> None:
        """Add the number of further findings to the last one of each code."""
        for code, last in self._last.items():
            more = self._many[code] - MOST_OF_EACH_LINE
            found = f"{last.found}; so it is in {more} line{'s' * (more != 1)} that are not listed"
            self.add(replace(last, found=found))


class DiceChecked(Struct, kw_only=True):
    """The numbers of rolls by result.

    Attributes:
        known: Whether the seed is known: revealed by the log, or kept beside it, and promised by it.
        checked: The number of engine rolls that were derived again from their names.
        unchecked: The number of engine rolls that could not be derived, while the seed is secret.
        parents: The number of engine rolls that could not be derived, because they fell under a parent's seed.
        entered: The number of entered rolls.
    """

    known: bool = False
    checked: int = 0
    unchecked: int = 0
    parents: int = 0
    entered: int = 0


class RulesJudged(Struct, kw_only=True):
    """The numbers of inputs by result.

    Attributes:
        judged: The number of inputs that were decided again.
        unjudged: The number of inputs that could not be decided again.
        why_not: The reason why judging stopped at some moment; empty if it did not stop.
        other_version: The reason why some inputs were not judged: another version of the rules recorded them.
        other_code: Whether the code of the rules differs from the code that recorded the fight, in the same version.
    """

    judged: int = 0
    unjudged: int = 0
    why_not: str = ""
    other_version: str = ""
    other_code: bool = False


class Report(Struct, frozen=True, kw_only=True):
    """The report of an audit.

    Attributes:
        fight, system, version: The values in the log's opening.
        events, commands: The numbers of events and commands; in a log with an incomplete end, those of whole commands.
        head: The hash of the last of these events.
        closed: Whether the record is closed.
        dice, rules: The results of these layers.
        findings: The faults, in the order of the log.
        missing: The parts that could not be judged.
        stopped: The line after which reading stopped, because of too many findings or jumps of the record; 0 if all was
            read.
        rulings, entered, redeclared, amended, stirred, renewed: Lists of events that are no faults: a game master's
        rulings, rolls of real dice, declarations that differ from undone ones or met other dice, amendments, added
        words, fresh dice.
        requests: The undo requests of players, with the declined ones.
        takebacks: Every undo, redo and amendment, with each command and each die that it took back.
        looks: Each preview that showed dice before they fell.
        forks: The positions where the log left a parent; of a fork of a fork, both.
        taken_back: The number of undos.
        fork_of: The name of the parent, if this is a fork.
        checkpoints: The number of checkpoints that the log extends.
        covered: The last position that a checkpoint covers; later positions are not signed.
        ahead: The first event from the future, if any and if the time of the audit is known; listed, and no fault.
    """

    fight: str
    system: str
    version: str
    events: int
    commands: int
    head: str
    closed: bool
    dice: DiceChecked
    rules: RulesJudged
    findings: tuple[Finding, ...]
    missing: tuple[Missing, ...]
    stopped: int
    rulings: tuple[Listed, ...]
    entered: tuple[Listed, ...]
    redeclared: tuple[Redeclared, ...]
    requests: tuple[Listed, ...]
    takebacks: tuple[Takeback, ...]
    amended: tuple[Listed, ...]
    stirred: tuple[Listed, ...]
    renewed: tuple[Renewed, ...]
    looks: tuple[Listed, ...]
    forks: tuple[ListedFork, ...]
    taken_back: int
    fork_of: str
    checkpoints: int
    covered: int
    ahead: Ahead | None = None

    @property
    def verdict(self) -> Verdict:
        """The verdict: clean only if everything was judged and nothing found."""
        if self.findings:
            return "found"
        return "incomplete" if self.missing else "clean"

    @property
    def clean(self) -> bool:
        """True if everything was judged, and nothing found."""
        return self.verdict == "clean"
