"""A log that is called one of another format, with the chain made to fit, is found."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from affray.engine import FileStore, open_fight, read_log
from affray.engine.integrity.audit import Report, audit
from affray.events import FORMAT, FightOpened, Senseless, dice_scheme_of
from tests.forging import Log, encode_log, rechain_log
from tests.rulesets.systems import PRESENT, RULESETS
from tests.tampering.fights import NAMES, closed_fight

REPLAYS = Path(__file__).parents[2] / "replays"


def audit_relabelled(log: Log) -> Report:
    """Return what an audit says of a log."""
    lines = encode_log(log)
    return audit(lambda: lines)


def relabel_log(log: Log, format: int) -> Iterator[Log]:
    """Yield a log under another format, with the dice scheme it had and with the one that goes with the format."""
    opened = log[0].event
    assert isinstance(opened, FightOpened)
    for scheme in {opened.dice_scheme, dice_scheme_of(format)}:
        event = replace(opened, format=format, dice_scheme=scheme)
        yield rechain_log([replace(log[0], event=event), *log[1:]])


@pytest.mark.parametrize("name", NAMES)
def test_no_closed_fight_is_clean_under_another_format(name: str) -> None:
    """Later or earlier, with the dice scheme left or made to fit."""
    log = closed_fight(name).log
    opened = log[0].event
    assert isinstance(opened, FightOpened)
    assert audit_relabelled(log).verdict == "clean"
    for format in {*range(1, FORMAT + 1)} - {opened.format}:
        for forged in relabel_log(log, format):
            assert audit_relabelled(forged).verdict == "found", format


@pytest.mark.parametrize("system", PRESENT)
def test_a_version_of_the_rules_is_found_in_a_format_that_is_older(system: str) -> None:
    """Its first format is declared beside its version; no recorded fight is older."""
    ruleset = RULESETS[system]
    assert 1 < ruleset.first_format <= FORMAT
    for path in (REPLAYS / system).glob("*.jsonl"):
        format, version = 0, ""
        for one in read_log(FileStore(path.parent).read(path.stem)):
            format = getattr(one.event, "format", format)
            version = getattr(one.event, "version", version)
            assert version != ruleset.version or format >= ruleset.first_format, path
    (forged, *_) = relabel_log(closed_fight(system).log, ruleset.first_format - 1)
    found = [one for one in audit_relabelled(forged).findings if (one.layer, one.code) == ("rules", "format")]
    assert [(one.position, one.found) for one in found] == [(1, f"format {ruleset.first_format - 1}")]


def test_rules_are_not_adopted_in_a_format_that_is_older() -> None:
    """A log of format 3 that says it went on under rules of format 4, but not in format 4, is found."""
    log = list(read_log(FileStore(REPLAYS / "vestige").read("version-1-goes-on")))
    adopted = next(nth for nth, one in enumerate(log) if type(one.event).__name__ == "RulesetAdopted")
    event = replace(log[adopted].event, version=RULESETS["vestige"].version)
    forged = rechain_log([*log[:adopted], replace(log[adopted], event=event), *log[adopted + 1 :]])
    lines = encode_log(forged)
    report = audit(lambda: lines, seed=FileStore(REPLAYS / "vestige").seed("version-1-goes-on"))
    assert ("rules", "format", adopted + 1) in [(one.layer, one.code, one.position) for one in report.findings]


@pytest.mark.parametrize(("format", "scheme"), [(4, 2), (5, 1), (5, 3), (5, 0), (3, -1)])
def test_a_format_has_one_dice_scheme(tmp_path: Path, format: int, scheme: int) -> None:
    """Another is refused where a fight is opened, and found by the audit, at the opening."""
    log = closed_fight("vestige").log
    opened = log[0].event
    assert isinstance(opened, FightOpened)
    forged = rechain_log([replace(log[0], event=replace(opened, format=format, dice_scheme=scheme)), *log[1:]])
    (tmp_path / "forged.jsonl").write_bytes(b"".join(line + b"\n" for line in encode_log(forged)))
    with pytest.raises(Senseless, match=f"format {format} has no dice scheme {scheme}"):
        open_fight("forged", FileStore(tmp_path))
    codes = [(one.position, one.code) for one in audit_relabelled(forged).findings]
    assert (1, "dice_scheme") in codes
