"""Routes for the rule systems: their tables, encounter schemas, vocabularies, templates, and the shipped encounters."""

from typing import Annotated, Any

from litestar import get
from litestar.params import FromPath, QueryParameter

from affray.engine.commands import MANY
from affray.engine.core.loading import available, load, template
from affray.engine.core.ruleset import Ruleset
from affray.engine.core.vocabulary import Vocabulary
from affray.tools.api.schemas.documents import AllShipped, Checked, Library, System, Systems
from affray.tools.encounters.library.encounter_form import encounter_schema
from affray.tools.encounters.library.examples import list_shipped, text_of
from affray.tools.encounters.library.rule_tables import tables_of
from affray.tools.parse.encounter_file import read_toml
from affray.tools.server.error_mapping import problem_responses
from affray.tools.server.open_fights import NotFound
from affray.tools.server.worker_threads import compute

Kind = Annotated[str, QueryParameter(max_length=MANY, description="The name of a single table.")]
Search = Annotated[str, QueryParameter(max_length=MANY, description="Words that must all be in an entry.")]


@get("/api/systems", responses=problem_responses())
async def list_systems() -> Systems:
    """List the rule systems."""
    return Systems(await compute(lambda: [_describe_system(load(name)) for name in available()]))


@get("/api/systems/{system:str}/tables", responses=problem_responses(400, 404))
async def get_rule_tables(system: FromPath[str], kind: Kind = "", search: Search = "") -> Library:
    """List the entries that encounters of a system can name: stat blocks, weapons, armour, skills, spells and so on."""
    ruleset = _load_system(system)
    found = await compute(tables_of, ruleset, kind, search)
    return Library(ruleset.name, ruleset.title, found)


@get("/api/systems/{system:str}/schema", responses=problem_responses(400, 404))
async def get_encounter_schema(system: FromPath[str]) -> dict[str, Any]:
    """Return the JSON Schema of a system's encounter file: titles, types, defaults, bounds.

    If a field names entries of a table, ``x-table`` names that table.
    """
    return encounter_schema(_load_system(system).name)


@get("/api/systems/{system:str}/vocabulary", responses=problem_responses(400, 404))
async def get_vocabulary_of_system(system: FromPath[str]) -> Vocabulary:
    """Return the vocabulary of a rule system: words for users, and their meaning."""
    return _load_system(system).vocabulary


@get("/api/systems/{system:str}/template", responses=problem_responses(400, 404))
async def get_encounter_template(system: FromPath[str]) -> Checked:
    """Return a commented template for an encounter of a system, as an object and as TOML."""
    text = template(_load_system(system))
    if not text:
        raise NotFound("this rule system has no template")
    _, content = read_toml(text)
    return Checked(ok=True, content=content, toml=text)


@get("/api/shipped", responses=problem_responses())
async def list_shipped_encounters() -> AllShipped:
    """List the encounters that come with the program."""
    return AllShipped(list(await compute(list_shipped)))


@get("/api/shipped/{system:str}/{name:str}", responses=problem_responses(400, 404))
async def get_shipped_encounter(system: FromPath[str], name: FromPath[str]) -> Checked:
    """Return an encounter that comes with the program, as an object and as TOML."""
    text = await compute(text_of, system, name)
    if text is None:
        raise NotFound("there is no such encounter")
    _, content = read_toml(text)
    return Checked(ok=True, content=content, toml=text)


def _load_system(system: str) -> Ruleset:
    if system not in available():
        raise NotFound("there is no such rule system")
    return load(system)


def _describe_system(ruleset: Ruleset) -> System:
    return System(ruleset.name, ruleset.title, ruleset.version, ruleset.board.kind, bool(template(ruleset)))


ROUTES = [
    list_systems,
    get_rule_tables,
    get_encounter_schema,
    get_vocabulary_of_system,
    get_encounter_template,
    list_shipped_encounters,
    get_shipped_encounter,
]
