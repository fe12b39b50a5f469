"""Table of operations: all that programs can ask, over HTTP and over a pipe. Both transports are made from it."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.core.vocabulary import Vocabulary

from . import viewer_queries as queries
from .access import ALL, HOST, MASTERS, OPEN, PLAYERS, Role
from .amendment_preview import Preview
from .distances import Apart
from .schemas import documents, fights, home, legal_actions, requests
from .schemas.forecasts import Wish
from .schemas.parties import PartyTold
from .schemas.receipts import Explanation

FIGHT = "/api/fights/{fight}"
ENCOUNTER = "/api/encounters/{name}"
PARTY = "/api/parties/{name}"
SYSTEM = "/api/systems/{system}"

LEGAL = (
    legal_actions.WhoMay
    | legal_actions.WhatMay
    | legal_actions.HowMay
    | legal_actions.WhatMayTo
    | legal_actions.WhereMay
)
"""The answer to a pipe's request ``legal``."""


class Operation(Struct, frozen=True, kw_only=True):
    """An operation.

    Attributes:
        name: The name in the OpenAPI document, and of a transport's function for it.
        gives: The type of its answer; ``None`` without one.
        takes: The struct of its parameters: the query of a read, the body of a write.
        roles: The roles that may use it over HTTP; ``OPEN`` for any client, without a token.
        method, path: The route; empty if HTTP has none.
        request: The request on a pipe (``do``); empty if a pipe has none.
        asks: The struct of the pipe request's parameters; ``None`` for ``takes``.
        under: The field that holds the answer on a pipe; if empty, the answer's fields are at the top level.
        run: The function that answers a read of a fight, from the viewer, the fight and the fields of ``takes``.
            Without it each transport has a separate function, because the answer needs more than a fight.
        quick: Returns whether ``run`` is quick enough for the event loop, with these parameters.
        writes: Whether it changes a record, or other stored data.
        creates: Whether its answer reports a new resource (201).
        refuses: Whether the rules or the record may refuse it (422).
        never: The statuses of its kind of route that it never has.
        media: The media type of a file in its answer.
        apart: The reason why it is on one transport only, or takes other parameters on each.
    """

    name: str
    gives: Any
    takes: type[Struct] = requests.Nothing
    roles: frozenset[Role] = HOST
    method: str = ""
    path: str = ""
    request: str = ""
    asks: type[Struct] | None = None
    under: str = ""
    run: Callable[..., Any] | None = None
    quick: Callable[..., bool] = lambda **_: False
    writes: bool = False
    creates: bool = False
    refuses: bool = False
    never: tuple[int, ...] = ()
    media: str = ""
    apart: str = ""

    @property
    def is_open(self) -> bool:
        """Tell whether any client may use it over HTTP, without a token."""
        return self.roles == OPEN


def _get(name: str, path: str, roles: frozenset[Role], gives: Any, **more: Any) -> Operation:
    return Operation(name=name, method="GET", path=path, roles=roles, gives=gives, **more)


def _post(name: str, path: str, roles: frozenset[Role], gives: Any, takes: type[Struct], **more: Any) -> Operation:
    """Return a write; ``writes=False`` makes it a read with parameters that are too long for an address."""
    return Operation(
        name=name, method="POST", path=path, roles=roles, gives=gives, takes=takes, **{"writes": True, **more}
    )


def _put(name: str, path: str, roles: frozenset[Role], gives: Any, takes: type[Struct], **more: Any) -> Operation:
    return Operation(name=name, method="PUT", path=path, roles=roles, gives=gives, takes=takes, writes=True, **more)


def _delete(name: str, path: str, roles: frozenset[Role], gives: Any = None, **more: Any) -> Operation:
    return Operation(name=name, method="DELETE", path=path, roles=roles, gives=gives, writes=True, **more)


def _file(name: str, path: str, roles: frozenset[Role], media: str, gives: Any = str) -> Operation:
    return _get(name, path, roles, gives, media=media)


def _ask(name: str, request: str, gives: Any, asks: type[Struct] = requests.Nothing, **more: Any) -> Operation:
    """Return an operation that a pipe alone has."""
    return Operation(name=name, gives=gives, takes=asks, request=request, **more)


def _apart(why: str, *operations: Operation) -> Iterable[Operation]:
    """Give operations the reason why they are on one transport alone."""
    return (replace(one, apart=why) for one in operations)


