"""Hidden things in generated fights: no word of them in any line or state that is shown to who may not know."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from affray.engine import Command, Fight, State, begin_fight, read_log
from affray.engine.commands import Redo, Undo
from affray.engine.integrity.audit import audit
from affray.engine.visibility import Viewer, WireLine, fresh_salt, list_bands, project_state, verify_wire, wire_line
from affray.events import (
    GENESIS,
    Concealed,
    DiceEntered,
    Recorded,
    Restored,
    Rewound,
    Ruled,
    digest_of,
    read_line,
    sender_of,
)
from affray.events import readers_of as readers
from tests.engine.choices import Choices
from tests.engine.encounters import RULED, encounters
from tests.engine.fights import (
    NAME,
    SEED,
    Plan,
    ask_fight,
    begin_plan,
    encode_state,
    noon,
    play_into_store,
    reload_fight,
)
from tests.engine.memory import MemoryStore
from tests.engine.moves import move
from tests.engine.ruled import make_ruling
from tests.examples import a_share

SPECTATOR = Viewer(role="spectator")
GM = Viewer(role="gm")
HIDING = ("conceal", "conceal", "reveal", "veil", "unveil", "secret_roll")


class CommandStep(NamedTuple):
    """A command of a generated fight: its lines, and what counted before and after it."""

    lines: list[tuple[Recorded, bytes]]
    before: State
    after: State


@st.composite
def hidden_fights(draw: st.DrawFn) -> Plan:
    """Draw a fight with concealed combatants, or hidden hit points, from the first line on."""
    told = draw(encounters())
    pools = begin_fight(NAME, told, who="gm", seed=SEED, clock=noon).state.combatants
    entries = []
    for entry in told["combatant"]:
        has = next(one.pools for one in pools.values() if one.name.startswith(entry["name"]))
        hides: dict[str, Any] = {"concealed": draw(st.booleans())}
        hides["veiled"] = draw(st.lists(st.sampled_from(sorted(has)), unique=True, max_size=2)) if has else []
        entries.append({**entry, **{key: value for key, value in hides.items() if value or draw(st.booleans())}})
    moves = draw(st.lists(st.binary(min_size=4, max_size=4), min_size=12, max_size=30))
    return Plan({**told, "combatant": entries, "name": "a walk in the dark"}, SEED, tuple(moves))


def hide_and_reveal(plan: Plan, fight: Fight) -> Iterator[None]:
    """Play a plan; every third command hides or reveals something."""
    for nth, drawn in enumerate(plan.moves):
        choices = Choices(drawn + b"!")
        intent = move(fight, drawn) if nth % 3 else make_ruling(fight, choices, choices.of(HIDING))
        if intent is not None:
            ask_fight(fight, command_of(fight, intent, nth))
            yield


def command_of(fight: Fight, intent: Any, nth: int) -> Command:
    """Return a command of the actor's player with the actor in its id; undos are sent by the last author."""
    if isinstance(intent, Undo | Redo):
        return Command(id=f"{nth} {intent.reason}", who=fight.history.recorded[-1].who, intent=intent)
    awaited = fight.state.awaited
    by = awaited.by if isinstance(intent, DiceEntered) and awaited is not None else "gm"
    who = next((getattr(intent, name) for name in ("actor", "who", "by") if hasattr(intent, name)), by)
    return Command(
        id=f"{nth} {who} acts",
        who=f"player {sorted(fight.state.combatants).index(who)}" if who in fight.state.combatants else "gm",
        intent=intent,
    )


def play_steps(plan: Plan) -> tuple[list[CommandStep], Fight, MemoryStore]:
    """Play a plan and return each command with the states around it."""
    store = MemoryStore()
    fight = begin_plan(plan, store, fresh_salt)
    found = [CommandStep(list(zip(fight.history.recorded, list_payloads(store), strict=True)), State(), fight.state)]
    for _ in hide_and_reveal(plan, fight):
        known = sum(len(one.lines) for one in found)
        new = list(zip(fight.history.recorded, list_payloads(store), strict=True))[known:]
        if new:
            found.append(CommandStep(new, found[-1].after, fight.state))
    return found, fight, store


