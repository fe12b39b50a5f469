"""The interface of a rule system, and how one is loaded by its name."""

import tomllib
from collections.abc import Callable, Container, Iterable, Mapping
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.metadata import entry_points
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import Raw, Struct

from affray.engine.errors import NoSuch, Refused, Unusable
from affray.engine.texts import id_said
from affray.events import UNREADABLE, Clause, ConditionChanged, Declared, Ending, Event, Id

from .actions import Action, Ruling
from .between import Between
from .defaults import (
    Reply,
    all_alike,
    as_ever,
    condition_until,
    never,
    no_foes,
    no_such_action,
    nobody,
    nothing_follows,
    nothing_known,
    nothing_to_correct,
    nothing_to_see,
    nothing_to_tidy,
    on_top,
    the_usual_answer,
    ways_between,
    whoever_acts,
)
from .effects import Rule
from .flow import Flow
from .library import Layout, Shelf
from .naming import NAMING, Naming
from .prospect import Glance, Prospect
from .state import Question
from .table import Table
from .vocabulary import Vocabulary, faults, vocabulary_of


class Offer(Struct, frozen=True, kw_only=True, gc=False):
    """The combatants that may answer in a window, and what they are offered."""

    to: tuple[Id, ...]
    what: str
    rules: tuple[Clause, ...] = ()


