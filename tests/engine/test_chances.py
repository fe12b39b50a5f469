"""The ledger of chances: who was offered what, and what became of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from msgspec import Raw

from affray.engine import Fight, FileStore, open_fight
from affray.engine.analysis.ledger import Chance, ChanceReply, collect_chances, tally_chances
from affray.engine.history.timeline import History
from affray.events import (
    Amended,
    Answered,
    Asked,
    AskingSet,
    Declared,
    Dropped,
    Event,
    OfferDeclined,
    Option,
    Passed,
    Restored,
    Rewound,
    RoundBegan,
    Ruled,
    Stacked,
    TurnBegan,
    TurnEnded,
    WindowClosed,
    WindowOpened,
    Withdrawn,
)
from tests.engine.fights import Plan, fights, play_plan
from tests.engine.histories import also, history

REPLAYS = Path(__file__).parents[2] / "replays"

WINDOW = "1/orc/1/window"
ATTACK = (
    Declared(actor="orc", kind="attack", params=Raw(b"{}")),
    Stacked(item="1/orc/1", actor="orc", kind="attack", params=Raw(b"{}"), manner="standard", at=0, nth=1),
    WindowOpened(window=WINDOW, about="1/orc/1", nth=1, to=("ilse", "bram"), what="announce"),
)
"""The orc attacks: positions 4 to 6 of the fights here, and the window is at 6."""


def make_orc_attack(*more: Event | tuple[Event, ...]) -> History:
    """Return a fight after the orc's attack in round 1, and its events since."""
    return history((RoundBegan(round=1), TurnBegan(slot="orc", members=("orc",))), ATTACK, *more)


def passes(who: str) -> tuple[Event, ...]:
    return Passed(window=WINDOW, who=who), OfferDeclined(window=WINDOW, who=who)


def takes(who: str) -> tuple[Event, ...]:
    declared = Declared(actor=who, kind="attack", params=Raw(b"{}"), manner="readied")
    return declared, WindowClosed(window=WINDOW, how="taken")


def replies(chances: list[Chance]) -> list[ChanceReply]:
    (chance,) = chances
    return list(chance.replies)


def test_a_chance_says_when_and_about_what_it_was() -> None:
    (chance,) = collect_chances(make_orc_attack())
    assert (chance.position, chance.round, chance.kind, chance.what) == (6, 1, "window", "announce")
    assert (chance.pending, chance.up, chance.between, chance.to) == (5, "orc", False, ("ilse", "bram"))
    assert [(reply.who, reply.fate, reply.position) for reply in chance.replies] == [
        ("ilse", "open", 0),
        ("bram", "open", 0),
    ]


def test_one_lets_it_pass_and_the_other_takes_it() -> None:
    told = make_orc_attack()
    also(told, passes("ilse"), who="anna")
    also(told, takes("bram"), who="ben")
    assert replies(collect_chances(told)) == [
        ChanceReply(who="ilse", fate="declined", position=7, sender="anna"),
        ChanceReply(who="bram", fate="took", position=9, sender="ben"),
    ]


def test_whoever_is_slower_finds_it_closed() -> None:
    assert replies(collect_chances(make_orc_attack(takes("bram")))) == [
        ChanceReply(who="bram", fate="took", position=7, sender="gm"),
        ChanceReply(who="ilse", fate="forestalled", position=7, sender="gm", by="bram"),
    ]


def test_a_standing_pass_answers_and_is_named() -> None:
    """Its sender is the author of the standing pass, not the declaring player."""
    told = history((RoundBegan(round=1), TurnBegan(slot="orc", members=("orc",))))
    also(told, AskingSet(who="ilse", ask="never"), who="anna")
    also(told, (*ATTACK, OfferDeclined(window=WINDOW, who="ilse", standing=True)), who="gm")
    assert replies(collect_chances(told)) == [
        ChanceReply(who="ilse", fate="standing", position=5, sender="anna", standing=4),
        ChanceReply(who="bram", fate="open"),
    ]


def test_a_ruling_shuts_a_window() -> None:
    ruled = (
        Ruled(kind="cancel", params=Raw(b"{}"), reason="a slip"),
        Dropped(item="1/orc/1", why="a slip"),
        WindowClosed(window=WINDOW, how="ruled", expired=("ilse", "bram")),
    )
    assert replies(collect_chances(make_orc_attack(ruled))) == [
        ChanceReply(who="ilse", fate="shut", position=7, sender="gm"),
        ChanceReply(who="bram", fate="shut", position=7, sender="gm"),
    ]


def test_questions_are_answered_by_those_asked_by_the_game_master_or_withdrawn() -> None:
    def asked(*after: Event) -> list[ChanceReply]:
        question = Asked(
            question="1/orc/1/strike:ilse", of=("ilse",), about="strike:ilse", options=(Option(choice="no", says=""),)
        )
        told = history(RoundBegan(round=1), (*ATTACK[:2], question), after) if after else history((question,))
        (chance,) = collect_chances(told)
        assert (chance.kind, chance.what, bool(chance.pending)) == ("question", "strike:ilse", bool(after))
        return list(chance.replies)

    name = "1/orc/1/strike:ilse"
    assert asked() == [ChanceReply(who="ilse", fate="open")]
    assert asked(Answered(question=name, by="ilse", choice="no")) == [
        ChanceReply(who="ilse", fate="took", position=6, sender="gm")
    ]
    assert asked(Answered(question=name, by="gm", choice="no")) == [
        ChanceReply(who="ilse", fate="forestalled", position=6, sender="gm", by="gm")
    ]
    assert asked(Ruled(kind="cancel", params=Raw(b"{}"), reason="no"), Withdrawn(what=name)) == [
        ChanceReply(who="ilse", fate="shut", position=6, sender="gm")
    ]