def list_payloads(store: MemoryStore) -> list[bytes]:
    """Return what the log has as each event's payload."""
    return [bytes(read_line(line).event) for line in store.read(NAME)]


def list_hidden_names(state: State, hidden: tuple[str, ...]) -> set[str]:
    """Return what names hidden combatants and their things, found by another way than the engine's."""
    found = set(hidden)
    found |= {one.name for one in state.combatants.values() if one.id in hidden}
    found |= {one.id for one in state.items.values() if one.owner in hidden}
    return {word.casefold() for word in found}


def named_in(text: bytes, hidden: set[str], shown: set[str]) -> set[str]:
    """Return the hidden words in a text; longer names of others are taken out of it first."""
    plain = text.decode().casefold()
    for other in sorted(shown, key=len, reverse=True):
        plain = plain.replace(other, "#")
    return {word for word in hidden if re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", plain)}


def list_longer_names(state: State, hidden: tuple[str, ...]) -> set[str]:
    """Return the names of others that are longer than a hidden one and contain it."""
    secret = list_hidden_names(state, hidden)
    open_ = {
        word.casefold() for one in state.combatants.values() if one.id not in hidden for word in (one.id, one.name)
    }
    return {word for word in open_ if any(other in word and other != word for other in secret)}


def viewers(state: State) -> list[Viewer]:
    """Return people with different rights in a fight."""
    people = tuple(state.combatants)
    return [SPECTATOR, Viewer(role="player", owns=people[:1]), Viewer(role="player", owns=people[1:])]


@a_share(2)
@given(hidden_fights())
def test_no_line_names_what_is_hidden_from_its_reader(plan: Plan) -> None:
    """A concealed or veiled combatant, before and after a command, is in none of its readable lines."""
    commands, _, _ = play_steps(plan)
    for command in commands:
        after = command.after
        for viewer in viewers(after):
            hidden = tuple(who for who in after.concealed if who not in viewer.owns)
            if command.lines[0][0].position > 1:
                hidden = tuple(
                    who for who in hidden if who in command.before.concealed or is_hiding_ruling(command, who)
                )
            for recorded, payload in command.lines:
                line = wire_line(viewer, recorded, payload)
                assert not named_in(
                    msgspec.json.encode(line), list_hidden_names(after, hidden), list_longer_names(after, hidden)
                )
                if line.event is UNSET:
                    assert (line.audience, line.salt) == (None, "")
                    continue
                assert not set(line.audience or ()) & set(hidden)
                tells_no_number(recorded, after, command.before, viewer)


@given(hidden_fights())
def test_who_may_not_read_what_was_said_does_not_learn_who_said_it(plan: Plan) -> None:
    """In no line of the command, the open ones included; nor who takes it back or brings it again."""
    commands, fight, _ = play_steps(plan)
    for viewer in viewers(fight.state):
        masked: dict[int, bool] = {}
        for command in commands:
            lines = [wire_line(viewer, recorded, payload) for recorded, payload in command.lines]
            first = command.lines[0][0].event
            moved = isinstance(first, Rewound | Restored) and masked[first.lane]
            hidden = lines[0].event is UNSET or moved
            masked.update((line.position, bool(line.by)) for line in lines)
            if hidden:
                assert {(one.who, one.cause, one.known_to, one.mask) for one in lines} == {("", "", None, "")}
                assert len({one.by for one in lines}) == 1
                for recorded, _ in command.lines:
                    assert recorded.mask not in msgspec.json.encode(lines).decode()
            assert all(bool(one.by) == masked[lines[0].position] for one in lines)
            if hidden or any(recorded.known_to is not None for recorded, _ in command.lines):
                continue
            assert all(one.who and one.cause for one in lines)


def is_hiding_ruling(command: CommandStep, who: str) -> bool:
    """Tell whether a command is a ruling that hides a combatant."""
    return any(isinstance(one.event, Concealed) and one.event.who == who for one, _ in command.lines)


def tells_no_number(recorded: Recorded, after: State, before: State, viewer: Viewer) -> None:
    """Hold that an open event moves no counter that was hidden before and after it."""
    event = recorded.event
    for who, pools in after.veiled.items():
        if who not in viewer.owns and who in before.veiled:
            moved = getattr(event, "who", None) == who and getattr(event, "pool", None)
            assert moved not in set(pools) & set(before.veiled[who])


@a_share(2)
@given(hidden_fights())
def test_no_state_names_what_is_hidden_from_who_looks(plan: Plan) -> None:
    """At every moment: no id, no name, no thing of the concealed, and no number of the veiled."""
    commands, _, _ = play_steps(plan)
    for command in commands:
        state = command.after
        assert project_state(GM, state) is state
        for viewer in viewers(state):
            hidden = tuple(who for who in state.concealed if who not in viewer.owns)
            veiled = {who: pools for who, pools in state.veiled.items() if who not in viewer.owns}
            seen = project_state(viewer, state)
            assert (seen is state) == (not hidden and not veiled)
            assert not named_in(encode_state(seen), list_hidden_names(state, hidden), list_longer_names(state, hidden))
            assert encode_state(project_state(viewer, seen)) == encode_state(seen)
            assert msgspec.json.decode(encode_state(seen), type=State) is not None
            assert seen.combatants.keys() == state.combatants.keys() - {*hidden}
            for who, pools in veiled.items():
                one = seen.combatants.get(who)
                assert one is None or not one.pools.keys() & pools.keys()
                assert (who in list_bands(viewer, state)) == (one is not None)


def read_wire_line(sent: bytes) -> WireLine:
    """Read a line from the wire, its payload as it stands there."""
    return msgspec.json.decode(sent, type=WireLine)


@given(hidden_fights())
def test_everybody_verifies_the_same_chain(plan: Plan) -> None:
    """With all lines that are sealed for them; a later opening is proved by their digest."""
    _, fight, store = play_steps(plan)
    recorded, written = fight.history.recorded, list_payloads(store)
    for viewer in (GM, *viewers(fight.state)):
        previous = GENESIS
        for one, payload in zip(recorded, written, strict=True):
            line = wire_line(viewer, one, payload)
            previous = verify_wire(read_wire_line(msgspec.json.encode(line)), after=one.position - 1, previous=previous)
            if line.event is UNSET:
                assert digest_of(payload, one.salt) == line.digest
                assert readers(one.audience, one.salt) == line.readers
                assert one.salt not in msgspec.json.encode(line).decode()
            if line.by:
                assert sender_of(one.who, one.cause, one.known_to, one.mask) == (line.by,)
        assert previous == fight.history.head_hash


@given(hidden_fights())
def test_a_fight_with_secrets_is_a_fight_like_any_other(plan: Plan) -> None:
    """It can be reopened, its log audits clean, and each sealed event has a separate salt."""
    _, fight, store = play_steps(plan)
    again = reload_fight(store)
    assert encode_state(again.state) == encode_state(fight.state)
    assert audit(lambda: iter(store.read(NAME)), seed=SEED).findings == ()
    recorded = read_log(store.read(NAME))
    salts = [one.salt for one in recorded if one.audience is not None]
    salts += {one.cause: one.mask for one in recorded if one.known_to is not None}.values()
    assert len(set(salts)) == len(salts)
    assert all(len(salt) == 32 for salt in salts)
    assert all((one.audience is None) == (not one.salt) for one in fight.history.recorded)
    assert all((one.known_to is None) == (not one.mask) for one in fight.history.recorded)


@given(encounters(), st.lists(st.binary(min_size=4, max_size=4), min_size=5, max_size=15))
def test_a_fight_in_which_nothing_is_hidden_is_written_as_ever(encounter: dict[str, Any], moves: list[bytes]) -> None:
    """No readers and no salts, until a combatant is hidden."""
    fight, store = play_into_store(Plan(encounter, SEED, tuple(moves)))
    hides = any(isinstance(one.event, Ruled) and one.event.kind in HIDING for one in fight.history.recorded)
    if not hides:
        secret = (b'"audience"', b'"salt"', b'"known_to"', b'"mask"')
        assert not any(word in line for word in secret for line in store.read(NAME))
        assert project_state(SPECTATOR, fight.state) is fight.state


def test_every_system_rules_on_what_is_hidden() -> None:
    """Without code of their own."""
    assert all(set(HIDING) <= set(kinds) for kinds in RULED.values())
