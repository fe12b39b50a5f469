"""What children do when, and what comes of it, as the clauses say."""

from __future__ import annotations

from affray.rules import (
    Action,
    Ask,
    Dice,
    Enemy,
    Flow,
    Forbidden,
    Id,
    Judged,
    MemberDone,
    Modifier,
    Option,
    Refused,
    Roll,
    Rolled,
    RoundBegan,
    Rule,
    Step,
    Table,
    TurnBegan,
    TurnEnded,
    change_pool,
    declared_as,
    has_had_turn,
    list_granted,
    list_sides_with,
    record_fight_end,
    set_condition,
    use_up_granted,
)

WAYS = (Option(choice="throw", says="throws back"), Option(choice="duck", says="ducks: 2 more, and nothing to win"))


def has_the_turn(table: Table, actor: Id) -> None:
    """PEB-2: only the child whose turn it is."""
    if actor not in table.draft.acting:
        raise Refused("not_your_turn", "PEB-2", f"it is not the turn of {actor}", source=actor)


FLOW = Flow(
    initial="setup",
    steps=(
        Step("setup",     "begin",       "upcoming",   None,          "PEB-1"),
        Step("upcoming",  "comes_up",    "turn",       None,          "PEB-1"),
        Step("upcoming",  "all_had_one", "upcoming",   None,          "PEB-1"),
        Step("turn",      "declare",     "resolution", has_the_turn,  "PEB-2"),
        Step("turn",      "end_turn",    "turn",       has_the_turn,  "PEB-2"),
        Step("turn",      "spent",       "upcoming",   None,          "PEB-2"),
        Step("turn",      "over",        "fight_over", None,          "PEB-6"),
    ),
    forbidden=(
        Forbidden("setup",      "*", "not_begun",  "PEB-1", "the game master begins the fight"),
        Forbidden("fight_over", "*", "fight_over", "PEB-6", "the fight is over"),
        Forbidden("*",          "*", "not_now",    "PEB-2", "a throw is in the air"),
    ),
)  # fmt: skip


@declared_as("begin", "begin the fight", own_trigger="begin", by_gm=True, stacks=False)
class Begin(Action, frozen=True, kw_only=True):
    """Begin the fight (PEB-1)."""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse anybody but the game master."""
        if actor != "gm":
            raise Refused("not_your_turn", "PEB-1", "the game master begins the fight", source=actor)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Open the first round."""
        yield RoundBegan(round=1, rules=("PEB-1",))


@declared_as("end_turn", "end the turn", own_trigger="end_turn", stacks=False)
class EndTurn(Action, frozen=True, kw_only=True):
    """End one's turn without a throw (PEB-2)."""

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Be done."""
        yield MemberDone(who=actor, rules=("PEB-2",))


@declared_as("throw", "throw a pebble at somebody", "target")
class Throw(Action, frozen=True, kw_only=True):
    """Throw a pebble at a child of another side (PEB-2 to PEB-5)."""

    target: Enemy

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse friends (PEB-2) and those who are out (PEB-6)."""
        if table[self.target].side == table[actor].side:
            raise Refused("not_an_enemy", "PEB-2", f"{self.target} is on the side of {actor}", source=self.target)
        if table[self.target].has("out"):
            raise Refused("out", "PEB-6", f"{self.target} is out", source=self.target)

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Be done: one throw a turn (PEB-2)."""
        yield MemberDone(who=actor, rules=("PEB-2",))

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Ask the target, roll both dice, and take a pebble from the loser (PEB-3 to PEB-5)."""
        ducks = (yield Ask(of=(self.target,), about="throw", options=WAYS, rules=("PEB-3",))).choice == "duck"
        thrown = yield from die(table, actor, "throw")
        met = yield from die(table, self.target, "duck" if ducks else "throw_back", 2 if ducks else 0)
        margin = thrown.total - met.total
        outcome = "hit" if margin > 0 else "hit back" if margin < 0 and not ducks else "miss"
        yield Judged(roll=thrown.roll, outcome=outcome, margin=margin, rules=("PEB-4",))
        if outcome != "miss":
            loser = self.target if margin > 0 else actor
            yield change_pool(table, loser, "pebbles", -1, "PEB-5")
            yield from corrected(table, loser)


def die(table: Table, who: Id, purpose: str, bonus: int = 0) -> Rule[Rolled]:
    """Roll a die, with 2 more for ducking and whatever the game master grants (PEB-4)."""
    extra = list_granted(table, who, "PEB-4")
    ducking = (Modifier(value=bonus, label="ducking", rule="PEB-4"),) if bonus else ()
    dice, modifiers = (Dice(count=1, sides=table.config.sides),), (*ducking, *extra)
    rolled: Rolled = yield Roll(dice=dice, purpose=f"{purpose}:{who}", by=who, modifiers=modifiers, rules=("PEB-4",))
    yield from use_up_granted(table, who)
    return rolled


def upcoming(table: Table) -> Rule[str]:
    """Let the next child come up that has not had a turn in this round, or open the next round (PEB-1)."""
    for who, child in table.draft.combatants.items():
        if not child.has("out") and not has_had_turn(table, who):
            yield TurnBegan(slot=who, members=(who,), rules=("PEB-1",))
            return "comes_up"
    yield RoundBegan(round=table.draft.round + 1, rules=("PEB-1",))
    return "all_had_one"


def aftermath(table: Table) -> Rule[str]:
    """See whether the fight is over, or the turn (PEB-6, PEB-2)."""
    if table.draft.phases[""] != "turn" or table.draft.stack:
        return "resume"
    left = list_sides_with(table, lambda child: not child.has("out"))
    if len(left) < 2:
        yield from record_fight_end(table, left, "one_side", "PEB-6")
        return "over"
    if any(not table[who].has("out") for who in table.draft.acting):
        return "resume"
    yield TurnEnded(slot=table.draft.up, rules=("PEB-2",))
    return "spent"


def corrected(table: Table, who: Id) -> Rule[None]:
    """Let whoever has no pebbles left be out, and whoever got some again be in (PEB-6)."""
    out = table.pool(who, "pebbles") == 0
    if out != table[who].has("out"):
        yield set_condition(table, who, "out", int(out), "PEB-6")
