"""A take-back that a forger leaves out together with what it took back: only a checkpoint tells."""

from __future__ import annotations

from random import Random

import msgspec

from affray.engine import Fight, begin_fight
from affray.engine.analysis.policies import choose_best
from affray.engine.commands import Amend, Close, Command, Intent, Undo
from affray.engine.integrity.audit import Report, audit
from affray.engine.integrity.checkpoint import Checkpoint
from affray.engine.integrity.signed_note import Note, Signature
from affray.events import Declared, Recorded, Rewound, Rolled, Ruled
from tests.engine.fights import salt
from tests.forging import encode_log, fitting, rechain_log
from tests.tampering.fights import ROOT, SEED, clock


def submit_command(fight: Fight, intent: Intent) -> None:
    """Carry out a command."""
    fight.submit(Command(id=f"c{fight.head}", who="gm", intent=intent))


def play_sensibly(fight: Fight, dice: Random, commands: int) -> None:
    """Carry out what a sensible player would."""
    for _ in range(commands):
        intent = choose_best(fight, dice)
        assert intent is not None
        submit_command(fight, intent)


def fight_with_a_takeback() -> list[Recorded]:
    """Return a closed fight with an undone command with dice, and a declaration in its place."""
    encounter = msgspec.toml.decode((ROOT / "encounters" / "vestige" / "alley.toml").read_bytes())
    fight = begin_fight("alley", encounter, who="gm", seed=SEED, clock=clock(), salts=salt)
    dice = Random(2)
    while True:
        before = fight.head
        play_sensibly(fight, dice, 1)
        fell = any(isinstance(one.event, Rolled) for one in fight.history.recorded[before:])
        if before > 60 and fell:
            break
    submit_command(fight, Undo(commands=1))
    play_sensibly(fight, dice, 6)
    submit_command(fight, Close(unfinished=True))
    return list(fight.history.recorded)


def leave_out_the_takeback(log: list[Recorded]) -> list[Recorded]:
    """Strike out an undo and all that it took back; make positions and the chain fit again."""
    (undo,) = (one for one in log if isinstance(one.event, Rewound))
    assert isinstance(undo.event, Rewound)
    return rechain_log(fitting([*log[: undo.event.to], *log[undo.position :]]))


def find_kept_head(log: list[Recorded], position: int) -> Checkpoint:
    """Return a head that a player kept."""
    hashes = [bytes.fromhex(one.hash) for one in log[:position]]
    note = Note(text="", signatures=(Signature(name="anna", id=b"", value=b""),))
    trail = b"".join(one[:8] for one in hashes)
    return Checkpoint(origin="alley", position=position, hash=hashes[-1].hex(), trail=trail, note=note)


def audit_takebacks(log: list[Recorded], *checkpoints: Checkpoint) -> Report:
    """Audit a log."""
    lines = encode_log(log)
    return audit(lambda: lines, checkpoints=checkpoints)


def test_a_takeback_left_out_with_what_it_took_back_is_found_by_a_checkpoint_alone() -> None:
    """The declarations behind it have the names that they would have without it, so the same dice fall."""
    log = fight_with_a_takeback()
    undo = next(one.position for one in log if isinstance(one.event, Rewound))
    assert [one.position for one in audit_takebacks(log).takebacks] == [undo]
    struck = leave_out_the_takeback(log)
    report = audit_takebacks(struck)
    assert (report.verdict, report.takebacks) == ("clean", ())
    assert audit_takebacks(log, find_kept_head(log, undo)).verdict == "clean"
    (found,) = audit_takebacks(struck, find_kept_head(log, undo)).findings
    assert found.layer == "checkpoint"
    page = (ROOT / "docs" / "verify.md").read_text("utf-8")
    assert "- a take-back as such: an undo left out together with" in page


def closed_after(commands: int, *, amended: bool) -> list[Recorded]:
    """Return a closed fight of so many commands. The last one may stand in the place of a note that is amended."""
    encounter = msgspec.toml.decode((ROOT / "encounters" / "vestige" / "alley.toml").read_bytes())
    fight = begin_fight("alley", encounter, who="gm", seed=SEED, clock=clock(), salts=salt)
    play_sensibly(fight, Random(2), commands)
    head, instead = fight.head, choose_best(fight, Random(3))
    assert isinstance(instead, Declared)
    if amended:
        submit_command(fight, Ruled(kind="note", params=msgspec.Raw(b'{"text":"x"}'), reason="so"))
        submit_command(fight, Amend(position=head + 1, instead=(instead,), reason="so it was"))
    else:
        submit_command(fight, instead)
    submit_command(fight, Close(unfinished=True))
    return list(fight.history.recorded)


def test_an_amendment_or_an_undo_is_left_out_or_put_in_without_a_trace() -> None:
    """Each of two records of the same opening and seed is what a forger could make of the other."""
    with_undo = fight_with_a_takeback()
    with_amendment, without = closed_after(12, amended=True), closed_after(12, amended=False)
    assert with_amendment[0].event == without[0].event
    reports = [audit_takebacks(one) for one in (with_undo, leave_out_the_takeback(with_undo), with_amendment, without)]
    assert [one.verdict for one in reports] == ["clean"] * 4
    assert [bool(one.takebacks) for one in reports[:2]] == [True, False]
    assert [bool(one.amended) for one in reports[2:]] == [True, False]
    page = (ROOT / "docs" / "verify.md").read_text("utf-8")
    assert "- a take-back put in, with commands" in page
    assert "one left out or one put in" in page