def _is_always_quick(**_: Any) -> bool:
    return True


_FIGHTS = (
    _get("get_fight", FIGHT, ALL, fights.About, request="about", run=queries.describe_fight, quick=_is_always_quick),
    _get(
        *("get_state", f"{FIGHT}/state", ALL, fights.Moment),
        takes=requests.StateAsked,
        request="state",
        run=queries.read_state,
        quick=lambda at: at is None,
        apart="a pipe adds what the fight waits for; over HTTP that is told by get_fight, as each viewer may know it",
    ),
    _get(
        *("get_log", f"{FIGHT}/log", ALL, fights.Lines),
        takes=requests.LogAsked,
        request="log",
        never=(409,),
        apart="a pipe sends the lines as they stand in the log, any number of them; HTTP seals what is hidden",
    ),
    _get(
        *("get_likely_action", f"{FIGHT}/likely/{{who}}", PLAYERS, legal_actions.Likely),
        takes=requests.CombatantAsked,
        request="likely",
        run=queries.suggest_action_for,
    ),
    _get(
        *("get_distances", f"{FIGHT}/apart", ALL, Apart),
        takes=requests.DistanceAsked,
        request="apart",
        run=queries.measure_distance_for,
        quick=_is_always_quick,
        refuses=True,
    ),
    _get(
        *("get_story", f"{FIGHT}/story", ALL, fights.Story),
        takes=requests.StoryAsked,
        request="story",
        run=queries.tell_story_for,
    ),
    _get("get_headlines", f"{FIGHT}/headlines", ALL, fights.Headlines, request="headlines", run=queries.tell_headlines),
    _get(
        *("get_vocabulary_of_fight", f"{FIGHT}/vocabulary", ALL, Vocabulary),
        request="vocabulary",
        under="vocabulary",
        run=queries.get_vocabulary,
        quick=_is_always_quick,
    ),
    _get(
        *("get_clauses", f"{FIGHT}/clauses", ALL, dict[str, fights.Clause]),
        request="clauses",
        under="clauses",
        run=queries.list_clauses,
        quick=_is_always_quick,
    ),
    _get(
        *("list_ruling_forms", f"{FIGHT}/rulings", MASTERS, list[fights.RulingForm]),
        request="rulings",
        under="rulings",
        run=queries.list_ruling_forms,
    ),
    _get("get_audit", f"{FIGHT}/audit", ALL, fights.Audited, request="audit", never=(409,)),
    _get(
        *("get_explanation", f"{FIGHT}/explain/{{position}}", ALL, Explanation),
        takes=requests.EventAsked,
        request="explain",
        under="explained",
        run=queries.explain_for,
    ),
    _get("get_cost", f"{FIGHT}/cost", ALL, documents.FightCost, request="cost"),
    _post(
        *("send_command", f"{FIGHT}/commands", PLAYERS, fights.Carried, fights.Commanding),
        request="command",
        asks=requests.Do,
        refuses=True,
        apart="a pipe's request has the command's id, and claims its sender; over HTTP the token says who sends it",
    ),
    _post(
        *("preview_amendment", f"{FIGHT}/preview", MASTERS, Preview, fights.Looking),
        request="preview",
        asks=requests.Look,
        refuses=True,
        apart="as for send_command",
    ),
    _post(
        *("fork_fight_at", f"{FIGHT}/fork", MASTERS, fights.Opened, fights.Forking),
        request="fork",
        asks=requests.Fork,
        creates=True,
        apart="over HTTP a new fight is answered with its links; a pipe opens it at once",
    ),
    _post(
        *("open_new_fight", "/api/fights", HOST, fights.Opened, fights.Opening),
        request="new",
        asks=requests.New,
        creates=True,
        apart="as for fork_fight_at; a server begins fights from what it keeps, too",
    ),
    _get(
        *("list_fights", "/api/fights", ALL, fights.Fights),
        request="list",
        apart="over HTTP the fights that a token is good for; on a pipe those of the store, and those that are open",
    ),
    _get(
        *("feed", f"{FIGHT}/feed", ALL, str),
        request="follow",
        asks=requests.Follow,
        media="text/event-stream",
        apart="a stream of its own over HTTP; on a pipe the lines come between its answers",
    ),
    *_apart(
        "over HTTP each step has a route, and a pipe has one request for all: legal",
        _get("get_actors", f"{FIGHT}/legal", ALL, legal_actions.WhoMay, run=queries.list_actors_for),
        _get(
            *("get_actions", f"{FIGHT}/legal/{{who}}", PLAYERS, legal_actions.WhatMay),
            takes=requests.CombatantAsked,
            run=queries.list_actions_for,
        ),
        _get(
            *("get_action_fields", f"{FIGHT}/legal/{{who}}/{{kind}}", PLAYERS, legal_actions.HowMay),
            takes=requests.ActionAsked,
            run=queries.list_choices_for,
        ),
        _get(
            *("get_actions_against", f"{FIGHT}/aims/{{who}}/{{whom}}", PLAYERS, legal_actions.WhatMayTo),
            takes=requests.TargetAsked,
            run=queries.list_targeted_actions_for,
        ),
        _get(
            *("get_reachable_places", f"{FIGHT}/ways/{{who}}", PLAYERS, legal_actions.WhereMay),
            takes=requests.CombatantAsked,
            run=queries.list_destinations_for,
        ),
        _ask("list_legal", "legal", LEGAL, requests.LegalAsked),
    ),
    *_apart(
        "a pipe keeps its fights open; over HTTP each request names its fight, and the token says which",
        _ask("open_fight", "open", fights.About, requests.OpenAsked),
        _ask("leave_fight", "leave", None),
        _ask("unfollow_fight", "unfollow", None),
    ),
    *_apart(
        "a short form; over HTTP it is the command Close",
        _ask("close_fight", "close", fights.Carried, requests.CloseAsked, writes=True),
    ),
    *_apart("over HTTP it is the OpenAPI document", _ask("describe_pipe", "schema", dict[str, Any])),
)

