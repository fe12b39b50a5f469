"""The actions and their consequences."""

from __future__ import annotations

from affray.rules import (
    Action,
    Ask,
    Dice,
    Enemy,
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
)  # fmt: skip

WAYS = (Option(choice="throw", says="throws back"), Option(choice="duck", says="ducks: 2 more, and nothing to win"))


@declared_as("begin", "begin the fight", own_trigger="begin", by_gm=True, stacks=False)
class Begin(Action, frozen=True, kw_only=True):
    """Begin the fight (PEB-1)."""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse all but the game master (PEB-1)."""
        if actor != "gm":
            raise Refused("not_your_turn", "PEB-1", "the game master begins the fight", source=actor)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Open the first round."""
        yield RoundBegan(round=1, rules=("PEB-1",))


@declared_as("end_turn", "end the turn", own_trigger="end_turn", stacks=False)
class EndTurn(Action, frozen=True, kw_only=True):
    """End the turn without a throw (PEB-4)."""

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Take no part in the rest of the turn."""
        yield MemberDone(who=actor, rules=("PEB-4",))


@declared_as("throw", "throw a pebble at an enemy", "target")
class Throw(Action, frozen=True, kw_only=True):
    """Throw a pebble at a child of another side (PEB-3 to PEB-8)."""

    target: Enemy

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse friends, and children who are out (PEB-5)."""
        if table[self.target].side == table[actor].side:
            raise Refused("not_an_enemy", "PEB-5", f"{self.target} is on the side of {actor}", source=self.target)
        if table[self.target].has("out"):
            raise Refused("out", "PEB-5", f"{self.target} is out", source=self.target)

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Use up the turn: one throw (PEB-3)."""
        yield MemberDone(who=actor, rules=("PEB-3",))

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Ask the target, roll both dice, and take a pebble from the loser (PEB-6 to PEB-8)."""
        ducks = (yield Ask(of=(self.target,), about="throw", options=WAYS, rules=("PEB-6",))).choice == "duck"
        thrown = yield from die(table, actor, "throw")
        met = yield from die(table, self.target, "duck" if ducks else "throw_back", 2 if ducks else 0)
        margin = thrown.total - met.total
        outcome = "hit" if margin > 0 else "hit back" if margin < 0 and not ducks else "miss"
        yield Judged(roll=thrown.roll, outcome=outcome, margin=margin, rules=("PEB-7",))
        if outcome != "miss":
            loser = self.target if margin > 0 else actor
            yield change_pool(table, loser, "pebbles", -1, "PEB-8")
            yield from correct_child(table, loser)


def die(table: Table, who: Id, purpose: str, bonus: int = 0) -> Rule[Rolled]:
    """Roll a die, with 2 more for ducking, and what the game master grants (PEB-7)."""
    extra = list_granted(table, who, "PEB-7")
    ducking = (Modifier(value=bonus, label="ducking", rule="PEB-7"),) if bonus else ()
    dice, modifiers = (Dice(count=1, sides=table.config.sides),), (*ducking, *extra)
    rolled: Rolled = yield Roll(dice=dice, purpose=f"{purpose}:{who}", by=who, modifiers=modifiers, rules=("PEB-7",))
    yield from use_up_granted(table, who)
    return rolled


def upcoming(table: Table) -> Rule[str]:
    """Begin the turn of the next child that had none in this round, or else the next round (PEB-2)."""
    for who, child in table.draft.combatants.items():
        if not child.has("out") and not has_had_turn(table, who):
            yield TurnBegan(slot=who, members=(who,), rules=("PEB-2",))
            return "comes_up"
    yield RoundBegan(round=table.draft.round + 1, rules=("PEB-2",))
    return "all_had_one"


def aftermath(table: Table) -> Rule[str]:
    """End the fight (PEB-10) or the turn (PEB-4) if it is over; otherwise the fight goes on where it stands."""
    if table.draft.phases[""] != "turn" or table.draft.stack:
        return ""
    left = list_sides_with(table, lambda child: not child.has("out"))
    if len(left) < 2:
        yield from record_fight_end(table, left, "one_side", "PEB-10")
        return "over"
    if any(not table[who].has("out") for who in table.draft.acting):
        return ""
    yield TurnEnded(slot=table.draft.up, rules=("PEB-4",))
    return "spent"


def correct_child(table: Table, who: Id) -> Rule[None]:
    """Set or end the condition of a child without pebbles (PEB-9)."""
    out = table.pool(who, "pebbles") == 0
    if out != table[who].has("out"):
        yield set_condition(table, who, "out", int(out), "PEB-9")
