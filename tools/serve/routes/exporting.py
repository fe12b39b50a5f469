"""What people pass on: a report of the battle, and tables of events and rolls."""

from __future__ import annotations

from collections.abc import Callable

from litestar import MediaType, Response, get

from affray.engine.fight import Fight
from affray.tools.exports import events_csv, markdown, page, rolls_csv
from affray.tools.serve.entering import TheFight, TheServing, TheViewer
from affray.tools.serve.refusing import refusals
from affray.tools.serve.serving import NotAllowed
from affray.tools.serve.viewing import sees_all

LINES = "application/x-ndjson"
EXPORT = refusals(400, 401, 403, 404, 409, 503)


@get("/api/fights/{fight:str}/export.md", media_type="text/markdown", responses=EXPORT)
async def as_markdown(serving: TheServing, fight: TheFight, viewer: TheViewer) -> Response[str]:
    """Return a report of the battle as Markdown.

    It shows everything: refused (403) to whoever something of the fight is hidden from.
    """
    return await _exported(serving, fight, viewer, markdown, "md", "text/markdown")


@get("/api/fights/{fight:str}/export.html", media_type=MediaType.HTML, responses=EXPORT)
async def as_page(serving: TheServing, fight: TheFight, viewer: TheViewer) -> Response[str]:
    """Return a report of the battle as one HTML page that needs nothing else.

    It shows everything: refused (403) to whoever something of the fight is hidden from.
    """
    return await _exported(serving, fight, viewer, page, "html", MediaType.HTML)


@get("/api/fights/{fight:str}/rolls.csv", media_type="text/csv", responses=EXPORT)
async def rolls(serving: TheServing, fight: TheFight, viewer: TheViewer) -> Response[str]:
    """Return every roll as a table, which spreadsheets open safely.

    It shows everything: refused (403) to whoever something of the fight is hidden from.
    """
    return await _exported(serving, fight, viewer, rolls_csv, "rolls.csv", "text/csv")


@get("/api/fights/{fight:str}/events.csv", media_type="text/csv", responses=EXPORT)
async def events(serving: TheServing, fight: TheFight, viewer: TheViewer) -> Response[str]:
    """Return every event as a table, which spreadsheets open safely.

    It shows everything: refused (403) to whoever something of the fight is hidden from.
    """
    return await _exported(serving, fight, viewer, events_csv, "events.csv", "text/csv")


@get("/api/fights/{fight:str}/log.jsonl", media_type=LINES, responses=EXPORT)
async def as_written(serving: TheServing, fight: TheFight, viewer: TheViewer) -> Response[str]:
    """Return the log as it is kept, byte for byte, a line for each event.

    The whole of it can be checked and replayed anywhere (``affray audit``), so it shows everything: refused (403) to
    whoever something of the fight is hidden from.
    """
    store = serving.fights.store

    def written(found: Fight) -> str:
        return b"".join(line + b"\n" for line in store.read(found.name)).decode()

    return await _exported(serving, fight, viewer, written, "jsonl", LINES)


async def _exported(
    serving: TheServing, fight: str, viewer: TheViewer, export: Callable[[Fight], str], suffix: str, media_type: str
) -> Response[str]:
    """Return a whole fight as a file, for those from whom nothing is hidden."""
    async with serving.fights.reading(fight) as found:
        if not sees_all(viewer, found):
            raise NotAllowed("this shows everything, and some of this fight is hidden from you")
        text = await serving.fights.doing(found, export, found)
    named = f'attachment; filename="{fight}.{suffix}"' if fight.isascii() and fight.isprintable() else "attachment"
    return Response(text, media_type=media_type, headers={"Content-Disposition": named.replace("\\", "_")})


ROUTES = [as_markdown, as_page, rolls, events, as_written]