_SERVER = (
    *_apart(
        "a pipe has no tokens: whoever starts it is the game master",
        _post("grant_token", f"{FIGHT}/grants", MASTERS, fights.Granted, fights.Granting, creates=True),
        _get("list_grants", f"{FIGHT}/grants", MASTERS, fights.Grants, never=(409,)),
        _delete("revoke_tokens", f"{FIGHT}/grants", MASTERS, fights.Grants, takes=requests.TokenAsked, never=(409,)),
        _get("list_present", f"{FIGHT}/present", ALL, home.WhoIsThere),
        _get("get_home", "/api/home", HOST, home.Home),
        _post(
            "get_qr_code",
            "/api/code",
            MASTERS,
            str,
            home.LinkToEncode,
            writes=False,
            media="image/svg+xml",
            never=(503,),
        ),
        _get("get_addresses", "/api/addresses", HOST, home.Addresses),
        _put("set_public_address", "/api/addresses", HOST, home.Addresses, home.AddressChange),
        _get("get_health", "/api/health", OPEN, fights.Health),
    ),
    *_apart(
        "a file to download; affray export writes it",
        _file("export_markdown", f"{FIGHT}/export.md", ALL, "text/markdown"),
        _file("export_page", f"{FIGHT}/export.html", ALL, "text/html"),
        _file("export_rolls", f"{FIGHT}/rolls.csv", ALL, "text/csv"),
        _file("export_events", f"{FIGHT}/events.csv", ALL, "text/csv"),
        _file("export_log", f"{FIGHT}/log.jsonl", ALL, "application/x-ndjson"),
        _post("tell_log_file", "/api/told", OPEN, fights.Told, fights.Telling, writes=False),
    ),
    *_apart(
        "computed in processes of the server while the fight goes on; affray odds and affray luck say the same",
        _get("list_forecasts", f"{FIGHT}/forecasts", ALL, fights.Forecasts),
        _get("get_forecast", f"{FIGHT}/forecasts/{{id}}", ALL, fights.Forecast),
        _post("request_forecast", f"{FIGHT}/forecasts", PLAYERS, fights.Forecast, Wish, creates=True),
        _delete("drop_forecast", f"{FIGHT}/forecasts/{{id}}", PLAYERS, fights.Forecasts),
    ),
    *_apart(
        "pictures are kept by a server, beside its fights",
        _get("get_scene", f"{FIGHT}/scene", ALL, documents.Scene),
        _put("replace_scene", f"{FIGHT}/scene", MASTERS, documents.Scene, documents.SceneChange),
        _post("upload_image", f"{FIGHT}/pictures", MASTERS, documents.Uploaded, requests.Nothing, creates=True),
        _delete("delete_image", f"{FIGHT}/pictures/{{picture}}", MASTERS),
        _file("get_image", "/api/pictures/{picture}", OPEN, "image/png", bytes),
    ),
    *_apart(
        "the rules without a fight; affray tables, affray new and affray schema print them",
        _get("list_systems", "/api/systems", OPEN, documents.Systems),
        _get("get_rule_tables", f"{SYSTEM}/tables", OPEN, documents.Library, takes=requests.TablesAsked),
        _get("get_encounter_schema", f"{SYSTEM}/schema", OPEN, dict[str, Any]),
        _get("get_encounter_template", f"{SYSTEM}/template", OPEN, documents.Checked),
        _get("get_vocabulary_of_system", f"{SYSTEM}/vocabulary", OPEN, Vocabulary),
        _get("list_shipped_encounters", "/api/shipped", OPEN, documents.AllShipped),
        _get("get_shipped_encounter", "/api/shipped/{system}/{name}", OPEN, documents.Checked),
        _post("check_encounter", "/api/check", HOST, documents.Checked, documents.Written, writes=False, never=(503,)),
    ),
    *_apart(
        "computed in processes of the server while the encounter is edited; affray balance says the same of a file",
        _post(
            "request_balance",
            "/api/balance",
            HOST,
            fights.Forecast,
            documents.Written,
            writes=False,
            creates=True,
            never=(404, 503),
        ),
        _get("get_balance", "/api/balance/{id}", HOST, fights.Forecast, never=(503,)),
        _delete("drop_balance", "/api/balance/{id}", HOST, never=(409, 503)),
    ),
    *_apart(
        "encounters and parties are kept by a server; a program with a pipe keeps files, and affray party charges them",
        _get("list_encounters", "/api/encounters", HOST, documents.AllSaved),
        _get("get_encounter", ENCOUNTER, HOST, documents.SavedWhole),
        _put("save_encounter", ENCOUNTER, HOST, documents.Saved, documents.SavingEncounter, never=(404,)),
        _delete("delete_encounter", ENCOUNTER, HOST, takes=requests.VersionAsked),
        _post("copy_encounter", f"{ENCOUNTER}/copy", HOST, documents.Saved, documents.Copying, creates=True),
        _file("download_encounter", f"{ENCOUNTER}/toml", HOST, "application/toml"),
        _get("list_parties", "/api/parties", HOST, documents.AllSaved),
        _post("make_party", "/api/parties", HOST, documents.Saved, documents.Making, creates=True, never=(404,)),
        _get("get_party", PARTY, HOST, documents.SavedWhole),
        _get("list_members", f"{PARTY}/members", HOST, PartyTold),
        _put("save_party", PARTY, HOST, documents.Saved, documents.Saving, never=(404,)),
        _delete("delete_party", PARTY, HOST, takes=requests.VersionAsked),
        _file("download_party", f"{PARTY}/toml", HOST, "application/toml"),
        _post("charge_fight", f"{PARTY}/after", HOST, documents.PartyChanged, documents.Taking, refuses=True),
        _post("let_party_rest", f"{PARTY}/rest", HOST, documents.PartyChanged, documents.Resting),
        _post("correct_party", f"{PARTY}/set", HOST, documents.PartyChanged, documents.Correcting, refuses=True),
        _post("undo_party_change", f"{PARTY}/undo", HOST, documents.PartyChanged, documents.Known, refuses=True),
        _get("get_origin", f"{FIGHT}/origin", HOST, documents.OpenedFrom),
    ),
)

OPERATIONS: dict[str, Operation] = {one.name: one for one in (*_FIGHTS, *_SERVER)}
"""Every operation by its name."""

ALLOWED_ROLES: dict[tuple[str, str], frozenset[Role]] = {
    (one.method, one.path): one.roles for one in OPERATIONS.values() if one.path and not one.is_open
}
"""The allowed roles by method and path. The operations themselves decide about the content."""

OPEN_ROUTES: frozenset[tuple[str, str]] = frozenset(
    {
        *((one.method, one.path) for one in OPERATIONS.values() if one.path and one.is_open),
        ("GET", "/"),
        ("GET", "/rules/{system}"),
        ("GET", "/static/{file}"),
        ("GET", "/schema/openapi.json"),
        ("WEBSOCKET", f"{FIGHT}/feed"),  # its first message has the token
    }
)
"""Routes without a token: the page, the rule systems, which hold nothing of any fight, and the server's description."""