class ClauseText(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A clause of the catalogue, in our own words.

    Attributes:
        section: The part of the rules it belongs to.
        title: A name for it.
        says: What it rules.
        discretion: What the game master may rule otherwise.
        unobservable: Why no event and no refusal can show it; empty for all others.
    """

    section: str
    title: str
    says: str
    discretion: str = ""
    unobservable: str = ""


class Renamed(NamedTuple):
    """A ruling that has another name than in earlier versions of the rules, with the same fields.

    Attributes:
        name: What it is called now.
        versions: Those in which it had the other name.
    """

    name: str
    versions: tuple[str, ...]


class Ruleset(Struct, frozen=True, kw_only=True):
    """A rule system. Its name, folder, flow, actions and encounters are its own; all else has a default.

    Attributes:
        name: Its key everywhere, which is also its folder's name.
        title: Its real name.
        version: Of its rules; recorded in every log.
        first_format: The format of logs in which this version was first recorded. An audit finds it in an earlier one.
        package: The import name of its folder.
        flow: Its phases.
        config: The struct of its configuration, with a default for every key.
        actions, rulings: What can be declared and ruled, by kind.
        renamed: Per ruling that had another meaning in earlier versions, which it was; recorded ones keep it.
        manners: The ways to play an action, and the flow's trigger for each.
        declarable: Those in which people declare; the others are for the rules and the game master's rulings.
        procedures: The phases that run by themselves, each with its rule, which returns the trigger that leaves it.
        windows: The phases in which others may answer before ``close`` is fired, each with who may.
        passes_hold: Whether a combatant that passed is not asked again where a ruling reopens the window.
        resolving: The phases in which the pending action on top resolves.
        unknown_action: The refusal of an action that does not exist.
        precedence: The place of a new action on the stack, given its manner and tags, and its
            clauses; 0 is the bottom.
        aftermath: The rule that runs when a pending action has left the stack; returns a trigger of the fight's own
            phase, or nothing.
        corrected: The consequences for a combatant whose pools, conditions or sheet the game master changed.
        tidied: The rule that runs after a ruling, to correct what it made untrue: melees, mounts, groups, turns.
        foes: Every pair of enemies who can still fight, as far as every viewer may know of them. A ruling after the end
            that adds one reopens the fight.
        reopens: The rule that reopens it; returns the trigger by which it goes on.
        encounter: Turns an encounter file's content, and the configuration, into the events that set up the fight.
        movers: Who may declare something now, and in which manner.
        appraise: The worth of a declaration for a sensible fighter; higher is better.
        prefers: What a sensible fighter would declare now in a manner, best first; the first of it that is accepted is
            declared, and where nothing is, a window is let pass. Where a system does not say, whatever may be declared
            is appraised, which takes far longer.
        answers: What a sensible fighter answers.
        prospect: What a declaration that would be accepted promises, as people are told it: chance, harm, the way, whom
            it provokes. It reads the table alone, so that nothing is told of what is not in it.
        glance: What a game master looks up of a combatant; nothing is decided by it.
        apart: How far two places are from each other, in the unit of its vocabulary; nothing where no way leads
            there. If a system does not say: how many ways lead from one to the other.
        is_passing: Whether an event tells of nothing but that time passes: the dice for the order of turns, a note that
            is of no account in the next round, a clock by which nothing runs out. So a fight is seen to be at a
            stalemate (``analysis/stalemate.py``).
        fitness: How fit somebody is to fight on, wounds aside, in a unit of the system's own. Whoever looks ahead
            compares it with what it was.
        map: What places are, where there are some: squares ``x,y``, hexes ``q,r`` in axial coordinates, or named zones.
        always_mapped: Whether every fight is on a map, even one that nobody is on; if not, it has one as long as
            somebody has a place, or a place is described.
        sheet: The struct of an encounter's ``[[combatant]]``; its bounds are those of a sheet's numbers and counters.
        form: The struct of a whole encounter file.
        library: The tables that an encounter can name lines of, and where.
        layout: How people see an encounter.
        between: What becomes of somebody between two fights.
        fizzles: The clauses about actions that cannot happen any more; cited beside the one that
            forbids it.
        relations: The kinds of relations that a game master may let hold by name; those with roles or consequences
            have rulings of their own.
        set_condition_until: Changes a condition with an end: of a combatant the condition, its count, and the source
            that says until when it lasts.
        keeps_turn: Whether a combatant has set its turn of this round aside, so that it has not ended yet.
        naming: What its answers, marks and bare sources name.
    """

    name: str
    package: str
    flow: Flow
    actions: Mapping[str, type[Action]]
    encounter: Callable[[Mapping[str, Any], Any], list[Event]]
    title: str = ""
    version: str = "1"
    first_format: int = 1
    config: type[Struct] = Struct
    rulings: Mapping[str, type[Ruling]] = MappingProxyType({})
    renamed: Mapping[str, Renamed] = MappingProxyType({})
    manners: Mapping[str, str] = MappingProxyType({"standard": "declare"})
    declarable: tuple[str, ...] = ("standard",)
    procedures: Mapping[str, Callable[[Table], Rule[str]]] = MappingProxyType({})
    windows: Mapping[str, Callable[[Table], Offer]] = MappingProxyType({})
    passes_hold: bool = False
    resolving: frozenset[str] = frozenset({"resolution"})
    unknown_action: Callable[[str], Refused] = no_such_action
    precedence: Callable[[Table, str, tuple[str, ...]], tuple[int, tuple[Clause, ...]]] = on_top
    aftermath: Callable[[Table], Rule[str]] = nothing_follows
    corrected: Callable[[Table, Id], Rule[None]] = nothing_to_correct
    foes: Callable[[Table], frozenset[tuple[Id, Id]]] = no_foes
    reopens: Callable[[Table], Rule[str]] = nothing_follows
    movers: Callable[[Table], Iterable[tuple[Id, str]]] = whoever_acts
    appraise: Callable[[Table, Id, Action, str], float] = all_alike
    prefers: Callable[[Table, Id, str], Iterable[Action]] | None = None
    answers: Callable[[Table, Question], Reply] = the_usual_answer
    prospect: Callable[[Table, Id, Action, str], Prospect] = nothing_known
    glance: Callable[[Table, Id], Glance] = nothing_to_see
    apart: Callable[[Table, Id, Id], int | None] = ways_between
    is_passing: Callable[[Table, Event], bool] = never
    fitness: Callable[[Table, Id], float] = as_ever
    map: Literal["", "squares", "hexes", "zones"] = ""
    always_mapped: bool = False
    sheet: type[Struct] | None = None
    form: type[Struct] | None = None
    library: tuple[Shelf, ...] = ()
    layout: Layout = Layout()
    between: Between = Between()
    relations: tuple[str, ...] = ("allies",)
    tidied: Callable[[Table], Rule[None]] = nothing_to_tidy
    fizzles: tuple[Clause, ...] = ()
    set_condition_until: Callable[[Table, Id, str, int, Id, Ending | None], ConditionChanged] = condition_until
    keeps_turn: Callable[[Table, Id], bool] = nobody
    naming: Naming = NAMING

    @property
    def clauses(self) -> Mapping[Clause, ClauseText]:
        """The catalogue, in the order of ``clauses.toml``."""
        return catalogue(self.package)

    @property
    def vocabulary(self) -> Vocabulary:
        """Its words, over those that all systems share."""
        return vocabulary_of(self.package)

    def action(self, kind: str, params: Raw | bytes) -> Action:
        """Decode a declaration's parameters.

        Raises:
            Unusable: there is no such action, or its parameters are not of its form.
        """
        return _decoded(self.actions, kind, params, f"{self.name} has no action {kind}")

    def declared(self, intent: Declared) -> Action:
        """Return the action that somebody declares.

        Raises:
            Refused: there is no such action.
            Unusable: its parameters are not of its form, or nobody declares an action in that way.
        """
        form = self.actions.get(intent.kind)
        if form is None:
            raise self.unknown_action(intent.kind)
        action = _read(form, intent.params)
        if intent.manner not in self.declarable:
            self.check_manner(intent.manner)
        return action

    def check_manner(self, manner: str) -> None:
        """Refuse a manner in which nobody declares an action.

        Raises:
            Unusable: it is one.
        """
        if manner not in self.declarable:
            ways = " or ".join(self.declarable)
            raise Unusable(f"an action cannot be declared as {manner}; it is {ways}", "manner")

    def ruling(self, kind: str, params: Raw | bytes) -> Ruling:
        """Decode a ruling's parameters.

        Raises:
            Unusable: there is no such ruling, or its parameters are not of its form.
        """
        return _decoded(self.rulings, kind, params, f"{self.name} has no ruling {kind}")


S = TypeVar("S", Action, Ruling)


def _decoded(kinds: Mapping[str, type[S]], kind: str, params: Raw | bytes, unknown: str) -> S:
    if kind not in kinds:
        raise Unusable(f"{unknown}; there are {', '.join(sorted(kinds))}", "kind")
    return _read(kinds[kind], params)


def _read(form: type[S], params: Raw | bytes) -> S:
    try:
        return _decoder(form).decode(params)  # type: ignore[no-any-return]
    except UNREADABLE as error:
        raise Unusable(f"{form.kind}: {error}", "params") from None


@cache
def _decoder(type_: type[Any]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(type_)


def by_kind(*types: type[S]) -> dict[str, type[S]]:
    """Return actions or rulings by the kind they are recorded under."""
    return {type_.kind: type_ for type_ in types}


def config_of(ruleset: Ruleset, values: object) -> Any:
    """Return configuration values in the ruleset's own struct, with its defaults for what they leave out.

    Raises:
        Unusable: a key is unknown, or a value is of the wrong kind or out of range.
    """
    try:
        return msgspec.convert(values, ruleset.config)
    except msgspec.ValidationError as error:
        raise Unusable(str(error), "config") from None


@cache
def load(name: str) -> Ruleset:
    """Load a rule system: a folder of ours, or one that another package registers under ``affray.rulesets``.

    Raises:
        Unusable: there is none of that name, or its vocabulary does not fit it.
    """
    if name not in available():
        raise NoSuch("rule system", id_said(name), available(), "system")
    found: Ruleset
    for entry in entry_points(group="affray.rulesets", name=name):
        found = entry.load()
        break
    else:
        found = import_module(f"affray.engine.rulesets.{name}").RULESET
    if (files(found.package) / "vocabulary.toml").is_file():  # without one it is told in the words it is written in
        for fault in faults(found.vocabulary, found.actions, found.rulings):
            raise Unusable(f"vocabulary.toml of {name}: {fault}", "vocabulary.toml")
    return found


@cache
def available() -> tuple[str, ...]:
    """Return the names of all rule systems that can be loaded."""
    ours = {
        folder.name
        for folder in files("affray.engine.rulesets").iterdir()
        if folder.is_dir() and (folder / "clauses.toml").is_file()
    }
    return tuple(sorted(ours | {entry.name for entry in entry_points(group="affray.rulesets")}))


def data(package: str, name: str) -> dict[str, Any]:
    """Return the content of a ruleset's data file, such as ``weapons.toml``."""
    return tomllib.loads((files(package) / name).read_text("utf-8"))


@cache
def catalogue(package: str) -> dict[Clause, ClauseText]:
    """Return a ruleset's clauses, in the order of its ``clauses.toml``."""
    return msgspec.convert(data(package, "clauses.toml"), dict[Clause, ClauseText])


def template(ruleset: Ruleset, name: str = "template.toml") -> str:
    """Return a system's commented encounter file, or another template; nothing if it has none."""
    file = files(ruleset.package) / name
    return file.read_text("utf-8") if file.is_file() else ""


TELLING = frozenset(
    {
        *("book.toml", "library.py", "odds.py", "odds.toml", "odds_tables.py"),
        *("policy.py", "prospects.py", "vocabulary.toml", "worth.py"),
    }
)
"""Files of a ruleset that decide nothing: what the book says of it, its tables, words, chances and fighters."""


@cache
def source_digest(package: str) -> str:
    """Return the SHA-256 over a ruleset's code and data files, by name and content, as hex.

    What only tells of the rules or plays by them, and is named in ``TELLING``, is left out.
    """
    return digest_of(sources(files(package), without=TELLING))


def digest_of(named: Iterable[tuple[str, bytes]]) -> str:
    """Return the SHA-256 over files, given by name and content, as hex; their order is that of their names."""
    total = sha256()
    for name, content in sorted(named):
        total.update(f"{name}\n{len(content)}\n".encode() + content)
    return total.hexdigest()


def sources(
    folder: Traversable, prefix: str = "", *, without: Container[str] = frozenset()
) -> Iterable[tuple[str, bytes]]:
    """Yield the name, behind a prefix, and the content of every file of code and data in a folder and those below it.

    Files that are called as one of ``without`` are left out; lines end with a line feed on every machine.
    """
    for entry in folder.iterdir():
        if entry.is_dir() and entry.name != "__pycache__":
            yield from sources(entry, f"{prefix}{entry.name}/", without=without)
        elif entry.name.endswith((".py", ".toml")) and entry.name not in without:
            yield prefix + entry.name, entry.read_bytes().replace(b"\r\n", b"\n")
