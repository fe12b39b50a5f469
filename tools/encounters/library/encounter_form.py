"""The form of a system's encounter file, as JSON Schema: what makes a form on a page, or checks a file in an editor."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

from affray.engine.core.ids import MORE_TO_COME
from affray.engine.core.library import Layout, Section, rows
from affray.engine.core.loading import load
from affray.engine.core.ruleset import Ruleset
from affray.engine.errors import Unusable
from affray.engine.kit.carry_over import KEY, CarriedState
from affray.engine.kit.encounters import OLD_WORDS
from affray.engine.visibility import FOE_DETAILS, FOES
from affray.engine.visibility.encounter_hiding import HiddenEntry

DRAFT = "https://json-schema.org/draft/2020-12/schema"

_DEFS = "#/$defs/"

TITLES = {
    "block": "Stat block",
    "count": "How many",
    "at": "Where",
    "dice": "Who throws the dice",
    "concealed": "Nobody knows of them",
    "veiled": "Shown roughly",
    KEY: "Carries over",
}
"""The titles of the fields that every ``[[combatant]]`` has."""

SEEN_OF_FOES = "Players see what foes have left"

DICE = Section("At the table", ("dice",), more=True)
HIDDEN = Section("Hidden from players", ("concealed", "veiled"), more=True)
COMING = Section("Hidden from players", (FOES, MORE_TO_COME), more=True)
OPTIONS = Section("Options of the rules", ("config",), more=True)
SIDES = Section("At the table", ("side",), more=True)
"""The sections of every ``[[combatant]]``, and of every encounter, after those of the rule system."""


@cache
def encounter_schema(system: str) -> dict[str, Any]:
    """Return the JSON Schema of a system's encounter file.

    Fields have titles, kinds, defaults and bounds. A field that names rows of a table has ``x-table`` with the table's
    name, and their keys as examples; it may also name an encounter's own rows. ``x-names`` marks fields that name
    combatants or places. ``x-ground`` marks fields that list places by trait; ``x-zones`` marks those that also
    describe zones. ``x-says`` has the text of each choice. ``x-sections``, of the whole and of a combatant, groups
    fields for display. A combatant also has ``x-facts``, its most important fields, and ``x-sides``, the default names
    of sides.

    Raises:
        Unusable: there is no such system, or it does not describe its encounters.
    """
    ruleset = load(system)
    if ruleset.encounters.form is None:
        raise Unusable(f"{ruleset.title} does not say what its encounters look like", "system")
    forms = (ruleset.encounters.form, ruleset.config, HiddenEntry, CarriedState)
    (whole, config, hidden, carries), defs = msgspec.json.schema_components(forms, ref_template=_DEFS + "{name}")
    root: dict[str, Any] = {"$schema": DRAFT, "title": f"An encounter of {ruleset.title}", "$defs": defs}
    root |= defs.pop(_name(whole))
    root["properties"]["system"] |= {"const": ruleset.name}
    root["properties"]["config"] = config
    root["properties"]["combatant"] |= {"title": "Who fights"}
    root["properties"][FOES] = {"enum": [*FOE_DETAILS], "default": "open", "x-says": FOE_DETAILS, "title": SEEN_OF_FOES}
    root["properties"][MORE_TO_COME] = {"type": "boolean", "default": False, "title": "More may join"}
    old = {was: root["properties"][now] for was, now in OLD_WORDS.items() if now in root["properties"]}
    root["properties"] |= {word: {**field, "deprecated": True} for word, field in old.items()}
    of_hidden = defs.pop(_name(hidden))["properties"]
    for node in _at(root, defs, ["combatant[]"]):
        node["properties"] |= {key: of_hidden[key] for key in ("concealed", "veiled")}
        node["properties"][KEY] = carries
        _entitle(node, ruleset)
        node["x-sides"] = list(ruleset.encounters.layout.sides)
        node["x-facts"] = list(ruleset.encounters.layout.facts)
        node["x-sections"] = _sections((*ruleset.encounters.layout.sheet, DICE, HIDDEN))
    _lay_out(root, defs, ruleset.encounters.layout)
    for one in (root, *defs.values()):
        _entitle(one, None)
    for shelf in ruleset.encounters.library:
        keys = list(rows(shelf))
        for field in shelf.fields:
            for node in _at(root, defs, field.split(".")):
                node |= {"x-table": shelf.key, **({"examples": keys} if keys else {})}
    return root


def _lay_out(root: dict[str, Any], defs: dict[str, Any], layout: Layout) -> None:
    """Say which fields name places and combatants, and which parts of the whole belong together."""
    root["x-sections"] = _sections((*layout.parts, COMING, SIDES, OPTIONS))
    marks: list[tuple[str, dict[str, Any]]] = [(field, {"x-names": "place"}) for field in layout.places]
    marks += [(field, {"x-names": "combatant"}) for field in layout.people]
    marks += [(field, {"x-ground": field.rpartition(".")[2]}) for field in layout.ground]
    marks += [(layout.zones, {"x-zones": True})] if layout.zones else []
    for field, mark in marks:
        part, _, name = field.rpartition(".")
        whole = root["properties"].get(part, root)
        for node in _at(root, defs, part.split(".")) if part.endswith("[]") else _kinds(whole, defs):
            if name in node.get("properties", {}):
                node["properties"][name] |= mark


def _sections(sections: tuple[Section, ...]) -> list[dict[str, Any]]:
    return [{"title": one.title, "fields": list(one.fields), "more": one.more} for one in sections]


def _name(reference: dict[str, Any]) -> str:
    return str(reference["$ref"]).removeprefix(_DEFS)


def _entitle(node: dict[str, Any], ruleset: Ruleset | None) -> None:
    """Give every field of a struct a title: the rules' own word for it, or its name."""
    for name, field in node.get("properties", {}).items():
        if "title" not in field:
            word = name.replace("_", " ")
            if ruleset is not None:
                words, titles = ruleset.vocabulary, {**TITLES, **ruleset.encounters.layout.titles}
                known = next((one.label for table in (words.pools, words.stats) if (one := table.get(name))), "")
                word = titles.get(name) or known or word
            node["properties"][name] = {"title": word[:1].upper() + word[1:], **field}


