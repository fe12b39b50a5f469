"""The rules about encounters: how a fight is set up, and what lasts until the next one."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from affray.engine.core.library import Layout, Shelf
from affray.engine.core.recovery import RecoveryRules
from affray.events import Event


class EncounterRules(Struct, frozen=True):
    """The rules about encounters.

    Attributes:
        build: Turns an encounter file's content, and the configuration, into the events that set up the fight.
        sheet: The struct of an encounter's ``[[combatant]]``; its bounds are those of a sheet's numbers and counters.
        form: The struct of a whole encounter file.
        library: The tables that an encounter can name lines of, and the fields that name them.
        layout: The layout of an encounter's form.
        recovery: The rules for the time between two fights.
    """

    build: Callable[[Mapping[str, Any], Any], list[Event]]
    sheet: type[Struct] | None = None
    form: type[Struct] | None = None
    library: tuple[Shelf, ...] = ()
    layout: Layout = Layout()
    recovery: RecoveryRules = RecoveryRules()
