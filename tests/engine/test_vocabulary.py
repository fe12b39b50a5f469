"""A vocabulary says every word that its rules write into a log, and fits the rules it is of."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec import Struct

from affray.engine.core.loading import available, load
from affray.engine.core.sentences import Part, fill_in, part_names
from affray.engine.core.vocabulary import Vocabulary, faults
from affray.engine.core.words import Deed, PoolWord, RoleWord, TraitWord
from affray.engine.history.log import read_log
from affray.tools.systems.trial import list_words

REPLAYS = Path(__file__).parents[2] / "replays"

INVENTED = frozenset({"options", "triggers", "phases", "traits", "clocks", "purposes"})
"""Tables whose words a game master or a sheet can add to, or that are said well enough as they are written."""


@pytest.mark.parametrize("log", sorted(REPLAYS.glob("*/*.jsonl")), ids=lambda path: path.stem)
def test_every_word_of_a_recorded_fight_is_declared(log: Path) -> None:
    words = load(log.parent.name).vocabulary
    recorded = read_log(log.read_bytes().splitlines())
    places = {one.event.place for one in recorded if hasattr(one.event, "place")}
    found = {
        (table, word.split(":")[0].split("/")[0])
        for one in recorded
        for table, word in list_words(one.event)
        if word and table not in INVENTED and word not in places and "," not in word
    }
    assert {(table, word) for table, word in found if word not in getattr(words, table)} == set()


@pytest.mark.parametrize("system", available())
def test_a_vocabulary_fits_its_rules(system: str) -> None:
    ruleset = load(system)
    assert list(faults(ruleset.vocabulary, ruleset.actions, ruleset.rulings)) == []
    assert ruleset.vocabulary.with_role("health") & ruleset.vocabulary.lasting("pools")
    assert ruleset.vocabulary.with_role("out") <= ruleset.vocabulary.lasting("conditions")
    assert ruleset.vocabulary.with_role("out")


class Shove(Struct):
    """An action of these tests."""

    target: str
    hard: bool = False


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (Vocabulary(), "actions: shove is not declared"),
        (
            Vocabulary(actions={"shove": Deed(says="shove {target}")}),
            "actions.shove: the parameter hard is neither said nor quiet",
        ),
        (
            Vocabulary(actions={"shove": Deed(says="shove {target} {where}", quiet=("hard",))}),
            "actions.shove: there is no parameter where",
        ),
        (
            Vocabulary(actions={"shove": Deed(says="shove {target}", quiet=("hard",)), "sing": Deed(says="sing")}),
            "actions.sing: there is no such action",
        ),
        (
            Vocabulary(
                actions={"shove": Deed(says="shove {target}", quiet=("hard",))},
                pools={"hp": PoolWord(most="toughness")},
            ),
            "pools.hp.most: there is no stat toughness",
        ),
        (
            Vocabulary(
                actions={"shove": Deed(says="shove {target}", quiet=("hard",))},
                pools={"moves": PoolWord(role="budget", lasts=True)},
            ),
            "pools.moves.lasts: a budget is full again with every turn, so that it does not outlast a fight",
        ),
        (
            Vocabulary(
                actions={"shove": Deed(says="shove {target}", quiet=("hard",))},
                roles={"rider": RoleWord(stands="rides {mount}")},
            ),
            "roles.rider.stands: mount is neither foes nor others",
        ),
    ],
)
def test_what_does_not_fit_is_found(words: Vocabulary, fault: str) -> None:
    assert list(faults(words, {"shove": Shove}, {})) == [fault]


def test_a_word_is_said_by_its_label_or_as_it_is_written() -> None:
    words = Vocabulary(
        pools={"hp": PoolWord(label="HP", role="health"), "ep": PoolWord(role="budget")},
        traits={"big_one": TraitWord()},
    )
    assert [words.label("pools", one) for one in ("hp", "ep", "inner_fire")] == ["HP", "ep", "inner fire"]
    assert words.label("traits", "big_one") == "big one"
    assert words.with_role("budget") == {"ep"}


def test_a_sentence_leaves_out_what_is_not_said() -> None:
    """Parts in square brackets go together; a part can stand for one text or another."""
    pattern = "go[ to {to}][ over {over} and {under}]{slow: slowly| at once}"

    def value(part: Part) -> str | None:
        known = {"to": "the bridge", "over": "the hill"}
        return part.yes if part.name == "slow" else known.get(part.name)

    assert fill_in(pattern, value) == "go to the bridge slowly"
    assert part_names(pattern) == {"to", "over", "under", "slow"}


@pytest.mark.parametrize("table", [one.name for one in msgspec.structs.fields(Vocabulary) if one.name != "places"])
def test_a_field_that_no_word_has_is_refused(table: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=r"unknown field `colour`|Expected `str`"):
        msgspec.convert({table: {"anything": {"colour": "red"}}}, Vocabulary)