def _at(node: dict[str, Any], defs: dict[str, Any], path: list[str]) -> Iterator[dict[str, Any]]:
    """Yield the schemas at a path such as ``combatant[].skills{}``, up to a naming text."""
    for one in _kinds(node, defs):
        if not path:
            if one.get("type") in ("string", "object"):
                yield one
            continue
        match = re.fullmatch(r"([^\[{]*)(\[\])?(\{\})?", path[0])
        assert match is not None
        name, is_list, is_map = match.groups()
        field = one.get("properties", {}).get(name)
        for kind in _kinds(field, defs) if field is not None else ():
            if is_list and kind.get("type") == "array":
                yield from _at(kind["items"], defs, path[1:])
            elif is_map and kind.get("type") == "object":
                yield from _at(_inside(kind, last=not path[1:]), defs, path[1:])
            elif not is_list and not is_map and (path[1:] or kind.get("type") == "string"):
                yield from _at(kind, defs, path[1:])


def _inside(kind: dict[str, Any], *, last: bool) -> dict[str, Any]:
    """Return the schema of a table's keys if the path ends there, or else of its values."""
    found: dict[str, Any] = (
        kind.setdefault("propertyNames", {"type": "string"}) if last else kind["additionalProperties"]
    )
    return found


def _kinds(node: dict[str, Any], defs: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a schema's alternatives: itself, its reference, or each member of a union."""
    if "$ref" in node:
        yield from _kinds(defs[_name(node)], defs)
    elif "anyOf" in node:
        for one in node["anyOf"]:
            yield from _kinds(one, defs)
    else:
        yield node
