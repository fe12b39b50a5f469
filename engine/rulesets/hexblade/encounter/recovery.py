"""Recovery between two fights: no automatic change.

Missiles are gathered and items repaired in the fight's own aftermath (HEX-039 to HEX-045). Missiles not found then
are lost, and a combatant that is down stays down until healed (HEX-T07).
"""

from affray.engine.core.recovery import RecoveryRules

RECOVERY = RecoveryRules(stowed="pack", inborn=frozenset({"spell", "natural"}))
