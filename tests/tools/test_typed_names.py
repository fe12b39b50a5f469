"""Names are understood as people write them: in full, quoted or not, with apostrophes and accents of every kind."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from affray.engine import Fight, begin_fight
from affray.engine.errors import Unusable
from affray.events import Declared, Ruled
from affray.tools.parse import intent_parser
from affray.tools.parse.typed_names import words_of
from tests.serve.server import serve_duel
from tests.tools import program
from tests.tools.pipes import pipe_lines
from tests.tools.program import affray

ENCOUNTER = """\
system = "wwn"
name = "Names"
apart = 5

[[combatant]]
name = "Mal'ganis"
side = "a"
block = "raider"

[[combatant]]
name = "Bob the Great"
side = "a"
block = "raider"

[[combatant]]
name = "O’Brien"
side = "b"
block = "raider"

[[combatant]]
name = "Bob"
side = "b"
block = "raider"
"""

ATTACKS = {
    "Mal'ganis attack O’Brien": ("mal-ganis", "o-brien"),
    "mal’ganis attack o'brien": ("mal-ganis", "o-brien"),
    "MALʼGANIS attack target=O'Brien": ("mal-ganis", "o-brien"),
    "Bob the Great attack Bob": ("bob-the-great", "bob"),
    "bob  the great attack bob": ("bob-the-great", "bob"),
    '"Bob the Great" attack "Bob"': ("bob-the-great", "bob"),
    "'Bob the Great' attack 'Bob'": ("bob-the-great", "bob"),
    "“Bob the Great” attack Bob": ("bob-the-great", "bob"),
    "do Bob the Great attack Bob": ("bob-the-great", "bob"),
    "Bob attack Bob the Great": ("bob", "bob-the-great"),
    "Bob attack target=Bob the Great weapon=short sword": ("bob", "bob-the-great"),
    "Bob attack Bob the Great Short Sword": ("bob", "bob-the-great"),
    "bob attack bob-the-great": ("bob", "bob-the-great"),
}
"""What somebody types, and who is meant to attack whom."""


@pytest.fixture
def fight() -> Fight:
    return begin_fight("names", msgspec.toml.decode(ENCOUNTER), who="gm", seed=bytes(32))


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A folder with the fight, in which the program runs; the first turn has not been told yet."""
    (tmp_path / "names.toml").write_text(ENCOUNTER, "utf-8")
    assert affray(tmp_path, "new", "names.toml", "-o", "names.jsonl").code == 0
    assert affray(tmp_path, "do", "names.jsonl", "gm", "begin").code == 0
    return tmp_path


@pytest.mark.parametrize(("line", "meant"), ATTACKS.items())
def test_a_name_is_understood_in_full(fight: Fight, line: str, meant: tuple[str, str]) -> None:
    """In any case, with any apostrophes, spaces and quotes; the longest fitting name is taken."""
    declared = intent_parser.intent(fight, line)
    assert isinstance(declared, Declared)
    assert (declared.actor, declared.kind, msgspec.json.decode(declared.params)["target"]) == (
        meant[0],
        "attack",
        meant[1],
    )


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("Mal'ganis O’Brien", ["Mal'ganis", "O’Brien"]),
        ("say 'it is Hild's bow' now", ["say", "it is Hild's bow", "now"]),
        ("what=\"a b\" 'c d'", ["what=a b", "c d"]),
        ("what='a b';c", ["what=a b;c"]),
        (r'a\ b "c \"d\" \\e"', ["a b", r'c "d" \e']),
        ("'Arry attack Bob", ["'Arry", "attack", "Bob"]),
        ("", []),
    ],
)
def test_only_a_quote_before_a_word_keeps_words_together(line: str, words: list[str]) -> None:
    assert words_of(line) == words


def test_a_quote_that_is_not_closed_is_named() -> None:
    for line in ('bob attack "bob', "bob attack \\"):
        with pytest.raises(Unusable, match="a quote is not closed"):
            words_of(line)


