"""The requests that twins are asked: every route of the application's own table, with parameters that fit."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple
from urllib.parse import quote

from litestar import Litestar
from litestar.routes import HTTPRoute

SENT_ELSEWHERE = frozenset({("POST", "/api/fights/{fight}/commands"), ("GET", "/api/fights/{fight}/feed")})
"""The commands by which the twins are played, and the feed that is followed all the time."""

OF_THE_CODE = "/schema"
"""Where the description of the API stands: it is made from the code alone, and takes long."""

BODIES: dict[str, Any] = {"/api/fights/{fight}/forecasts": {"what": "odds"}}
"""What is sent to a route that wants more than an empty object."""


class Route(NamedTuple):
    """A route.

    Attributes:
        path: With its parameters in braces, without their types.
        wants: The parameters of its path.
        takes: Its other parameters by name.
    """

    method: str
    path: str
    wants: tuple[str, ...]
    takes: tuple[str, ...]

    @property
    def of_a_fight(self) -> bool:
        """Tell whether it is about one fight."""
        return "fight" in self.wants


def routes(app: Litestar) -> Iterator[Route]:
    """Yield every HTTP route of an application."""
    for route in app.routes:
        if not isinstance(route, HTTPRoute):
            continue
        for method, (handler, _) in sorted(route.route_handler_map.items()):
            if method == "OPTIONS":
                continue
            wants = tuple(route.path_parameters)
            path = re.sub(r"{(\w+):\w+}", r"{\1}", route.path)
            takes = tuple(name for name in inspect.signature(handler.fn).parameters if name not in wants)
            if (method, path) not in SENT_ELSEWHERE and not path.startswith(OF_THE_CODE):
                yield Route(str(method), path, wants, takes)


class TwinPosition(NamedTuple):
    """A position, which is another number in each twin: the n-th that can be read, or before the n-th command."""

    readable: bool
    nth: int


class Knowledge(NamedTuple):
    """The values that requests can use.

    Attributes:
        own: The combatants of the viewer.
        people: The combatants whom everybody sees.
        hidden: Names and ids of those who are hidden, in either twin.
        actions: The names of actions.
        places: The places of the map that are in use.
        chosen: JSON objects with the parameters of declarations.
        readable, commands: How many positions the viewer can read, and how many commands were sent.
    """

    fight: str
    system: str
    own: Sequence[str]
    people: Sequence[str]
    hidden: Sequence[str]
    actions: Sequence[str]
    manners: Sequence[str]
    places: Sequence[str]
    chosen: Sequence[str]
    readable: int
    commands: int


Value = str | bool | TwinPosition


def values(know: Knowledge, chance: Random) -> dict[str, Value]:
    """Return a value for each parameter, by its name.

    A route with a parameter that has none here cannot be compared: give it one.
    """
    everybody = (*know.people, *know.hidden, "gm", "nobody")
    who = chance.choice((*(tuple(know.own) * 6), *everybody))
    return {
        "fight": know.fight,
        "who": who,
        "whom": chance.choice(everybody),
        "kind": chance.choice((*know.actions, "dance")),
        "position": TwinPosition(True, chance.randint(1, know.readable)),
        "id": "1",
        "picture": "0" * 32,
        "system": know.system,
        "name": "ford",
        "file": "page.css",
        "path": "openapi.json",
        "at": TwinPosition(False, chance.randrange(know.commands)) if know.commands else "",
        "after": TwinPosition(False, chance.randrange(know.commands))
        if know.commands and chance.random() < 0.5
        else "0",
        "manner": chance.choice(("standard", "standard", *know.manners)),
        "chosen": chance.choice(("{}", *know.chosen)),
        "fill": chance.random() < 0.5,
        "here": chance.choice((*know.places, "0,0")),
        "there": chance.choice((*know.places, "1,0")),
    }


class Request(NamedTuple):
    """A request, as it is sent to one of the twins."""

    path: str
    query: dict[str, object]


def request(route: Route, found: dict[str, Value], readable: Sequence[int], before: Sequence[int]) -> Request:
    """Return a request to one of the twins.

    Args:
        found: The values of parameters.
        readable, before: The positions of this twin that are meant by ``Where``.
    """

    def said(value: Value) -> object:
        if isinstance(value, TwinPosition):
            return readable[value.nth - 1] if value.readable else before[value.nth]
        return value

    filled = {name: quote(str(said(found[name])), safe="") for name in route.wants}
    lines = route.path.endswith("/story")  # which counts sentences, not positions
    taken = {name: said(found[name]) for name in route.takes if name in found and not (lines and name == "after")}
    return Request(route.path.format(**filled), {name: one for name, one in taken.items() if one != ""})
