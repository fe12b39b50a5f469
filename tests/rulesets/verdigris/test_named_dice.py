"""Each roll of a fight has a unique name, for any roller in any turn."""

from __future__ import annotations

from pathlib import Path
from random import Random

from affray.engine import begin_fight
from affray.engine.analysis.policies import choose_sensibly
from affray.engine.integrity.audit import audit
from affray.engine.stores import FileStore
from affray.events import Rolled, Ruled
from tests.engine.fights import noon, submit_accepted
from tests.rulesets.statistics import make_declaration, params

HERO = {"block": "bandit", "side": "party", "pc": True, "at": "yard"}
SEED = bytes(32)
"""Under it both friends fall in the first round."""

ENCOUNTER = {
    "system": "verdigris",
    "name": "two on fire",
    "zone": [{"name": "yard"}],
    "combatant": [
        *({"name": name, **HERO} for name in ("Ada", "Bram", "Cal")),
        {"name": "Orc", "block": "orc", "side": "enemies", "at": "yard"},
    ],
}


def test_a_friend_who_sees_two_fall_in_one_round_rolls_for_each(tmp_path: Path) -> None:
    """Bram and Cal burn; each falls as their own turn begins, and Ada's save is another roll each time (VER-093)."""
    store = FileStore(tmp_path)
    fight = begin_fight("fire", ENCOUNTER, who="gm", seed=SEED, clock=noon, store=store)
    submit_accepted(fight, make_declaration("gm", "begin"))
    for who in ("bram", "cal"):
        submit_accepted(fight, Ruled(kind="sheet", params=params(who=who, stat="wounds", to=9), reason="hardy"))
        for pool, left in (("hp", 1), ("wounds", 9)):
            submit_accepted(fight, Ruled(kind="pool", params=params(who=who, pool=pool, to=left), reason="hurt"))
        submit_accepted(
            fight, Ruled(kind="condition", params=params(who=who, condition="ablaze", count=9), reason="oil")
        )
    chance = Random(1)
    while fight.state.round < 2:
        intent = choose_sensibly(fight, chance)
        assert intent is not None
        submit_accepted(fight, intent)
    rolls = [one.event for one in fight.history.effective() if isinstance(one.event, Rolled)]
    saves = [one.roll for one in rolls if one.purpose == "panic:ada"]
    assert saves == ["1/turn_start/panic:ada@bram", "1/turn_start/panic:ada@cal"]
    assert len({one.roll for one in rolls}) == len(rolls)
    assert audit(lambda: iter(store.read("fire")), seed=SEED).clean