def test_who_is_not_there_is_answered_with_who_is(fight: Fight) -> None:
    """With every id, and a line that would be understood."""
    with pytest.raises(Unusable) as found:
        intent_parser.intent(fight, "Roberta attack Bob")
    assert found.value.message == (
        "there is no Roberta in this fight; there are mal-ganis, bob-the-great, o-brien, bob; "
        "say it as in: mal-ganis attack"
    )


def test_rulings_standing_wishes_and_passes_take_names(fight: Fight) -> None:
    """Also several, joined, and items by what they are called."""
    ruled = intent_parser.intent(fight, "rule pool Bob the Great hp by=-1")
    assert isinstance(ruled, Ruled)
    assert msgspec.json.decode(ruled.params)["who"] == "bob-the-great"
    assert intent_parser.intent(fight, "stand Bob the Great never") == intent_parser.intent(
        fight, "stand bob-the-great never"
    )
    related = intent_parser.ruling(fight, words_of("conceal Bob the Great"), "so")
    assert msgspec.json.decode(related.params)["who"] == "bob-the-great"
    ordered = intent_parser.ruling(fight, words_of("reorder Bob;Bob the Great;Mal'ganis;O'Brien"), "so")
    assert msgspec.json.decode(ordered.params)["order"] == ["bob", "bob-the-great", "mal-ganis", "o-brien"]


@pytest.mark.parametrize("actor", ["Mal'ganis", "Bob the Great", "O’Brien", "bob"])
def test_the_program_takes_names_everywhere(kept: Path, actor: str) -> None:
    """Words of the shell, a line of a conversation, why not, and what if."""
    line = f"{actor} wait nowhere at=1"
    reply = affray(kept, "explain", "names.jsonl", "--why-not", f"{actor} attack Bob the Great")
    assert "there is no" not in reply.err
    assert reply.code in (0, 1)
    tried = affray(kept, "explain", "names.jsonl", "--why-not", line)
    assert "quote" not in tried.err
    words = f"{actor} attack Bob the Great".split()
    done = affray(kept, "do", "names.jsonl", *words)
    assert "there is no" not in done.err
    assert "Bob the Great" in done.out or "refused" in done.err
    played = affray(kept, "play", "names.jsonl", said=f"{actor} attack O'Brien\nquit\n")
    assert "quote" not in played.out
    assert "no action of its own" not in played.out
    ruled = affray(kept, "rule", "names.jsonl", "pool", *actor.split(), "hp", "by=-1", "--reason", "so")
    assert ruled.code == 0, ruled.err


def test_words_of_programs_take_names(kept: Path) -> None:
    """Those that are sent over the pipe."""
    said = {"type": "Said", "words": "rule pool Bob the Great hp by=-1", "reason": "so"}
    (reply,) = pipe_lines(kept, {"do": "send", "fight": "names.jsonl", "id": "a", "intent": said})[-1:]
    assert "error" not in reply, reply


MORE = """
[[combatant]]
name = "Mal'ganis"
side = "blue"
agility = 14
might = 2
health = 37
weapons = ["bow"]

[[combatant]]
name = "Ilse the Great"
side = "blue"
agility = 14
might = 2
health = 37
weapons = ["bow"]

[[distance]]
between = ["Ilse the Great", "mal’ganis"]
metres = 9
"""


def test_words_over_http_take_names(tmp_path: Path) -> None:
    """As the page sends typed words; a player with unknown ones reads the possible names."""
    with serve_duel(tmp_path, f"{program.ENCOUNTER}{MORE}") as server:
        for words in ("rule pool Mal’ganis health by=-1", "rule pool Ilse the Great health by=-1"):
            answer = server.gm.says(words, reason="so")
            assert answer.status_code == 200, answer.json()
        wrong = server.ilse.says("Ilse the Grand attack Bram")
        assert wrong.status_code == 422
        unknown = server.ilse.says("Mal’gany attack Bram").json()
        assert "there are ilse, bram, mal-ganis, ilse-the-great" in unknown["detail"], unknown


# --- names that hold signs of the notation ---

SIGNS = {"[Boss]": "boss", "{Ann}": "ann", "x=1": "x-1", "=2": "2", "a;b": "a-b", "[The = One] Ring": "the-one-ring"}
"""Names that could be taken for a list, a table or a parameter, by the ids that they give."""


