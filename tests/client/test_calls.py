"""The Python client asks and acts, on a real server: typed answers, typed refusals, commands that happen once."""

from __future__ import annotations

import inspect

import pytest

from affray import AnswerUndo, Redo, Undo, declare, rule
from affray.client import (
    AccessDenied,
    AsyncClient,
    Client,
    FightMovedOn,
    Moment,
    RequestRefused,
    Unreachable,
    read_event,
)
from affray.engine.core.state import digest
from affray.events import Declared, DiceEntered, Passed, UndoDeclined, UndoRequested
from affray.tools.api.schemas.legal_actions import MayEnter
from tests.client.conftest import OpenClient
from tests.client.table import Server, proxy_before

BEGUN = ("gm begin", "roll 15", "roll 3")


def test_a_link_is_all_that_a_client_needs(server: Server, enter: OpenClient) -> None:
    links = server.open_duel(*BEGUN)
    ilse = enter(links.ilse)
    about = ilse.get_fight()
    assert (about.id, about.you.role, about.you.owns, about.waiting.headline) == (
        *(links.fight, "player", ("ilse",), "Your turn: Ilse"),
    )
    assert enter(links.host, links.fight).get_fight().you.role == "gm"


def test_the_state_is_the_engines_own(server: Server, enter: OpenClient) -> None:
    gm = enter(server.open_duel(*BEGUN).gm)
    moment = gm.get_state()
    assert (digest(moment.state), moment.state.round) == (moment.digest, 1)
    before = gm.get_state(at=moment.position - 1)
    assert before.position == moment.position - 1
    assert [line.position for line in gm.get_log(after=20, limit=2).lines] == [21, 22]
    assert [type(read_event(line)).__name__ for line in gm.get_log(limit=1).lines] == ["FightOpened"]
    assert gm.get_story().head == moment.position
    assert "conceal" in [one.kind for one in gm.list_rulings()]


def test_an_offer_is_sent_as_it_stands(server: Server, enter: OpenClient) -> None:
    """From the actors to the dice, by what the server offers alone."""
    ilse = enter(server.open_duel(*BEGUN).ilse)
    ((who, manner),) = [(one.who, one.manner) for one in ilse.list_actors().actors]
    refused = {one.kind: one.refused.code for one in ilse.list_actions(who, manner=manner).kinds if one.refused}
    assert refused["forfeit"] == "not_at_brink"
    asked = ilse.list_choices(who, "attack", chosen={"target": "bram"})
    assert [one.field for one in asked.fields] == ["ep"]
    offer = ilse.list_choices(who, "attack", fill=True)
    assert 0 < offer.prospect.chance < 1
    assert ilse.suggest_action(who).whole.intent.actor == who
    assert ilse.list_actions_against(who, "bram").kinds[0].whole is not None
    assert ilse.list_destinations(who).ways == []
    done = ilse.send(offer.whole.intent, expected=offer.head)
    assert isinstance(read_event(done.lines[0]), Declared)
    assert done.lines[0].says == "Ilse attacks Bram"
    (dice,) = ilse.list_actors().waits
    assert isinstance(dice, MayEnter)
    assert ilse.send(DiceEntered(roll=dice.roll, faces=(19,))).waiting.awaits in ("dice", "answer", "action")


def test_every_kind_of_command_is_carried_out(server: Server, enter: OpenClient) -> None:
    links = server.open_duel(*BEGUN)
    gm, ilse = enter(links.gm), enter(links.ilse)
    gm.send(rule("pool", "a scratch", who="bram", pool="health", by=-1))
    assert gm.get_state().state.combatants["bram"].pools["health"] == 7
    gm.send(Undo(reason="it was none"))
    assert gm.get_state().state.combatants["bram"].pools["health"] == 8
    gm.send(Redo())
    assert gm.get_state().state.combatants["bram"].pools["health"] == 7
    ilse.send(declare("ilse", "attack", target="bram"))
    ilse.say("roll 19")
    assert isinstance(read_event(ilse.send(Undo()).lines[0]), UndoRequested)
    assert isinstance(read_event(gm.send(AnswerUndo(allow=False, reason="it fell")).lines[0]), UndoDeclined)