def test_a_question_that_a_ruling_makes_ask_for_more_is_another_chance() -> None:
    """A combatant joins while the game master is asked for distances; the earlier question is shut."""

    def asked() -> Asked:
        far = Option(choice="far", says="")
        return Asked(question="1/orc/1/distances", of=("gm",), about="distances", options=(far,))

    told = history(RoundBegan(round=1), (*ATTACK[:2], asked()))
    also(told, (Ruled(kind="join", params=Raw(b"{}"), reason="help"), asked()), who="gm")
    earlier, later = collect_chances(told)
    assert earlier.replies == (ChanceReply(who="gm", fate="shut", position=6, sender="gm"),)
    assert later.replies == (ChanceReply(who="gm", fate="open"),)


def test_between_turns_is_told_from_in_a_turn() -> None:
    ended = (
        Declared(actor="orc", kind="end_turn", params=Raw(b"{}")),
        TurnEnded(slot="orc"),
        WindowOpened(window="1/orc/gap/window", about="1/orc/gap", nth=1, to=("ilse",), what="announce"),
    )
    (chance,) = collect_chances(history((RoundBegan(round=1), TurnBegan(slot="orc", members=("orc",))), ended))
    assert (chance.pending, chance.up, chance.between) == (0, "orc", True)


def test_what_was_taken_back_is_told_only_when_asked_for() -> None:
    """The window counts; Ilse's pass does not, and she took it in the end."""
    told = make_orc_attack(passes("ilse"), Rewound(to=6, lane=8, commands=1), takes("ilse"))
    lasting = [
        ChanceReply(who="ilse", fate="took", position=10, sender="gm"),
        ChanceReply(who="bram", fate="forestalled", position=10, sender="gm", by="ilse"),
    ]
    assert replies(collect_chances(told)) == lasting
    past = ChanceReply(who="ilse", fate="declined", position=7, sender="gm", undone=True)
    assert replies(collect_chances(told, undone=True)) == [past, *lasting]
    assert tally_chances(collect_chances(told, undone=True)) == tally_chances(collect_chances(told))


def test_a_window_taken_back_altogether_is_one_chance_whatever_became_of_it() -> None:
    told = make_orc_attack(
        passes("ilse"), Rewound(to=3, lane=8, commands=2), Restored(lane=8, left=3), Rewound(to=3, lane=8, commands=2)
    )
    assert collect_chances(told) == []
    (chance,) = collect_chances(told, undone=True)
    assert chance.undone
    assert [(reply.who, reply.fate, reply.undone) for reply in chance.replies] == [
        ("ilse", "declined", True),
        ("bram", "open", True),
    ]
    assert tally_chances([chance]) == {}


def test_in_an_amended_lane_a_pass_was_sent_by_whoever_sent_it_first() -> None:
    told = make_orc_attack()
    also(told, passes("ilse"), who="anna")
    also(told, (Amended(position=4, to=3, lane=8, reason="the axe"), *ATTACK, *passes("ilse")), who="gm")
    assert replies(collect_chances(told))[0] == ChanceReply(who="ilse", fate="declined", position=13, sender="anna")
    assert [chance.undone for chance in collect_chances(told, undone=True)] == [True, False]


def test_nested_interrupts_as_they_were_recorded() -> None:
    recorded = open_fight("nested-interrupts", FileStore(REPLAYS / "vestige")).history
    chances = {chance.position: chance for chance in collect_chances(recorded)}
    assert [(reply.who, reply.fate, reply.by) for position in (81, 87, 93) for reply in chances[position].replies] == [
        ("ilse", "took", ""),
        ("tomas", "forestalled", "ilse"),
        ("bandit-a", "forestalled", "ilse"),
        ("bandit-a", "took", ""),
        ("tomas", "forestalled", "bandit-a"),
        ("tomas", "took", ""),
    ]
    counted = {who: (sum(fates.values()), fates["took"]) for who, fates in tally_chances(chances.values()).items()}
    assert counted == {
        "ilse": (6, 4),
        "tomas": (8, 4),
        "captain": (2, 1),
        "bandit-a": (17, 4),
        "bandit-b": (15, 0),
        "bandit-c": (14, 1),
    }


@pytest.mark.parametrize("log", sorted(REPLAYS.glob("*/*.jsonl")), ids=lambda log: f"{log.parent.name}/{log.stem}")
def test_every_chance_of_every_replay_has_one_end_for_each_who_had_it(log: Path) -> None:
    one_end_for_each(open_fight(log.stem, FileStore(log.parent)))


@given(fights())
def test_every_chance_of_any_fight_has_one_end_for_each_who_had_it(plan: Plan) -> None:
    one_end_for_each(play_plan(plan))


def one_end_for_each(fight: Fight) -> None:
    """The ledger has one outcome for each offered combatant; only the pending one is open."""
    recorded = fight.history
    offered = [one for one in recorded.effective() if isinstance(one.event, WindowOpened | Asked)]
    chances = collect_chances(recorded)
    assert [chance.position for chance in chances] == [one.position for one in offered]
    for chance in chances:
        assert sorted(reply.who for reply in chance.replies) == sorted(chance.to)
        assert all(recorded.is_effective(reply.position) for reply in chance.replies if reply.fate != "open")
    state = fight.state
    awaited = [*(state.window.to if state.window else ()), *(state.question.of if state.question else ())]
    assert [reply.who for chance in chances for reply in chance.replies if reply.fate == "open"] == awaited
    lasting = [chance for chance in collect_chances(recorded, undone=True) if not chance.undone]
    assert [[one for one in chance.replies if not one.undone] for chance in lasting] == [
        list(chance.replies) for chance in chances
    ]