def open_with_signs() -> Fight:
    content = msgspec.toml.decode(ENCOUNTER)
    content["combatant"] += [{"name": name, "side": "a", "block": "raider"} for name in SIGNS]
    return begin_fight("names", content, who="gm", seed=bytes(32))


@pytest.mark.parametrize(("name", "id"), SIGNS.items())
def test_a_name_with_signs_in_it_is_typed_as_it_is(name: str, id: str) -> None:
    """As a value with or without the name of its parameter, in a list, and as one of several."""
    fight = open_with_signs()
    for words in (["pool", name, "hp", "by=-1"], ["pool", f"who={name}", "pool=hp", "by=-1"]):
        assert msgspec.json.decode(intent_parser.ruling(fight, words, "so").params)["who"] == id
    group = intent_parser.ruling(fight, ["group", "pack", f"members={name}"], "so")
    assert msgspec.json.decode(group.params)["members"] == [id]
    if ";" not in name:
        ordered = intent_parser.ruling(fight, ["reorder", f"{name};Bob"], "so")
        assert msgspec.json.decode(ordered.params)["order"] == [id, "bob"]
    declared = intent_parser.intent(fight, f'"{name}" attack "{name}"')
    assert isinstance(declared, Declared)
    assert (declared.actor, msgspec.json.decode(declared.params)["target"]) == (id, id)


NICKNAMES = (
    'Johnny "Ace" Smith',
    "Dwayne 'The Rock' Johnson",
    "“Mad” Max",
    'Joe "Two Guns"',
    "Rock 'n' Roll",
    'Mary-Jane ("MJ")',
)


@pytest.mark.parametrize("name", NICKNAMES)
def test_a_nickname_in_quotes_is_typed_as_it_is(name: str) -> None:
    """Beside a combatant named by its first word only."""
    content = msgspec.toml.decode(ENCOUNTER)
    both = (name, name.split(maxsplit=1)[0].strip("“”"))
    content["combatant"] += [{"name": one, "side": "a", "block": "raider"} for one in both]
    fight = begin_fight("names", content, who="gm", seed=bytes(32))
    (who,) = [one.id for one in fight.state.combatants.values() if one.name == name]
    declared = intent_parser.intent(fight, f"{name} attack {name}")
    assert isinstance(declared, Declared)
    assert (declared.actor, msgspec.json.decode(declared.params)["target"]) == (who, who)
    ruled = intent_parser.intent(fight, f"rule pool {name} hp by=-1")
    assert isinstance(ruled, Ruled)
    assert msgspec.json.decode(ruled.params)["who"] == who


def test_words_with_signs_in_them_are_words() -> None:
    """A bracket begins a list only where one can stand; what is not understood is answered with a line that is."""
    fight = open_with_signs()
    note = intent_parser.ruling(fight, ["note", "[sighs]"], "so")
    assert msgspec.json.decode(note.params)["text"] == "[sighs]"
    for words, said in (
        (["note", "x=5"], "as a value it is text=x=5"),
        (["pool", "[Bass]", "hp", "by=-1"], "say it as in: pool who=mal-ganis"),
        (["terrain", "x", "traits=[dark"], """as a value it is traits='["[dark"]\'"""),
    ):
        with pytest.raises(Unusable) as found:
            intent_parser.ruling(fight, words, "so")
        assert said in found.value.message
    assert msgspec.json.decode(intent_parser.ruling(fight, ["note", "text=x=5"], "so").params)["text"] == "x=5"


def test_the_program_takes_a_name_in_brackets(tmp_path: Path) -> None:
    (tmp_path / "names.toml").write_text(ENCOUNTER.replace('"Bob"', '"[Bob]"'), "utf-8")
    assert affray(tmp_path, "new", "names.toml", "-o", "names.jsonl").code == 0
    ruled = affray(tmp_path, "rule", "names.jsonl", "pool", "[Bob]", "hp", "by=-1", "--reason", "so")
    assert ruled.code == 0, ruled.err
