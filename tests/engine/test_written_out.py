"""Data that the engine writes out, and data that it accepts."""

from __future__ import annotations

import pytest
from msgspec import Struct

from affray.engine.analysis.explain import Account, Die, Group, IntentVerdict, Receipt, Term
from affray.engine.core import state
from affray.engine.core.actions import Action, Ruling
from affray.engine.core.catalogue import ClauseText
from affray.engine.integrity.audit.findings import Finding, Listed
from affray.engine.kit.encounters import ViewEntry
from affray.engine.visibility import WireLine
from affray.events import (
    Dice,
    Event,
    Faces,
    Field,
    Member,
    Modifier,
    Option,
    RawRecorded,
    Recorded,
    Slot,
)

STATES = [
    one
    for one in vars(state).values()
    if isinstance(one, type) and issubclass(one, Struct) and one.__module__ == state.__name__
]
SHORT = [
    Account,
    Die,
    Group,
    Receipt,
    Term,
    IntentVerdict,
    Finding,
    Listed,
    WireLine,
    Action,
    Ruling,
    Event,
    Recorded,
    RawRecorded,
]
SHORT += [Dice, Faces, Field, Member, Modifier, Option, Slot, *STATES]


@pytest.mark.parametrize("kind", SHORT, ids=lambda kind: kind.__name__)
def test_what_is_as_ever_is_not_written_out(kind: type[Struct]) -> None:
    assert kind.__struct_config__.omit_defaults


@pytest.mark.parametrize("kind", [Action, Ruling, ViewEntry, ClauseText], ids=lambda kind: kind.__name__)
def test_what_nobody_knows_is_refused(kind: type[Struct]) -> None:
    assert kind.__struct_config__.forbid_unknown_fields
