"""No player can probe for hidden combatants: no command's result depends on them."""

from __future__ import annotations

from random import Random
from typing import Any
from unicodedata import normalize

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from affray.engine import Fight, begin_fight
from affray.engine.analysis.policies import choose_sensibly
from affray.engine.errors import EngineError
from affray.engine.visibility import Viewer
from affray.engine.visibility.viewers import WORDS
from affray.tools.api.access import VisibleRefusal
from affray.tools.api.viewer_queries import project_lines
from affray.tools.server.commands import _execute, split_command
from affray.tools.server.error_mapping import problem_for
from affray.tools.server.sessions import FightSnapshot
from tests.engine.conftest import two
from tests.engine.fights import noon, salt, submit_accepted
from tests.engine.test_hiding import rule
from tests.engine.test_words import talk

NAMES = ("Lurker", "Brandish", "Old Brand", "Brand the Second", "Zoë")
"""Who may be hidden from all players, or not be there at all; some are called much like Brand, whom Anna may know."""

ANNA, MARA = (
    Viewer(role="player", name="Anna", owns=("ilse",)),
    Viewer(role="player", name="Mara", owns=("ilse", "brand")),
)
OTHERS = (Viewer(role="spectator"), Viewer(role="player", name="Bo", owns=("bram",)))

PIECES = st.sampled_from(
    (
        "WORD",
        "WORDs",
        "WORD's",
        "word",
        "the WORD-door",
        "Brand",
        "brands",
        "Ilse",
        "hp 5",
        "attack",
        "gm",
        "#",
        "/",
        "-",
        " ",
        "\t",
        "\n",
        "\u2060",
        "\u2069",
        "\u2060\u2060\u2069\u2069",
        "\u2068\u2060",
        "͏",
        "️",
        "\u200d",
        "́",
        "ㅤ",
        "\xad",
        "\u2028",
        "\ue000",
        "“",
        "…",
        "\u3000",
        "x" * 150,
    )
)
WRITTEN = st.lists(PIECES, min_size=1, max_size=6).map("".join) | st.text(max_size=20)
SPELT = st.sampled_from(
    (
        str,
        str.upper,
        str.lower,
        lambda name: normalize("NFD", name),
        lambda name: "".join(chr(ord(one) + 0xFEE0) if one.isascii() and one.isalpha() else one for one in name),
        lambda name: name.replace(" ", "-"),
        "\u0301".join,
    )
)
FORMS = st.sampled_from(
    (
        {"type": "Declared", "actor": "ilse", "kind": "improvise", "params": {"what": "SAID"}},
        {"type": "Declared", "actor": "ilse", "kind": "improvise", "params": {"SAID": "what"}},
        {"type": "Declared", "actor": "ilse", "kind": "attack", "params": {"target": "SAID", "weapon": "broad-sword"}},
        {"type": "Declared", "actor": "ilse", "kind": "attack", "params": {"target": "brand", "weapon": "SAID"}},
        {"type": "Declared", "actor": "ilse", "kind": "SAID", "params": {}},
        {"type": "Declared", "actor": "SAID", "kind": "pass", "params": {}},
        {"type": "Declared", "actor": "ilse", "kind": "improvise", "manner": "SAID", "params": {"what": "a feat"}},
        {"type": "Answered", "question": "SAID", "by": "ilse", "choice": "no"},
        {"type": "Answered", "question": "ASKED", "by": "ilse", "choice": "SAID"},
        {"type": "Answered", "question": "ASKED", "by": "ilse", "choice": "no", "fields": {"SAID": "x"}},
        {"type": "Passed", "window": "SAID", "who": "ilse"},
        {"type": "AskingSet", "who": "ilse", "ask": "SAID"},
        {"type": "DiceEntered", "roll": "SAID", "faces": [1]},
        {"type": "Undo", "reason": "SAID"},
        {"type": "Stir", "words": "SAID"},
        {"type": "Said", "words": "ilse improvise SAID"},
        {"type": "Said", "words": "SAID"},
        {"type": "Said", "words": "answer SAID"},
        {"type": "SAID"},
    )
)


def send_and_collect(fight: Fight, viewer: Viewer, body: dict[str, Any]) -> list[Any]:
    """Return the results of a player's command for all viewers, without hashes and digests."""
    head = fight.head
    try:
        try:
            id, expected, intent = split_command(body)
        except EngineError as error:
            raise VisibleRefusal(error) from None
        carried: Any = _execute(fight, viewer, id, expected, intent)
    except Exception as error:
        assert fight.head == head
        problem = problem_for(error, viewer, FightSnapshot(fight.state, fight.history))
        assert problem.status < 500
        return [problem]
    told = [project_lines(one, fight, fight.history.recorded[head:]) for one in (viewer, *OTHERS)]
    return [carried.waiting, *([_bare(line) for line in lines] for lines in told)]


def _bare(line: Any) -> Any:
    readers = [WORDS if one.startswith(WORDS) else one for one in line.audience or ()]  # what follows it is chance
    sealed = line.event is UNSET
    return (line.position, line.who, line.cause, bool(line.by), sealed, line.event, readers, line.known_to)


def fill_words(body: Any, said: str, question: str) -> Any:
    """Return a request with the words in place."""
    text = msgspec.json.encode(body).decode().replace("SAID", msgspec.json.encode(said).decode()[1:-1])
    return msgspec.json.decode(text.replace("ASKED", question))


def asked_duel(*, concealed: bool) -> Fight:
    """Return a duel with a question to Ilse, with Brand hidden or not."""
    for seed in range(100):
        fight = begin_fight("duel", two(), who="gm", seed=bytes([seed]) * 32, clock=noon, salts=salt)
        while (intent := choose_sensibly(fight, Random(0))) is not None and fight.head < 200:
            submit_accepted(fight, intent)
            if fight.state.question is not None and "ilse" in fight.state.question.of:
                rule(fight, "allow", who="ilse", what="a feat")
                if concealed:
                    rule(fight, "conceal", who="brand")
                return fight
    raise AssertionError("she is never asked")


@given(st.sampled_from(NAMES), SPELT, WRITTEN, FORMS, st.booleans(), st.booleans(), st.booleans())
def test_nobody_finds_out_who_is_hidden(
    name: str, spelt: Any, written: str, form: dict[str, Any], as_id: bool, knows: bool, asked: bool
) -> None:
    """In every field of every request, in any spelling: with one hidden, another, or none."""
    said = written.replace("WORD", spelt(name))
    viewer = MARA if knows else ANNA
    came = []
    for coming in (name, "Quiet One", ""):
        fight = asked_duel(concealed=knows) if asked else talk(concealed=knows)
        if coming:
            rule(fight, "conceal", coming=coming)
        else:
            rule(fight, "note", text="all is quiet")
        question = fight.state.question.id if fight.state.question is not None else "none"
        body = {"id": said if as_id else "c1", "intent": fill_words(form, said, question)}
        came.append(
            [
                send_and_collect(fight, viewer, body),
                send_and_collect(fight, viewer, {**body, "intent": {"type": "Undo"}}),
            ]
        )
    assert came[0] == came[1] == came[2]
