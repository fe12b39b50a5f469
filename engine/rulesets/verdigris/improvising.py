"""Whatever the rules leave open: the game master says what comes of it (VER-015, VER-097, VER-100)."""

from __future__ import annotations

from functools import partial
from typing import Annotated, ClassVar

from msgspec import Meta

from affray.engine.core.actions import Action
from affray.engine.core.effects import Ask, Rule, choice
from affray.engine.core.table import Table
from affray.events import Answered, Field, Id, Noted, Option, Words

from .acting import begins
from .afflictions import lessen
from .harm import heal
from .sheet import NOBODY, in_play
from .turns import paid, playable, unforbidden


def settled_by_gm(table: Table, who: Id, what: str, *rules: str) -> Ask | None:
    """Return the question what comes of something the rules leave open, as long as its doer is there."""
    if not in_play(table, who):
        return None
    options = (
        Option(choice="settled", says=f"{what}: say what comes of it", fields=(Field(name="text", kind="text"),)),
        Option(choice="heals", says="it heals hit points", fields=(Field(name="hp", kind="int", low=1, high=99),)),
    )
    return Ask(of=("gm",), about="settled", options=options, rules=rules)


def settled(table: Table, who: Id, what: str, answer: Answered, *, potion: bool) -> Rule[None]:
    """Let come of it what the game master said.

    Healing stops one bleeding for every 3 hit points (table 5.4); potions do nothing for a bleeding gut (table 5.5).
    """
    if answer.choice == "settled":
        yield Noted(text=f"{what}: {answer.fields['text']}", rules=("VER-100",))
    elif potion and "gut bleeding" in table[who].conditions.get("injured", NOBODY):
        yield Noted(text=f"{what}: potions do not heal a bleeding gut", rules=("VER-093",))
    else:
        hp = int(answer.fields["hp"] or 0)
        yield from heal(table, who, hp, "VER-097")
        if table[who].has("bleeding") and hp >= 3:
            yield from lessen(table, who, "bleeding", hp // 3)


class Improvise(Action, frozen=True, kw_only=True):
    """Do something else, for the action; the game master says what comes of it (VER-015).

    Attributes:
        what: In plain words.
    """

    kind: ClassVar[str] = "improvise"
    says: ClassVar[str] = "do something else, as the game master says"
    words: ClassVar[tuple[str, ...]] = ("what",)

    what: Annotated[Words, Meta(min_length=1, max_length=200)]

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: actor, budget."""
        playable(table, actor, manner, "action", self.kind)
        unforbidden(table, actor, manner, self.kind, "VER-015")

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the action."""
        yield from paid(table, actor, "action")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Ask the game master for the outcome."""
        if (yield from begins(table, self, actor)):
            said = f"{table[actor].name}: {self.what}"
            answer = yield from choice(partial(settled_by_gm, table, actor, said, "VER-015"))
            if answer is not None:
                yield from settled(table, actor, f"{actor}: {self.what}", answer, potion=False)
