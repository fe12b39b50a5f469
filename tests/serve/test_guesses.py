"""Free text of a player may contain a hidden name: no answer reveals that it exists."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from affray.engine import Command, Fight, begin_fight
from affray.engine.analysis.policies import choose_sensibly
from affray.engine.core.loading import load
from affray.engine.core.ruleset import Ruleset
from affray.engine.errors import EngineError
from affray.engine.runtime.offers import LegalAction, list_legal_actions
from affray.engine.visibility import Viewer, free_texts
from affray.events import FORMAT, Declared, Ruled
from affray.tools.api.viewer_queries import waiting_for
from affray.tools.server.line_cache import EncodedLine
from affray.tools.server.view_cache import View
from tests.engine.fights import SEED, noon, salt
from tests.rulesets.systems import SYSTEMS

ENCOUNTERS = Path("encounters")
STEPS = 60
RULED = {("damage", "cause"), ("harm", "cause"), ("test", "cause"), ("check", "cause")}
"""What nobody declares: the game master's words, on the stack by a ruling."""

MINIMAL: dict[str, dict[str, Any]] = {"stunt": {"effect": "other"}, "ready": {"trigger": "other"}}
"""What actions must be told beside the words."""

HASH = re.compile(rb'"(hash|digest)":"[0-9a-f]{64}"')


class WordTwins:
    """Two fights that differ in one word: a hidden combatant's id in one, an unused word in the other."""

    def __init__(self, encounter: dict[str, Any], word: str, other: str) -> None:
        self.words = (word, other)
        self.fights = [begin_fight("twin", encounter, who="gm", seed=SEED, clock=noon, salts=salt) for _ in self.words]
        self.people = [who for who in self.one.state.combatants if who not in self.one.state.concealed]
        self.viewers = [Viewer(role="spectator"), *(Viewer(role="player", owns=(who,)) for who in self.people[:3])]
        self.views = [[View(one, f.history.recorded, f.state) for one in self.viewers] for f in self.fights]
        self._ids = self._alike = 0

    @property
    def one(self) -> Fight:
        """The one with the hidden combatant's id."""
        return self.fights[0]

    def does(self, intent: Any, by: Viewer | None = None) -> bool:
        """Let both do the same, but for the word where there is ``WORD``; tell whether they did."""
        self._ids += 1
        done = []
        for fight, word, views in zip(self.fights, self.words, self.views, strict=True):
            before = fight.head
            mine = with_word(intent, word) if isinstance(intent, Declared) else intent
            knows = None if by is None else by.owns
            try:
                fight.submit(Command(id=f"c{self._ids}", who=by.owns[0] if by else "gm", intent=mine, knows=knows))
            except EngineError as error:
                done.append(str(error).replace(self.words[0], "WORD").replace(word, "WORD"))
                continue
            done.append("")
            for view in views:
                view.update(fight.history.recorded[before:], fight.state)
        assert done[0] == done[1]
        return not done[0]

    def look_alike(self) -> None:
        """Check that every viewer is sent the same in both fights."""
        word, other = (word.encode() for word in self.words)
        for viewer, *views in zip(self.viewers, *self.views, strict=True):
            pairs = zip(self.fights, views, strict=True)
            sent = [b"".join(iterate_sent(viewer, fight, view, self._alike)) for fight, view in pairs]
            assert sent[0] == sent[1].replace(other, word)
        self._alike = self.one.head


def iterate_sent(viewer: Viewer, fight: Fight, view: View, after: int) -> Iterator[bytes]:
    """Yield everything that a viewer is sent of a fight after a position, without hashes and digests."""
    for one in fight.history.recorded[after:]:
        yield HASH.sub(b"", EncodedLine(one, FORMAT).encode_for(viewer)) + b"\n"
    yield HASH.sub(b"", view.snapshot())
    yield msgspec.json.encode((waiting_for(viewer, fight), view.broken))


