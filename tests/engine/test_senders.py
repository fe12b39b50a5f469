"""The sender and id of a command: known to all who may read its first event."""

from __future__ import annotations

import msgspec
import pytest
from msgspec import UNSET

from affray.engine import Amend, Command, Fight, Redo, Stir, Undo
from affray.engine.commands import Intent
from affray.engine.visibility import Viewer, wire_line
from affray.events import AskingSet, EntropyAdded
from tests.engine.test_hiding import SPECTATOR, open_duel, open_to, rule


def list_told_senders(
    fight: Fight, intent: Intent, who: str, id: str, viewer: Viewer = SPECTATOR
) -> list[tuple[str, str]]:
    """Return the sender and id that a viewer is told in each line of a command."""
    recorded = fight.submit(Command(id=id, who=who, intent=intent)).recorded
    lines = [wire_line(viewer, one, msgspec.json.encode(one.event)) for one in recorded]
    assert all(bool(line.by) != bool(line.who) for line in lines)
    return [(line.who, line.cause) for line in lines]


def test_the_player_of_somebody_hidden_is_not_known_by_what_they_send() -> None:
    """The id and the undone commands do not reveal the player either; only open facts do."""
    fight = open_duel(concealed=True)
    own = Viewer(role="player", owns=("brand",))
    waits = AskingSet(who="brand", ask="never")
    assert list_told_senders(fight, waits, "Mara", "c1") == [("", "")]
    assert list_told_senders(fight, AskingSet(who="brand", ask="always"), "Mara", "c2", own) == [("Mara", "c2")]
    assert list_told_senders(fight, Undo(), "Mara", "c3") == [("", "")]
    assert list_told_senders(fight, Redo(), "Mara", "c4") == [("", "")]
    assert list_told_senders(fight, AskingSet(who="ilse", ask="never"), "Mara", "c5") == [("Mara", "c5")]
    assert list_told_senders(fight, Undo(), "Anna", "c6") == [("Anna", "c6")]


def test_an_id_names_nobody_whatever_it_is_called() -> None:
    """The sender and id of a command are as visible as its first event."""
    fight = open_duel(concealed=True)
    assert list_told_senders(fight, AskingSet(who="ilse", ask="never"), "Brand", "brand-waits") == [
        ("Brand", "brand-waits")
    ]


def test_an_open_command_names_its_sender_in_its_sealed_lines_too() -> None:
    """If the first event is open, the sender is no secret."""
    fight = open_duel(concealed=True)
    rule(fight, "reveal", who="brand")
    recorded = rule(fight, "note", text="Brand steps out")
    amended = fight.submit(Command(id="c1", who="gm", intent=Amend(position=recorded[0].position - 2))).recorded
    assert open_to(SPECTATOR, amended) == ["Amended"]
    assert len(amended) > 1
    assert {one.known_to for one in amended} == {None}


@pytest.mark.parametrize(
    ("owns", "known"), [(("brand",), False), (("brand", "ilse"), True), (("ilse",), True), ((), True)]
)
def test_who_plays_concealed_combatants_alone_stirs_words_in_unknown(owns: tuple[str, ...], known: bool) -> None:
    """The words are open, as everything that the dice depend on; the sender would reveal a combatant."""
    fight = open_duel(concealed=True)
    stirred = fight.submit(Command(id="c1", who="Mara", intent=Stir(words="luck"), knows=owns)).recorded
    assert [type(one.event) for one in stirred] == [EntropyAdded]
    for viewer, told in ((SPECTATOR, known), (Viewer(role="player", owns=("brand",)), True)):
        (line,) = [wire_line(viewer, one, msgspec.json.encode(one.event)) for one in stirred]
        assert (line.who, line.cause) == (("Mara", "c1") if told else ("", ""))
        assert line.event is not UNSET
