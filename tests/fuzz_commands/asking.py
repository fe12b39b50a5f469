"""Everything that can be asked of a fight that goes on, and what the answers must be."""

from __future__ import annotations

import io
from collections.abc import Sequence
from random import Random

import msgspec

from affray.engine import Fight, digest, fold, open_fight
from affray.engine.analysis.explain import explain_event, explain_refusal, rebuild_fight_at
from affray.engine.analysis.ledger import collect_chances, tally_chances
from affray.engine.errors import Refused, Unusable
from affray.engine.integrity.audit import audit
from affray.engine.runtime.offers import list_legal_actions
from affray.engine.visibility import Viewer, list_bands, project_state, wire_line
from affray.events import Answered, Declared, Previewed, Recorded
from affray.tools.api.schemas import receipts
from affray.tools.api.viewer_queries import list_actions_for, list_actors_for, list_choices_for, waiting_for
from affray.tools.cli.render_state import picture
from affray.tools.cli.terminal import console
from affray.tools.present.awaited import find_awaited
from affray.tools.present.exports import events_csv, markdown, page, rolls_csv
from affray.tools.present.receipts import refusal, text
from affray.tools.present.receipts.explanation import tell_explanation
from affray.tools.present.story.narration import detail, tell_all, tell_story
from affray.tools.present.story.words import Names, names_of
from affray.tools.present.typed_choices import list_choices, suggest_declarations
from affray.tools.present.waiting_text import waiting_line
from tests.engine.fights import NAME, noon, salt
from tests.engine.memory import MemoryStore

WIDTH = 100


def ask_at_once(fight: Fight, new: Sequence[Recorded]) -> int:
    """Send the queries of every client after each command: state, awaited input, events."""
    assert digest(fight.state)
    assert waiting_line(fight)
    find_awaited(fight.state)
    for one in new:
        assert detail(one, Names())
    return 3 + len(new)


def ask_everything(fight: Fight, dice: Random) -> int:
    """Ask all there is to ask of a fight as it stands, as every kind of viewer."""
    known, state = fight.history.recorded, fight.state
    console(io.StringIO()).print(picture(fight, fight.ruleset))
    list_choices(fight)
    suggest_declarations(fight)
    names = names_of(known)
    asked = _tree(fight, Viewer(role="gm"), dice)
    for one in known[-12:]:
        assert detail(one, names)
    positions = {fight.head, dice.randint(1, fight.head), dice.randint(1, fight.head)}
    for position in positions:
        found = explain_event(fight, position)
        assert list(text.receipt_lines(tell_explanation(fight, found), WIDTH))
        msgspec.json.encode(receipts.explanation(NAME, fight, found))
    tell_all(known[-12:], fight)
    asked += 9 + 2 * len(positions)
    for intent in list_attempts(fight, dice):
        try:
            verdict = explain_refusal(fight, intent)
        except (Unusable, Refused):
            continue
        list(refusal.refusal_lines(fight, intent, verdict, WIDTH))
        receipts.verdict(NAME, fight, intent, verdict)
        asked += 2
    for viewer in make_live_viewers(fight):
        seen = project_state(viewer, state)
        msgspec.json.encode(seen)
        list_bands(viewer, state)
        console(io.StringIO()).print(picture(seen, fight.ruleset))
        asked += _tree(fight, viewer, dice)
        waiting_for(viewer, fight)
        for one in known[-6:]:
            msgspec.json.encode(wire_line(viewer, one, msgspec.json.encode(one.event)))
        asked += 5
    return asked


def _tree(fight: Fight, viewer: Viewer, dice: Random) -> int:
    """Query a combatant's legal actions step by step; return the number of queries."""
    msgspec.json.encode(now := list_actors_for(viewer, fight))
    for mover in now.actors[:6]:
        msgspec.json.encode(what := list_actions_for(viewer, fight, mover.who, mover.manner))
        kind = dice.choice(what.kinds).kind
        for fill in (False, True):
            msgspec.json.encode(list_choices_for(viewer, fight, mover.who, kind, mover.manner, {}, fill=fill))
    return 1 + 3 * len(now.actors[:6])


def ask_of_the_record(fight: Fight, store: MemoryStore, seed: bytes | None) -> int:
    """Query the whole record: reopened it is the same fight, and its audit is clean."""
    again = open_fight(NAME, store, clock=noon, salts=salt)
    assert msgspec.json.encode(again.state) == msgspec.json.encode(fight.state), "opened again it is another fight"
    assert list(list_legal_actions(again.ruleset, again.table)) == list(
        list_legal_actions(fight.ruleset, fight.table)
    ), "… with other offers"
    assert fold(fight.history.effective()) == fight.state, "the fold is another state"
    report = audit(lambda: iter(store.read(NAME)), seed=seed)
    assert not report.findings, f"the audit finds {report.findings[:2]}"
    known = fight.history.recorded
    for line in tell_story(known, names_of(known)):
        assert str(line)
    tally_chances(collect_chances(fight.history, undone=True))
    assert markdown(fight)
    assert page(fight)
    assert events_csv(fight)
    assert rolls_csv(fight)
    rebuild_fight_at(fight, max(1, fight.head // 2))
    return 12


def make_live_viewers(fight: Fight) -> list[Viewer]:
    """Return people with different rights."""
    people = tuple(fight.state.combatants)
    return [Viewer(role="spectator"), Viewer(role="player", owns=people[:1]), Viewer(role="player", owns=people[1:])]


def list_attempts(fight: Fight, dice: Random) -> list[Declared | Answered]:
    people = [*fight.state.combatants, "gm"]
    asked = fight.state.question
    if asked is not None:
        return [
            Answered(question=asked.id, by=dice.choice(people), choice=one.choice, fields={"who": people[0]})
            for one in asked.options
        ]
    return [
        Declared(actor=dice.choice(people), kind=dice.choice(sorted(fight.ruleset.actions)), params=msgspec.Raw(b"{}"))
        for _ in range(2)
    ]


def is_unchanged(fight: Fight, before: tuple[int, bytes]) -> bool:
    """Tell whether a fight is as it was: the same state and the same head, but for a look at unseen dice."""
    last = fight.history.recorded[-1]
    looked = isinstance(last.event, Previewed) and last.position == before[0] + 1
    return before == (fight.head - looked, msgspec.json.encode(fight.state))


__all__ = ["ask_at_once", "ask_everything", "ask_of_the_record", "is_unchanged"]
