"""Routes that export a fight: reports, tables of events and rolls, and the log."""

from collections.abc import Callable

from litestar import MediaType
from litestar.response import Stream

from affray.engine.fight import Fight
from affray.tools.api.access import NotAllowed
from affray.tools.api.viewer_queries import sees_all
from affray.tools.present.exports import events_csv, markdown, page, rolls_csv
from affray.tools.present.luck import Luck
from affray.tools.server.auth import TheCaller, TheFight, TheServer, TheViewer
from affray.tools.server.routing import route


@route
async def export_markdown(server: TheServer, fight: TheFight, caller: TheCaller) -> Stream:
    """Export a report of the battle as Markdown, with the luck analysis if one was computed.

    It shows everything: refused (403) to a viewer who does not see everything.
    """
    return await _export(server, fight, caller, lambda found, luck: markdown(found, luck=luck), "md", "text/markdown")


@route
async def export_page(server: TheServer, fight: TheFight, caller: TheCaller) -> Stream:
    """Export a report of the battle as a self-contained HTML page, with the luck analysis if one was computed.

    It shows everything: refused (403) to a viewer who does not see everything.
    """
    return await _export(server, fight, caller, lambda found, luck: page(found, luck=luck), "html", MediaType.HTML)


@route
async def export_rolls(server: TheServer, fight: TheFight, caller: TheCaller) -> Stream:
    """Export every roll as a CSV table that is safe in spreadsheets, in UTF-8 without a byte order mark.

    It shows everything: refused (403) to a viewer who does not see everything.
    """
    return await _export(server, fight, caller, lambda found, _: rolls_csv(found), "rolls.csv", "text/csv")


@route
async def export_events(server: TheServer, fight: TheFight, caller: TheCaller) -> Stream:
    """Export every event as a CSV table that is safe in spreadsheets, in UTF-8 without a byte order mark.

    It shows everything: refused (403) to a viewer who does not see everything.
    """
    return await _export(server, fight, caller, lambda found, _: events_csv(found), "events.csv", "text/csv")


@route
async def export_log(server: TheServer, fight: TheFight, caller: TheCaller) -> Stream:
    """Export the stored log, byte for byte, a line for each event.

    The whole log can be checked and replayed anywhere (``affray audit``). It shows everything: refused (403) to a
    viewer who does not see everything. It is sent at the reader's speed; the number of downloads is limited (429).
    """
    fights, downloads = server.fights, server.downloads
    async with fights.lock_for_reading(fight) as found:
        must_see_all(caller.viewer, found)
        head = found.head
    slot = downloads.reserve_slot(caller.share, caller.of_fight, rules=caller.viewer.role == "gm")
    parts = downloads.send_log(slot, fights.store.lines(fight), head, fights.call_store, fight)
    return Stream(parts, media_type="application/x-ndjson", headers=_attachment_headers(fight, "jsonl"))


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
    slot = downloads.reserve_slot(caller.share, caller.of_fight, rules=caller.viewer.role == "gm")
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
