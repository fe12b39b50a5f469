"""What people pass on: a report of the battle, and tables of events and rolls."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from litestar import MediaType, Response, get

from affray.engine.fight import Fight
from affray.tools.exports import events_csv, markdown, page, rolls_csv
from affray.tools.serve.entering import TheFight, TheServing, TheViewer
from affray.tools.serve.refusing import refusals
from affray.tools.serve.serving import NotAllowed
from affray.tools.serve.viewing import sees_all

EXPORT = refusals(400, 401, 403, 404, 503)


@get("/api/fights/{fight:str}/export.md", media_type="text/markdown", responses=EXPORT)
async def as_markdown(serving: TheServing, fight: TheFight, viewer: TheViewer) -> Response[str]:
    """Return a report of the battle as Markdown."""
    return await _exported(serving, fight, viewer, markdown, "md", "text/markdown")


@get("/api/fights/{fight:str}/export.html", media_type=MediaType.HTML, responses=EXPORT)
async def as_page(serving: TheServing, fight: TheFight, viewer: TheViewer) -> Response[str]:
    """Return a report of the battle as one page that needs nothing else."""
    return await _exported(serving, fight, viewer, page, "html", MediaType.HTML)


@get("/api/fights/{fight:str}/rolls.csv", media_type="text/csv", responses=EXPORT)
async def rolls(serving: TheServing, fight: TheFight, viewer: TheViewer) -> Response[str]:
    """Return every roll as a table."""
    return await _exported(serving, fight, viewer, rolls_csv, "rolls.csv", "text/csv")


@get("/api/fights/{fight:str}/events.csv", media_type="text/csv", responses=EXPORT)
async def events(serving: TheServing, fight: TheFight, viewer: TheViewer) -> Response[str]:
    """Return every event as a table."""
    return await _exported(serving, fight, viewer, events_csv, "events.csv", "text/csv")


async def _exported(
    serving: TheServing, fight: str, viewer: TheViewer, export: Callable[[Fight], str], suffix: str, media_type: str
) -> Response[str]:
    """Return a whole fight as a file, for those from whom nothing is hidden."""
    async with serving.fights.using(fight) as found:
        if not sees_all(viewer, found):
            raise NotAllowed("this shows everything, and some of this fight is hidden from you")
        text = await asyncio.to_thread(export, found)
    named = f'attachment; filename="{fight}.{suffix}"' if fight.isascii() and fight.isprintable() else "attachment"
    return Response(text, media_type=media_type, headers={"Content-Disposition": named.replace("\\", "_")})


ROUTES = [as_markdown, as_page, rolls, events]
