"""The setting of a fight that says what players read of their foes, and the veils that follow from it."""

from collections.abc import Iterable, Iterator, Mapping

from affray.engine.core.draft import Draft
from affray.engine.core.loading import load
from affray.engine.core.state import Combatant, State
from affray.engine.core.vocabulary import Vocabulary
from affray.events import Event, FoeDetail, FoesSet, Id, Joined, SideName, Veiled

FOES = "foes"
"""The key of the setting in an encounter file, and the ruling that changes it."""

FOE_DETAILS: Mapping[FoeDetail, str] = {"open": "in numbers", "rough": "as a word", "hidden": "not at all"}
"""How players see what foes have left."""

PC = "pc"
"""The trait of player characters, in the systems that have it."""


def list_hero_sides(of: State | Draft, played: Iterable[SideName] = ()) -> tuple[SideName, ...]:
    """List the sides of the players: of named players, else of player characters, else the first side in sight.

    If each of several sides has players, it is none: all combatants are foes of players who do not play them.
    """
    people = of.combatants.values()
    heroes = [*played] or [one.side for one in people if PC in one.traits]
    heroes = heroes or [one.side for one in people if one.id not in of.concealed][:1]
    return () if len({*heroes}) > 1 and {one.side for one in people} <= {*heroes} else tuple(dict.fromkeys(heroes))


def set_foes(show: FoeDetail, heroes: tuple[SideName, ...], of: State | Draft) -> Iterator[Event]:
    """Yield the setting, and the veils that it draws or lifts."""
    before = list_foes(of)
    yield FoesSet(show=show, heroes=heroes)
    for who, one in of.combatants.items():
        if one.side not in heroes or who in before:
            yield from veil_foe(of, one, veils=show != "open" and one.side not in heroes)


def veil_of_side(of: State | Draft, one: Combatant | Joined) -> Iterator[Veiled]:
    """Yield the event that hides or shows what a combatant has left who joined, or changed sides."""
    if of.foes != "open":
        yield from veil_foe(of, one, veils=one.side not in of.heroes)


def veil_foe(of: State | Draft, one: Combatant | Joined, *, veils: bool) -> Iterator[Veiled]:
    """Yield the event that hides what a foe has left, or that shows it again, unless nothing changes."""
    who = one.who if isinstance(one, Joined) else one.id
    before = of.veiled.get(who, {})
    after = {**_list_wholes(load(of.system).vocabulary, one.pools, one.stats), **before} if veils else {}
    if after != before:
        yield Veiled(who=who, pools=after)


def _list_wholes(words: Vocabulary, pools: Mapping[str, int], stats: Mapping[str, int]) -> dict[str, int]:
    """Return the counters of a foe that are secret, each with the value that counts as unhurt."""
    found = {}
    for pool, count in pools.items():
        word = words.pools.get(pool)
        if word is not None and word.is_secret_of_foes:
            found[pool] = min(count, 0) if word.rises else max(count, stats.get(word.most, 0))
    return found


def list_foes(of: State | Draft) -> frozenset[Id]:
    """List the foes, with sheets that players do not read; none if the fight hides nothing of them."""
    if of.foes == "open":
        return frozenset()
    return frozenset(who for who, one in of.combatants.items() if one.side not in of.heroes)
