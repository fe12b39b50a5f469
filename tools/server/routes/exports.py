"""Routes that export a fight: reports, tables of events and rolls, and the log."""

from collections.abc import Callable

from litestar import MediaType, get
from litestar.openapi.datastructures import ResponseSpec
from litestar.response import Stream

from affray.engine.fight import Fight
from affray.tools.present.exports import events_csv, markdown, page, rolls_csv
from affray.tools.present.luck import Luck
from affray.tools.server.auth import TheEntrant, TheFight, TheServing, TheViewer
from affray.tools.server.error_mapping import refusals
from affray.tools.server.server_state import NotAllowed
from affray.tools.server.viewer_queries import sees_all

LINES = "application/x-ndjson"


def a_file(media_type: str) -> dict[int, ResponseSpec]:
    """Document the responses of a route that answers with a file."""
    sent = ResponseSpec(str, media_type=media_type, description="The file, part by part.", generate_examples=False)
    return {200: sent, **refusals(400, 401, 403, 404, 409, 429, 503)}


@get("/api/fights/{fight:str}/export.md", media_type="text/markdown", responses=a_file("text/markdown"))
async def as_markdown(serving: TheServing, fight: TheFight, entrant: TheEntrant) -> Stream:
    """Export a report of the battle as Markdown, with the luck analysis if one was computed.

    It shows everything: refused (403) to a viewer from whom something of the fight is hidden.
    """
    return await _exported(
        serving, fight, entrant, lambda found, luck: markdown(found, luck=luck), "md", "text/markdown"
    )


@get("/api/fights/{fight:str}/export.html", media_type=MediaType.HTML, responses=a_file(MediaType.HTML))
async def as_page(serving: TheServing, fight: TheFight, entrant: TheEntrant) -> Stream:
    """Export a report of the battle as a self-contained HTML page, with the luck analysis if one was computed.

    It shows everything: refused (403) to a viewer from whom something of the fight is hidden.
    """
    return await _exported(serving, fight, entrant, lambda found, luck: page(found, luck=luck), "html", MediaType.HTML)


@get("/api/fights/{fight:str}/rolls.csv", media_type="text/csv", responses=a_file("text/csv"))
async def rolls(serving: TheServing, fight: TheFight, entrant: TheEntrant) -> Stream:
    """Export every roll as a CSV table that is safe in spreadsheets.

    It shows everything: refused (403) to a viewer from whom something of the fight is hidden.
    """
    return await _exported(serving, fight, entrant, lambda found, _: rolls_csv(found), "rolls.csv", "text/csv")


@get("/api/fights/{fight:str}/events.csv", media_type="text/csv", responses=a_file("text/csv"))
async def events(serving: TheServing, fight: TheFight, entrant: TheEntrant) -> Stream:
    """Export every event as a CSV table that is safe in spreadsheets.

    It shows everything: refused (403) to a viewer from whom something of the fight is hidden.
    """
    return await _exported(serving, fight, entrant, lambda found, _: events_csv(found), "events.csv", "text/csv")


@get("/api/fights/{fight:str}/log.jsonl", media_type=LINES, responses=a_file(LINES))
async def as_written(serving: TheServing, fight: TheFight, entrant: TheEntrant) -> Stream:
    """Export the stored log, byte for byte, a line for each event.

    The whole log can be checked and replayed anywhere (``affray audit``). It shows everything: refused (403) to a
    viewer from whom something of the fight is hidden. It is sent at the reader's speed; the number of downloads is
    limited (429).
    """
    fights, downloads = serving.fights, serving.downloads
    async with fights.reading(fight) as found:
        check_sees_all(entrant.viewer, found)
        head = found.head
    slot = downloads.slot(entrant.share, rules=entrant.viewer.role == "gm")
    parts = downloads.send_log(slot, fights.store.lines(fight), head, fights.aside, fight)
    return Stream(parts, media_type=LINES, headers=_named(fight, "jsonl"))


async def _exported(
    serving: TheServing,
    fight: str,
    entrant: TheEntrant,
    export: Callable[[Fight, Luck | None], str],
    suffix: str,
    media_type: str,
) -> Stream:
    """Export a whole fight as a file for a viewer who sees all, with the luck analysis if one was computed."""
    fights, downloads = serving.fights, serving.downloads
    slot = downloads.slot(entrant.share, rules=entrant.viewer.role == "gm")
    async with fights.reading(fight) as found:
        check_sees_all(entrant.viewer, found)
        luck = serving.forecasts.luck_of(fight, found.history.head_hash)
        of = fight, found.history.head_hash, f"{suffix} {luck.side} {luck.trials}" if luck else suffix
        made = await downloads.made(of, lambda: fights.doing(found, export, found, luck))
    return Stream(downloads.send(slot, made), media_type=media_type, headers=_named(fight, suffix))


def check_sees_all(viewer: TheViewer, fight: Fight) -> None:
    """Refuse a viewer who does not see the whole fight.

    Raises:
        NotAllowed: something is.
    """
    if not sees_all(viewer, fight):
        raise NotAllowed("this shows everything, and some of this fight is hidden from you")


def _named(fight: str, suffix: str) -> dict[str, str]:
    named = f'attachment; filename="{fight}.{suffix}"' if fight.isascii() and fight.isprintable() else "attachment"
    return {"Content-Disposition": named.replace("\\", "_")}


ROUTES = [as_markdown, as_page, rolls, events, as_written]
