"""The commands ``key`` and ``checkpoint``, by the installed program."""

from __future__ import annotations

from pathlib import Path

import pytest

from affray.engine import Unusable
from affray.engine.integrity.checkpoint import origin_of, position_differs
from affray.engine.integrity.signed_note import signature_fault
from affray.tools.cli.commands.checkpoint import checkpoint_in, signer_of
from affray.tools.cli.exit_codes import exit_code_of
from affray.tools.parse.faults import Faulty
from tests.engine.fights import SEED
from tests.tools.program import affray, rebuild_from_log


def make_key(folder: Path, name: str = "ilse") -> str:
    """Make a key in a folder; return its verifier key."""
    verifier: str = affray(folder, "key", name, "--json").json["verifier"]
    return verifier


def test_a_key_is_secret_and_says_how_it_is_checked(tmp_path: Path) -> None:
    ran = affray(tmp_path, "key", "ilse.example/table")
    file = tmp_path / "ilse.example-table.signer"
    assert (ran.code, ran.err) == (0, "")
    first, verifier = ran.out.splitlines()
    assert first == (
        "wrote ilse.example-table.signer, which nobody else should see; whoever checks what you sign needs this:"
    )
    assert signer_of(verifier).name == "ilse.example/table"
    assert file.stat().st_mode & 0o777 == 0o600
    secret = file.read_text("ascii")
    assert secret.startswith("PRIVATE+KEY+ilse.example/table+")
    assert secret.strip().split("+", 4)[4] not in ran.out


def test_each_key_is_another_one_and_none_is_overwritten(tmp_path: Path) -> None:
    first = affray(tmp_path, "key", "ilse", "-o", "mine", "--json").json
    assert (first["file"], first["name"]) == ("mine", "ilse")
    before = (tmp_path / "mine").read_bytes()
    ran = affray(tmp_path, "key", "ilse", "-o", "mine")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "affray: mine is a key for signing, and is never replaced; choose another\n"
    assert (tmp_path / "mine").read_bytes() == before
    assert make_key(tmp_path) != first["verifier"]


def test_a_key_needs_a_name_and_a_folder(tmp_path: Path) -> None:
    ran = affray(tmp_path, "key", "two words")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "NAME: must have 1 to 200 printable characters, none of them a space or +\n"
    ran = affray(tmp_path, "key", "ilse", "-o", "nowhere/ilse")
    assert (ran.code, ran.err) == (2, "affray: nowhere/ilse: there is no folder nowhere\n")
    assert list(tmp_path.iterdir()) == []


def test_a_checkpoint_is_a_signed_note_of_the_head(log: Path) -> None:
    verifier = make_key(log.parent)
    ran = affray(log.parent, "checkpoint", "duel.jsonl", "--key", "ilse.signer")
    assert (ran.code, ran.err) == (0, "")
    (log.parent / "then").write_text(ran.out, "utf-8")
    recorded = rebuild_from_log(log).history.recorded
    checkpoint = checkpoint_in(log.parent / "then")
    assert (checkpoint.origin, checkpoint.position) == (origin_of(recorded), len(recorded))
    assert checkpoint.hash == recorded[-1].hash
    assert checkpoint.origin == f"affray/A-duel/{recorded[0].hash[:16]}"
    assert signature_fault(checkpoint.note, signer_of(verifier)) == ""
    assert not any(position_differs(checkpoint, one.position, one.hash) for one in recorded)


def test_a_checkpoint_is_written_once_and_of_any_position(log: Path) -> None:
    verifier = make_key(log.parent)
    words = ("checkpoint", "duel.jsonl", "--key", "ilse.signer", "--at", "3", "-o", "then")
    ran = affray(log.parent, *words)
    assert (ran.code, ran.out) == (0, "wrote then: duel.jsonl up to position 3, signed by ilse\n")
    before = (log.parent / "then").read_bytes()
    again = affray(log.parent, *words)
    assert (again.code, again.err) == (2, "affray: then exists already; choose another, or replace it with --force\n")
    assert (log.parent / "then").read_bytes() == before
    told = affray(log.parent, *words[:-2], "--json").json
    third = rebuild_from_log(log).history.at(3)
    assert told == {
        "fight": "duel.jsonl",
        "origin": checkpoint_in(log.parent / "then").origin,
        "position": 3,
        "hash": third.hash,
        "verifier": verifier,
        "note": before.decode(),
    }


