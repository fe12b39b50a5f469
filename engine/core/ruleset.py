"""The interface of a rule system, and the loader of rule systems by name."""

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
from .defaults import (
    Reply,
    choose_default_answer,
    condition_until,
    correct_nothing,
    count_ways_between,
    empty_glance,
    follow_with_nothing,
    full_fitness,
    is_never_passing,
    keeps_no_turn,
    list_acting,
    list_no_foes,
    no_such_action,
    preview_nothing,
    put_on_top,
    rate_all_alike,
    tidy_nothing,
)
from .effects import Rule
from .flow import Flow
from .library import Layout, Shelf
from .naming import NAMING, Naming
from .preview import Glance, Prospect
from .recovery import RecoveryRules
from .state import Question
from .table import Table
from .vocabulary import Vocabulary, faults, vocabulary_of


class Offer(Struct, frozen=True, kw_only=True, gc=False):
    """The combatants that may answer in a window, and the kind of offer."""

    to: tuple[Id, ...]
    what: str
    rules: tuple[Clause, ...] = ()


class ClauseText(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A clause of the catalogue, in our own words.

    Attributes:
        section: The part of the rules it belongs to.
        title: A name for it.
        says: Its content.
        discretion: The part that the game master may rule otherwise.
        unobservable: Why no event and no refusal can show it; empty for all others.
    """

    section: str
    title: str
    says: str
    discretion: str = ""
    unobservable: str = ""


class Renamed(NamedTuple):
    """A ruling that had another name in earlier versions, with the same fields.

    Attributes:
        name: Its present name.
        versions: The versions in which it had the other name.
    """

    name: str
    versions: tuple[str, ...]


class Ruleset(Struct, frozen=True, kw_only=True):
    """A rule system.

    Its name, folder, flow, actions and encounters are required; all else has a default.

    Attributes:
        name: Its key everywhere, which is also its folder's name.
        title: Its real name.
        version: The version of its rules; recorded in every log.
        first_format: The format of logs in which this version was first recorded. An audit reports it in an earlier
            one.
        package: The import name of its folder.
        flow: Its phases.
        config: The struct of its configuration, with a default for every key.
        actions, rulings: The structs of its actions and rulings, by kind.
        renamed: For each ruling whose name meant another ruling in earlier versions, that ruling; recorded ones keep
            it.
        manners: The manners of playing an action, and the flow's trigger for each.
        declarable: The manners in which people declare; the others are for the rules and the game master's rulings.
        procedures: The phases that run without a command. Each has its rule, which returns the trigger that leaves it.
        windows: The phases in which others may answer before ``close`` is fired, each with a function that finds them.
        passes_hold: Whether a combatant that passed is not asked again where a ruling reopens the window.
        resolving: The phases in which the pending action on top resolves.
        unknown_action: Returns the refusal of an action that does not exist.
        precedence: Returns the place of a new action on the stack, given its manner and tags, and its clauses; 0 is the
            bottom.
        aftermath: The rule that runs when a pending action has left the stack; returns a trigger of the fight's own
            phase, or nothing.
        corrected: The rule for a combatant whose pools, conditions or sheet the game master changed.
        tidied: The rule that runs after a ruling, to correct what it made untrue: melees, mounts, groups, turns.
        foes: Returns every pair of enemies that can still fight, among combatants that every viewer may know of. A
            ruling after the end that adds a pair reopens the fight.
        reopens: The rule that reopens it; returns the trigger by which it goes on.
        encounter: Turns an encounter file's content, and the configuration, into the events that set up the fight.
        movers: Lists the combatants that may declare an action now, each with a manner.
        appraise: Rates a declaration as a sensible fighter would; higher is better.
        prefers: Lists the declarations in a manner that a sensible fighter would make now, best first. The first that
            is accepted is declared; if none is, a window is passed. Without it every legal action is appraised, which
            takes far longer.
        answers: Returns the answer of a sensible fighter.
        prospect: Previews a legal declaration, as people are shown it: chance, harm, way, strikes that it provokes. It
            reads the table alone, so that it tells nothing that is not in it.
        glance: Returns computed facts about a combatant for the game master; no rule depends on it.
        apart: Returns the distance between two places, in the unit of its vocabulary; ``None`` where no way leads
            there. By default it counts the ways from one to the other.
        is_passing: Tells whether an event only marks the passing of time: dice for the turn order, a mark that is
            irrelevant in the next round, a clock without a limit. The stalemate test uses it
            (``analysis/stalemate.py``).
        fitness: Rates how fit a combatant is to fight on, wounds aside, in a unit of the system's own. Policies that
            look ahead compare it with its earlier value.
        map: The kind of places: squares ``x,y``, hexes ``q,r`` in axial coordinates, or named zones; empty for none.
        always_mapped: Whether every fight is on a map, even without a combatant on it. Otherwise a fight has a map
            while a combatant has a place, or a place is described.
        sheet: The struct of an encounter's ``[[combatant]]``; its bounds are those of a sheet's numbers and counters.
        form: The struct of a whole encounter file.
        library: The tables that an encounter can name lines of, and the fields that name them.
        layout: The layout of an encounter's form.
        between: The rules for the time between two fights.
        fizzles: The clauses about actions that cannot happen any longer; cited beside the clause that forbids it.
        relations: The kinds of relations that a game master may set by name; those with roles or consequences have
            rulings of their own.
        set_condition_until: Builds the event that changes a condition with an end: of a combatant the condition, its
            count, and the source that says until when it lasts.
        keeps_turn: Tells whether a combatant has set its turn of this round aside, so that it has not ended yet.
        naming: Declares the kinds of names in its answers, marks and bare sources.
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
    precedence: Callable[[Table, str, tuple[str, ...]], tuple[int, tuple[Clause, ...]]] = put_on_top
    aftermath: Callable[[Table], Rule[str]] = follow_with_nothing
    corrected: Callable[[Table, Id], Rule[None]] = correct_nothing
    foes: Callable[[Table], frozenset[tuple[Id, Id]]] = list_no_foes
    reopens: Callable[[Table], Rule[str]] = follow_with_nothing
    movers: Callable[[Table], Iterable[tuple[Id, str]]] = list_acting
    appraise: Callable[[Table, Id, Action, str], float] = rate_all_alike
    prefers: Callable[[Table, Id, str], Iterable[Action]] | None = None
    answers: Callable[[Table, Question], Reply] = choose_default_answer
    prospect: Callable[[Table, Id, Action, str], Prospect] = preview_nothing
    glance: Callable[[Table, Id], Glance] = empty_glance
    apart: Callable[[Table, Id, Id], int | None] = count_ways_between
    is_passing: Callable[[Table, Event], bool] = is_never_passing
    fitness: Callable[[Table, Id], float] = full_fitness
    map: Literal["", "squares", "hexes", "zones"] = ""
    always_mapped: bool = False
    sheet: type[Struct] | None = None
    form: type[Struct] | None = None
    library: tuple[Shelf, ...] = ()
    layout: Layout = Layout()
    between: RecoveryRules = RecoveryRules()
    relations: tuple[str, ...] = ("allies",)
    tidied: Callable[[Table], Rule[None]] = tidy_nothing
    fizzles: tuple[Clause, ...] = ()
    set_condition_until: Callable[[Table, Id, str, int, Id, Ending | None], ConditionChanged] = condition_until
    keeps_turn: Callable[[Table, Id], bool] = keeps_no_turn
    naming: Naming = NAMING

    @property
    def clauses(self) -> Mapping[Clause, ClauseText]:
        """The catalogue, in the order of ``clauses.toml``."""
        return catalogue(self.package)

    @property
    def vocabulary(self) -> Vocabulary:
        """Its words, merged with those that all systems share."""
        return vocabulary_of(self.package)

    def action(self, kind: str, params: Raw | bytes) -> Action:
        """Decode a declaration's parameters.

        Raises:
            Unusable: there is no such action, or its parameters are not of its form.
        """
        return _decode_kind(self.actions, kind, params, f"{self.name} has no action {kind}")

    def decode_declaration(self, intent: Declared) -> Action:
        """Decode the action of a declaration.

        Raises:
            Refused: there is no such action.
            Unusable: its parameters are not of its form, or actions cannot be declared in that manner.
        """
        form = self.actions.get(intent.kind)
        if form is None:
            raise self.unknown_action(intent.kind)
        action = _decode_params(form, intent.params)
        if intent.manner not in self.declarable:
            self.check_manner(intent.manner)
        return action

    def check_manner(self, manner: str) -> None:
        """Refuse a manner that declarations cannot have.

        Raises:
            Unusable: it is such a manner.
        """
        if manner not in self.declarable:
            ways = " or ".join(self.declarable)
            raise Unusable(f"an action cannot be declared as {manner}; it is {ways}", "manner")

    def ruling(self, kind: str, params: Raw | bytes) -> Ruling:
        """Decode a ruling's parameters.

        Raises:
            Unusable: there is no such ruling, or its parameters are not of its form.
        """
        return _decode_kind(self.rulings, kind, params, f"{self.name} has no ruling {kind}")


S = TypeVar("S", Action, Ruling)


def _decode_kind(kinds: Mapping[str, type[S]], kind: str, params: Raw | bytes, unknown: str) -> S:
    if kind not in kinds:
        raise Unusable(f"{unknown}; there are {', '.join(sorted(kinds))}", "kind")
    return _decode_params(kinds[kind], params)


def _decode_params(form: type[S], params: Raw | bytes) -> S:
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
    """Convert configuration values to the ruleset's struct, with its defaults.

    Raises:
        Unusable: a key is unknown, or a value is of the wrong kind or out of range.
    """
    try:
        return msgspec.convert(values, ruleset.config)
    except msgspec.ValidationError as error:
        raise Unusable(str(error), "config") from None


@cache
def load(name: str) -> Ruleset:
    """Load a rule system: a bundled folder, or an ``affray.rulesets`` entry point.

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
    if (files(found.package) / "vocabulary.toml").is_file():  # without one, people read the names in the code
        for fault in faults(found.vocabulary, found.actions, found.rulings):
            raise Unusable(f"vocabulary.toml of {name}: {fault}", "vocabulary.toml")
    return found


@cache
def available() -> tuple[str, ...]:
    """List the names of all rule systems that can be loaded."""
    ours = {
        folder.name
        for folder in files("affray.engine.rulesets").iterdir()
        if folder.is_dir() and (folder / "clauses.toml").is_file()
    }
    return tuple(sorted(ours | {entry.name for entry in entry_points(group="affray.rulesets")}))


def data(package: str, name: str) -> dict[str, Any]:
    """Read a ruleset's data file, such as ``weapons.toml``."""
    return tomllib.loads((files(package) / name).read_text("utf-8"))


@cache
def catalogue(package: str) -> dict[Clause, ClauseText]:
    """Read a ruleset's clauses, in the order of its ``clauses.toml``."""
    return msgspec.convert(data(package, "clauses.toml"), dict[Clause, ClauseText])


def template(ruleset: Ruleset, name: str = "template.toml") -> str:
    """Read a system's commented encounter file, or another template; empty if none."""
    file = files(ruleset.package) / name
    return file.read_text("utf-8") if file.is_file() else ""


TELLING = frozenset(
    {
        *("book.toml", "library.py", "odds.py", "odds.toml", "odds_tables.py"),
        *("policy.py", "preview.py", "vocabulary.toml", "worth.py"),
    }
)
"""Files of a ruleset that decide nothing: texts of the book, tables, words, odds and policies."""


@cache
def source_digest(package: str) -> str:
    """Compute the SHA-256 over a ruleset's code and data files, as hex.

    It covers names and contents. Files in ``TELLING``, which only describe the rules or play by them, are left out.
    """
    return digest_of_files(sources(files(package), without=TELLING))


def digest_of_files(named: Iterable[tuple[str, bytes]]) -> str:
    """Compute the SHA-256 over files by name and content, sorted by name, as hex."""
    total = sha256()
    for name, content in sorted(named):
        total.update(f"{name}\n{len(content)}\n".encode() + content)
    return total.hexdigest()


def sources(
    folder: Traversable, prefix: str = "", *, without: Container[str] = frozenset()
) -> Iterable[tuple[str, bytes]]:
    """Yield the name and content of each code and data file in a folder tree.

    Names begin with ``prefix``. Files named in ``without`` are left out. Lines end with a line feed on every machine.
    """
    for entry in folder.iterdir():
        if entry.is_dir() and entry.name != "__pycache__":
            yield from sources(entry, f"{prefix}{entry.name}/", without=without)
        elif entry.name.endswith((".py", ".toml")) and entry.name not in without:
            yield prefix + entry.name, entry.read_bytes().replace(b"\r\n", b"\n")
