"""Vestige, put together from its parts."""

from __future__ import annotations

from affray.engine.core.naming import Naming
from affray.engine.core.ruleset import Ruleset, by_kind, catalogue

from .attack import Attack
from .config import Config
from .course import (
    aftermath,
    announcements,
    first_strike,
    initiative,
    movers,
    precedence,
    reinsertions,
    round_end,
    tidied,
    upcoming,
)
from .encounter import encounter
from .encounter_file import Spec
from .flow import FLOW
from .gear import Reload, Swap
from .harm import Harm, recover
from .movement import Move, Shift
from .play import MANNERS, not_on_the_list
from .policy import appraise
from .rulings import RULINGS
from .skills import Improvise, Skill
from .tables import PACKAGE
from .turn import Begin, Delay, EndTurn, Forfeit, Ready, Reinsert

RULESET = Ruleset(
    name="vestige",
    version="3",
    title="Vestige",
    package=PACKAGE,
    flow=FLOW,
    config=Config,
    actions=by_kind(
        Attack, Begin, Delay, EndTurn, Forfeit, Harm, Improvise, Move, Ready, Reinsert, Reload, Shift, Skill, Swap
    ),
    rulings=by_kind(*RULINGS),
    manners=MANNERS,
    declarable=("standard", "readied"),
    procedures={
        "first_strike": first_strike,
        "initiative": initiative,
        "upcoming": upcoming,
        "round_end": round_end,
    },
    windows={
        "window": announcements,
        "gap": announcements,
        "lull": announcements,
        "reinsertion": reinsertions,
    },
    resolving=frozenset({"resolution"}),
    unknown_action=not_on_the_list,
    precedence=precedence,
    aftermath=aftermath,
    corrected=recover,
    encounter=encounter,
    movers=movers,
    appraise=appraise,
    clauses=catalogue(PACKAGE),
    map="squares",
    sheet=Spec,
    tidied=tidied,
    fizzles=("VES-T28",),
    naming=Naming(
        keyed=frozenset({"distances"}),
        mark_values={"attacker": "combatant", "surprising": "side", "target": "combatant"},
    ),
)
