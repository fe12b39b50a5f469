"""What formats up to 5 held in one text is read as structs, and written for the digests of fights of that time."""

from pathlib import Path

import msgspec
import pytest

from affray.events import Feature, ItemAdded, choose_decoder, read_line, split_traits, write_feature

REPLAYS = Path(__file__).parents[2] / "replays"

OLD = [path for path in sorted(REPLAYS.glob("*/*.jsonl")) if b'"format":6' not in path.read_bytes().split(b"\n", 1)[0]]


@pytest.mark.parametrize("system", sorted({path.parent.name for path in OLD}))
def test_every_recorded_trait_is_read_and_written_back(system: str) -> None:
    """No released fight loses a word of what it said, and none keeps one that holds several things."""
    told = 0
    for path in OLD:
        lines = path.read_bytes().splitlines() if path.parent.name == system else []
        for number, line in enumerate([one for one in lines if b'"type":"ItemAdded"' in one], 1):
            written = msgspec.json.decode(bytes(read_line(line).event))
            event = choose_decoder(5)(line, number).event
            assert isinstance(event, ItemAdded)
            assert not any(":" in trait for trait in event.traits)
            assert [*event.traits, *map(write_feature, event.features)] == written.get("traits", [])
            told += 1
    assert told


@pytest.mark.parametrize(
    ("trait", "feature"),
    [
        ("uses:arrow", Feature(kind="uses", of="arrow")),
        ("adds:hit|1|stab|melee,shoot|L|a: b|c", None),
        ("adds:damage|0|shoot|shoot,throw||", None),
        ("adds:shock|-1||||blunt", None),
        ("adds:hit", Feature(kind="adds", of="hit")),
    ],
)
def test_a_feature_is_one_of_the_declared_kinds(trait: str, feature: Feature | None) -> None:
    """A label may hold the marks that parted the others; other texts with a colon are words."""
    words, features = split_traits(["hard:3", trait, "L"])
    assert words == ("hard:3", "L")
    assert features == ((feature,) if feature else features)
    if trait.count("|"):
        assert write_feature(features[0]) == trait


def test_a_bonus_has_its_parts() -> None:
    """What is nothing is left out."""
    (bonus,) = split_traits(["adds:hit|1|stab|melee,shoot||a: b|c"])[1]
    assert bonus.parts == {"value": 1, "skill": "stab", "modes": ("melee", "shoot"), "label": "a: b|c"}
