"""Random words are understood or refused: no line makes a parser of rulings, actions or answers fail."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from affray.engine import Fight, FileStore, open_fight
from affray.engine.errors import Refused, Unusable
from affray.events import Asked, DiceAwaited, WindowOpened
from affray.tools.parse import intent_parser
from affray.tools.parse.typed_names import name_fields
from tests.engine.encounters import load_shipped_encounters
from tests.rulesets.systems import PRESENT
from tests.rulesets.test_newcomers import open_newcomers
from tests.test_replays import REPLAYS

LINES_OF_EACH = 5
"""How many random lines are parsed of each ruling and each action."""

PIECES = (
    *("", "=", "==", "-", "--", ".", ",", ";", ":", "*", "'", '"', "“", "”", "\\", "{", "}", "[", "]", "{}", "[]", "("),
    *("a-b=c", "=x", "1=2", "na-me=Wolf", "a b=c", "name=", "a.b.c", "x.toml", "because", "do", "gm", "all", "null"),
    *(" ", "  ", "\t", "\u00a0", "\u2028", "\x00", "é", "Ωmega", "狼", "🐺", "٣", "²"),
    *("0", "-1", "1.5", "1e999", "9" * 30, "9" * 5000, "true", "2d6+1", "1d0"),
    *('{name="X",side="foes"}', '{"name":"X","side":"foes"}', "[5]", '{"a":', "[" * 1200, "[" * 900 + "]" * 900),
)  # fmt: skip
"""Pieces of words: signs of the notation, blanks, scripts, numbers, tables and half ones."""

SMALLEST = {
    system: min(
        (told for told in load_shipped_encounters().values() if told["system"] == system),
        key=lambda told: len(told["combatant"]),
    )
    for system in PRESENT
}
"""The encounter of each system with the fewest entries."""


def make_words(random: Random, known: list[str]) -> list[str]:
    """Return up to six words, each made of known names and of pieces."""
    return ["".join(make_pieces(random, known)) for _ in range(random.randint(0, 6))]


def make_pieces(random: Random, known: list[str]) -> list[str]:
    """Return the parts of a word."""
    return [random.choice(known if random.random() < 0.4 else PIECES) for _ in range(random.randint(1, 3))]


def find_fault(fight: Fight, words: list[str]) -> str:
    """Return what goes wrong other than a refusal when words, and a line of them, are parsed."""
    line = " ".join(words)
    for said in (words, line):
        try:
            intent_parser.intent(fight, said) if isinstance(said, str) else intent_parser.intent_of(fight, said)
        except (Refused, Unusable):
            pass
        except Exception as error:
            return f"{said!a:.300} gives {error!r}"
    return ""


@pytest.mark.parametrize("system", PRESENT)
def test_random_words_are_understood_or_refused(system: str) -> None:
    """Behind each ruling and each action there is."""
    fight, random = open_newcomers(SMALLEST[system]), Random(system)
    actors, forms = [*fight.table.draft.combatants], {**fight.ruleset.rulings, **fight.ruleset.actions}
    for kind, form in forms.items():
        fields = form.__struct_fields__
        known = [*actors, *fight.table.draft.items, *fields, *(f"{name}=" for name in fields), "name=", "side="]
        for _ in range(LINES_OF_EACH):
            words = ["rule" if kind in fight.ruleset.rulings else actors[0], kind, *make_words(random, known)]
            assert find_fault(fight, words) == ""


def waiting_fights() -> Iterator[Fight]:
    """Yield recorded fights, each as it was when it waited for an answer, a pass or dice."""
    for path in sorted(REPLAYS.glob("*/[!fv]*.jsonl")):
        fight = open_fight(path.stem, FileStore(path.parent), verified=False)
        kinds = set[type]()
        for one in fight.history.recorded:
            waits = type(one.event)
            if waits in (Asked, WindowOpened, DiceAwaited) and one.more == 0 and waits not in kinds:
                kinds.add(waits)
                yield fight.copy_at(one.position, mend=True)


def test_random_answers_passes_and_faces_are_understood_or_refused() -> None:
    """For any awaited input, and for settings of questions."""
    random, fights = Random("answers"), list(islice(waiting_fights(), 30))
    assert {(bool(one.state.question), bool(one.state.window), bool(one.state.awaited)) for one in fights} > {
        (True, False, False),
        (False, True, False),
        (False, False, True),
    }
    for fight in fights:
        question = fight.state.question
        options = question.options if question is not None else ()
        fields = [f"{name}=" for one in options for name in name_fields(one)]
        known = [*fight.state.combatants, *(one.choice for one in options), *fields, "pass", "never", "always"]
        for verb in ("answer", "pass", "roll", "stand", "do", "rule", ""):
            for _ in range(LINES_OF_EACH):
                assert find_fault(fight, [verb, *make_words(random, known)]) == ""
