"""What becomes of somebody between two fights: nothing by itself.

Missiles are gathered and things repaired in the fight's own aftermath (HEX-039 to HEX-045); what was not found then is
lost, and who is down stays so until healed (HEX-T07).
"""

from affray.engine.core.between import Between

BETWEEN = Between(stowed="pack", inborn=frozenset({"spell", "natural"}))
