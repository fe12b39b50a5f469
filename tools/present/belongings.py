"""The things of a combatant in words: things in hand, and things with numbers that matter."""

from affray.engine.core.state import Combatant, Item, State

from .story.words import Names, name_of


def said_in_hand(state: State, one: Combatant, names: Names) -> str:
    """List the things in a combatant's hands, each with its die and counters."""
    held = [item for item in state.items.values() if item.owner == one.id and in_a_hand(item, names)]
    return ", ".join(_with_details(item, names) for item in held)


def in_a_hand(item: Item, names: Names) -> bool:
    """Tell whether an item is held in a hand."""
    known = names.words.positions.get(item.where)
    return known is not None and known.role == "hand"


def is_kept(item: Item, names: Names) -> bool:
    """Tell whether a thing not in hand has a die, protection or an amount."""
    known = names.words.positions.get(item.where)
    worn = known is not None and known.role == "worn"
    return not in_a_hand(item, names) and bool(
        item.owner and (item.base or _amounts(item, names) or (worn and item.counters))
    )


def _amounts(item: Item, names: Names) -> list[str]:
    """List the counters of an item that hold an amount."""
    words = names.words.counters
    return [name for name in item.counters if name in words and words[name].role == "amount"]


def said_kept(state: State, one: Combatant, names: Names) -> str:
    """List the things not in hand, each with its die, its protection or its amount."""
    own = [item for item in state.items.values() if item.owner == one.id and is_kept(item, names)]
    return ", ".join(_with_die(item, names) if item.base else _with_counters(item, names) for item in own)


def _with_counters(item: Item, names: Names) -> str:
    """Return an item with how many of it are left; other counters only where they are not 0."""
    many = [str(item.counters[name]) for name in _amounts(item, names)]
    others = [
        _counter(name, value, names)
        for name, value in item.counters.items()
        if value and name not in _amounts(item, names)
    ]
    return f"{name_of(names, item.id)} ({', '.join(many + others)})"


def _with_die(item: Item, names: Names) -> str:
    if not item.die:
        return f"{name_of(names, item.id)} destroyed"
    return f"{name_of(names, item.id)} (d{item.die}{f' of d{item.base}' if item.die != item.base else ''})"


def _with_details(item: Item, names: Names) -> str:
    counters = [_counter(name, value, names) for name, value in item.counters.items()]
    die = [f"d{item.die}"] if item.die else []
    name = name_of(names, item.id)
    return f"{name} ({', '.join(die + counters)})" if die + counters else name


def _counter(name: str, value: int, names: Names) -> str:
    known, label = names.words.counters.get(name), names.label("counters", name)
    if known is not None and known.role == "flag":
        return label if value else f"not {label}"
    return f"{label} {value}"
