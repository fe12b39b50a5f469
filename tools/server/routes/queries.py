"""Routes that read a fight: state, log, legal actions, rules, audit, explanations."""

from functools import cache, partial
from itertools import islice
from typing import Annotated, Any

import msgspec
from litestar import get
from litestar.params import PathParameter, QueryParameter

from affray.engine.commands import MANY
from affray.engine.core.actions import Ruling
from affray.engine.core.state import digest
from affray.engine.core.vocabulary import TABLES, Vocabulary
from affray.engine.errors import Unusable
from affray.engine.fight import Fight
from affray.engine.stores import Store
from affray.engine.visibility import Viewer, WireLine, can_read, list_bands, project_for_sending
from affray.events import STANDARD, list_naming_fields, names_recorded
from affray.tools.api.distances import Apart
from affray.tools.api.queries import audit_of, explain_position, moment_of
from affray.tools.api.schemas import fights as schemas
from affray.tools.api.schemas.legal_actions import HowMay, Likely, WhatMay, WhatMayTo, WhereMay, WhoMay
from affray.tools.api.schemas.receipts import Explanation, list_positions
from affray.tools.present.audit_text import finding_sentence as finding_said
from affray.tools.present.audit_text import list_remarks as list_no_faults
from affray.tools.present.awaiting_history import list_headlines as headlines_of
from affray.tools.present.story.words import Names, names_of
from affray.tools.server import viewer_queries
from affray.tools.server.auth import TheFight, TheServer, TheViewer
from affray.tools.server.error_mapping import problem_responses
from affray.tools.server.open_fights import NotFound
from affray.tools.server.server_state import NotAllowed
from affray.tools.server.worker_threads import compute

MOST = 2**53
MOST_CHOSEN = 10_000

At = Annotated[int | None, QueryParameter(ge=1, le=MOST, description="The position of a past state.")]
After = Annotated[int, QueryParameter(ge=0, le=MOST, description="The position behind which to begin.")]
Before = Annotated[int, QueryParameter(ge=0, le=MOST, description="The number of entries to skip.")]
Limit = Annotated[int, QueryParameter(ge=1, le=schemas.LINES, description="The most lines to return.")]
Position = Annotated[int, PathParameter(ge=1, le=MOST)]

Who = Annotated[str, PathParameter(max_length=MANY, description="A combatant, or ``gm``.")]
Whom = Annotated[str, PathParameter(max_length=MANY, description="The target, a combatant.")]
Action = Annotated[str, PathParameter(max_length=MANY, description="An action.")]
There = Annotated[str, QueryParameter(max_length=MANY, description="A place of the map.")]
Manner = Annotated[str, QueryParameter(max_length=MANY, description="The manner of the declaration.")]
Chosen = Annotated[
    str, QueryParameter(max_length=MOST_CHOSEN, description="A JSON object: the fields chosen so far, as recorded.")
]
Fill = Annotated[
    bool, QueryParameter(description="Fill fields without a choice with the usual or only possible value.")
]

LOOK = problem_responses(400, 401, 403, 404, 409, 503)
READ = problem_responses(400, 401, 403, 404, 503)


@get("/api/fights/{fight:str}/state", responses=LOOK)
async def get_state(server: TheServer, fight: TheFight, viewer: TheViewer, at: At = None) -> schemas.Moment:
    """Return the present or a past state, without what is hidden from the viewer.

    A viewer from whom something is hidden can see past states only between commands (400).
    """
    fights = server.fights
    async with fights.lock(fight) if at is None else fights.lock_for_reading(fight) as found:
        return await fights.run_on(found, _moment, found, viewer, at, long=at is not None)


def _moment(fight: Fight, viewer: Viewer, at: int | None) -> schemas.Moment:
    """Project the present or a past state for a viewer."""
    full = viewer_queries.sees_all(viewer, fight)
    moment = moment_of(fight) if at is None else moment_of(fight, at)
    if not full and fight.history.at(moment["position"]).more:  # a combatant may have joined who hides a moment later
        raise Unusable("is in the middle of a command", "at")
    whole = moment["state"]
    return schemas.Moment(
        position=moment["position"],
        hash=moment["hash"],
        state=whole if full else project_for_sending(viewer, whole),
        digest=digest(whole) if full else "",
        bands=list_bands(viewer, whole),
    )


@get("/api/fights/{fight:str}/log", responses=READ)
async def get_log(
    server: TheServer, fight: TheFight, viewer: TheViewer, after: After = 0, limit: Limit = schemas.LINES
) -> schemas.Lines:
    """Return the recorded lines behind a position, some of them sealed.

    A line that the viewer may not read has no ``event``, but the ``digest`` that the hash chain needs. A line whose
    sender they may not know has ``by`` instead of ``who`` and ``cause``. An answer has fewer lines if it would be too
    long.
    """
    fights = server.fights
    async with fights.lock_for_reading(fight, mend=True) as found:
        if after > found.head:
            raise Unusable(f"must be from 0 to {found.head}", "after")
        lines = await fights.run_on(found, _lines, fights.store, found, viewer, after, limit)
        return schemas.Lines(found.head, found.history.head_hash, lines)


