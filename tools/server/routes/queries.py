"""Looking at a fight: state, log, what may be done, rules, audit, explanations."""

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
from affray.engine.visibility import Viewer, WireLine, bands, sent_to, visible
from affray.events import STANDARD, names_recorded, naming
from affray.tools.api.distances import Apart
from affray.tools.api.queries import audit_of, explained, moment_of
from affray.tools.api.schemas import fights as schemas
from affray.tools.api.schemas.legal_actions import HowMay, Likely, WhatMay, WhatMayTo, WhereMay, WhoMay
from affray.tools.api.schemas.receipts import Explanation, list_positions
from affray.tools.present.audit_text import listed as list_no_faults
from affray.tools.present.audit_text import sentence as finding_said
from affray.tools.present.awaiting_history import headlines as headlines_of
from affray.tools.present.story.words import Names, names_of
from affray.tools.server import viewer_queries
from affray.tools.server.auth import TheFight, TheServing, TheViewer
from affray.tools.server.error_mapping import refusals
from affray.tools.server.open_fights import Missing
from affray.tools.server.server_state import NotAllowed
from affray.tools.server.worker_threads import compute

MOST = 2**53
MOST_CHOSEN = 10_000

At = Annotated[int | None, QueryParameter(ge=1, le=MOST, description="As it was when this position was the last.")]
After = Annotated[int, QueryParameter(ge=0, le=MOST, description="The position behind which to begin.")]
Before = Annotated[int, QueryParameter(ge=0, le=MOST, description="How many lines at its beginning are left out.")]
Limit = Annotated[int, QueryParameter(ge=1, le=schemas.LINES, description="How many lines at most.")]
Position = Annotated[int, PathParameter(ge=1, le=MOST)]

Who = Annotated[str, PathParameter(max_length=MANY, description="A combatant, or ``gm``.")]
Whom = Annotated[str, PathParameter(max_length=MANY, description="At whom it is aimed.")]
Action = Annotated[str, PathParameter(max_length=MANY, description="An action.")]
There = Annotated[str, QueryParameter(max_length=MANY, description="A place of the map.")]
Manner = Annotated[str, QueryParameter(max_length=MANY, description="How it would be declared.")]
Chosen = Annotated[
    str, QueryParameter(max_length=MOST_CHOSEN, description="A JSON object: the fields chosen so far, as recorded.")
]
Fill = Annotated[
    bool, QueryParameter(description="Take fields that nobody chose to be as usual, or the only thing they can be.")
]

LOOK = refusals(400, 401, 403, 404, 409, 503)
READ = refusals(400, 401, 403, 404, 503)


@get("/api/fights/{fight:str}/state", responses=LOOK)
async def state(serving: TheServing, fight: TheFight, viewer: TheViewer, at: At = None) -> schemas.Moment:
    """Return the state, as it is or as it was, without what is hidden from the viewer.

    Those from whom something is hidden see it between commands only (400).
    """
    fights = serving.fights
    async with fights.using(fight) if at is None else fights.reading(fight) as found:
        return await fights.doing(found, _moment, found, viewer, at, long=at is not None)


def _moment(fight: Fight, viewer: Viewer, at: int | None) -> schemas.Moment:
    """Return a fight as it is, or was, as far as somebody sees it."""
    full = viewer_queries.sees_all(viewer, fight)
    moment = moment_of(fight) if at is None else moment_of(fight, at)
    if not full and fight.history.at(moment["position"]).more:  # somebody may have joined who hides in a moment
        raise Unusable("is in the middle of a command", "at")
    whole = moment["state"]
    return schemas.Moment(
        position=moment["position"],
        hash=moment["hash"],
        state=whole if full else sent_to(viewer, whole),
        digest=digest(whole) if full else "",
        bands=bands(viewer, whole),
    )


@get("/api/fights/{fight:str}/log", responses=READ)
async def log(
    serving: TheServing, fight: TheFight, viewer: TheViewer, after: After = 0, limit: Limit = schemas.LINES
) -> schemas.Lines:
    """Return what was recorded behind a position, some of it sealed.

    A line that the viewer may not read has no ``event``, but the ``digest`` that the chain needs; one whose sender
    they may not know has ``by`` instead of ``who`` and ``cause``. An answer ends sooner where it is as long as may be.
    """
    fights = serving.fights
    async with fights.reading(fight, mend=True) as found:
        if after > found.head:
            raise Unusable(f"must be from 0 to {found.head}", "after")
        lines = await fights.doing(found, _lines, fights.store, found, viewer, after, limit)
        return schemas.Lines(found.head, found.history.head_hash, lines)


