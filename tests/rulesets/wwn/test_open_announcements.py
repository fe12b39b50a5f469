"""Readers of an announced armor class: they depend on the attacker and the target only."""

from __future__ import annotations

from affray.engine import Fight, begin_fight
from affray.engine.core.loading import load
from affray.engine.history.earlier_notes import write_text
from affray.engine.visibility import can_read
from affray.events import AskingSet, Id, Noted, Recorded
from affray.tools.parse import intent_parser
from tests.engine.fights import noon, salt, submit_accepted
from tests.engine.twins import SPECTATOR, NamedDice

FIGHTER = {"pc": True, "class": "warrior", "level": 2, "hp": 15, "weapons": ["sword_short"]}
RING = [
    {"name": "Runa", "side": "guards", **FIGHTER, "rides": "grey", "at": "0,0"},
    {"name": "Grey", "side": "guards", "block": "warhorse"},
    {"name": "Jory", "side": "guards", **FIGHTER, "shield": "shield_small", "at": "0,3"},
    {"name": "Ulf", "side": "raiders", **FIGHTER, "at": "1,0"},
    {"name": "Wat", "side": "raiders", **FIGHTER, "at": "1,3"},
]


def ring(turn: Id, *concealed: Id) -> Fight:
    """Return a fight in a combatant's turn, with some concealed."""
    told = {"system": "wwn", "name": "n", "board": {}, "combatant": RING}
    fight = begin_fight("ring", told, who="gm", seed=None, dice=NamedDice(), clock=noon, salts=salt)
    for who in concealed:
        say(fight, f"rule conceal {who}")
    say(fight, "begin")
    while turn not in fight.state.acting:
        say(fight, f"{fight.state.acting[0]} end_turn")
    return fight


def say(fight: Fight, line: str) -> tuple[Recorded, ...]:
    """Say a line as the game master types it."""
    return submit_accepted(fight, intent_parser.intent(fight, line, "so be it")).recorded


def list_announcements(recorded: tuple[Recorded, ...]) -> dict[str, bool]:
    """Return the announcements of a command, and whether every viewer can read each."""
    notes = load("wwn").vocabulary.notes
    return {
        write_text(notes[one.event.kind], one.event.parts, {}): can_read(SPECTATOR, one)
        for one in recorded
        if isinstance(one.event, Noted)
    }


def test_a_concealed_rider_who_is_carried_on_behind_an_attack_does_not_seal_what_it_announced() -> None:
    """The mount's move resolves in the same command, with the rider's sealed move."""
    fight = ring("runa", "runa")
    for who in ("ulf", "wat"):
        submit_accepted(fight, AskingSet(who=who, ask="never"))
    say(fight, "grey move 3,0")
    recorded = say(fight, "jory snap attack wat")
    assert list_announcements(recorded) == {"wat has AC 10, shock_applies true": True}
    assert not all(can_read(SPECTATOR, one) for one in recorded)


def test_words_of_another_pending_action_do_not_seal_what_an_attack_announces() -> None:
    """A stunt in the game master's words is pending, and its words are sealed."""
    fight = ring("wat", "runa")
    assert not can_read(SPECTATOR, say(fight, "wat improvise 'kicks sand at Jory'")[0])
    assert list_announcements(say(fight, "jory snap attack wat")) == {"wat has AC 10, shock_applies true": True}


def test_what_a_concealed_attacker_faces_is_announced_to_nobody_who_does_not_know_it() -> None:
    """Neither as the attack is declared, nor again as its known target drops the shield while another is asked."""
    for concealed, known in ((("runa",), True), (("runa", "wat"), False)):
        fight = ring("wat", *concealed)
        assert list_announcements(say(fight, "wat attack jory")) == {"jory has AC 13, shock_applies true": known}
        again = list_announcements(say(fight, "jory drop jory.shield_small"))
        assert again == ({"jory has AC 10, shock_applies true": True} if known else {})