def _lines(store: Store, fight: Fight, viewer: Viewer, after: int, limit: int) -> list[WireLine]:
    written = islice(store.lines(fight.name, after), min(limit, fight.head - after))
    return viewer_queries.project_log(viewer, fight, after, written, schemas.LINES_BYTES)


@get("/api/fights/{fight:str}/legal", responses=LOOK)
async def get_actors(server: TheServer, fight: TheFight, viewer: TheViewer) -> WhoMay:
    """List the combatants who may act now, and what else the fight waits for; players get their own combatants.

    The actions of each are one level further down.
    """
    async with server.fights.lock_for_reading(fight) as found:
        return await server.fights.run_on(found, viewer_queries.list_actors_for, viewer, found)


@get("/api/fights/{fight:str}/legal/{who:str}", responses=LOOK)
async def get_actions(
    server: TheServer, fight: TheFight, viewer: TheViewer, who: Who, manner: Manner = STANDARD
) -> WhatMay:
    """List every action of a combatant; illegal ones have their refusals.

    The combatant need not be able to act. Players may ask about their own combatants (403).
    """
    async with server.fights.lock_for_reading(fight) as found:
        return await server.fights.run_on(found, viewer_queries.list_actions_for, viewer, found, who, manner)


@get("/api/fights/{fight:str}/legal/{who:str}/{kind:str}", responses=LOOK)
async def get_action_fields(
    server: TheServer,
    fight: TheFight,
    viewer: TheViewer,
    who: Who,
    kind: Action,
    manner: Manner = STANDARD,
    chosen: Chosen = "{}",
    fill: Fill = False,
) -> HowMay:
    """List the choices for the next field of an action, and the refusals of the others.

    If no field is left, the answer has the ``whole``: its ``intent`` can be sent as a command.
    """
    said = _object(chosen)
    async with server.fights.lock_for_reading(fight) as found:
        ask = partial(viewer_queries.list_choices_for, fill=fill)
        return await server.fights.run_on(found, ask, viewer, found, who, kind, manner, said)


@get("/api/fights/{fight:str}/aims/{who:str}/{whom:str}", responses=LOOK)
async def get_actions_against(
    server: TheServer, fight: TheFight, viewer: TheViewer, who: Who, whom: Whom, manner: Manner = STANDARD
) -> WhatMayTo:
    """List the actions of a combatant against a target, with their chance, likely harm and costs.

    Legal ones come first, ready to be sent; the others have their refusals. No number uses hidden state. Players may
    ask about their own combatants (403).
    """
    async with server.fights.lock_for_reading(fight) as found:
        return await server.fights.run_on(
            found, viewer_queries.list_targeted_actions_for, viewer, found, who, whom, manner
        )


@get("/api/fights/{fight:str}/ways/{who:str}", responses=LOOK)
async def get_reachable_places(
    server: TheServer, fight: TheFight, viewer: TheViewer, who: Who, manner: Manner = STANDARD
) -> WhereMay:
    """List the places that a combatant can reach, each with a ready intent, its costs, and the reactions it provokes.

    Combatants that are hidden from the viewer are left out. Players may ask about their own combatants (403).
    """
    async with server.fights.lock_for_reading(fight) as found:
        return await server.fights.run_on(found, viewer_queries.list_destinations_for, viewer, found, who, manner)


@get("/api/fights/{fight:str}/likely/{who:str}", responses=LOOK)
async def get_likely_action(
    server: TheServer, fight: TheFight, viewer: TheViewer, who: Who, manner: Manner = STANDARD
) -> Likely:
    """Suggest the action that a sensible combatant would declare now, ready to be sent.

    It uses no hidden state. Players may ask about their own combatants (403).
    """
    async with server.fights.lock_for_reading(fight) as found:
        return await server.fights.run_on(found, viewer_queries.suggest_action_for, viewer, found, who, manner)


@get("/api/fights/{fight:str}/apart", responses=problem_responses(400, 401, 403, 404, 409, 422, 503))
async def get_distances(server: TheServer, fight: TheFight, viewer: TheViewer, here: There, there: There) -> Apart:
    """Measure the distance between two places, as the rules count it and in words."""
    async with server.fights.lock_for_reading(fight) as found:
        return await server.fights.run_on(
            found, viewer_queries.measure_distance_for, viewer, found, here, there, long=False
        )