def test_a_command_sent_again_is_done_once(server: Server, enter: OpenClient) -> None:
    links = server.open_duel(*BEGUN)
    ilse = enter(links.ilse)
    first = ilse.say("ilse attack bram", id="strike")
    again = ilse.say("ilse attack bram", id="strike")
    assert (first.repeated, again.repeated, again.head, again.lines) == (False, True, first.head, first.lines)
    with pytest.raises(RequestRefused, match="strike") as reused:
        ilse.say("ilse end_turn", id="strike")
    assert reused.value.problem.code == "reused"


def test_an_answer_that_is_lost_is_asked_for_again(server: Server, enter: OpenClient) -> None:
    """The command was recorded; the client hears so under the same id, after one pause."""
    links = server.open_duel(*BEGUN)
    with proxy_before(links.ilse) as (proxy, link):
        ilse = enter(link)
        proxy.cuts.append(b"\r\n\r\n")
        done = ilse.say("ilse attack bram")
    assert (done.repeated, len(ilse.pauses), done.lines[0].says) == (True, 1, "Ilse attacks Bram")


def test_a_server_that_is_not_there_is_unreachable(server: Server, enter: OpenClient) -> None:
    """A question fails at once. A command says under which id it may be sent again, and can be."""
    links = server.open_duel(*BEGUN)
    with proxy_before(links.ilse) as (proxy, link):
        ilse = enter(link)
        proxy.cuts += [b"HTTP/1.1"] * 5
        with pytest.raises(Unreachable) as lost:
            ilse.get_state()
        assert (lost.value.command, ilse.pauses) == ("", [])
        with pytest.raises(Unreachable, match=r"it may be recorded: send it again under the id \w+$") as unsure:
            ilse.say("ilse attack bram")
        assert len(ilse.pauses) == 3
        assert ilse.say("ilse attack bram", id=unsure.value.command).repeated


def test_a_stale_head_is_told(server: Server, enter: OpenClient) -> None:
    links = server.open_duel(*BEGUN)
    ilse, stale = enter(links.ilse), enter(links.ilse).get_fight().head
    present = enter(links.gm).say("rule note 'it rains'", reason="it does").head
    with pytest.raises(FightMovedOn) as moved:
        ilse.say("ilse attack bram", expected=stale)
    assert (moved.value.problem.head, ilse.get_fight().head) == (present, present)


def test_a_refusal_has_the_clause(server: Server, enter: OpenClient) -> None:
    ilse = enter(server.open_duel(*BEGUN).ilse)
    with pytest.raises(RequestRefused, match="not at the brink") as refused:
        ilse.send(declare("ilse", "forfeit"))
    problem = refused.value.problem
    assert (problem.status, problem.code, problem.rule) == (422, "not_at_brink", "VES-056")
    with pytest.raises(RequestRefused) as unknown:
        ilse.send(declare("ilse", "attack", target="bram", wit=3))
    assert unknown.value.problem.field == "intent.params"
    with pytest.raises(RequestRefused) as missing:
        ilse.list_actions("ilse/../bram")
    assert missing.value.problem.status in (403, 404)


def test_a_spectator_looks_on(server: Server, enter: OpenClient) -> None:
    links = server.open_duel(*BEGUN)
    spectator = enter(links.spectator)
    assert (spectator.get_state().state.round, spectator.list_actors().actors) == (1, [])
    with pytest.raises(AccessDenied, match="spectators only look on"):
        spectator.say("ilse attack bram")
    with pytest.raises(AccessDenied):
        spectator.list_rulings()
    with pytest.raises(AccessDenied):
        enter(links.spectator + "0").get_state()


def test_a_closed_fight_refuses_and_can_be_read(server: Server, enter: OpenClient) -> None:
    links = server.open_duel(*BEGUN, "rule end red")
    gm = enter(links.gm)
    assert gm.get_state().state.ended
    with pytest.raises(RequestRefused):
        gm.send(Passed(window="1/ilse/attack.1", who="*"))


@pytest.mark.parametrize("client", [Client, AsyncClient])
def test_help_describes_the_calls_as_methods(client: type) -> None:
    signature = inspect.signature(client.get_state)  # type: ignore[attr-defined]
    assert list(signature.parameters) == ["self", "at"]
    assert signature.return_annotation is Moment
    assert client.get_state.__doc__.startswith("Return the state")  # type: ignore[attr-defined]
