"""Content of a book, clause by clause."""

from msgspec import Struct

from affray.engine.core.catalogue import ClauseText
from affray.engine.core.ruleset import Ruleset
from affray.engine.kit.odds import OddsTable, list_odds_tables
from affray.events import Clause

from .code import Function, find_citing, functions
from .counted import Counted
from .settings import Setting, describe_settings
from .shipped import load_made, notes
from .telling import Example


class BookEntry(Struct, frozen=True, kw_only=True):
    """A clause with its settings, example, odds, code and recorded fights.

    Attributes:
        clause: Clause id.
        text: Text of the clause.
        settings: Settings that change it.
        example: Scenario that shows it best.
        tables: Tables of exact chances that are printed at this clause.
        elsewhere: Other clauses that print tables which also apply to this one.
        plain: Its chances in words, if a table would say no more.
        functions: Code that cites it.
        counted: Recorded fights that cite it.
    """

    clause: Clause
    text: ClauseText
    settings: tuple[Setting, ...] = ()
    example: Example | None = None
    tables: tuple[OddsTable, ...] = ()
    elsewhere: tuple[Clause, ...] = ()
    plain: str = ""
    functions: tuple[Function, ...] = ()
    counted: tuple[Counted, ...] = ()


class Book(Struct, frozen=True, kw_only=True):
    """The book of a system: its clauses in order, and the code that cites them."""

    system: str
    title: str
    version: str
    entries: tuple[BookEntry, ...]
    functions: tuple[Function, ...]


def book(ruleset: Ruleset) -> Book:
    """Gather the book of a system."""
    made, code, tables = load_made(ruleset.package), find_citing(ruleset), list_odds_tables(ruleset)
    said = notes(ruleset.package)
    keys = describe_settings(ruleset, said.settings)
    entries = [
        BookEntry(
            clause=clause,
            text=text,
            settings=tuple(one for one in keys if clause in one.clauses),
            example=made.examples.get(clause),
            tables=tuple(one for one in tables if one.clauses[0] == clause),
            elsewhere=tuple(dict.fromkeys(one.clauses[0] for one in tables if clause in one.clauses[1:])),
            plain=said.without.odds.get(clause, ""),
            functions=code.get(clause, ()),
            counted=made.counted.get(clause, ()),
        )
        for clause, text in ruleset.clauses.items()
    ]
    return Book(
        system=ruleset.name,
        title=ruleset.title,
        version=ruleset.version,
        entries=tuple(entries),
        functions=functions(ruleset),
    )


def missing(ruleset: Ruleset) -> list[str]:
    """List what a book lacks, and excuses in its notes that are not needed."""
    made, without = load_made(ruleset.package), notes(ruleset.package).without
    found: list[str] = []
    known = {one.clause: one for one in book(ruleset).entries}
    for clause, one in known.items():
        need = {
            "an example": (not one.text.unobservable, one.example, without.example),
            "a function": (not one.text.unobservable, one.functions, without.function),
            "odds": (clause in made.rolls, one.tables or one.elsewhere, without.odds),
        }
        for what, (needed, there, excused) in need.items():
            if needed and not there and clause not in excused:
                found.append(f"{clause} ({one.text.title}) has no {what.removeprefix('a ').removeprefix('an ')}")
            if clause in excused and (there or not needed):
                found.append(f"{clause} needs no word why it has no {what.removeprefix('a ').removeprefix('an ')}")
    named = {*notes(ruleset.package).examples, *without.example, *without.function, *without.odds}
    named |= {clause for table in list_odds_tables(ruleset) for clause in table.clauses}
    found += [f"{clause} is no clause of {ruleset.title}" for clause in sorted(named - set(known))]
    return found
