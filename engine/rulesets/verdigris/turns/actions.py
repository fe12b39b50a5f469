"""All actions: those that can be declared, and those that the rules set off."""

from affray.engine.core.actions import Action
from affray.engine.rulesets.verdigris.attack.attacks import Attack, Ready
from affray.engine.rulesets.verdigris.chapters.actions import Douse, Improvise, Stand
from affray.engine.rulesets.verdigris.chapters.called_shots import CalledShot
from affray.engine.rulesets.verdigris.chapters.care import Calm, Heal
from affray.engine.rulesets.verdigris.chapters.free_attacks import FreeAttack
from affray.engine.rulesets.verdigris.chapters.grappling import BreakGrapple, Grapple
from affray.engine.rulesets.verdigris.chapters.mounts import ControlMount, Dismount, MountAttack, MountUp, Nerve
from affray.engine.rulesets.verdigris.chapters.pushing import SpendInspiration
from affray.engine.rulesets.verdigris.chapters.struggling import Struggle
from affray.engine.rulesets.verdigris.gear.handling import Draw, Drop, TakePackItem, Use
from affray.engine.rulesets.verdigris.gear.loading import LightMatch, Reload
from affray.engine.rulesets.verdigris.harm.minutes import TickMinute
from affray.engine.rulesets.verdigris.movement.leaving import LeaveMelee
from affray.engine.rulesets.verdigris.movement.moving import EnterMelee, Move
from affray.engine.rulesets.verdigris.rulings.blasts import Blast
from affray.engine.rulesets.verdigris.rulings.harm import Harm
from affray.engine.rulesets.verdigris.rulings.tests import Check, KeepNerve

from .initiative import Begin, RollInitiative, SurpriseCheck
from .turn import BeginTurn, EndTurn

ACTIONS: tuple[type[Action], ...] = (
    Attack, Begin, BeginTurn, Blast, BreakGrapple, CalledShot, Calm, Check, ControlMount, Dismount, Douse, Draw, Drop,
    EndTurn, EnterMelee, FreeAttack, Grapple, Harm, Heal, Improvise, LeaveMelee, LightMatch, MountAttack, MountUp, Move,
    KeepNerve, Nerve, Ready, Reload, RollInitiative, SpendInspiration, Stand, Struggle, SurpriseCheck, TakePackItem,
    TickMinute, Use,
)  # fmt: skip
