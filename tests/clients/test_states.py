"""The JavaScript client writes states byte for byte as the engine does, for any names."""

from __future__ import annotations

import msgspec
from hypothesis import HealthCheck, given, settings
from msgspec import Raw

from affray.engine import State, digest
from affray.engine.core.evolve import fold
from affray.engine.history.timeline import History
from affray.events import (
    Answered,
    Asked,
    AskingSet,
    Concealed,
    ConditionChanged,
    Declared,
    Dice,
    DiceAwaited,
    DiceEntered,
    DiceRenewed,
    DiceSourceSet,
    DistanceSet,
    Dropped,
    Ending,
    Event,
    Field,
    FightOpened,
    Fizzled,
    FoesSet,
    ItemAdded,
    ItemCounted,
    ItemMoved,
    ItemRemoved,
    Joined,
    Left,
    MarkSet,
    Member,
    OfferDeclined,
    Option,
    PlaceSet,
    PlayerUndoSet,
    PoolChanged,
    RelationSet,
    Resolved,
    Restored,
    Rewound,
    Scalar,
    Senseless,
    SideChanged,
    Stacked,
    StatChanged,
    TraitChanged,
    Veiled,
    ViewSet,
    WindowOpened,
    Withdrawn,
    seal,
)
from tests.clients.node import ask_script
from tests.engine.fights import NAME, Plan, fights, play_into_store

OPENED = FightOpened(
    format=3,
    fight="“Odd” \\ names\t\x00\x1f\x7f\u2028\U0001f5e1",
    system="vestige",
    version="1",
    digest="",
    config={"b": True, "a": None, "10": -1, "9": "x", "list": ("z", "a"), "none": ()},
)
ODD = ("__proto__", "constructor", "toString", "10", "9", "", "é", "\uffff", "\U00010000", "a|b", '"', "hasOwnProperty")
SCALARS: tuple[Scalar, ...] = (0, False, "", True, -1)


def make_odd_joined(who: str) -> Joined:
    """Return a combatant with a name that JavaScript treats specially, or that sorts oddly."""
    stats = {name: nth for nth, name in enumerate(ODD)}
    return Joined(
        who=who, name=who, side=who, stats=stats, pools={"hp": 2**53 - 1, "ep": -(2**53 - 1)}, traits=(who, "b")
    )


def make_odd_stacked(item: str, at: int, params: bytes) -> Stacked:
    """Return a pending action with unusually spelt parameters."""
    return Stacked(
        item=item, actor="__proto__", kind="k", params=Raw(params), manner="m", at=at, nth=at + 1, tags=("t",)
    )


