"""The check by hand in ``docs/verify.md`` for forks, and for dice of an earlier roll."""

from __future__ import annotations

from pathlib import Path

import msgspec

from affray.engine import Close, FileStore, Stir
from affray.engine.forking import ForkRequest, fork_fight
from affray.engine.integrity.commitment import find_promise
from affray.events import SET_ASIDE, Faces, Forked, Rolled
from tests.engine.closed import fork_open_fight, go_on, play_and_close, submit_to_closed
from tests.engine.fights import SEED, noon
from tests.test_docs import OTHER, all_right, check, list_roll_positions, make_closed_fight, save_log_in_folder


def test_a_fork_of_an_open_fight_has_a_seed_and_words_of_its_own(tmp_path: Path) -> None:
    store = FileStore(tmp_path)
    child = fork_open_fight(store, OTHER, "for the parent")
    submit_to_closed(child, Stir(words="for the child"))
    go_on(child, 40)
    submit_to_closed(child, Close(unfinished=True))
    left = next(one.position for one in child.history.recorded if isinstance(one.event, Forked))
    before = [position for position in list_roll_positions(child.history.recorded) if position < left]
    behind = [position for position in list_roll_positions(child.history.recorded) if position > left]
    assert before
    assert behind
    ran = check(tmp_path, "child", *behind)
    all_right(ran, child.history.recorded[left:])
    assert (
        f"\n{behind[0]} fell under a promise of line {left}, where a fork began, and not under that of line 1\n"
        in ran.out
    )
    ran = check(tmp_path, "child", before[0])
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == f"{before[0]} fell under another seed or another opening than the promise of line 1 covers\n"


def test_rolls_of_several_promises_are_told_with_the_promise_and_the_words_of_each(tmp_path: Path) -> None:
    """One who keeps the seed may fork with a promise of the same seed; the words before the fork count as much."""
    store = FileStore(tmp_path)
    child = fork_open_fight(store, SEED, "tried until the dice suited")
    go_on(child, 40)
    submit_to_closed(child, Close(unfinished=True))
    recorded = child.history.recorded
    first, last = list_roll_positions(recorded)[0], list_roll_positions(recorded)[-1]
    for positions in ((first, last), (last, first)):
        out = check(tmp_path, "child", *positions).out
        for position in positions:
            promise = find_promise(recorded[:position]).commitment
            assert f"\nfor {position}: format 6: the promise {promise} covers the opening; compare it, too\n" in out
        assert f"\nfor {first}: words stirred in, to compare: tried until the dice suited\n" in out


def test_a_fork_of_a_closed_fight_goes_on_under_its_seed_and_words(tmp_path: Path) -> None:
    store = FileStore(tmp_path)
    play_and_close("wyrd", "parent", store)
    child = fork_fight(ForkRequest(parent="parent", name="child", who="gm"), store, store, fresh=OTHER, clock=noon)
    go_on(child, 20)
    submit_to_closed(child, Close(unfinished=True))
    all_right(check(tmp_path, "child", *list_roll_positions(child.history.recorded)), child.history.recorded)


def is_set_aside(group: Faces) -> bool:
    """Tell whether a group of dice lay there from an earlier roll."""
    return SET_ASIDE in group.fates


def test_dice_that_a_forger_calls_older_are_looked_for_in_earlier_rolls(tmp_path: Path) -> None:
    """In a push some dice lie there from the roll before; others would pass unseen."""
    played, lines = make_closed_fight("verdigris")
    recorded = played.history.recorded
    rolls = {one.event.roll: one.position for one in recorded if isinstance(one.event, Rolled)}
    held = {
        one.event.roll for one in recorded if isinstance(one.event, Rolled) and any(map(is_set_aside, one.event.dice))
    }
    pushed = min(roll for roll in held if roll.endswith("/push"))
    position, before = rolls[pushed], rolls[pushed.removesuffix("/push")]
    save_log_in_folder(tmp_path, "honest", lines)
    honest = check(tmp_path, "honest", position)
    assert honest.code == 0
    assert f"{position} lay there since {before}, so check {before} too: " in honest.out
    event = msgspec.json.decode(lines[before - 1])
    for group in event["event"]["dice"]:
        group["fates"] = [SET_ASIDE] * len(group["faces"])
    forged = [*lines[: before - 1], msgspec.json.encode(event), *lines[before:]]
    save_log_in_folder(tmp_path, "forged", forged)
    ran = check(tmp_path, "forged", before)
    assert ran.code == 1
    assert f"{before} WRONG: they lay in no earlier roll: " in ran.out
