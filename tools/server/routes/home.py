"""Routes for the home page: who is present, the list of fights, and QR codes."""

from litestar.params import JSONBody
from litestar.response import Response

from affray.engine.core.state import State
from affray.engine.errors import EngineError
from affray.engine.fight import Fight
from affray.engine.visibility import Viewer, concealed_from
from affray.events import LogError
from affray.tools.api.projection import may_know_of
from affray.tools.api.schemas.fights import Holder
from affray.tools.api.schemas.home import AtHome, Home, LinkToEncode, Present, WhoIsThere
from affray.tools.present.awaiting import headline
from affray.tools.server.auth import TheCaller, TheFight, TheServer
from affray.tools.server.error_mapping import problem_for
from affray.tools.server.qr_codes import render_svg_code
from affray.tools.server.routes.grants import describe_holders
from affray.tools.server.routing import route
from affray.tools.server.server_state import ServerState
from affray.tools.server.subscription import Subscription
from affray.tools.server.worker_threads import CODING, compute

MOST = 50
"""The most fights that the home page describes; of the others it lists the names."""


@route
async def list_present(server: TheServer, fight: TheFight, caller: TheCaller) -> WhoIsThere:
    """List the present followers: game masters and players by name, spectators by name for game masters only.

    A combatant that is hidden from the reader is left out, and so is a player who plays no other. With
    ``present=true``, the feed tells when the list changes.
    """
    async with server.fights.lock_for_reading(fight) as found:
        state = found.state
    followers = server.hub.list_subscriptions(fight)
    spectators = sum(one.viewer.role == "spectator" for one in followers)
    return WhoIsThere(_people(followers, caller.viewer, caller.key, state), spectators)


def _people(followers: list[Subscription], reader: Viewer, key: str, state: State) -> list[Present]:
    hidden = concealed_from(reader, state)
    streams: dict[tuple[str, Viewer], int] = {}
    for one in followers:
        if reader.role == "gm" or (one.viewer.role != "spectator" and may_know_of(reader, one.viewer, state)):
            streams[one.key, one.viewer] = streams.get((one.key, one.viewer), 0) + 1
    ranks = {"gm": 0, "player": 1, "spectator": 2}
    ordered = sorted(streams, key=lambda one: (ranks[one[1].role], one[1].name, one[0]))
    return [
        Present(
            one.role,
            one.name,
            tuple([who for who in one.owns if who in state.combatants and who not in hidden]),
            streams[held, one],
            bool(key) and held == key,
        )
        for held, one in ordered
    ]


@route
async def get_home(server: TheServer) -> Home:
    """List the fights of this server for the host: the state of each, its players, and its last change."""
    names = await server.fights.list_names()
    found = [await _describe_fight(server, name) for name in names[:MOST]]
    return Home(sorted(found, key=lambda one: one.changed, reverse=True), list(names[MOST:]))


async def _describe_fight(server: ServerState, name: str) -> AtHome:
    people: tuple[Holder, ...] = ()
    here = len({one.key for one in server.hub.list_subscriptions(name) if one.viewer.role != "spectator"})
    try:
        people = tuple(await describe_holders(server, name))
        async with server.fights.lock_for_reading(name) as fight:
            return _summarise(name, fight, people, here)
    except (EngineError, LogError) as error:
        return AtHome(name, people=people, here=here, wrong=problem_for(error, None, None).detail)


def _summarise(name: str, fight: Fight, people: tuple[Holder, ...], here: int) -> AtHome:
    state, rules, last = fight.state, fight.ruleset, fight.history.recorded[-1]
    return AtHome(
        id=name,
        name=state.fight,
        system=rules.name,
        title=rules.title,
        round=state.round,
        ended=state.ended,
        closed=bool(fight.history.closed),
        headline=headline(fight),
        changed=last.time,
        people=people,
        here=here,
    )


@route
async def get_qr_code(server: TheServer, caller: TheCaller, data: JSONBody[LinkToEncode]) -> Response[str]:
    """Return a QR code of a link, as an SVG picture.

    The link is sent in the body, since it holds a token. It is not stored.
    """
    async with server.rate_limits.permit(f"codes of {caller.fight}", CODING):
        return Response(await compute(render_svg_code, data.link), media_type="image/svg+xml")
