"""Wyrd, put together from its parts."""

from __future__ import annotations

from affray.engine.core.naming import Naming
from affray.engine.core.ruleset import Ruleset, by_kind

from .attack import Attack
from .config import Config
from .course import aftermath, movers, round_end, surprise, upcoming
from .craft import Improvise, Spell
from .downtime import Repair, Rest
from .encounter import encounter
from .encounter_file import Spec
from .engage import Engage
from .fire import Fire
from .flow import FLOW
from .harm import Harm
from .moving import Move
from .play import MANNERS, not_on_the_list, on_top
from .policy import appraise
from .recovering import recover, tidied
from .reload import Reload
from .reviving import Revive
from .rulings import RULINGS
from .stunt import Stunt
from .tables import PACKAGE
from .turn import Begin, EndTurn
from .wearing import Wear

RULESET = Ruleset(
    name="wyrd",
    version="2",
    title="Wyrd",
    package=PACKAGE,
    flow=FLOW,
    config=Config,
    actions=by_kind(
        Attack, Begin, EndTurn, Engage, Fire, Harm, Improvise, Move, Reload, Repair, Rest, Revive, Spell, Stunt, Wear
    ),
    rulings=by_kind(*RULINGS),
    manners=MANNERS,
    declarable=("standard",),
    procedures={"surprise": surprise, "upcoming": upcoming, "round_end": round_end},
    windows={},
    resolving=frozenset({"declared", "resolution", "downtime"}),
    unknown_action=not_on_the_list,
    precedence=on_top,
    aftermath=aftermath,
    corrected=recover,
    tidied=tidied,
    encounter=encounter,
    movers=movers,
    appraise=appraise,
    map="zones",
    sheet=Spec,
    relations=("allies", "melee"),
    naming=Naming(
        chosen={"helper": "combatant", "piece": "item", "weapon": "item", "who": "combatant"},
        mark_keys={"prompt": "purpose"},
        mark_values={
            "consequence": "words",
            "prompt/consequence": "combatant",
            "prompt/outcome": "words",
            "prompt/paradox": "words",
            "prompt/setback": "combatant",
            "prompt/wear": "combatant",
            "stray": "combatant",
        },
        bare=frozenset({"damage", "fatigue"}),
    ),
)
"""Wyrd: players roll, every ability and piece of gear is a usage die, and sides take turns without initiative."""