def _object(given: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(given, type=dict[str, Any])
    except (msgspec.MsgspecError, RecursionError):
        raise Unusable("must be a JSON object", "chosen") from None


@get("/api/fights/{fight:str}/story", responses=LOOK)
async def get_story(server: TheServer, fight: TheFight, viewer: TheViewer, after: Before = 0) -> schemas.Story:
    """Tell the story of a fight in sentences, as the viewer may read it, without its first lines.

    The last line of a story can still grow: ask for it again together with the new ones.
    """
    async with server.fights.lock_for_reading(fight) as found:
        told, count = await server.fights.run_on(found, viewer_queries.project_story, viewer, found, after)
        return schemas.Story(found.head, told, count)


@get("/api/fights/{fight:str}/headlines", responses=LOOK)
async def get_headlines(server: TheServer, fight: TheFight, viewer: TheViewer) -> schemas.Headlines:
    """Return the headline at each position of a fight, for its playback."""
    async with server.fights.lock_for_reading(fight) as found:
        whole = viewer_queries.sees_all(viewer, found)
        told = await server.fights.run_on(found, headlines_of, found.history.recorded, None if whole else viewer)
        return schemas.Headlines(found.head, told)


@get("/api/fights/{fight:str}/vocabulary", responses=LOOK)
async def get_vocabulary_of_fight(server: TheServer, fight: TheFight) -> Vocabulary:
    """Return the vocabulary of the fight's rules: words for users, and their meaning."""
    async with server.fights.lock(fight) as found:
        return found.ruleset.vocabulary


@get("/api/fights/{fight:str}/clauses", responses=LOOK)
async def get_clauses(server: TheServer, fight: TheFight) -> dict[str, schemas.Clause]:
    """Return the clauses of the fight's rules, in our own words, by their name."""
    async with server.fights.lock(fight) as found:
        told = found.ruleset.clauses
    return {name: schemas.Clause(one.section, one.title, one.says) for name, one in told.items()}


@get("/api/fights/{fight:str}/rulings", responses=LOOK)
async def list_ruling_forms(server: TheServer, fight: TheFight) -> list[schemas.RulingForm]:
    """List the rulings that game masters may give, each with a JSON Schema of its fields."""
    async with server.fights.lock(fight) as found:
        forms = found.ruleset.rulings
    return await compute(lambda: [_form(kind, form) for kind, form in forms.items()])


@cache
def _form(kind: str, form: type[Ruling]) -> schemas.RulingForm:
    people, things = list_naming_fields(form, "combatant"), list_naming_fields(form, "item")
    named = {field: TABLES.get(what, what) for field, what in names_recorded(form).items()}
    return schemas.RulingForm(kind, form.says, form.words, people, things, _schema(form), named)


def _schema(form: type[Ruling]) -> schemas.Schema:
    return msgspec.convert(msgspec.json.schema(form), schemas.Schema)


@get("/api/fights/{fight:str}/audit", responses=READ)
async def get_audit(server: TheServer, fight: TheFight, viewer: TheViewer) -> schemas.Audited:
    """Audit the record, the dice and the rules.

    It shows everything: refused (403) to a viewer from whom something of the fight is hidden.
    """
    async with server.fights.lock(fight, mend=True) as found:
        if not viewer_queries.sees_all(viewer, found):
            raise NotAllowed("an audit shows everything, and some of this fight is hidden from you")
        hash, names = found.history.head_hash, names_of(found.history.recorded)
    fights = server.fights
    return await fights.compute_once(fight, hash, lambda: _audit_log(fights.store, fight, names))


def _audit_log(store: Store, fight: str, names: Names) -> schemas.Audited:
    judged = audit_of(store, fight, details=False)
    report = judged["report"]
    says = [finding_said(one, names) for one in report.findings]
    return schemas.Audited(**judged, says=says, listed=list(list_no_faults(report, names)))


@get("/api/fights/{fight:str}/explain/{position:int}", responses=LOOK)
async def get_explanation(server: TheServer, fight: TheFight, viewer: TheViewer, position: Position) -> Explanation:
    """Explain an event: its cause, its clauses, and for a roll the source of each die.

    Hidden events, and those that rest on hidden ones, are missing (404).
    """
    async with server.fights.lock_for_reading(fight) as found:
        missing = NotFound(f"there is no position {position}")
        history = found.history
        if not 1 <= position <= found.head or not can_read(viewer, history.at(position), history.opened):
            raise missing
        told = viewer_queries.hide_sender(
            viewer, found, await server.fights.run_on(found, explain_position, found, position, viewer)
        )
        if viewer.role != "gm" and not _may_read(viewer, found, told):
            raise missing
        return told


def _may_read(viewer: TheViewer, fight: Fight, told: Explanation) -> bool:
    """Tell whether a viewer may read all events that an explanation rests on."""
    history = fight.history
    return all(can_read(viewer, history.at(one), history.opened) for one in list_positions(told))


ROUTES = [
    get_state,
    get_log,
    get_actors,
    get_actions,
    get_action_fields,
    get_actions_against,
    get_reachable_places,
    get_likely_action,
    get_distances,
    get_story,
    get_headlines,
    get_vocabulary_of_fight,
    get_clauses,
    list_ruling_forms,
    get_audit,
    get_explanation,
]
