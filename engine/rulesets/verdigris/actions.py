"""Everything that can be declared, and what the rules themselves put on the stack."""

from __future__ import annotations

from affray.engine.core.actions import Action

from .attack import Attack
from .beginning import Begin, RollInitiative, SurpriseCheck
from .called_shots import CalledShot
from .care import Calm, Douse, Heal, Stand
from .grapples import BreakGrapple, Grapple
from .improvising import Improvise
from .inspiration import SpendInspiration
from .inventory import Draw, Drop, TakePackItem, Use
from .leaving import LeaveMelee
from .loading import LightMatch, Reload
from .mounted import ControlMount, Dismount, MountAttack, MountUp
from .moving import EnterMelee, Move
from .nerve import Nerve
from .opportunity import FreeAttack
from .readying import Ready
from .ruled import Check, Harm, TickMinute
from .struggle import Struggle
from .turn import BeginTurn, EndTurn

ACTIONS: tuple[type[Action], ...] = (
    Attack,
    Begin,
    BeginTurn,
    BreakGrapple,
    CalledShot,
    Calm,
    Check,
    ControlMount,
    Dismount,
    Douse,
    Draw,
    Drop,
    EndTurn,
    EnterMelee,
    FreeAttack,
    Grapple,
    Harm,
    Heal,
    Improvise,
    LeaveMelee,
    LightMatch,
    MountAttack,
    MountUp,
    Move,
    Nerve,
    Ready,
    Reload,
    RollInitiative,
    SpendInspiration,
    Stand,
    Struggle,
    SurpriseCheck,
    TakePackItem,
    TickMinute,
    Use,
)
