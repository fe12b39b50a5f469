"""Signed notes and checkpoints: as the specifications write them, and what a rewritten log comes to."""

from __future__ import annotations

import sys
from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from functools import cache

import pytest

from affray.engine import Close, Fight, Unusable
from affray.engine.forking import ForkRequest, fork_fight
from affray.engine.integrity.checkpoint import (
    TRAIL_BYTES,
    Checkpoint,
    checkpoint_text,
    origin_of,
    position_differs,
    read_checkpoint,
)
from affray.engine.integrity.signed_note import (
    read_note,
    read_verifier_key,
    sign,
    signature_fault,
    signing_key,
    verifier_key_of,
)
from affray.events import GENESIS, Recorded, hash_new, read_line
from tests.engine.closed import go_on, open_system_fight, play_and_close, submit_to_closed
from tests.engine.fights import SEED, noon
from tests.engine.memory import MemoryStore

# The example of Go's package note.
PETER = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
PETERS = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
SAID = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
SIGNED = (
    f"{SAID}\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJ"
    "nAM=\n"
)
ENOCHS = "EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop"
ENOCH = "— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n"
MINE = signing_key("ilse.example/keys", SEED)
NAME = "a-fight"


@cache
def load_closed_log() -> tuple[Fight, tuple[bytes, ...]]:
    """A fight that was played and closed, and its lines."""
    store = MemoryStore()
    return play_and_close("vestige", NAME, store), tuple(store.read(NAME))


@cache
def take_checkpoint(at: int) -> Checkpoint:
    """A checkpoint of that fight."""
    return read_checkpoint(sign(checkpoint_text(load_closed_log()[0].history.recorded[:at]), MINE))


# --- notes ---


def test_a_key_and_a_note_are_byte_for_byte_what_others_make_of_them() -> None:
    assert str(verifier_key_of(PETER)) == PETERS
    assert sign(SAID, PETER) == SIGNED
    assert signing_key("PeterNeumann", b64decode(PETER.split("+", 4)[4])[1:]) == PETER


@pytest.mark.parametrize(("note", "key"), [(SIGNED, PETERS), (SIGNED + ENOCH, PETERS), (SIGNED + ENOCH, ENOCHS)])
def test_notes_of_others_are_read_and_checked(note: str, key: str) -> None:
    """Each signature counts separately, and those of unknown signers are ignored."""
    read = read_note(note)
    assert read.text == SAID
    assert signature_fault(read, read_verifier_key(key)) == ""


def test_a_key_with_a_plus_in_its_base64_is_read_back() -> None:
    keys = [str(verifier_key_of(signing_key("plus", bytes([nth]) * 32))) for nth in range(16)]
    assert any("+" in key.split("+", 2)[2] for key in keys)
    assert [str(read_verifier_key(f"{key}\n")) for key in keys] == keys


def test_why_a_note_does_not_count_as_signed() -> None:
    peter, other = read_verifier_key(PETERS), verifier_key_of(signing_key("PeterNeumann", SEED))
    note = read_note(SIGNED)
    assert signature_fault(note, verifier_key_of(MINE)) == (
        "ilse.example/keys has not signed it; it names PeterNeumann"
    )
    assert signature_fault(note, other) == (
        f"it is signed with another key that is called PeterNeumann: c74f20a3, not {other.id.hex()}"
    )
    forged = "the signature of PeterNeumann does not fit the text: the text was changed, or the signature is forged"
    assert signature_fault(read_note(SIGNED.replace("answer", "problem")), peter) == forged
    claimed = b64decode(SIGNED.rsplit(maxsplit=1)[-1])[:4]
    for signature in (bytes(64), bytes(3)):
        line = f"— PeterNeumann {b64encode(claimed + signature).decode()}\n"
        assert signature_fault(read_note(f"{SAID}\n{line}"), peter) == forged
        assert signature_fault(read_note(f"{SIGNED}{line}"), peter) == forged


@pytest.mark.parametrize(
    ("written", "field", "says"),
    [
        ("", "", "nothing is signed"),
        (SAID, "", "nothing is signed"),
        (SAID + "\n", "", "nothing is signed"),
        (SIGNED[len(SAID) :], "", "nothing is signed"),
        (SIGNED.rstrip(), "line 4", "end with a newline"),
        (SIGNED.replace("\n", "\r\n"), "line 1", "control character"),
        (SIGNED.replace("— ", "- "), "line 4", "an em dash"),
        (SIGNED.replace("— P", "—  P"), "line 4", "an em dash"),
        (SIGNED.replace("Neumann x", "+Neumann x"), "line 4", "an em dash"),
        (SIGNED.replace("nAM=", "nAM"), "line 4", "base64"),
        (SIGNED.replace("nAM=", "nAN="), "line 4", "base64"),
        (SIGNED + ENOCH + "and so on\n", "line 6", "an em dash"),
    ],
)
def test_what_is_no_note(written: str, field: str, says: str) -> None:
    with pytest.raises(Unusable) as unusable:
        read_note(written)
    assert (unusable.value.field, says in unusable.value.message) == (field, True)