def test_what_cannot_be_signed(log: Path) -> None:
    make_key(log.parent)
    head = rebuild_from_log(log).head
    for words, said in (
        (("duel.jsonl",), "affray: Missing option '--key'.\naffray checkpoint --help says more"),
        (("duel.jsonl", "--key", "none"), "none: No such file or directory"),
        (("duel.jsonl", "--key", "ilse.signer", "--at", "0"), f"--at: must be from 1 to {head}"),
        (("duel.jsonl", "--key", "ilse.signer", "--at", str(head + 1)), f"--at: must be from 1 to {head}"),
        (("none.jsonl", "--key", "ilse.signer"), "affray: there is no fight none.jsonl"),
    ):
        ran = affray(log.parent, "checkpoint", *words)
        assert (ran.code, ran.out, ran.err) == (2, "", said + "\n")


def test_an_altered_log_is_not_signed(log: Path) -> None:
    make_key(log.parent)
    log.write_bytes(log.read_bytes().replace(b'"name":"Ilse"', b'"name":"Elsa"'))
    ran = affray(log.parent, "checkpoint", "duel.jsonl", "--key", "ilse.signer", "-o", "then")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("duel.jsonl, line ")
    assert not (log.parent / "then").exists()


NO_KEY = "duel.key, key: is no signing key, which begins with PRIVATE+KEY+; affray key makes one\n"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (SEED.hex().encode(), NO_KEY),
        (b"PRIVATE+KEY+", NO_KEY),
        (b"", NO_KEY),
        (b"\xff" + SEED, "duel.key: must be UTF-8 text\n"),
    ],
)
def test_a_file_that_is_no_signing_key_is_not_shown(log: Path, content: bytes, said: str) -> None:
    """It may well be the key of the dice."""
    (log.parent / "duel.key").write_bytes(content)
    ran = affray(log.parent, "checkpoint", "duel.jsonl", "--key", "duel.key")
    assert ran == (2, "", said)


def test_a_verifier_key_is_read_from_a_file_too(tmp_path: Path) -> None:
    verifier = make_key(tmp_path)
    file = tmp_path / "ilse.verifier"
    file.write_text(verifier + "\n", "ascii")
    assert signer_of(str(file)) == signer_of(verifier)
    with pytest.raises(Unusable, match="must be a verifier key"):
        signer_of("ilse")
    with pytest.raises(Faulty) as faulty:
        signer_of(str(tmp_path / "ilse.signer"))
    assert faulty.value.fault.file == str(tmp_path / "ilse.signer")


def test_a_checkpoint_that_is_none_is_found_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "then").write_text("affray/x\n2\n\n- ilse x\n", "utf-8")
    with pytest.raises(Faulty) as faulty:
        checkpoint_in(tmp_path / "then")
    fault = faulty.value.fault
    assert (fault.file, fault.field, exit_code_of(fault)) == (str(tmp_path / "then"), "line 4", 2)


def test_what_to_install_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "cryptography.py").write_text("raise ImportError", "ascii")
    ran = affray(tmp_path, "key", "ilse", PYTHONPATH=str(tmp_path))
    said = 'affray: signatures need the extra sign: pip install ".[sign]" in the folder of Affray\n'
    assert ran == (2, "", said)
    assert not (tmp_path / "ilse.signer").exists()


def test_every_named_signer_must_have_signed(log: Path) -> None:
    """The audit lists missing signers, for any order of the named ones."""
    ilse, bram = make_key(log.parent), make_key(log.parent, "bram")
    assert affray(log.parent, "checkpoint", "duel.jsonl", "--key", "ilse.signer", "-o", "then").code == 0
    kept = ("audit", "duel.jsonl", "--checkpoint", "then", "--signer", ilse)
    assert affray(log.parent, *kept).code in (0, 3)
    for signers in ((*kept, "--signer", bram), (*kept[:-1], bram, "--signer", ilse)):
        ran = affray(log.parent, *signers)
        assert (ran.code, ran.out) == (2, "")
        assert "bram has not signed it; it names ilse" in ran.err
