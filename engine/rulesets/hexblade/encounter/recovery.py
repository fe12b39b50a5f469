"""Recovery between two fights: no automatic change.

Missiles are gathered and items repaired in the fight's own aftermath (HEX-039 to HEX-045). Missiles not found then
are lost, and a combatant that is down stays down until healed (HEX-T07).
"""

from affray.engine.core.between import Between

RECOVERY = Between(stowed="pack", inborn=frozenset({"spell", "natural"}))