@pytest.mark.parametrize("name", ["", "two words", "a+b", "tab\t", "wide\u2003space", "x" * 201])
def test_what_cannot_be_the_name_of_a_key(name: str) -> None:
    with pytest.raises(Unusable, match="none of them a space"):
        signing_key(name, SEED)


@pytest.mark.parametrize(
    "key",
    ["", SEED.hex(), PETERS, PETER[:-1], PETER.replace("+AYEK", "+AZEK"), PETER.replace("c74f", "c74e"), PETER[8:]],
)
def test_what_is_no_signing_key_is_never_shown(key: str) -> None:
    """For it could be the dice seed."""
    with pytest.raises(Unusable) as unusable:
        sign(SAID, key)
    assert "signing key" in unusable.value.message
    assert not {part for part in key.split("+")[2:] if part in str(unusable.value)}
    assert SEED.hex() not in str(unusable.value)


@pytest.mark.parametrize("key", ["", "Peter", PETER, PETERS[:-4], PETERS.replace("+ARpc", "+ZRpc"), " +" + PETERS])
def test_what_is_no_verifier_key(key: str) -> None:
    with pytest.raises(Unusable, match="must be a verifier key") as unusable:
        read_verifier_key(key)
    assert "AYEK" not in str(unusable.value)


def test_a_verifier_key_that_was_copied_wrongly() -> None:
    for wrong in (PETERS.replace("Rpc", "Rpd"), PETERS.replace("c74f", "c74e"), PETERS.replace("Peter", "Petra")):
        with pytest.raises(Unusable, match="copied wrongly"):
            read_verifier_key(wrong)