def _lines(store: Store, fight: Fight, viewer: Viewer, after: int, limit: int) -> list[WireLine]:
    written = islice(store.lines(fight.name, after), min(limit, fight.head - after))
    return viewer_queries.log_lines(viewer, fight, after, written, schemas.LINES_BYTES)


@get("/api/fights/{fight:str}/legal", responses=LOOK)
async def legal(serving: TheServing, fight: TheFight, viewer: TheViewer) -> WhoMay:
    """Return who may act now, and what else is waited for: to game masters everybody, to players their own combatants.

    What somebody may do is asked one level further down.
    """
    async with serving.fights.reading(fight) as found:
        return await serving.fights.doing(found, viewer_queries.who_may_for, viewer, found)


@get("/api/fights/{fight:str}/legal/{who:str}", responses=LOOK)
async def kinds(
    serving: TheServing, fight: TheFight, viewer: TheViewer, who: Who, manner: Manner = STANDARD
) -> WhatMay:
    """Return what somebody may do now, and for everything else the refusal.

    It can be asked of whoever may not act at all, to hear why. Players ask about their own combatants (403).
    """
    async with serving.fights.reading(fight) as found:
        return await serving.fights.doing(found, viewer_queries.what_may_for, viewer, found, who, manner)


@get("/api/fights/{fight:str}/legal/{who:str}/{kind:str}", responses=LOOK)
async def fields(
    serving: TheServing,
    fight: TheFight,
    viewer: TheViewer,
    who: Who,
    kind: Action,
    manner: Manner = STANDARD,
    chosen: Chosen = "{}",
    fill: Fill = False,
) -> HowMay:
    """Return which field of an action is to be chosen next, what it might be, and why the rest is not possible.

    Where nothing is left to choose, it is the ``whole``: its ``intent`` can be sent as a command as it is.
    """
    said = _object(chosen)
    async with serving.fights.reading(fight) as found:
        ask = partial(viewer_queries.how_may_for, fill=fill)
        return await serving.fights.doing(found, ask, viewer, found, who, kind, manner, said)


@get("/api/fights/{fight:str}/aims/{who:str}/{whom:str}", responses=LOOK)
async def aims(
    serving: TheServing, fight: TheFight, viewer: TheViewer, who: Who, whom: Whom, manner: Manner = STANDARD
) -> WhatMayTo:
    """Return all that somebody may do to another, as usual, with the chance, the likely harm and the costs of each.

    What is possible comes first, ready to be sent; the rest with its refusal. Nothing that is hidden from the viewer
    counts in any number. Players ask about their own combatants (403).
    """
    async with serving.fights.reading(fight) as found:
        return await serving.fights.doing(found, viewer_queries.may_do_to_for, viewer, found, who, whom, manner)


@get("/api/fights/{fight:str}/ways/{who:str}", responses=LOOK)
async def ways(
    serving: TheServing, fight: TheFight, viewer: TheViewer, who: Who, manner: Manner = STANDARD
) -> WhereMay:
    """Return every place somebody may go to now, with a way to be sent as it is, what it costs and whom it provokes.

    Nobody who is hidden from the viewer is among those. Players ask about their own combatants (403).
    """
    async with serving.fights.reading(fight) as found:
        return await serving.fights.doing(found, viewer_queries.where_may_for, viewer, found, who, manner)


@get("/api/fights/{fight:str}/likely/{who:str}", responses=LOOK)
async def likely(
    serving: TheServing, fight: TheFight, viewer: TheViewer, who: Who, manner: Manner = STANDARD
) -> Likely:
    """Return what somebody would likely do now: what a sensible fighter would declare, ready to be sent as it is.

    It rests on nothing that is hidden from the viewer. Players ask about their own combatants (403).
    """
    async with serving.fights.reading(fight) as found:
        return await serving.fights.doing(found, viewer_queries.likely_for, viewer, found, who, manner)


@get("/api/fights/{fight:str}/apart", responses=refusals(400, 401, 403, 404, 409, 422, 503))
async def apart(serving: TheServing, fight: TheFight, viewer: TheViewer, here: There, there: There) -> Apart:
    """Return how far two places are apart, as the rules count it and in words."""
    async with serving.fights.reading(fight) as found:
        return await serving.fights.doing(found, viewer_queries.apart_for, viewer, found, here, there, long=False)