def with_word(intent: Declared, word: str) -> Declared:
    """Return a declaration with the word in place."""
    params = bytes(intent.params).replace(b"WORD", word.encode())
    return msgspec.structs.replace(intent, params=Raw(params))


def iterate_spoken_actions(rules: Ruleset, fight: Fight, who: str) -> Iterator[tuple[str, str, Declared]]:
    """Yield every action with free text, with the text and its field."""
    offered = {
        one.intent.kind: msgspec.json.decode(one.intent.params)
        for one in list_legal_actions(rules, fight.table)
        if isinstance(one, LegalAction) and one.intent.actor == who and one.intent.manner == "standard"
    }
    for kind, action in rules.actions.items():
        for field in free_texts(action):
            for words in ("WORD", "where the WORD waits, behind it"):
                params = {**offered.get(kind, {}), **MINIMAL.get(kind, {}), field: words}
                yield kind, field, Declared(actor=who, kind=kind, params=Raw(msgspec.json.encode(params)))


def go_on_in_both(twins: WordTwins, dice: Random, steps: int) -> bool:
    """Let both fights go on as the rules would have it, the game master's answers included."""
    for _ in range(steps):
        intent = choose_sensibly(twins.one, dice)
        if intent is None or not twins.does(intent):
            return False
        twins.look_alike()
    return True


def hidden_in(path: Path) -> tuple[dict[str, Any], str]:
    """Return an encounter with its last combatants concealed, and the id of one of them."""
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    content["combatant"][-1]["concealed"] = True
    fight = begin_fight("twin", content, who="gm", seed=SEED, clock=noon)
    return content, fight.state.concealed[0]


@pytest.mark.parametrize("system", SYSTEMS)
def test_own_words_are_told_alike_whomever_they_name(system: str) -> None:
    """Every free text of every action: for its author, other players and spectators, in every place.

    Vestige has none: there one says what the game master allowed, word for word.
    """
    due = {(kind, field) for kind, action in load(system).actions.items() for field in free_texts(action)} - RULED
    accepted = set()
    for path in sorted((ENCOUNTERS / system).glob("*.toml")):
        content, word = hidden_in(path)
        twins, dice = WordTwins(content, word, "q" * len(word)), Random(1)
        tried: set[tuple[str, str, bytes]] = set()
        for _ in range(STEPS):
            for who in twins.people:
                for kind, field, intent in iterate_spoken_actions(load(system), twins.one, who):
                    key = (kind, field, bytes(intent.params))
                    if key not in tried and twins.does(intent, Viewer(role="player", owns=(who,))):
                        tried.add(key)
                        accepted.add((kind, field))
                        twins.look_alike()
                        go_on_in_both(twins, dice, 3)
            if accepted == due or not go_on_in_both(twins, dice, 1):
                break
    assert accepted == due


def test_whether_a_permission_fits_tells_nothing() -> None:
    """Vestige permits only actions that the game master allowed: a guess is refused, with any name."""
    content, word = hidden_in(ENCOUNTERS / "vestige" / "bridge.toml")
    twins, dice = WordTwins(content, word, "q" * len(word)), Random(1)
    used = 0
    while used < 2:
        for who in [who for who in twins.people if who in twins.one.state.acting]:
            player = Viewer(role="player", owns=(who,))
            twins.does(make_allowing_ruling(who))
            assert not any(twins.does(declare_improvised(who, said), player) for said in ("WORD", "a feat of WORD"))
            used += twins.does(declare_improvised(who, "a feat"), player)
            twins.look_alike()
        assert go_on_in_both(twins, dice, 1)


def make_allowing_ruling(who: str) -> Ruled:
    """Return the ruling that permits an unlisted action."""
    return Ruled(kind="allow", params=Raw(msgspec.json.encode({"who": who, "what": "a feat"})), reason="so be it")


def declare_improvised(who: str, what: str) -> Declared:
    """Return the declaration of it."""
    return Declared(actor=who, kind="improvise", params=Raw(msgspec.json.encode({"what": what})))