def test_without_the_package_for_signatures_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading a checkpoint and comparing it needs no such package."""
    note, key = read_note(SIGNED), read_verifier_key(PETERS)
    checkpoint = sign(checkpoint_text(load_closed_log()[0].history.recorded), MINE)
    for module in [name for name in sys.modules if name.split(".")[0] == "cryptography"]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "cryptography", None)
    for needs in (
        lambda: signing_key("ilse", SEED),
        lambda: verifier_key_of(PETER),
        lambda: sign(SAID, PETER),
        lambda: signature_fault(note, key),
    ):
        with pytest.raises(Unusable, match=r'pip install "\.\[sign\]"'):
            needs()
    assert not position_differs(read_checkpoint(checkpoint), 1, load_closed_log()[0].history.recorded[0].hash)


# --- checkpoints ---


def test_a_checkpoint_says_origin_position_hash_and_trail() -> None:
    recorded = load_closed_log()[0].history.recorded
    lines = checkpoint_text(recorded).split("\n")
    name = origin_of(recorded)
    assert lines[:2] == [name, str(len(recorded))]
    assert b64decode(lines[2]).hex() == recorded[-1].hash
    word, trail = lines[3].split(" ")
    assert (word, b64decode(trail)) == ("trail", b"".join(bytes.fromhex(one.hash)[:TRAIL_BYTES] for one in recorded))
    assert lines[4:] == [""]
    assert name == f"affray/Barrel-Alley-past-midnight/{recorded[0].hash[:16]}"
    checkpoint = take_checkpoint(len(recorded))
    assert (checkpoint.origin, checkpoint.position, checkpoint.hash) == (name, len(recorded), recorded[-1].hash)
    assert signature_fault(checkpoint.note, verifier_key_of(MINE)) == ""


def test_a_fork_has_an_origin_of_its_own() -> None:
    store = MemoryStore()
    parent = open_system_fight("wwn", "parent", store)
    go_on(parent, 10)
    child = fork_fight(ForkRequest(parent="parent", name="what if?", who="gm"), store, store, fresh=SEED, clock=noon)
    submit_to_closed(child, Close(unfinished=True))
    left = parent.head
    assert origin_of(child.history.recorded[:left]) == origin_of(parent.history.recorded)
    assert origin_of(child.history.recorded) == f"affray/what-if/{child.history.at(left + 1).hash[:16]}"


GOOD = (
    "affray/x/0123\n2\n"
    + b64encode(bytes(32)).decode()
    + "\ntrail "
    + b64encode(bytes(2 * TRAIL_BYTES)).decode()
    + "\n"
)


@pytest.mark.parametrize(
    ("line", "instead", "field"),
    [
        (1, "", "line 1"),
        (2, "0", "line 2"),
        (2, "02", "line 2"),
        (2, "+2", "line 2"),
        (2, "٢", "line 2"),
        (2, "9" * 5000, "line 2"),
        (3, "abc", "line 3"),
        (3, b64encode(bytes(31)).decode(), "line 3"),
        (4, "trail", "line 4"),
        (4, "trail AAAA", "line 4"),
        (4, b64encode(bytes(6)).decode(), "line 4"),
        (4, "trail AAAAAAA?", "line 4"),
        (4, "trail AAAAAAAA\nmore", ""),
        (2, "2\n2", ""),
    ],
)
def test_what_is_signed_but_no_checkpoint(line: int, instead: str, field: str) -> None:
    assert read_checkpoint(sign(GOOD, MINE)).position == 2
    lines = GOOD.split("\n")
    lines[line - 1] = instead
    with pytest.raises(Unusable) as unusable:
        read_checkpoint(sign("\n".join(lines), MINE))
    assert unusable.value.field == field


# --- comparing ---


def find_first_rewritten(checkpoint: Checkpoint, hashes: Sequence[str]) -> int | None:
    """The first position that is not as it was signed; one behind the last if the log was cut short."""
    for position, hash in enumerate(hashes[: checkpoint.position], 1):
        if position_differs(checkpoint, position, hash):
            return position
    return len(hashes) + 1 if len(hashes) < checkpoint.position else None


def hashes(lines: Iterable[bytes]) -> list[str]:
    """Compute the hashes of a chain over changed lines."""
    previous, found = GENESIS, []
    for position, line in enumerate(map(read_line, lines), 1):
        previous = hash_new(previous, position, line.time, line.who, line.cause, line.more, bytes(line.event))
        found.append(previous)
    return found


def test_a_log_that_went_on_extends_each_of_its_checkpoints() -> None:
    recorded: list[Recorded] = load_closed_log()[0].history.recorded
    now = [one.hash for one in recorded]
    for at in range(1, len(recorded) + 1, 7):
        assert find_first_rewritten(take_checkpoint(at), now) is None
    assert find_first_rewritten(take_checkpoint(len(now)), now) is None


def test_a_changed_line_is_named_though_the_chain_was_computed_anew() -> None:
    """Only who sent it: what no rule and no die can know. Each line of the log in turn."""
    lines = load_closed_log()[1]
    whole = take_checkpoint(len(lines))
    assert hashes(lines)[-1] == whole.hash
    for at in range(len(lines)):
        forged = [*lines[:at], lines[at].replace(b'"who":"gm"', b'"who":"Bo"'), *lines[at + 1 :]]
        assert find_first_rewritten(whole, hashes(forged)) == at + 1


def test_a_line_taken_out_doubled_or_swapped_is_named() -> None:
    lines = load_closed_log()[1]
    whole = take_checkpoint(len(lines))
    for at in range(0, len(lines) - 1, 11):
        assert find_first_rewritten(whole, hashes([*lines[:at], *lines[at + 1 :]])) == at + 1
        assert find_first_rewritten(whole, hashes([*lines[: at + 1], *lines[at:]])) == at + 2
        swapped = [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]
        assert find_first_rewritten(whole, hashes(swapped)) == at + 1


def test_a_log_cut_short_is_found_and_one_changed_behind_the_checkpoint_is_not() -> None:
    lines = load_closed_log()[1]
    now = hashes(lines)
    assert find_first_rewritten(take_checkpoint(len(now)), now[:-1]) == len(now)
    assert find_first_rewritten(take_checkpoint(20), now[:5]) == 6
    forged = [*lines[:20], lines[20].replace(b'"who":"gm"', b'"who":"Bo"'), *lines[21:]]
    assert find_first_rewritten(take_checkpoint(20), hashes(forged)) is None
    assert find_first_rewritten(take_checkpoint(21), hashes(forged)) == 21


def test_the_hash_of_the_checkpoint_is_compared_whole() -> None:
    """So a trail that was matched by trying does not help to the end."""
    whole = take_checkpoint(20)
    almost = whole.hash[:6] + "0" * 58
    assert not position_differs(whole, 19, whole.trail[18 * TRAIL_BYTES : 19 * TRAIL_BYTES].hex() + "0" * 48)
    assert position_differs(whole, 20, almost)
