"""Everything that is noted about combatants and the fight."""

from __future__ import annotations

SIDE_DUE = "side_due"
"""Key of the fight's mark that names the side that is due."""

SURPRISING = "surprising"
"""Key of the fight's mark that names the side that surprises the other, as long as that matters."""

ROLLED = "rolled"
"""Key of the fight's mark that names the seat that made the last initiative roll."""

SEAT = "seat"
"""Key of the fight's mark that names the seat to which the game master gave the next one."""

WAITS = "waits"
"""Key of the mark that holds the round in which a newcomer does not act."""

EXEMPT = "exempt"
"""Key of the mark that says that somebody of the surprised side is not surprised."""

MOVED_TWICE = "moved twice"
"""Key of the mark that holds the round in which somebody's action went into a move."""

STANDS_STILL = "stands still"
"""Key of the mark that says that a rider's mount stands still this turn for a weapon to be reloaded (VER-066)."""

UNFINISHED = "unfinished"
"""Key of the fight's mark that holds the round in which the game master let it go on with one side."""

LASHES = "lashes out"
"""Key of the mark that says at whom somebody in panic strikes next."""

FLEES = "flees"
"""Key of the mark that says that the next turn goes into flight."""

INSPIRED = "inspired"
"""Key of the mark that says that inspiration was spent on the next test."""

TRANSITION_LEFT = "transition left"
"""Key of the mark that says that a step into a zone has paid for entering a melee there as well (VER-019)."""

ALLOWED = "allowed/"
"""Begins the key of a mark that waives a refusal; the clause follows."""

FORBIDDEN = "forbidden/"
"""Begins the key of a mark that forbids a kind of action; it holds the round."""

INJURY_ROW = "injury/row"
"""Key of the mark with which the game master chooses the next injury."""

STRAY_VICTIMS = "stray"
"""Key of the fight's mark that names whom the next stray shot can hit, by ruling."""

MOUNT_ALARMED = "mount alarmed"
"""Key of the mark that says that an untrained mount or its rider was attacked since the rider's last turn."""

FREE_ATTACKS = "free attacks"
"""Key of the mark that counts somebody's free attacks; it holds the round and the number (VER-041)."""

TENDED = "tended"
"""Key of the mark that says that somebody was treated with success since its last turn."""

MOUNT_CONTROLLED = "mount controlled"
"""Key of the mark that holds the round in which a rider has its mount in hand."""

MOUNT_TRIED = "mount tried"
"""Key of the mark that holds the round of a rider's last attempt at that."""

MOUNT_STRUCK = "mount struck"
"""Key of the mark that holds the round in which a mount has attacked."""
