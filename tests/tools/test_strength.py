"""The benchmark that tells how strong a policy is: its arithmetic, its table, and how it goes on after a break."""

from __future__ import annotations

import json
from math import log
from pathlib import Path

import pytest

from affray.engine.analysis.policy_registry import POLICIES
from affray.tools.lab.bench.strength.games import Match, Pair, match_of
from affray.tools.lab.bench.strength.results import Result
from affray.tools.lab.bench.strength.sequential import Sequential, p_value
from tests.tools.program import affray

MATCH = Match(system="wyrd", policy="sensible", against="anything", changes=(), budget=None)


@pytest.mark.parametrize(
    ("won", "lost", "p"),
    [(0, 0, 1), (5, 0, 1 / 32), (8, 2, 56 / 1024), (0, 3, 1), (60, 40, 0.028444), (9, 9, 0.592735)],
)
def test_p_is_that_of_the_exact_sign_test(won: int, lost: int, p: float) -> None:
    """Sixty heads or more in a hundred throws come once in 35."""
    assert p_value(won, lost) == pytest.approx(p, abs=1e-6)


def test_the_sequential_test_has_the_bounds_that_wald_gives_it() -> None:
    test = Sequential(alpha=0.05, beta=0.1)
    assert list(test.bounds) == pytest.approx([log(0.1 / 0.95), log(0.9 / 0.05)])
    assert test.evidence(3, 1) == pytest.approx(3 * log(0.6 / 0.5) + log(0.4 / 0.5))


def test_it_is_sure_once_the_evidence_reaches_a_bound() -> None:
    """With one in a hundred either way 26 won in a row are enough, or 21 lost."""
    test = Sequential()
    assert [test.verdict(won, 0) for won in (25, 26)] == ["", "stronger"]
    assert [test.verdict(0, lost) for lost in (20, 21)] == ["", "not stronger"]
    assert test.verdict(100, 100) == ""
    assert test.verdict(120, 120) == "not stronger"


@pytest.mark.parametrize(("part", "verdict"), [(0.5, "stronger"), (0.6, "not stronger")])
def test_it_errs_no_more_often_than_it_says(part: float, verdict: str) -> None:
    """Counted over every course that 2,000 pairs can take, where each is won with this chance."""
    test, wrong = Sequential(), 0.0
    going = {0: 1.0}
    for pairs in range(1, 2001):
        following: dict[int, float] = {}
        for won, chance in going.items():
            for more, likely in ((1, part), (0, 1 - part)):
                following[won + more] = following.get(won + more, 0.0) + chance * likely
        verdicts = {won: test.verdict(won, pairs - won) for won in following}
        wrong += sum(chance for won, chance in following.items() if verdicts[won] == verdict)
        going = {won: chance for won, chance in following.items() if not verdicts[won]}
    assert 0.001 < wrong <= 0.0102


def pair(number: int, won: int, unended: int = 0) -> Pair:
    """Return a pair of games with a number of wins for the policy."""
    return Pair(number=number, won=won, first=1, unended=unended, decisions=10, trials=40, seconds=0.02)


def test_pairs_are_won_shared_or_lost() -> None:
    """One win and one open game share the pair; so do two games without a winner."""
    result = Result(MATCH, Sequential())
    for number, (won, unended) in enumerate([(2, 0), (1, 0), (0, 0), (1, 1), (0, 1), (0, 2)]):
        result.add(pair(number, won, unended))
    assert (result.won, result.split, result.lost) == (1, 4, 1)
    told = result.for_machines()
    assert (told["pairs"], told["unended"], told["p"]) == (6, 4, 0.75)
    assert (told["ms_a_decision"], told["trials_a_decision"]) == (pytest.approx(2.0), 4.0)


def test_the_sequential_test_is_told_with_how_many_pairs_it_took() -> None:
    result = Result(MATCH, Sequential())
    for number in range(40):
        result.add(pair(number, 2))
    assert (result.verdict, result.after) == ("stronger", 26)
    assert "stronger after 26" in result.line()


def test_what_is_searched_for_a_decision_is_part_of_the_match() -> None:
    """So that pairs that were played with another budget are not taken for the same."""
    match = match_of("wyrd", "searching", "sensible")
    assert match.budget == POLICIES["searching"].budget  # type: ignore[attr-defined]
    assert match_of("wyrd", "sensible", "anything").budget is None


PLAYED = ("bench", "strength", "verdigris", "wyrd", "--policy", "sensible", "--against", "anything")


def test_pairs_are_played_told_and_the_same_in_any_number_of_processes(tmp_path: Path) -> None:
    """A sensible policy rarely loses to a random one; only times differ between runs."""

    def played(*more: str, hashes: str = "0") -> list[dict[str, object]]:
        ran = affray(tmp_path, *PLAYED, "--pairs", "4", "--json", *more, PYTHONHASHSEED=hashes)
        found = [{**line, "ms_a_decision": 0} for line in map(json.loads, ran.out.splitlines())]
        assert [line["system"] for line in found] == ["verdigris", "wyrd"]
        return found

    once = played()
    assert once == played("--jobs", "2", hashes="1")
    assert all(line["pairs"] == 4 for line in once)
    table = affray(tmp_path, *PLAYED, "--pairs", "4").out.splitlines()
    assert table[0].split()[:3] == ["system", "policy", "against"]
    assert table[1].split()[:4] == ["verdigris", "sensible", "anything", "4"]


def test_a_run_that_was_broken_off_goes_on_where_it_was(tmp_path: Path) -> None:
    """Finished games are not played again, and another match does not use them."""
    file = tmp_path / "pairs.jsonl"
    ran = ("bench", "strength", "wyrd", "--policy", "sensible", "--against", "anything", "--keep", file.name, "--json")
    affray(tmp_path, *ran, "--pairs", "2")
    before = file.read_bytes()
    assert before.count(b"\n") == 2
    whole = json.loads(affray(tmp_path, *ran, "--pairs", "3").out)
    assert file.read_bytes().startswith(before)
    assert file.read_bytes().count(b"\n") == 3
    assert whole == json.loads(affray(tmp_path, *ran, "--pairs", "3").out)
    affray(
        tmp_path, "bench", "strength", "wyrd", "--policy", "anything", "--against", "sensible", "--pairs", "1", *ran[7:]
    )
    assert file.read_bytes().count(b"\n") == 4


def test_a_file_that_keeps_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pairs.jsonl").write_text('{"match": 3}\n', encoding="utf-8")
    ran = affray(tmp_path, "bench", "strength", "wyrd", "--pairs", "1", "--keep", "pairs.jsonl")
    assert ran.code == 2
    assert "pairs.jsonl, line 1, is no pair of games" in ran.err
