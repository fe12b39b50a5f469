"""Hexblade, put together from its parts."""

from __future__ import annotations

from affray.engine.core.naming import Naming
from affray.engine.core.ruleset import Ruleset, by_kind, catalogue
from affray.engine.core.table import Table
from affray.events import Clause

from .config import Config
from .course import aftermath, movers, round_end, turn_end
from .disarm import Disarm
from .downtime import RecoverAmmo, Repair
from .encounter import encounter
from .encounter_file import Spec
from .fate import recover, upkeep
from .flow import FLOW
from .grapple import BreakFree, Grapple
from .harm import Harm
from .items import Draw, Use
from .maneuver import Cast, Maneuver
from .melee import Attack
from .movement import Move, Sprint, Stand
from .play import MANNERS, not_on_the_list
from .policy import appraise
from .prone import KnockProne
from .ranged import Shoot
from .rulings import RULINGS
from .tables import PACKAGE
from .turn import Begin, BeginTurn, EndTurn, RollInitiative


def precedence(table: Table, manner: str, tags: tuple[str, ...]) -> tuple[int, tuple[Clause, ...]]:
    """Put everything on top: a free attack comes before what it interrupts."""
    return len(table.draft.stack), ()


RULESET = Ruleset(
    name="hexblade",
    version="3",
    title="Hexblade (working name)",
    package=PACKAGE,
    flow=FLOW,
    config=Config,
    actions=by_kind(
        Attack,
        Begin,
        BeginTurn,
        BreakFree,
        Cast,
        Disarm,
        Draw,
        EndTurn,
        Grapple,
        Harm,
        KnockProne,
        Maneuver,
        Move,
        RecoverAmmo,
        Repair,
        RollInitiative,
        Shoot,
        Sprint,
        Stand,
        Use,
    ),
    rulings=by_kind(*RULINGS),
    manners=MANNERS,
    declarable=("standard",),
    procedures={"turn_end": turn_end, "round_end": round_end},
    windows={},
    resolving=frozenset({"exchange", "ruling", "consequences"}),
    unknown_action=not_on_the_list,
    precedence=precedence,
    aftermath=aftermath,
    corrected=recover,
    tidied=upkeep,
    encounter=encounter,
    movers=movers,
    appraise=appraise,
    clauses=catalogue(PACKAGE),
    map="hexes",
    always_mapped=True,
    sheet=Spec,
    naming=Naming(
        chosen={"by": "combatant", "item": "item", "on": "combatant", "shot": "item", "who": "combatant"},
        mark_values={"beaten": "combatant"},
        bare=frozenset({"gm"}),
    ),
)
