"""Routes for the rule systems: their tables, encounter schemas, vocabularies, templates, and the shipped encounters."""

from typing import Annotated, Any

from litestar.params import PathParameter

from affray.engine.core.loading import available, load, load_all, template
from affray.engine.core.ruleset import Ruleset
from affray.engine.core.vocabulary import Vocabulary
from affray.tools.api.access import NotFound
from affray.tools.api.schemas.documents import AllShipped, Checked, Library, System, Systems
from affray.tools.api.schemas.requests import TablesAsked
from affray.tools.encounters.library.encounter_form import encounter_schema
from affray.tools.encounters.library.examples import list_shipped, text_of
from affray.tools.encounters.library.rule_tables import tables_of
from affray.tools.parse.encounter_file import read_toml
from affray.tools.server.routing import route
from affray.tools.server.worker_threads import compute

TheSystem = Annotated[str, PathParameter(description="The name of a rule system.")]
TheEncounter = Annotated[str, PathParameter(description="The name of an encounter that comes with the program.")]


@route
async def list_systems() -> Systems:
    """List the rule systems."""
    return Systems(await compute(lambda: list(map(_describe_system, load_all()))))


@route
async def get_rule_tables(system: TheSystem, asked: TablesAsked) -> Library:
    """List the entries that encounters of a system can name: stat blocks, weapons, armour, skills, spells and so on."""
    ruleset = await _load_system(system)
    found = await compute(tables_of, ruleset, asked.kind, asked.search)
    return Library(ruleset.name, ruleset.title, found)


@route
async def get_encounter_schema(system: TheSystem) -> dict[str, Any]:
    """Return the JSON Schema of a system's encounter file: titles, types, defaults, bounds.

    If a field names entries of a table, ``x-table`` names that table.
    """
    return await compute(encounter_schema, (await _load_system(system)).name)


@route
async def get_vocabulary_of_system(system: TheSystem) -> Vocabulary:
    """Return the vocabulary of a rule system: words for users, and their meaning."""
    return (await _load_system(system)).vocabulary


@route
async def get_encounter_template(system: TheSystem) -> Checked:
    """Return a commented template for an encounter of a system, as an object and as TOML."""
    text = template(await _load_system(system))
    if not text:
        raise NotFound("this rule system has no template")
    _, content = read_toml(text)
    return Checked(ok=True, content=content, toml=text)


@route
async def list_shipped_encounters() -> AllShipped:
    """List the encounters that come with the program."""
    return AllShipped(list(await compute(list_shipped)))


@route
async def get_shipped_encounter(system: TheSystem, name: TheEncounter) -> Checked:
    """Return an encounter that comes with the program, as an object and as TOML."""
    text = await compute(text_of, system, name)
    if text is None:
        raise NotFound("there is no such encounter")
    _, content = read_toml(text)
    return Checked(ok=True, content=content, toml=text)


async def _load_system(system: str) -> Ruleset:
    if system not in available():
        raise NotFound("there is no such rule system")
    return await compute(load, system)  # for the first time it is imported


def _describe_system(ruleset: Ruleset) -> System:
    return System(ruleset.name, ruleset.title, ruleset.version, ruleset.board.kind, bool(template(ruleset)))
