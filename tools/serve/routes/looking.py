"""Looking at a fight: state, log, what may be done, rules, audit, explanations."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import get
from litestar.params import PathParameter, QueryParameter

from affray.engine.core.actions import Ruling
from affray.engine.core.state import digest
from affray.engine.errors import Unusable
from affray.engine.fight import Fight
from affray.engine.stores import Store
from affray.engine.visibility import Viewer, WireLine, bands, seen_by, visible
from affray.events import naming
from affray.tools.answers import audit_of, explained, moment_of
from affray.tools.receipts.machines import Explanation
from affray.tools.serve.auth import TheFight, TheServing, TheViewer
from affray.tools.serve.fights import Missing
from affray.tools.serve.refusing import refusals
from affray.tools.serve.serving import NotAllowed
from affray.tools.serve.viewing import legal_for, log_lines, sees_all, without_sender
from affray.tools.serve.wire import LINES, Audited, Clause, Legal, Lines, Moment, RulingForm, Schema

MOST = 2**53
At = Annotated[int | None, QueryParameter(ge=1, le=MOST, description="As it was when this position was the last.")]
After = Annotated[int, QueryParameter(ge=0, le=MOST, description="The position behind which to begin.")]
Limit = Annotated[int, QueryParameter(ge=1, le=LINES, description="How many lines at most.")]
Position = Annotated[int, PathParameter(ge=1, le=MOST)]

LOOK = refusals(400, 401, 403, 404, 409, 503)
READ = refusals(400, 401, 403, 404, 503)


@get("/api/fights/{fight:str}/state", responses=LOOK)
async def state(serving: TheServing, fight: TheFight, viewer: TheViewer, at: At = None) -> Moment:
    """Return the state, as it is or as it was, without what is hidden from the viewer.

    Those from whom something is hidden see it between commands only (400).
    """
    fights = serving.fights
    async with fights.using(fight) if at is None else fights.reading(fight) as found:
        full = sees_all(viewer, found)
        moment = moment_of(found) if at is None else await fights.doing(found, moment_of, found, at)
        if not full and found.history.at(moment["position"]).more:  # somebody may have joined who hides in a moment
            raise Unusable("is in the middle of a command", "at")
        whole = moment["state"]
    return Moment(
        position=moment["position"],
        hash=moment["hash"],
        state=seen_by(viewer, whole),
        digest=digest(whole) if full else "",
        bands=bands(viewer, whole),
    )


@get("/api/fights/{fight:str}/log", responses=READ)
async def log(serving: TheServing, fight: TheFight, viewer: TheViewer, after: After = 0, limit: Limit = LINES) -> Lines:
    """Return what was recorded behind a position, some of it sealed.

    A line that the viewer may not read has no ``event``, but the ``digest`` that the chain needs; one whose sender
    they may not know has ``by`` instead of ``who`` and ``cause``.
    """
    fights = serving.fights
    async with fights.reading(fight, mend=True) as found:
        if after > found.head:
            raise Unusable(f"must be from 0 to {found.head}", "after")
        lines = await fights.doing(found, _lines, fights.store, found, viewer, after, limit)
        return Lines(found.head, found.history.head_hash, lines)


def _lines(store: Store, fight: Fight, viewer: Viewer, after: int, limit: int) -> list[WireLine]:
    return log_lines(viewer, fight, after, store.since(fight.name, after)[:limit])


@get("/api/fights/{fight:str}/legal", responses=LOOK)
async def legal(serving: TheServing, fight: TheFight, viewer: TheViewer) -> Legal:
    """Return what the viewer may do now: game masters everything, players what concerns their own combatants.

    The ``intent`` of an offer can be sent as a command as it is.
    """
    async with serving.fights.reading(fight) as found:
        return Legal(found.head, await serving.fights.doing(found, legal_for, viewer, found))


@get("/api/fights/{fight:str}/clauses", responses=LOOK)
async def clauses(serving: TheServing, fight: TheFight) -> dict[str, Clause]:
    """Return the clauses of the fight's rules, in our own words, by their name."""
    async with serving.fights.using(fight) as found:
        told = found.ruleset.clauses
    return {name: Clause(one.section, one.title, one.says) for name, one in told.items()}


@get("/api/fights/{fight:str}/rulings", responses=LOOK)
async def rulings(serving: TheServing, fight: TheFight) -> list[RulingForm]:
    """Return every ruling that game masters may give, each with a JSON Schema of what it needs to know."""
    async with serving.fights.using(fight) as found:
        forms = found.ruleset.rulings
    return [
        RulingForm(kind, form.says, form.words, naming(form, "combatant"), naming(form, "item"), _schema(form))
        for kind, form in forms.items()
    ]


def _schema(form: type[Ruling]) -> Schema:
    return msgspec.convert(msgspec.json.schema(form), Schema)


@get("/api/fights/{fight:str}/audit", responses=READ)
async def audit(serving: TheServing, fight: TheFight, viewer: TheViewer) -> Audited:
    """Return what can be proved of the record, the dice and the rules.

    It shows everything: refused (403) to whoever something of the fight is hidden from.
    """
    async with serving.fights.using(fight, mend=True) as found:
        if not sees_all(viewer, found):
            raise NotAllowed("an audit shows everything, and some of this fight is hidden from you")
        hash = found.history.head_hash
    fights = serving.fights
    return await fights.proved(fight, hash, lambda: Audited(**audit_of(fights.store, fight)))


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
        told = without_sender(viewer, found, await serving.fights.doing(found, explained, found, position))
        if viewer.role != "gm" and not _may_read(viewer, found, told):
            raise missing
        return told


def _may_read(viewer: TheViewer, fight: Fight, told: Explanation) -> bool:
    """Tell whether somebody may read everything that an explanation rests on."""
    history, rests_on = fight.history, (*told.chain, *told.consequences, *told.granted)
    return all(visible(viewer, history.at(one.position), history.opened) for one in rests_on)


ROUTES = [state, log, legal, clauses, rulings, audit, explain]
