"""Routes that read the log of a fight: its lines, and their audit."""

from functools import partial
from itertools import islice

from affray.engine.errors import Unusable
from affray.engine.fight import Fight
from affray.engine.stores import Store
from affray.engine.visibility import Viewer, WireLine
from affray.tools.api.access import NotAllowed
from affray.tools.api.queries import audit_named
from affray.tools.api.schemas import fights as schemas
from affray.tools.api.schemas.requests import LogAsked
from affray.tools.api.viewer_queries import project_log, sees_all
from affray.tools.present.story.words import names_of
from affray.tools.server.auth import TheFight, TheServer, TheViewer
from affray.tools.server.routing import route


@route
async def get_log(server: TheServer, fight: TheFight, viewer: TheViewer, asked: LogAsked) -> schemas.Lines:
    """Return the recorded lines behind a position, some of them sealed.

    A line that the viewer may not read has no ``event``, but the ``digest`` that the hash chain needs. A line whose
    sender they may not know has ``by`` instead of ``who`` and ``cause``. An answer has at most 5,000 lines, and fewer
    if it would be too long.
    """
    fights = server.fights
    async with fights.lock_for_reading(fight, mend=True) as found:
        if asked.after > found.head:
            raise Unusable(f"must be from 0 to {found.head}", "after")
        limit = asked.limit or schemas.LINES
        lines = await fights.run_on(found, _lines, fights.store, found, viewer, asked.after, limit)
        return schemas.Lines(found.head, found.history.head_hash, lines)


def _lines(store: Store, fight: Fight, viewer: Viewer, after: int, limit: int) -> list[WireLine]:
    written = islice(store.lines(fight.name, after), min(limit, fight.head - after))
    return project_log(viewer, fight, after, written, schemas.LINES_BYTES)


@route
async def get_audit(server: TheServer, fight: TheFight, viewer: TheViewer) -> schemas.Audited:
    """Audit the record, the dice and the rules.

    It shows everything: refused (403) to a viewer who does not see everything.
    """
    fights = server.fights
    async with fights.lock(fight, mend=True) as found:
        if not sees_all(viewer, found):
            raise NotAllowed("an audit shows everything, and some of this fight is hidden from you")
        of = found.history.head_hash
        work = partial(
            audit_named, fights.store, fight, names_of(found.history.recorded), head=found.head, details=False
        )
    return await fights.compute_once(fight, of, work)
