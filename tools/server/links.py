"""Links of a fight: one for the game master, one for each player, one for spectators."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from affray.engine.core.loading import load
from affray.engine.core.state import State
from affray.engine.core.words import RelationWord
from affray.engine.visibility import Viewer
from affray.events import Id
from affray.tools.api.schemas.fights import Links

from .addresses import build_link
from .public_address import find_origin
from .server_state import ServerState

PC = "pc"
"""The trait of a player character, in the systems that have it."""


async def create_links(
    server: ServerState, name: str, content: Mapping[str, Any], state: State, *, share: str = ""
) -> Links:
    """Create links for the participants of a fight.

    Args:
        content: The content of its encounter, if that is known.
        share: See ``TokenRegistry.find_share``.
    """
    people = map_players(content, state)
    viewers = [Viewer(role="player", name=one, owns=tuple(owns)) for one, owns in people.items()]
    seats = (Viewer(role="gm", name="gm"), Viewer(role="spectator", name="spectator"), *viewers)
    origin = await find_origin(server)
    gm, spectator, *theirs = [
        build_link(origin, token, name) for token in await server.create_tokens(name, *seats, share=share)
    ]
    return Links(gm=gm, players=dict(zip(people, theirs, strict=True)), spectator=spectator)


def map_players(content: Mapping[str, Any], state: State) -> dict[str, list[Id]]:
    """Map each player to the combatants that they play.

    The encounter may name the players (``player = "Sanna"``). If it names none, each player character has a player of
    its own name. In a system without player characters, each combatant of the first side has. A hidden mount belongs to
    its rider, who could not see it otherwise.
    """
    return {
        player: [*owns, *(mount for mount in _list_hidden_led(owns, state) if mount not in owns)]
        for player, owns in _map_players(content, state).items()
    }


def _map_players(content: Mapping[str, Any], state: State) -> dict[str, list[Id]]:
    combatants = list(state.combatants.values())
    told: dict[str, list[Id]] = {}
    for name, player in _list_named_players(content.get("combatant")):
        told.setdefault(player, []).extend(one.id for one in combatants if one.name == name)
    if any(told.values()):
        return {player: owns for player, owns in told.items() if owns}
    chosen = [one for one in combatants if PC in one.traits]
    chosen = chosen or [one for one in combatants if one.side == combatants[0].side]
    return {one.name: [one.id] for one in chosen}


def _list_hidden_led(leaders: Sequence[Id], state: State) -> Iterator[Id]:
    """Yield the hidden combatants that these leaders lead, such as the mounts of riders."""
    known = load(state.system).vocabulary.relations
    for relation in state.relations.values():
        word = known.get(relation.kind, RelationWord())
        roles = {member.role: member.who for member in relation.members}
        if word.led and roles.get(word.leads) in leaders and roles.get(word.led) in state.concealed:
            yield roles[word.led]


def _list_named_players(entries: object) -> Sequence[tuple[str, str]]:
    """Return the names of combatants with their players', where an entry has both."""
    if not isinstance(entries, list):
        return []
    texts = [(one.get("name"), one.get("player")) for one in entries if isinstance(one, dict)]
    return [(name, player) for name, player in texts if isinstance(name, str) and isinstance(player, str) and player]
