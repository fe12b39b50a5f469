"""Worlds Without Number, put together from its parts."""

from __future__ import annotations

from affray.engine.core.naming import Naming
from affray.engine.core.ruleset import Ruleset, by_kind, catalogue

from .aid import Stabilize
from .attack import Attack
from .beasts import Bolt
from .casting import Cast
from .checks import MoraleCheck, Test
from .config import Config
from .course import aftermath, mount_check, movers, precedence, round_end, upcoming
from .encounter import encounter
from .encounter_file import Spec
from .flow import FLOW
from .gear import Draw, Drop, Ready, Reload, Stow
from .harm import Harm, recover
from .initiative import initiative, surprise
from .maneuver import Improvise
from .movement import Move, Withdraw
from .play import MANNERS, not_on_the_list
from .policy import appraise
from .riding import Dismount, Mount
from .rulings import RULINGS
from .snaps import snaps
from .tables import PACKAGE
from .tidying import tidied
from .turn import Begin, EndTurn, Prone, Stand

RULESET = Ruleset(
    name="wwn",
    version="2",
    title="Worlds Without Number",
    package=PACKAGE,
    flow=FLOW,
    config=Config,
    actions=by_kind(
        Attack,
        Begin,
        Bolt,
        Cast,
        Dismount,
        Draw,
        Drop,
        EndTurn,
        Harm,
        Improvise,
        MoraleCheck,
        Mount,
        Move,
        Prone,
        Ready,
        Reload,
        Stabilize,
        Stand,
        Stow,
        Test,
        Withdraw,
    ),
    rulings=by_kind(*RULINGS),
    manners=MANNERS,
    declarable=("standard", "snap"),
    procedures={
        "surprise": surprise,
        "initiative": initiative,
        "upcoming": upcoming,
        "mount_check": mount_check,
        "round_end": round_end,
    },
    windows={"window": snaps},
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
    naming=Naming(
        chosen={"target": "combatant", "weapon": "item"},
        keyed=frozenset({"distances"}),
        mark_keys={"allowed": "combatant", "attacked": "combatant"},
        mark_values={"sneak": "combatant", "surprised": "side", "turn": "combatant", "watcher": "combatant"},
        bare=frozenset({"gm", "next"}),
    ),
)
