"""Lines on relations between combatants, and on facts hidden from the players."""

from collections.abc import Iterator

from affray.engine.core.preview import Glance
from affray.engine.core.state import Combatant, Relation, State
from affray.engine.visibility import FOE_DETAILS, list_foes
from affray.events import Id

from .story.words import Names, capital, name_of, possessive, series


def list_bonds(state: State, glances: dict[Id, Glance], names: Names) -> Iterator[str]:
    """Yield per combatant a line on melee, mounts, carrying, holds and bonds."""
    for who, one in state.combatants.items():
        bonds = [
            *_of_relations(state, one, names),
            *_of_glance(glances[who], names),
            *_of_conditions(state, one, names),
        ]
        if bonds:
            yield f"  {capital(name_of(names, who))}: {'; '.join(bonds)}"


def list_hidden(state: State, names: Names) -> Iterator[str]:
    """Yield one line on the concealed combatants, and one per combatant with veiled counters."""
    if state.concealed:
        yield f"Hidden from the players: {series(name_of(names, who) for who in state.concealed)}"
    foes = list_foes(state)
    if foes:
        yield f"Players see what foes have left {FOE_DETAILS[state.foes]}"
    for who, pools in state.veiled.items():
        if pools and who in state.combatants and who not in foes:
            shown = series(names.label("pools", pool) for pool in pools)
            yield f"Shown to the players only roughly: {possessive(name_of(names, who))} {shown}"


def _of_relations(state: State, one: Combatant, names: Names) -> Iterator[str]:
    for relation in state.relations.values():
        if any(member.who == one.id for member in relation.members):
            yield from _stands(state, relation, one, names)


def _stands(state: State, relation: Relation, one: Combatant, names: Names) -> Iterator[str]:
    """Yield the sentence of a relation; skip it if a combatant that it would name is gone."""
    own = next(member.role for member in relation.members if member.who == one.id)
    kind, role = names.words.relations.get(relation.kind), names.words.roles.get(own)
    said = (kind.stands if kind else "") or (role.stands if role else "")
    there = [member for member in relation.members if member.who in state.combatants]
    whom = {
        "foes": [member.who for member in there if state.combatants[member.who].side != one.side],
        "others": [member.who for member in there if member.role != own],
    }
    named = [name for name in whom if f"{{{name}}}" in said]
    if said and all(whom[name] for name in named):
        yield said.format_map({name: series(name_of(names, other) for other in whom[name]) for name in named})


def _of_glance(glance: Glance, names: Names) -> Iterator[str]:
    if glance.foes:
        yield f"in melee with {series(name_of(names, foe) for foe in glance.foes)}"


def _of_conditions(state: State, one: Combatant, names: Names) -> Iterator[str]:
    """Yield each condition that another combatant caused, with that combatant's name."""
    for condition, sources in one.conditions.items():
        by = [source for source in sources if source in state.combatants and source != one.id]
        if by:
            yield f"{names.label('conditions', condition)} because of {series(name_of(names, who) for who in by)}"