EVERYTHING: tuple[Event, ...] = (
    OPENED,
    *map(make_odd_joined, ODD),
    *(
        ConditionChanged(who=who, condition=who, before=0, after=2, source=source)
        for who in ODD
        for source in ("", "x")
    ),
    ConditionChanged(who="é", condition="é", before=2, after=0, source="x"),
    *(ConditionChanged(who="9", condition="9", before=2, after=0, source=source) for source in ("x", "")),
    ConditionChanged(who="9", condition="never there", before=0, after=0),
    *(
        ConditionChanged(who="10", condition="9", before=0, after=1, source=source, ends=Ending("end of round", nth))
        for nth, source in enumerate(ODD)
    ),
    ConditionChanged(who="10", condition="9", before=1, after=1, source="é"),
    ConditionChanged(who="10", condition="9", before=1, after=0, source="", ends=Ending("end of fight")),
    ConditionChanged(who="10", condition="a|b", before=0, after=1, ends=Ending("start of own turn", 1)),
    ConditionChanged(who="10", condition="a|b", before=1, after=0),
    PoolChanged(who="__proto__", pool="__proto__", before=0, after=7),
    StatChanged(who="10", stat="10", before=0, after=-7),
    TraitChanged(who="10", trait="10", present=True),
    TraitChanged(who="9", trait="b", present=False),
    SideChanged(who="é", before="é", after="È"),
    Left(who="toString"),
    Left(who="hasOwnProperty"),
    make_odd_joined("hasOwnProperty"),
    ItemAdded(
        item="__proto__", name="n", kind="k", owner="é", stats={"b": 1, "a": 2}, counters={"z": 1}, die=8, base=0
    ),
    ItemAdded(item="gone", name="n", kind="k", owner=""),
    ItemCounted(item="__proto__", counter="__proto__", before=0, after=0),
    ItemMoved(item="__proto__", owner="", before="", after="the ground"),
    ItemRemoved(item="gone"),
    RelationSet(relation="__proto__", kind="melee", members=(Member(who="é"), Member(who="9", role="rider"))),
    RelationSet(relation="ended", kind="melee", members=(Member(who="é"),)),
    RelationSet(relation="ended", kind="melee", members=()),
    PlaceSet(place="__proto__", traits=("difficult",)),
    PlaceSet(place="plain"),
    DistanceSet(pair=("__proto__", "é"), before=None, after=0),
    ViewSet(viewer="__proto__", target="é", before="", after="blocked"),
    *(MarkSet(owner="__proto__", key=key, value=value) for key, value in zip(ODD, SCALARS, strict=False)),
    MarkSet(owner="__proto__", key="constructor", value=None),
    MarkSet(owner="struck", key="a", value=1),
    MarkSet(owner="struck", key="a", value=None),
    MarkSet(owner="nobody", key="a", value=None),
    MarkSet(owner="a", key="listed", value=("b", "__proto__")),
    *(MarkSet(owner="__proto__", key=key, value=None, parts={"b": 1, "__proto__": ("b", "a")}) for key in ODD),
    MarkSet(owner="__proto__", key="constructor", value=None),
    MarkSet(owner="struck", key="toString", value=None, parts={"a": True}),
    MarkSet(owner="struck", key="toString", value=None),
    Declared(actor="__proto__", kind="k", params=Raw(b"{}")),
    make_odd_stacked("1", 0, b'{ "b" : 1.0e2, "a":[ 1 ,2.50 ],"u":"\\u00e9\\/" }'),
    make_odd_stacked("__proto__", 1, b'{"big":12345678901234567890,"params":{"params":1}}'),
    make_odd_stacked("between", 1, b"{}"),
    make_odd_stacked("dropped", 0, b"[]"),
    make_odd_stacked("resolved", 9, b"[]"),
    Resolved(item="resolved"),
    Dropped(item="dropped", why="w"),
    Fizzled(item="between", code="c"),
    WindowOpened(window="w", about="__proto__", nth=3, to=("é", "9", "é"), what="announce"),
    OfferDeclined(window="w", who="é"),
    OfferDeclined(window="another", who="9"),
    Asked(
        question="q",
        of=("é",),
        about="forfeit",
        options=(Option(choice="yes", says="", fields=(Field(name="n", kind="int", low=-1, optional=True),)),),
    ),
    DiceAwaited(roll="r", by="é", purpose="p", dice=(Dice(count=1, sides=6), Dice(count=2, sides=8, item="i"))),
    Asked(question="on top", of=("gm",), about="forfeit", options=(Option(choice="yes", says=""),)),
    Asked(question="on top of all", of=("gm",), about="forfeit", options=(Option(choice="yes", says=""),)),
    Withdrawn(what="r"),
    Answered(question="on top of all", by="gm", choice="yes"),
    DiceAwaited(roll="r", by="é", purpose="p", dice=(Dice(count=1, sides=6),)),
    Withdrawn(what="on top"),
    AskingSet(who="__proto__", ask="never"),
    AskingSet(who="é", ask="targeted"),
    AskingSet(who="é", ask="always"),
    AskingSet(who="9", ask="always"),
    DiceSourceSet(owner="*", source="entered"),
    PlayerUndoSet(rule="free"),
    DiceRenewed(generation=2),
    Concealed(who="é", concealed=True),
    Concealed(who="9", concealed=True),
    Concealed(who="é", concealed=True),
    Concealed(who="10", concealed=False),
    FoesSet(show="hidden", heroes=("party", "é")),
    Veiled(who="__proto__", pools={"hp": 9}),
    Veiled(who="é", pools={"hp": 9}),
    Veiled(who="é", pools={}),
)


