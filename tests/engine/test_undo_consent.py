"""A player's undo of a fallen die waits for the game master, who allows or declines it in one step."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from affray.engine import AnswerUndo, Command, Fight, Refused, Reused, Undo, begin_fight, open_fight
from affray.engine.commands import Intent
from affray.engine.forking import ForkRequest, fork_fight
from affray.engine.history.undo import decide_undo_answer
from affray.engine.integrity.audit import audit
from affray.events import Id, Passed, PlayerUndoSet, Recorded, Rewound, Rolled, UndoDeclined, UndoRequested
from affray.tools.parse.intent_parser import intent as spoken
from tests.engine.conftest import two
from tests.engine.fights import SEED, noon
from tests.engine.histories import A, history
from tests.engine.memory import MemoryStore


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def fight(store: MemoryStore) -> Fight:
    """Return a duel on its first turn."""
    begun = begin_fight("duel", two(), who="gm", seed=SEED, store=store, clock=noon)
    send_as_owner(begun, "gm begin")
    return begun


def send_as_owner(fight: Fight, said: str | Intent, *plays: Id, who: str = "", id: str = "") -> tuple[Recorded, ...]:
    """Carry out a command of the player of these combatants, or of the game master."""
    meant = spoken(fight, said, "so be it") if isinstance(said, str) else said
    knows = plays or None
    command = Command(id=id or f"c{fight.head}", who=who or "+".join(plays) or "gm", intent=meant, knows=knows)
    return fight.submit(command).recorded


def up(fight: Fight) -> Id:
    return fight.state.acting[0]


def let_active_attack(fight: Fight) -> Id:
    """Let the active combatant attack; return its id."""
    who = up(fight)
    recorded = send_as_owner(fight, f"{who} attack {next(one for one in fight.state.combatants if one != who)}", who)
    assert any(isinstance(one.event, Rolled) for one in recorded)
    return who


def list_types(recorded: tuple[Recorded, ...]) -> list[str]:
    return [type(one.event).__name__ for one in recorded]


def test_what_a_die_fell_in_is_asked_for_and_nothing_changes_yet(fight: Fight) -> None:
    before = fight.state
    who = let_active_attack(fight)
    after, head = fight.state, fight.head
    (asked,) = send_as_owner(fight, Undo(reason="the wrong one"), who)
    assert isinstance(asked.event, UndoRequested)
    assert (asked.event.lane, asked.event.commands, asked.event.reason) == (head, 1, "the wrong one")
    assert (fight.state, fight.history.request) == (after, asked.position)
    assert before == fight.state_at(asked.event.to)


def test_the_game_master_allows_it_in_one_step(fight: Fight, store: MemoryStore) -> None:
    before = fight.state
    who = let_active_attack(fight)
    (asked,) = send_as_owner(fight, Undo(reason="the wrong one"), who)
    (allowed,) = send_as_owner(fight, AnswerUndo(request=asked.position))
    assert isinstance(allowed.event, Rewound)
    assert (allowed.event.request, allowed.event.reason) == (asked.position, "the wrong one")
    assert (fight.state, fight.history.request) == (before, 0)
    report = audit(lambda: store.lines("duel"), seed=SEED)
    assert report.clean
    assert [one.event for one in report.requests] == [asked.event]
    (takeback,) = report.takebacks
    assert (takeback.request, takeback.who, takeback.dice > 0) == (asked.position, "gm", True)


def test_the_game_master_declines_it_and_the_player_may_ask_again(fight: Fight, store: MemoryStore) -> None:
    who = let_active_attack(fight)
    after = fight.state
    (asked,) = send_as_owner(fight, Undo(), who)
    (declined,) = send_as_owner(fight, AnswerUndo(allow=False, reason="dice are dice"))
    assert declined.event == UndoDeclined(request=asked.position, reason="dice are dice")
    assert (fight.state, fight.history.request) == (after, 0)
    (again,) = send_as_owner(fight, Undo(reason="please"), who)
    assert fight.history.request == again.position
    assert audit(lambda: store.lines("duel"), seed=SEED).clean


def test_a_second_request_replaces_the_first(fight: Fight) -> None:
    who = let_active_attack(fight)
    (first,) = send_as_owner(fight, Undo(), who)
    (second,) = send_as_owner(fight, Undo(reason="please"), who)
    with pytest.raises(Refused, match=f"the request at position {first.position} waits for an answer"):
        send_as_owner(fight, AnswerUndo(request=first.position))
    send_as_owner(fight, AnswerUndo(request=second.position))


def test_what_no_die_fell_in_is_taken_back_at_once(fight: Fight) -> None:
    who = up(fight)
    send_as_owner(fight, f"stand {who} never", who)
    assert list_types(send_as_owner(fight, Undo(), who)) == ["Rewound"]


def test_the_game_master_asks_nobody(fight: Fight) -> None:
    let_active_attack(fight)
    assert list_types(send_as_owner(fight, Undo())) == ["Rewound"]


def test_a_request_is_void_once_the_fight_moves_on(fight: Fight, store: MemoryStore) -> None:
    """Another declaration, or an undo by the game master, voids it."""
    who = let_active_attack(fight)
    send_as_owner(fight, Undo(), who)
    send_as_owner(fight, f"stand {who} never", who)
    with pytest.raises(Refused, match="no request waits for an answer; the fight has moved on"):
        send_as_owner(fight, AnswerUndo())
    send_as_owner(fight, Undo())
    send_as_owner(fight, Undo(), who)
    send_as_owner(fight, Undo())
    with pytest.raises(Refused, match="no_such_request"):
        send_as_owner(fight, AnswerUndo())
    assert audit(lambda: store.lines("duel"), seed=SEED).clean


def test_only_the_game_master_answers(fight: Fight) -> None:
    who = let_active_attack(fight)
    send_as_owner(fight, Undo(), who)
    head = fight.head
    for allow in (True, False):
        with pytest.raises(Refused, match="the game master allows or declines an undo, not a player"):
            send_as_owner(fight, AnswerUndo(allow=allow), who)
    assert fight.head == head


def test_the_setting_is_a_ruling_and_recorded(fight: Fight, store: MemoryStore) -> None:
    """Free, a player takes back fallen dice at once; the audit lists both."""
    before = fight.state.player_undo
    ruled = send_as_owner(fight, "rule undo free")
    assert ruled[-1].event == PlayerUndoSet(rule="free")
    assert (before, fight.state.player_undo) == ("consent", "free")
    who = let_active_attack(fight)
    assert list_types(send_as_owner(fight, Undo(), who)) == ["Rewound"]
    report = audit(lambda: store.lines("duel"), seed=SEED)
    assert (report.clean, len(report.rulings), report.takebacks[0].dice > 0) == (True, 1, True)


def test_each_command_is_carried_out_once_under_its_id(fight: Fight) -> None:
    who = let_active_attack(fight)
    asked = send_as_owner(fight, Undo(), who, id="mine")
    assert send_as_owner(fight, Undo(), who, id="mine") == asked
    allowed = send_as_owner(fight, AnswerUndo(), id="yes")
    assert send_as_owner(fight, AnswerUndo(), id="yes") == allowed
    for intent in (AnswerUndo(allow=False), Undo(to=allowed[0].event.to)):  # type: ignore[attr-defined]
        with pytest.raises(Reused):
            send_as_owner(fight, intent, id="yes")


def test_it_is_the_same_after_the_fight_was_opened_again(fight: Fight, store: MemoryStore) -> None:
    who = let_active_attack(fight)
    (asked,) = send_as_owner(fight, Undo(), who)
    again = open_fight("duel", store)
    assert again.history.request == asked.position
    send_as_owner(again, AnswerUndo())
    assert again.history.request == 0


def test_a_fork_begins_without_a_request(fight: Fight, store: MemoryStore) -> None:
    who = let_active_attack(fight)
    send_as_owner(fight, Undo(), who)
    wanted = ForkRequest(parent="duel", name="what-if", at=fight.head, who="gm")
    assert fork_fight(wanted, store, store, fresh=bytes([9]) * 32, clock=noon).history.request == 0


def test_a_player_learns_nothing_of_dice_that_are_hidden(fight: Fight) -> None:
    """A hidden event may hold a die, so consent is needed whether or not one fell."""
    foe = next(one for one in fight.state.combatants if one != up(fight))
    send_as_owner(fight, f"rule conceal {foe}")
    who = up(fight)
    send_as_owner(fight, f"rule pool {foe} health by=-1")
    assert list_types(send_as_owner(fight, Undo(), who)) == ["UndoRequested"]
    send_as_owner(fight, Undo())
    send_as_owner(fight, f"rule pool {foe} health by=-1", who="gm")
    assert list_types(send_as_owner(fight, Undo(), foe)) == ["Rewound"]


def test_passes_that_the_table_sends_do_not_void_a_request() -> None:
    """Automatic passes are taken back together with the command that they follow."""
    asks = UndoRequested(to=1, lane=3, commands=1)
    sent_pass = Passed(window="w", who="bo", why="time")
    made = history(A, asks, sent_pass)
    assert made.request == 4
    (allowed,) = decide_undo_answer(made, AnswerUndo())
    assert allowed == Rewound(to=1, lane=5, commands=2, request=4)
    assert history(A, asks, replace(sent_pass, why="")).request == 0
