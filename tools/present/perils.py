"""Dangers to combatants in sentences: what threatens, how far it has come, and who can help."""

from msgspec import Raw, json, structs

from affray.engine.core.perils import Helper, Peril, list_perils
from affray.engine.core.ruleset import Ruleset
from affray.engine.core.sentences import Part, fill_in
from affray.engine.core.table import Table
from affray.engine.core.words import PerilWord
from affray.events import Id, names_recorded

from .names import names_of_state
from .story.actions import phrase
from .story.words import Names, capital, name_of, possessive, series

FEW = 3
"""The most helpers that are named; the others are counted."""


class ShownPeril(Peril, frozen=True, kw_only=True, omit_defaults=True):
    """A danger to a combatant, in words.

    Attributes:
        label: The danger in a word or two, with its count: ``dying 2/6``.
        says: The danger, and what comes of it.
        helps: Who can help, and how; empty if no combatant can by the rules.
    """

    label: str
    says: str
    helps: str = ""


def list_shown_perils(ruleset: Ruleset, table: Table) -> list[ShownPeril]:
    """List the dangers to all combatants in words; see ``list_perils``."""
    found = list_perils(ruleset, table)
    names = names_of_state(table.draft) if found else Names()
    return [_describe(one, ruleset, table, names) for one in found]


def _describe(one: Peril, ruleset: Ruleset, table: Table, names: Names) -> ShownPeril:
    word = ruleset.vocabulary.perils[one.peril]
    values = {"count": one.count, "most": one.most, "about": one.about or None}

    def value(part: Part) -> str | None:
        if part.name in ("who", "item"):
            named = name_of(names, one.who if part.name == "who" else one.item)
            return possessive(named) if part.how == "own" else named
        found = values[part.name] if part.name in values else getattr(table.config, part.name)
        if part.how == "s":
            return "" if found == 1 else "s"
        return None if found is None else str(found)

    counted = "" if one.count is None else f" {one.count}{'' if one.most is None else f'/{one.most}'}"
    return ShownPeril(
        **structs.asdict(one),
        label=f"{names.label('perils', one.peril)}{counted}",
        says=capital(fill_in(word.says, value)),
        helps=_describe_help(one, word, ruleset, names) if one.help else "",
    )


def _describe_help(one: Peril, word: PerilWord, ruleset: Ruleset, names: Names) -> str:
    """Return who can help, and how: ``Ilka can stabilize Wren. Odo can reach Wren.``"""
    form, who = ruleset.actions[one.help], name_of(names, one.who)
    fields = names_recorded(form)
    whom = next(field for field in form.words if fields.get(field) == "combatant")
    near, far = ([it for it in one.helpers if it.moves == moves] for moves in (0, 1))
    said = [f"No ally can reach {who} with one move."] if not one.helpers else []
    if near:
        deed = phrase(one.help, Raw(json.encode({whom: one.who, **word.how})), names)
        said.append(f"{_list(near, names)} can {deed}.")
    if far:
        said.append(f"{_list(far, names)} can reach {who}.")
    return " ".join(said)


def _list(helpers: list[Helper], names: Names) -> str:
    """Name the helpers; more than a few are counted."""
    more = len(helpers) - FEW
    named: list[Id] = [name_of(names, it.who) for it in helpers[: FEW if more > 1 else None]]
    return capital(series([*named, f"{more} others"] if more > 1 else named))
