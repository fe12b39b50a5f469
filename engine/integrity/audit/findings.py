"""The report of an audit, and its findings."""

from collections import Counter
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.runtime.dice import Faces
from affray.events import Clause, Id
from affray.events.vocabulary import AnyEvent

Layer = Literal["record", "dice", "rules", "checkpoint"]
"""What caught it: how the log is written, the dice, the rules, or a head that somebody kept."""

Verdict = Literal["clean", "incomplete", "found"]
"""What an audit comes to: all judged and right; nothing found, but not all judged; something found."""


class Finding(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something in the log that cannot be right.

    Attributes:
        layer: What caught it.
        position: Where, as the log counts; the position that is missing where one is.
        line: The line of the log.
        code: What is wrong, in one word.
        expected, found: What should stand there and what does, in words; empty where the events say it.
        due, written: The same for an event that the rules decide otherwise; ``None`` where there should be none, or is.
        rules: The clauses that have it otherwise.
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
    """Something that is no fault and that people may want to know.

    Attributes:
        position: Where.
        who: Who sent the command, as claimed.
        event: What was recorded.
    """

    position: int
    who: str
    event: AnyEvent


class ListedFork(Listed, frozen=True, kw_only=True, omit_defaults=True):
    """A fork: the event where a log leaves its parent.

    Attributes:
        own_dice: Whether the dice from there on fall under another seed than before.
    """

    own_dice: bool = False


class RollShown(Struct, frozen=True):
    """The faces of one roll.

    Attributes:
        roll: Its id.
        faces: The faces of each group of dice.
    """

    roll: Id
    faces: Faces


class Redeclared(Listed, frozen=True, kw_only=True, omit_defaults=True):
    """A declaration after an undo that differs from what was taken back, or that met other dice.

    Attributes:
        instead_of: Position of what was taken back.
        again: Whether it is the same declaration, and only the dice differ.
        before: The dice of it that had fallen, in whichever command.
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
        instead: Position of what was declared in its place, the same again or something else; 0 if nothing was.
    """

    rolls: tuple[RollShown, ...] = ()
    instead: int = 0


class Takeback(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An undo, or a redo or an amendment that took something back.

    Attributes:
        position, who: As in ``Listed``.
        time: When.
        commands: What it took back, in the order of the record.
        request: Position of the request that it grants; 0 if it grants none.
        amends: Position of what an amendment corrects or retracts; 0 if it is none.
        kept: How many more commands an amendment decided again as they were, with the same dice.
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
        before: Per group of dice what it showed before somebody asked for fresh dice.
        after: What it showed then.
    """

    roll: Id
    before: Faces
    after: Faces


class Renewed(Struct, frozen=True, kw_only=True):
    """Somebody asked for fresh dice.

    Attributes:
        position, who: As in ``Listed``.
        generation: Of the dice from there on.
        fell: The rolls that were taken back and fell again.
    """

    position: int
    who: str
    generation: int
    fell: tuple[Fell, ...]


class Ahead(Struct, frozen=True, kw_only=True):
    """An event recorded later than the time of the audit.

    Attributes:
        position: The first one. All behind it are, for recorded time never runs backwards.
        time: When it was recorded, as the log claims.
    """

    position: int
    time: str


class Missing(Struct, frozen=True, kw_only=True):
    """Something that could not be judged.

    Attributes:
        layer: Which layer should have.
        what: What was not judged, and why, in words.
        remedy: What would let it be judged.
    """

    layer: Layer
    what: str
    remedy: str


MOST = 1_000
"""How many findings are kept. Behind so many an audit reads no further, so that garbage costs no more than its size."""

OF_EACH_LINE = frozenset({"chain", "spelling", "twice", "unreadable"})
"""Codes of what one cause, such as an editor, may do to every line."""

MOST_OF_EACH_LINE = 20
"""How many findings of each of these are kept; the others are counted."""

MOST_COUNTED = 100_000
"""How many are counted; behind so many an audit reads no further either."""


class Findings:
    """What was found, by whichever layer.

    Attributes:
        all: In the order in which it was found.
    """

    def __init__(self) -> None:
        self.all: list[Finding] = []
        self._many: Counter[str] = Counter()
        self._last: dict[str, Finding] = {}

    @property
    def full(self) -> bool:
        """Whether no more are kept."""
        return len(self.all) >= MOST or self._many.total() >= MOST_COUNTED

    def add(self, finding: Finding) -> None:
        """Keep a finding."""
        self.all.append(finding)

    def note(self, layer: Layer, position: int, line: int, code: str, expected: str, found: str) -> None:
        """Keep a finding that is told in words; of those that one cause may give every line the first ones."""
        finding = Finding(layer=layer, position=position, line=line, code=code, expected=expected, found=found)
        self._many[code] += code in OF_EACH_LINE
        if self._many[code] <= MOST_OF_EACH_LINE:
            self.add(finding)
        else:
            self._last[code] = finding

    def sum_up(self) -> None:
        """Note how many more findings of a kind there are, at the last of them."""
        for code, last in self._last.items():
            more = self._many[code] - MOST_OF_EACH_LINE
            self.add(
                replace(last, found=f"{last.found}; so it is in {more} line{'s' * (more != 1)} that are not listed")
            )


class DiceChecked(Struct, kw_only=True):
    """What became of the dice.

    Attributes:
        known: Whether the seed is known: revealed by the log, or kept beside it, and promised by it.
        checked: How many rolls of the engine's were derived again from their names.
        unchecked: How many could not be, while the seed is secret.
        parents: How many could not be, because they fell under the seed of a fight that this one is a fork of.
        entered: How many were entered.
    """

    known: bool = False
    checked: int = 0
    unchecked: int = 0
    parents: int = 0
    entered: int = 0


class RulesJudged(Struct, kw_only=True):
    """What became of the rules.

    Attributes:
        judged: How many inputs were decided again.
        unjudged: How many could not be.
        why_not: Why nothing more could be judged from some moment on; empty if everything could.
        other_version: Why some were not: the version that recorded them is not the one installed here.
        other_code: Whether the code of the rules is another than the one that recorded the fight, in the same version.
    """

    judged: int = 0
    unjudged: int = 0
    why_not: str = ""
    other_version: str = ""
    other_code: bool = False


class Report(Struct, frozen=True, kw_only=True):
    """An audit.

    Attributes:
        fight, system, version: As the log's opening says.
        events, commands: How many there are; before a line without its newline, those of whole commands.
        head: The hash of the last of these events.
        closed: Whether the record is closed.
        dice, rules: What became of them.
        findings: What cannot be right, in the order of the log.
        missing: What could not be judged.
        stopped: The line behind which nothing was read any more, because so much had been found or the record goes back
            too often; 0 if all was read.
        rulings, entered, redeclared, amended, stirred, renewed: What is no fault, and listed: a game master's rulings,
            rolls of real dice, declarations that differ from what was taken back or met other dice, amendments, words
            stirred in, fresh dice.
        requests: The undo requests of players, and those that the game master declined.
        takebacks: Every undo, redo and amendment, with each command and each die that it took back.
        looks: Each preview that showed dice before they fell.
        forks: Where the log left a parent; of a fork of a fork, both.
        taken_back: How many times something was taken back.
        fork_of: What the parent is called, if this is a fork.
        checkpoints: How many checkpoints the log extends.
        covered: The last position that one of these covers; what comes after it nobody signed.
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
        """What it comes to: clean only if everything was judged and nothing found."""
        if self.findings:
            return "found"
        return "incomplete" if self.missing else "clean"

    @property
    def clean(self) -> bool:
        """Whether everything was judged, and nothing found."""
        return self.verdict == "clean"