def fold_after_events(*commands: Event) -> tuple[State, str]:
    """Return the engine's state after a log of these events, each a command, and the log."""
    history = History()
    lines: list[bytes] = []
    for event in commands:
        recorded, line = seal(
            [event], after=history.head, previous=history.head_hash, time="t", who="w", cause=f"c{len(lines)}"
        )
        history.add(recorded)
        lines += line
    return fold(history.effective()), b"\n".join(lines).decode() + "\n"


def check_same_states(*logs: tuple[State, str]) -> None:
    """The client's last state of each log is the engine's, and it reads what it writes."""
    for (state, _), answer in zip(logs, ask_script("states.mjs", [text for _, text in logs]), strict=True):
        encoded = msgspec.json.encode(state, order="deterministic").decode()
        assert answer == {"encoded": encoded, "digest": digest(state), "again": encoded}


def test_odd_names_and_numbers_are_written_alike() -> None:
    """After each event: keys JavaScript has a meaning for, orders beyond its own, parameters written in any way."""
    check_same_states(*(fold_after_events(*EVERYTHING[:length]) for length in range(1, len(EVERYTHING) + 1)))


def test_what_was_taken_back_does_not_count() -> None:
    """Undo and redo over odd things."""
    back = Rewound(to=len(ODD) + 1, lane=len(EVERYTHING), commands=1)
    check_same_states(
        fold_after_events(*EVERYTHING, back),
        fold_after_events(*EVERYTHING, back, Restored(lane=len(EVERYTHING), left=back.to)),
    )


def test_dice_that_came_are_awaited_no_more() -> None:
    """Real dice, entered."""
    check_same_states(fold_after_events(*EVERYTHING, DiceEntered(roll="r", faces=(1, 2, 3))))


@given(fights(most=30))
@settings(max_examples=10, suppress_health_check=list(HealthCheck))
def test_drawn_fights_fold_alike(plan: Plan) -> None:
    """With any events."""
    fight, store = play_into_store(plan)
    check_same_states((fight.state, b"\n".join(store.read(NAME)).decode() + "\n"))


def test_a_number_beyond_what_javascript_holds_is_refused() -> None:
    """Better no digest than a wrong one."""
    _, text = fold_after_events(OPENED, MarkSet(owner="a", key="b", value=2**53))
    (answer,) = ask_script("states.mjs", [text])
    assert answer == {"unreadable": "9007199254740992 is more than JavaScript holds exactly"}


def test_events_that_do_not_fit_fold_alike() -> None:
    """One that comes twice, one that is left out, and one that comes behind all others, as in a log from elsewhere."""
    odd: list[tuple[Event, ...]] = []
    for nth in range(1, len(EVERYTHING)):
        before, one, behind = EVERYTHING[:nth], EVERYTHING[nth], EVERYTHING[nth + 1 :]
        odd += [(*before, one, one, *behind), (*before, *behind), (*before, *behind, one), (*before, one, *behind, one)]
    folded = [hash_last_state(events) for events in odd]
    answers = ask_script("states.mjs", [text for _, text in folded])
    digests = [answer.get("digest") for answer in answers]
    assert [odd[at] for at, (one, _) in enumerate(folded) if one != digests[at]] == []
    assert {one is None for one, _ in folded} == {True, False}


def hash_last_state(events: tuple[Event, ...]) -> tuple[str | None, str]:
    """Return the digest of the engine's last state, if it can be folded, and the log."""
    history = History()
    lines: list[bytes] = []
    for nth, event in enumerate(events):
        recorded, line = seal([event], after=nth, previous=history.head_hash, time="t", who="w", cause=f"c{nth}")
        history.add(recorded)
        lines += line
    text = b"\n".join(lines).decode() + "\n"
    try:
        return digest(fold(history.effective())), text
    except Senseless:
        return None, text
