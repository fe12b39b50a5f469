"""Routes that export a fight: reports, tables of events and rolls, and the log."""

from collections.abc import Callable

from litestar import MediaType, get
from litestar.openapi.datastructures import ResponseSpec
from litestar.response import Stream

from affray.engine.fight import Fight
from affray.tools.present.exports import events_csv, markdown, page, rolls_csv
from affray.tools.present.luck import Luck
from affray.tools.server.auth import TheCaller, TheFight, TheServer, TheViewer
from affray.tools.server.error_mapping import problem_responses
from affray.tools.server.server_state import NotAllowed
from affray.tools.server.viewer_queries import sees_all

LINES = "application/x-ndjson"


def file_responses(media_type: str) -> dict[int, ResponseSpec]:
    """Document the responses of a route that answers with a file."""
    sent = ResponseSpec(str, media_type=media_type, description="The file, part by part.", generate_examples=False)
    return {200: sent, **problem_responses(400, 401, 403, 404, 409, 429, 503)}


@get("/api/fights/{fight:str}/export.md", media_type="text/markdown", responses=file_responses("text/markdown"))
async def export_markdown(server: TheServer, fight: TheFight, caller: TheCaller) -> Stream:
    """Export a report of the battle as Markdown, with the luck analysis if one was computed.

    It shows everything: refused (403) to a viewer from whom something of the fight is hidden.
    """
    return await _export(server, fight, caller, lambda found, luck: markdown(found, luck=luck), "md", "text/markdown")


@get("/api/fights/{fight:str}/export.html", media_type=MediaType.HTML, responses=file_responses(MediaType.HTML))
async def export_page(server: TheServer, fight: TheFight, caller: TheCaller) -> Stream:
    """Export a report of the battle as a self-contained HTML page, with the luck analysis if one was computed.

    It shows everything: refused (403) to a viewer from whom something of the fight is hidden.
    """
    return await _export(server, fight, caller, lambda found, luck: page(found, luck=luck), "html", MediaType.HTML)


@get("/api/fights/{fight:str}/rolls.csv", media_type="text/csv", responses=file_responses("text/csv"))
async def export_rolls(server: TheServer, fight: TheFight, caller: TheCaller) -> Stream:
    """Export every roll as a CSV table that is safe in spreadsheets.

    It shows everything: refused (403) to a viewer from whom something of the fight is hidden.
    """
    return await _export(server, fight, caller, lambda found, _: rolls_csv(found), "rolls.csv", "text/csv")


@get("/api/fights/{fight:str}/events.csv", media_type="text/csv", responses=file_responses("text/csv"))
async def export_events(server: TheServer, fight: TheFight, caller: TheCaller) -> Stream:
    """Export every event as a CSV table that is safe in spreadsheets.

    It shows everything: refused (403) to a viewer from whom something of the fight is hidden.
    """
    return await _export(server, fight, caller, lambda found, _: events_csv(found), "events.csv", "text/csv")


@get("/api/fights/{fight:str}/log.jsonl", media_type=LINES, responses=file_responses(LINES))
async def export_log(server: TheServer, fight: TheFight, caller: TheCaller) -> Stream:
    """Export the stored log, byte for byte, a line for each event.

    The whole log can be checked and replayed anywhere (``affray audit``). It shows everything: refused (403) to a
    viewer from whom something of the fight is hidden. It is sent at the reader's speed; the number of downloads is
    limited (429).
    """
    fights, downloads = server.fights, server.downloads
    async with fights.lock_for_reading(fight) as found:
        must_see_all(caller.viewer, found)
        head = found.head
    slot = downloads.reserve_slot(caller.share, rules=caller.viewer.role == "gm")
    parts = downloads.send_log(slot, fights.store.lines(fight), head, fights.call_store, fight)
    return Stream(parts, media_type=LINES, headers=_attachment_headers(fight, "jsonl"))


async def _export(
    server: TheServer,
    fight: str,
    caller: TheCaller,
    export: Callable[[Fight, Luck | None], str],
    suffix: str,
    media_type: str,
) -> Stream:
    """Export a whole fight as a file for a viewer who sees all, with the luck analysis if one was computed."""
    fights, downloads = server.fights, server.downloads
    slot = downloads.reserve_slot(caller.share, rules=caller.viewer.role == "gm")
    async with fights.lock_for_reading(fight) as found:
        must_see_all(caller.viewer, found)
        luck = server.forecasts.find_luck(fight, found.history.head_hash)
        of = fight, found.history.head_hash, f"{suffix} {luck.side} {luck.trials}" if luck else suffix
        made = await downloads.build_once(of, lambda: fights.run_on(found, export, found, luck))
    return Stream(downloads.send(slot, made), media_type=media_type, headers=_attachment_headers(fight, suffix))


def must_see_all(viewer: TheViewer, fight: Fight) -> None:
    """Refuse a viewer who does not see the whole fight.

    Raises:
        NotAllowed: something is.
    """
    if not sees_all(viewer, fight):
        raise NotAllowed("this shows everything, and some of this fight is hidden from you")


def _attachment_headers(fight: str, suffix: str) -> dict[str, str]:
    named = f'attachment; filename="{fight}.{suffix}"' if fight.isascii() and fight.isprintable() else "attachment"
    return {"Content-Disposition": named.replace("\\", "_")}


ROUTES = [export_markdown, export_page, export_rolls, export_events, export_log]
