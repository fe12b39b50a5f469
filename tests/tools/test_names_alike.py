"""Names that differ in one letter alone: typed exactly as it is shown, a name means its own combatant."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import msgspec
import pytest

from affray.engine import Fight, FileStore, begin_fight, open_fight
from affray.engine.commands import Command, Undo
from affray.engine.errors import Unusable
from affray.engine.integrity.audit import audit
from affray.events import Declared, Field, Ruled
from affray.tools.api.authors import plays
from affray.tools.parse import intent_parser
from affray.tools.parse.typed_names import Called, find_item, place
from affray.tools.parse.values import parse_value
from affray.tools.present.ledger import somebody
from tests.engine import encounters
from tests.serve.server import HOST, Somebody, client_of, create_token, serving, token_in
from tests.tools.program import affray

PAIRS = [
    ("Weiß", "Weiss"),
    ("Groß der Alte", "Gross der Alte"),
    ("ςας", "σασ"),
    ("می\u200cخواهم", "میخواهم"),
    ("Mal'ganis", "Mal\u2019ganisʼ"),
]
"""Two names that are equal where case, joiners and apostrophes are ignored, or nearly so."""

TWO = """\
system = "vestige"
name = "Two"

[[combatant]]
name = "{}"
side = "blue"
block = "hero"
weapons = ["sword"]

[[combatant]]
name = "{}"
side = "red"
block = "hero"
weapons = ["sword"]
"""


def begin_two_alike(names: tuple[str, str]) -> Fight:
    return begin_fight("two", msgspec.toml.decode(TWO.format(*names)), who="gm", seed=bytes(32))


LOOK_THE_SAME = [("µ", "μ"), ("ſam", "sam"), ("Bob", "Ｂｏｂ"), ("Kim", "ＫＩＭ")]
LOOK_THE_SAME += [(f"Mal{one}ganis", f"Mal{letter}ganis") for one in "'’`" for letter in "ʼʹʻˈꞌ"]
LOOK_THE_SAME += [("Mira", "Mi\u0307ra"), ("jaja", "j\u0307aja"), ("แม", "เเม"), ("Al·la", "Alꞏla"), ("ओम", "आ\u0947म")]
"""Two names that nobody can tell apart by looking at them."""


@pytest.mark.parametrize("names", LOOK_THE_SAME)
def test_two_names_that_look_the_same_are_refused(names: tuple[str, str]) -> None:
    """In an encounter, for a newcomer and for a side."""
    for one, other in (names, names[::-1]):
        with pytest.raises(Unusable, match="looks the same as"):
            begin_two_alike((one, other))
        fight = begin_two_alike((one, "Eve"))
        joins = intent_parser.ruling(fight, ["join", f"name={other}", "side=red", "block=hero"], "late")
        with pytest.raises(Unusable, match="looks the same as"):
            fight.submit(Command(id="j", who="gm", intent=joins))
        sides = msgspec.toml.decode(TWO.format("Ann", "Eve").replace("blue", one).replace("red", other))
        with pytest.raises(Unusable, match="looks like the side"):
            begin_fight("two", sides, who="gm", seed=bytes(32))


def test_zones_that_look_the_same_are_refused() -> None:
    """In an encounter; those that differ are two."""
    content = encounters.load_shipped_encounters()["verdigris/template"]
    for names, fine in (
        (("μ", "µ"), False),
        (("Ｔor", "tor"), False),
        (("tor", "tör"), True),
        (("Mal'x", "Malʼx"), False),
        (("แม", "เเม"), False),
    ):
        zones = [{"name": one} for one in names]
        placed = [{**one, "at": names[0]} for one in content["combatant"]]
        told = {**content, "zone": zones, "combatant": placed}
        with nullcontext() if fine else pytest.raises(Unusable, match="called alike"):
            begin_fight("zones", told, who="gm", seed=bytes(32))


def test_places_that_look_the_same_are_refused() -> None:
    """In a system with named places."""
    content = encounters.load_shipped_encounters()["wyrd/template"]
    placed = [{**one, "at": "แม"} for one in content["combatant"]]
    told = {**content, "place": [{"name": "แม"}, {"name": "เเม"}], "combatant": placed}
    told.pop("distance", None)
    with pytest.raises(Unusable, match="looks the same as แม") as found:
        begin_fight("places", told, who="gm", seed=bytes(32))
    assert found.value.field == "place[1].name"


def test_several_who_share_a_name_are_compared_as_they_are_called() -> None:
    """Guards with letters, and one who is called as the second of them would be."""
    content = msgspec.toml.decode(TWO.format("Malʼ", "Mal' B"))
    content["combatant"][0]["count"] = 2
    with pytest.raises(Unusable, match="Mal' B looks the same as Malʼ B") as found:
        begin_fight("two", content, who="gm", seed=bytes(32))
    assert found.value.field == "combatant[1].name"


def test_newcomers_who_were_recorded_are_brought_in_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Earlier versions took names that are refused now; an audit decides these joins again."""
    for nth, (one, other) in enumerate(LOOK_THE_SAME[4:]):
        content, store = msgspec.toml.decode(TWO.format(one, "Eve")), FileStore(tmp_path)
        fight = begin_fight(f"two-{nth}", content, who="gm", seed=bytes(32), store=store)
        joins = intent_parser.ruling(fight, ["join", f"name={other}", "side=red", "block=hero"], "late")
        with monkeypatch.context() as earlier:
            earlier.setattr("affray.engine.kit.rulings.joining.check_names", lambda *_: None)
            fight.submit(Command(id="j", who="gm", intent=joins))
        report = audit((tmp_path / f"two-{nth}.jsonl").read_bytes().splitlines().copy, seed=bytes(32))
        assert {one, other} <= map_names_to_ids(fight).keys()
        assert not report.findings


