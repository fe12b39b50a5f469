"""Pebbles, put together from its parts."""

from __future__ import annotations

from affray.engine.core.actions import Action
from affray.engine.core.changes import condition_set
from affray.engine.core.effects import Rule
from affray.engine.core.ruleset import Ruleset, by_kind
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.engine.kit.rulings import EVERYWHERE
from affray.events import Id

from .config import Config
from .encounter import encounter
from .flow import FLOW
from .throwing import Throw
from .turns import Begin, Call, EndTurn, aftermath, round_end, upcoming

PACKAGE = __name__.rpartition(".")[0]


def unknown_action(kind: str) -> Refused:
    """Return the refusal of what is no action (PEB-2)."""
    return Refused("not_an_action", "PEB-2", f"nobody can {kind}; one throws, or ends the turn", source=kind)


def corrected(table: Table, who: Id) -> Rule[None]:
    """Let whoever the game master left without pebbles be out, and whoever got some be in again (PEB-6)."""
    out = table.pool(who, "pebbles") == 0
    if out != table[who].has("out"):
        yield condition_set(table, who, "out", int(out), "PEB-6")


def appraise(table: Table, actor: Id, action: Action, manner: str) -> float:
    """Throw at whoever has the fewest pebbles."""
    return 50.0 - table.pool(action.target, "pebbles") if isinstance(action, Throw) else 0.0


RULESET = Ruleset(
    name="pebbles",
    title="Pebbles",
    package=PACKAGE,
    flow=FLOW,
    config=Config,
    actions=by_kind(Begin, EndTurn, Throw),
    rulings=by_kind(*EVERYWHERE, Call),
    procedures={"upcoming": upcoming, "round_end": round_end},
    resolving=frozenset({"throwing"}),
    unknown_action=unknown_action,
    aftermath=aftermath,
    corrected=corrected,
    encounter=encounter,
    appraise=appraise,
)
