"""The opening of a fight: a new one from an encounter, or a recorded one."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from affray import events as facts
from affray.events import DICE_SCHEME, FORMAT, SETTING_UP, Event, Recorded, Seals, Senseless

from .clock import Clock, utc_now
from .commands import MANY
from .core.digest import digest_rules
from .core.loading import load
from .core.ruleset import Ruleset, config_of
from .core.state import State
from .errors import Unusable
from .fight import Fight
from .history.log import read_log
from .history.log_validation import follow_valid_part, must_be_possible
from .history.timeline import History
from .integrity.commitment import find_promise, seal_promise
from .kit.carry_over import apply_carry_over, split_carry_over
from .kit.dice_sources import check_needs_no_seed, set_dice_of_sides, set_entered_dice
from .kit.side_names import trim_sides
from .limits import check_bounds
from .runtime.dice import DiceSource, check_seed
from .stores.protocol import Store
from .texts import check_word, normalize, normalize_texts
from .visibility import Salts, add_open_parts, fresh_salt, hide_entries, seal_command, split_hidden


def begin_fight(
    name: str,
    encounter: Mapping[str, Any],
    *,
    who: str,
    seed: bytes | None,
    store: Store | None = None,
    clock: Clock = utc_now,
    dice: DiceSource | None = None,
    salts: Salts = fresh_salt,
    entered: Sequence[str] = (),
) -> Fight:
    """Open a new fight and record its opening.

    Args:
        name: The name under which the store keeps it.
        encounter: The content of an encounter file.
        seed: 32 secret bytes for the engine's dice; ``None`` if all dice are entered.
        store: The store that keeps it; ``None`` to keep it in memory only.
        dice: Another source of dice, for scenarios.
        salts: The source of salts for hidden events.
        entered: The sides and combatants whose dice are entered, in addition to those of the encounter.

    Raises:
        Unusable: the encounter is unusable; names the faulty field and the right form.
        StoreFailed: it could not be recorded.
    """
    check_word(who, "who", most=MANY)
    check_bounds(name, "fight")
    check_seed(seed)
    who, encounter = normalize(who), trim_sides(normalize_texts(encounter))
    ruleset = load(_text(encounter, "system"))
    config = config_of(ruleset, encounter.get("config", {}))
    opened = facts.FightOpened(
        format=FORMAT,
        fight=_text(encounter, "name", default=name),
        system=ruleset.name,
        version=ruleset.version,
        digest=digest_rules(ruleset),
        config=msgspec.to_builtins(config),
        dice_scheme=DICE_SCHEME,
    )
    begun = facts.PhaseEntered(phase=ruleset.flow.initial, trigger="opened")
    plain, hidden = split_hidden(encounter)
    shown, carried = split_carry_over(plain)
    found = _set_up(ruleset, shown, config)
    if seed is None and dice is None and store is not None:
        check_needs_no_seed(shown)
    found += [*set_dice_of_sides(shown.get("side", {}), found), *set_entered_dice(entered, found)]
    events = [opened, begun, *apply_carry_over(carried, shown, found)]
    if hides := [*hide_entries(hidden, shown, events)]:
        events = add_open_parts([*events, *hides])
    seals = seal_command(State(), events, lambda _: State(), salts) if hides else Seals()
    recorded, lines = seal_promise(
        seed, events, after=0, previous="", time=clock(), who=who, cause="opening", seals=seals
    )
    if store is not None:
        store.begin(name, lines, seed)
    history = History(recorded)
    return Fight(name, ruleset, history, store=store, seed=seed, clock=clock, dice=dice, salts=salts)


def _set_up(ruleset: Ruleset, encounter: Mapping[str, Any], config: Any) -> list[Event]:
    """Return the events of an encounter; refuse events that do not set up a fight."""
    events = ruleset.encounters.build(encounter, config)
    for event in events:
        if type(event) not in SETTING_UP:
            raise Unusable(f"{ruleset.name} opens a fight with {type(event).__name__}, which sets nothing up", "system")
    return events


def open_fight(
    name: str,
    store: Store,
    *,
    clock: Clock = utc_now,
    verified: bool = True,
    mend: bool = False,
    salts: Salts = fresh_salt,
) -> Fight:
    """Open a recorded fight at its head.

    Args:
        name: The name under which the store keeps it.
        verified: Whether the hash chain is checked.
        mend: Whether to open a fight that diverges too, only for taking it back to a safe position.
        salts: The source of salts for hidden events.

    Raises:
        LogError: the log is damaged, altered, of an unknown format, or impossible.
        Unusable: there is no such fight, or no such rule system here.
        Diverged: the present rules decide unresolved commands differently.
        StoreFailed: it cannot be read.
    """
    recorded = read_log(store.read(name), verified=verified)
    return _build_fight(name, store, recorded, clock=clock, mend=mend, salts=salts)


def look_at_fight(name: str, store: Store) -> tuple[Fight, Senseless | None]:
    """Open a recorded fight for reading, as far as it is possible; return the fault.

    Raises:
        LogError, Unusable, Diverged, StoreFailed: as ``open_fight`` does, except for impossible events behind the
            opening.
    """
    return follow_valid_part(read_log(store.read(name)), lambda recorded: _build_fight(name, store, recorded))


def _build_fight(name: str, store: Store, recorded: Sequence[Recorded], **also: Any) -> Fight:
    must_be_possible(recorded)
    history = History(recorded)
    seed = store.seed(name)
    promise = find_promise(recorded)
    if seed is not None and promise.commitment and not promise.is_kept_by(seed):
        raise Unusable("the seed kept beside the log does not match the log's commitment", "seed")
    return Fight(name, load(history.opening.system), history, store=store, seed=seed, **also)


def _text(encounter: Mapping[str, Any], key: str, default: str = "") -> str:
    value = encounter.get(key, default)
    if not isinstance(value, str) or not value:
        raise Unusable(f'must be given as a text, such as {key} = "…"', key)
    return value