def map_names_to_ids(fight: Fight) -> dict[str, str]:
    return {one.name: who for who, one in fight.state.combatants.items()}


def who_in(ruled: object) -> Any:
    assert isinstance(ruled, Ruled)
    return msgspec.json.decode(ruled.params)["who"]


@pytest.mark.parametrize("names", PAIRS)
def test_a_name_typed_as_it_is_shown_means_its_own_combatant(names: tuple[str, str]) -> None:
    """In a ruling, as an actor, as a target, in a standing pass; by its id just so."""
    fight = begin_two_alike(names)
    known = map_names_to_ids(fight)
    for mine, other in (names, names[::-1]):
        for said in (mine, known[mine]):
            assert who_in(intent_parser.ruling(fight, ["pool", said, "health", "by=-3"], "so")) == known[mine]
            declared = intent_parser.declaration(fight, [said, "attack", other])
            assert isinstance(declared, Declared)
            assert declared.actor == known[mine]
            assert msgspec.json.decode(declared.params)["target"] == known[other]
            assert intent_parser.standing_pass(fight, said, "never").who == known[mine]
            assert plays(fight.state, said, Undo()) == (known[mine],)


@pytest.mark.parametrize("said", ["WEISS", "weiSS"])
def test_a_word_that_fits_two_combatants_is_refused_with_their_ids(said: str) -> None:
    """The game master and the player read which ids would do; nothing is guessed."""
    fight = begin_two_alike(("Weiß", "Weiss"))
    for line in (f"rule pool {said} health by=-3", f"{said} attack Weiß", f"do {said} rest", f"stand {said} never"):
        with pytest.raises(Unusable, match="could be weiß, weiss"):
            intent_parser.intent(fight, line)
    with pytest.raises(Unusable, match="wei could be weiß, weiss"):
        intent_parser.intent(fight, "rule pool wei health by=-3")


def test_a_longer_name_that_fits_one_combatant_goes_before_a_shorter_that_fits_two() -> None:
    content = msgspec.toml.decode(TWO.format("Weiß", "Weiss"))
    content["combatant"].append({**content["combatant"][0], "name": "Weiss the Great"})
    fight = begin_fight("three", content, who="gm", seed=bytes(32))
    declared = intent_parser.intent(fight, "WEISS THE GREAT attack weiß")
    assert isinstance(declared, Declared)
    assert declared.actor == "weiss-the-great"


def test_items_zones_and_answers_are_told_apart_likewise() -> None:
    """Exactly, before they are compared without case; an answer that fits two is refused."""
    called = Called([("a.1", "Fuß"), ("a.2", "Fuss")])
    field = Field(name="what", kind="id", among=("a.1", "a.2"))
    assert parse_value(field, "Fuß", "a", called) == "a.1"
    assert parse_value(field, "Fuss", "a", called) == "a.2"
    with pytest.raises(Unusable, match=r"FUSS could be a\.1, a\.2"):
        parse_value(field, "FUSS", "a", called)
    content = msgspec.toml.decode(ZONES)
    fight = begin_fight("zones", content, who="gm", seed=bytes(32))
    assert [place(fight, said) for said in ("Gasse", "gaße", "Gaße")] == ["gasse", "gaße", "gaße"]
    assert find_item(fight, "GASSE", "ada") == "GASSE"


ZONES = """\
system = "verdigris"
zone = [{ name = "Gasse", exits = ["Gaße"] }, { name = "Gaße" }]

[[combatant]]
name = "Ada"
side = "party"
pc = true
strength = 2
agility = 2
dodge = 2
withstand = 2
panic = 2
hp = 4
at = "Gasse"

[[combatant]]
name = "Bo"
side = "enemies"
strength = 2
agility = 2
dodge = 2
withstand = 2
panic = 2
hp = 4
at = "Gaße"
"""


def test_the_ledger_of_chances_tells_them_apart(tmp_path: Path) -> None:
    """Also by id, and it refuses what fits both."""
    (tmp_path / "two.toml").write_text(TWO.format("Weiß", "Weiss"), "utf-8")
    assert affray(tmp_path, "new", "two.toml", "-o", "two.jsonl").code == 0
    fight = open_fight("two", FileStore(tmp_path))
    assert [somebody(fight, said) for said in ("weiß", "Weiß", "weiss", "Weiss")] == ["weiß"] * 2 + ["weiss"] * 2
    both = affray(tmp_path, "log", "two.jsonl", "--chances", "--who", "WEISS")
    assert both.code == 2
    assert "WEISS could be weiß, weiss" in both.err


def test_a_player_says_their_own_name_as_it_is_shown_over_http(tmp_path: Path) -> None:
    """Each player may set the standing pass of their own combatant only."""
    with client_of(serving(FileStore(tmp_path))) as client:
        host = Somebody(client, HOST)
        opened = host.asks(
            "POST", "/api/fights", {"id": "duel", "toml": TWO.format("Weiß", "Weiss"), "dice": "entered"}
        )
        gm = Somebody(client, token_in(opened.json()["links"]["gm"]))
        players = {name: Somebody(client, create_token(gm, "player", name, name.lower())) for name in ("Weiß", "Weiss")}
        for name, player in players.items():
            said = player.says(f"stand {name} never")
            assert said.status_code == 200, said.json()
            (other,) = players.keys() - {name}
            assert player.says(f"stand {other} never").status_code == 403
