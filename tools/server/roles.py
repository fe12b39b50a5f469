"""Table of roles: which role may use which route. Routes that it does not name are refused."""

from typing import Literal

Role = Literal["host", "gm", "player", "spectator"]

HOST: frozenset[Role] = frozenset({"host"})
GM: frozenset[Role] = HOST | {"gm"}
PLAYERS: frozenset[Role] = GM | {"player"}
ALL: frozenset[Role] = PLAYERS | {"spectator"}

FIGHT = "/api/fights/{fight}"
ENCOUNTER = "/api/encounters/{name}"
PARTY = "/api/parties/{name}"
SYSTEM = "/api/systems/{system}"

ALLOWED_ROLES: dict[tuple[str, str], frozenset[Role]] = {
    ("POST", "/api/fights"): HOST,
    ("GET", "/api/fights"): ALL,
    ("POST", "/api/check"): HOST,
    ("GET", "/api/encounters"): HOST,
    ("GET", ENCOUNTER): HOST,
    ("PUT", ENCOUNTER): HOST,
    ("DELETE", ENCOUNTER): HOST,
    ("POST", f"{ENCOUNTER}/copy"): HOST,
    ("GET", f"{ENCOUNTER}/toml"): HOST,
    ("GET", "/api/parties"): HOST,
    ("POST", "/api/parties"): HOST,
    ("GET", PARTY): HOST,
    ("GET", f"{PARTY}/members"): HOST,
    ("PUT", PARTY): HOST,
    ("DELETE", PARTY): HOST,
    ("GET", f"{PARTY}/toml"): HOST,
    ("POST", f"{PARTY}/after"): HOST,
    ("POST", f"{PARTY}/rest"): HOST,
    ("POST", f"{PARTY}/set"): HOST,
    ("POST", f"{PARTY}/undo"): HOST,
    ("GET", FIGHT): ALL,
    ("POST", f"{FIGHT}/grants"): GM,
    ("GET", f"{FIGHT}/grants"): GM,
    ("GET", f"{FIGHT}/present"): ALL,
    ("GET", "/api/home"): HOST,
    ("POST", "/api/code"): GM,
    ("DELETE", f"{FIGHT}/grants"): GM,
    ("GET", f"{FIGHT}/cost"): ALL,
    ("GET", f"{FIGHT}/origin"): HOST,
    ("GET", f"{FIGHT}/state"): ALL,
    ("GET", f"{FIGHT}/log"): ALL,
    ("GET", f"{FIGHT}/legal"): ALL,
    ("GET", f"{FIGHT}/story"): ALL,
    ("GET", f"{FIGHT}/headlines"): ALL,
    ("GET", f"{FIGHT}/vocabulary"): ALL,
    ("GET", f"{FIGHT}/legal/{{who}}"): PLAYERS,
    ("GET", f"{FIGHT}/legal/{{who}}/{{kind}}"): PLAYERS,
    ("GET", f"{FIGHT}/aims/{{who}}/{{whom}}"): PLAYERS,
    ("GET", f"{FIGHT}/ways/{{who}}"): PLAYERS,
    ("GET", f"{FIGHT}/likely/{{who}}"): PLAYERS,
    ("GET", f"{FIGHT}/apart"): ALL,
    ("GET", f"{FIGHT}/clauses"): ALL,
    ("GET", f"{FIGHT}/rulings"): GM,
    ("GET", f"{FIGHT}/audit"): ALL,
    ("GET", f"{FIGHT}/explain/{{position}}"): ALL,
    ("GET", f"{FIGHT}/export.md"): ALL,
    ("GET", f"{FIGHT}/export.html"): ALL,
    ("GET", f"{FIGHT}/rolls.csv"): ALL,
    ("GET", f"{FIGHT}/events.csv"): ALL,
    ("GET", f"{FIGHT}/log.jsonl"): ALL,
    ("GET", f"{FIGHT}/forecasts"): ALL,
    ("GET", f"{FIGHT}/forecasts/{{id}}"): ALL,
    ("POST", f"{FIGHT}/forecasts"): PLAYERS,
    ("DELETE", f"{FIGHT}/forecasts/{{id}}"): PLAYERS,
    ("POST", f"{FIGHT}/commands"): PLAYERS,
    ("POST", f"{FIGHT}/preview"): GM,
    ("POST", f"{FIGHT}/fork"): GM,
    ("GET", f"{FIGHT}/scene"): ALL,
    ("PUT", f"{FIGHT}/scene"): GM,
    ("POST", f"{FIGHT}/pictures"): GM,
    ("DELETE", f"{FIGHT}/pictures/{{picture}}"): GM,
    ("GET", f"{FIGHT}/feed"): ALL,
}
"""The allowed roles by method and path. The routes themselves decide about the content."""

OPEN_ROUTES: frozenset[tuple[str, str]] = frozenset(
    {
        ("GET", "/"),
        ("GET", "/rules/{system}"),
        ("GET", "/api/pictures/{picture}"),  # its name is told only to viewers who may see it
        ("GET", "/api/systems"),
        ("GET", f"{SYSTEM}/tables"),
        ("GET", f"{SYSTEM}/schema"),
        ("GET", f"{SYSTEM}/template"),
        ("GET", f"{SYSTEM}/vocabulary"),
        ("GET", "/api/shipped"),
        ("GET", "/api/shipped/{system}/{name}"),
        ("GET", "/static/{file}"),
        ("GET", "/api/health"),
        ("POST", "/api/told"),
        ("GET", "/schema/openapi.json"),
        ("WEBSOCKET", f"{FIGHT}/feed"),  # its first message brings the token
    }
)
"""Routes without a token: the page, the rule systems, which hold nothing of any fight, and the server's description."""
