"""The audiences of recorded fights with hidden combatants: computed again from the record."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import msgspec
import pytest

from affray.engine import FileStore, open_fight
from affray.engine.core.evolve import fold
from affray.engine.history.timeline import History
from affray.engine.visibility import (
    Viewer,
    WireLine,
    find_audiences,
    has_hidden_part,
    seal_command,
    verify_wire,
    wire_line,
)
from affray.engine.visibility.viewers import WORDS
from affray.events import ChainBroken, Noted, Rolled, Ruled, read_line

REPLAYS = Path(__file__).parents[2] / "replays"
HIDDEN = sorted(REPLAYS.glob("*/*hidden*.jsonl"))
EACH = pytest.mark.parametrize("path", HIDDEN, ids=lambda path: path.stem)


WRITTEN = (Ruled, Noted, Rolled)
"""What may hold words of the game master: what an earlier version read in them is not looked for any more."""


def _plain(audience: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """Return an audience without what makes the mark of sealed words unguessable."""
    return audience and tuple(WORDS if one.startswith(WORDS) else one for one in audience)


@EACH
def test_every_command_is_sealed_as_it_was(path: Path) -> None:
    """Fields name combatants; all free text of the game master is for those who know."""
    fight = open_fight(path.stem, FileStore(path.parent))
    history, found = History(), 0
    for _, recorded in groupby(fight.history.recorded, lambda one: one.cause):
        command = list(recorded)
        before = fold(history.effective())
        history.add(command)
        if command[0].position == 1:
            continue
        events = [one.event for one in command]
        known_to, readers = find_audiences(before, events, lambda to: fold(history.effective(to=to)))
        for one, now in zip(command, readers, strict=True):
            assert now == _plain(one.audience) or (
                isinstance(one.event, WRITTEN) and {*(_plain(one.audience) or ())} < {*(now or ())}
            )
        assert known_to == readers[0] or command[0].known_to == known_to
        seals = seal_command(before, events, lambda to: fold(history.effective(to=to)), lambda: "salt")
        assert [one.salt for one in seals.events] == ["" if one is None else "salt" for one in readers]
        assert (seals.known_to, seals.mask) == (known_to, "" if known_to is None else "salt")
        concerns = seal_command(
            before, events, lambda to: fold(history.effective(to=to)), lambda: "s", concerns=("zoe",)
        )
        assert "zoe" in (concerns.known_to or ())
        found += sum(one is not None for one in readers)
    assert found > 5


@EACH
@pytest.mark.parametrize("viewer", [Viewer(role="spectator"), Viewer(role="gm")], ids=lambda one: one.role)
def test_each_line_is_shown_whole_or_sealed_and_fits_the_chain(path: Path, viewer: Viewer) -> None:
    """A changed line does not match the chain any longer."""
    store = FileStore(path.parent)
    fight = open_fight(path.stem, store)
    format, previous, hidden = fight.history.format_at(1), "", 0
    for one, line in zip(fight.history.recorded, store.read(path.stem), strict=True):
        format = fight.history.format_at(one.position)
        shown = wire_line(viewer, one, read_line(line).event, format=format)
        assert (shown.event is msgspec.UNSET) == bool(shown.digest) == bool(shown.readers)
        assert (shown.who == "") == (shown.cause == "") == bool(shown.by)
        assert has_hidden_part(viewer, one) == (shown.event is msgspec.UNSET or bool(shown.by))
        assert (shown.audience, shown.salt) == ((None, "") if shown.digest else (one.audience, one.salt))
        assert (shown.known_to, shown.mask) == ((None, "") if shown.by else (one.known_to, one.mask))
        hidden += shown.event is msgspec.UNSET
        assert verify_wire(shown, after=one.position - 1, previous=previous, format=format) == one.hash
        for wrong in _otherwise(shown):
            with pytest.raises(ChainBroken):
                verify_wire(wrong, after=one.position - 1, previous=previous, format=format)
        with pytest.raises(ChainBroken, match=f"position {one.position} where {one.position + 1} was due"):
            verify_wire(shown, after=one.position, previous=previous, format=format)
        previous = one.hash
    assert bool(hidden) == (viewer.role == "spectator")


def _otherwise(line: WireLine) -> list[WireLine]:
    replace = msgspec.structs.replace
    wrong = [replace(line, time=line.time + "0"), replace(line, more=line.more + 1), replace(line, hash="00")]
    wrong.append(replace(line, by="00") if line.by else replace(line, who=line.who + "x"))
    if line.event is msgspec.UNSET:
        wrong += [replace(line, digest="00"), replace(line, readers="00")]
    else:
        wrong += [replace(line, event=msgspec.Raw(bytes(line.event) + b" ")), replace(line, audience=("zoe",))]
    return wrong