def _object(given: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(given, type=dict[str, Any])
    except (msgspec.MsgspecError, RecursionError):
        raise Unusable("must be a JSON object", "chosen") from None


@get("/api/fights/{fight:str}/story", responses=LOOK)
async def story(serving: TheServing, fight: TheFight, viewer: TheViewer, after: Before = 0) -> schemas.Story:
    """Return the fight told in sentences, as the viewer may read it, but for its first lines.

    The last line of a story can still grow: ask for it again with those that come.
    """
    async with serving.fights.reading(fight) as found:
        told, count = await serving.fights.doing(found, viewer_queries.story_for, viewer, found, after)
        return schemas.Story(found.head, told, count)


@get("/api/fights/{fight:str}/headlines", responses=LOOK)
async def headlines(serving: TheServing, fight: TheFight, viewer: TheViewer) -> schemas.Headlines:
    """Return whose turn it was all through a fight, as whoever looks on may hear it, for playing it back."""
    async with serving.fights.reading(fight) as found:
        whole = viewer_queries.sees_all(viewer, found)
        told = await serving.fights.doing(found, headlines_of, found.history.recorded, None if whole else viewer)
        return schemas.Headlines(found.head, told)


@get("/api/fights/{fight:str}/vocabulary", responses=LOOK)
async def vocabulary(serving: TheServing, fight: TheFight) -> Vocabulary:
    """Return the words of the fight's rules: how people say them, and what they are for."""
    async with serving.fights.using(fight) as found:
        return found.ruleset.vocabulary


@get("/api/fights/{fight:str}/clauses", responses=LOOK)
async def clauses(serving: TheServing, fight: TheFight) -> dict[str, schemas.Clause]:
    """Return the clauses of the fight's rules, in our own words, by their name."""
    async with serving.fights.using(fight) as found:
        told = found.ruleset.clauses
    return {name: schemas.Clause(one.section, one.title, one.says) for name, one in told.items()}


@get("/api/fights/{fight:str}/rulings", responses=LOOK)
async def rulings(serving: TheServing, fight: TheFight) -> list[schemas.RulingForm]:
    """Return every ruling that game masters may give, each with a JSON Schema of what it needs to know."""
    async with serving.fights.using(fight) as found:
        forms = found.ruleset.rulings
    return await compute(lambda: [_form(kind, form) for kind, form in forms.items()])


@cache
def _form(kind: str, form: type[Ruling]) -> schemas.RulingForm:
    people, things = naming(form, "combatant"), naming(form, "item")
    named = {field: TABLES.get(what, what) for field, what in names_recorded(form).items()}
    return schemas.RulingForm(kind, form.says, form.words, people, things, _schema(form), named)


def _schema(form: type[Ruling]) -> schemas.Schema:
    return msgspec.convert(msgspec.json.schema(form), schemas.Schema)


@get("/api/fights/{fight:str}/audit", responses=READ)
async def audit(serving: TheServing, fight: TheFight, viewer: TheViewer) -> schemas.Audited:
    """Return what can be proved of the record, the dice and the rules.

    It shows everything: refused (403) to whoever something of the fight is hidden from.
    """
    async with serving.fights.using(fight, mend=True) as found:
        if not viewer_queries.sees_all(viewer, found):
            raise NotAllowed("an audit shows everything, and some of this fight is hidden from you")
        hash, names = found.history.head_hash, names_of(found.history.recorded)
    fights = serving.fights
    return await fights.proved(fight, hash, lambda: _audited(fights.store, fight, names))


def _audited(store: Store, fight: str, names: Names) -> schemas.Audited:
    judged = audit_of(store, fight)
    report = judged["report"]
    says = [finding_said(one, names) for one in report.findings]
    return schemas.Audited(**judged, says=says, listed=list(list_no_faults(report, names)))


@get("/api/fights/{fight:str}/explain/{position:int}", responses=LOOK)
async def explain(serving: TheServing, fight: TheFight, viewer: TheViewer, position: Position) -> Explanation:
    """Say why an event is what it is: what led to it, which clauses, and for a roll where each die comes from.

    What is hidden from the viewer, or rests on what is, is not there (404).
    """
    async with serving.fights.reading(fight) as found:
        missing = Missing(f"there is no position {position}")
        history = found.history
        if not 1 <= position <= found.head or not visible(viewer, history.at(position), history.opened):
            raise missing
        told = viewer_queries.without_sender(
            viewer, found, await serving.fights.doing(found, explained, found, position, viewer)
        )
        if viewer.role != "gm" and not _may_read(viewer, found, told):
            raise missing
        return told


def _may_read(viewer: TheViewer, fight: Fight, told: Explanation) -> bool:
    """Tell whether somebody may read everything that an explanation rests on."""
    history = fight.history
    return all(visible(viewer, history.at(one), history.opened) for one in list_positions(told))


ROUTES = [
    state,
    log,
    legal,
    kinds,
    fields,
    aims,
    ways,
    likely,
    apart,
    story,
    headlines,
    vocabulary,
    clauses,
    rulings,
    audit,
    explain,
]
