"""Verdigris, put together from its parts."""

from __future__ import annotations

from affray.engine.core.naming import Naming
from affray.engine.core.ruleset import Ruleset, by_kind
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.events import Clause

from .actions import ACTIONS
from .config import Config
from .course import aftermath, corrected, ending, movers, round_end, tidied, upcoming
from .encounter import encounter
from .encounter_file import Spec
from .flow import FLOW
from .injuries import names
from .policy import appraise
from .refusing import no
from .rulings import RULINGS
from .tables import PACKAGE
from .turn import deaths_door, turn_end, turn_start
from .turns import MANNERS


def no_such_action(kind: str) -> Refused:
    """Return the refusal of what is on no list of actions (VER-015)."""
    return no("VER-015", f"there is no action {kind}; anything else is done with improvise", kind)


def on_top(table: Table, manner: str, tags: tuple[str, ...]) -> tuple[int, tuple[Clause, ...]]:
    """Let whatever is declared last come first (VER-076)."""
    return len(table.draft.stack), ()


RULESET = Ruleset(
    name="verdigris",
    version="3",
    title="Verdigris",
    package=PACKAGE,
    flow=FLOW,
    config=Config,
    actions=by_kind(*ACTIONS),
    rulings=by_kind(*RULINGS),
    manners=MANNERS,
    declarable=("standard",),
    procedures={
        "upcoming": upcoming,
        "turn_start": turn_start,
        "deaths_door": deaths_door,
        "turn_end": turn_end,
        "round_end": round_end,
        "ending": ending,
    },
    windows={},
    resolving=frozenset({"acting", "moving", "melee_exit", "attack_roll", "nerve", "consequences"}),
    unknown_action=no_such_action,
    precedence=on_top,
    aftermath=aftermath,
    corrected=corrected,
    tidied=tidied,
    encounter=encounter,
    movers=movers,
    appraise=appraise,
    map="zones",
    sheet=Spec,
    naming=Naming(
        chosen={"attacker": "combatant", "item": "item", "target": "combatant"},
        keyed=frozenset({"divide"}),
        mark_keys={"relentless": "combatant"},
        mark_values={
            "lashes out": "combatant",
            "readied/text": "words",
            "readied/weapon": "item",
            "readied/whom": "combatant",
            "rolled": "relation",
            "seat": "relation",
            "side_due": "side",
            "stray": "combatant",
            "surprising": "side",
        },
        bare=frozenset({"panic", "sl", "stress", *names()}),
    ),
)
