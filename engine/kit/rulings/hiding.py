"""Rulings on hidden information: combatants, counters, and secret dice."""

from collections.abc import Container, Sequence
from typing import Annotated, ClassVar

from msgspec import Meta

from affray import events as facts
from affray.engine.core.actions import Ruling, ruled_as
from affray.engine.core.candidates import list_sides
from affray.engine.core.effects import Roll, Rule
from affray.engine.core.ids import MORE_TO_COME, RESERVED, id_of, ids_of_scheme
from affray.engine.core.table import Table
from affray.engine.errors import NoSuch, Refused, Unusable
from affray.engine.kit.relations import give_open_number, list_misnumbered, remove_members, set_relation
from affray.engine.texts import normalize
from affray.engine.visibility import FOE_DETAILS, FOES, SECRET_ROLL, list_hero_sides, list_sealed_words, set_foes
from affray.events import Id, Recorded

from .dice import DiceText, check_purpose, read_dice
from .values import BRIEF, Bonus


@ruled_as("conceal", "hide a combatant (who), or one that will join (coming), from all but its players", "who")
class Conceal(Ruling, frozen=True, kw_only=True):
    """Conceal a combatant from everyone but its players, even before it joins.

    Attributes:
        who: A combatant in the fight.
        coming: Alternatively the name of a combatant that will join.
    """

    who: facts.CombatantId = ""
    coming: facts.NewCombatantId = ""

    def check(self, table: Table) -> None:
        """Refuse a combatant that cannot join."""
        if bool(self.who) == bool(self.coming):
            raise Unusable("say either who is there (who) or who will join (coming)", "who")
        hidden = self._find_hidden(table)
        if self.coming and (hidden in RESERVED or hidden in table.draft.combatants or not hidden):
            raise Unusable("must be the name of a combatant that can join", "coming")

    def already(self, table: Table) -> str:
        """Say that the combatant is hidden."""
        return f"{self._find_hidden(table)} is hidden already"

    def instead(self, table: Table) -> str:
        """Return a ruling that reveals the combatant."""
        return f"rule reveal {self._find_hidden(table)}"

    def decide(self, table: Table) -> Rule[None]:
        """Conceal the combatant."""
        yield facts.Concealed(who=self._find_hidden(table), concealed=True)

    def _find_hidden(self, table: Table) -> Id:
        with ids_of_scheme(table.draft.dice_scheme):
            return self.who or id_of(normalize(self.coming))


@ruled_as("reveal", "reveal a hidden combatant to all viewers", "who")
class Reveal(Ruling, frozen=True, kw_only=True):
    """Reveal a concealed combatant from now on. Sealed events stay sealed."""

    who: facts.CombatantId

    def may_name(self, table: Table, who: Id) -> bool:
        """Tell whether a combatant can be named: any, or a concealed one yet to join."""
        return who in table.draft.concealed or super().may_name(table, who)

    def check(self, table: Table) -> None:
        """Refuse the id that stands for combatants who may still join."""
        if self.who == MORE_TO_COME:
            raise Unusable("no viewer reads of those who may still join; say rule more_to_come false", "who")

    def decide(self, table: Table) -> Rule[None]:
        """Reveal the combatant, and renumber its relations where numbers tell of others."""
        misnumbered = list_misnumbered(table, self.who)
        for one in misnumbered:
            yield remove_members(one)
        yield facts.Concealed(who=self.who, concealed=False)
        for one in misnumbered:
            yield from give_open_number(table, set_relation(one.id, one.kind, *one.members))

    def already(self, table: Table) -> str:
        """Say that the combatant is not hidden."""
        return f"{table.name_of(self.who)} is not hidden"

    def instead(self, table: Table) -> str:
        """Return a ruling that conceals the combatant."""
        return f"rule conceal {self.who}"


@ruled_as(MORE_TO_COME, "say, to yourself alone, whether more may join, so that you are asked at the end", "expected")
class MoreToCome(Ruling, frozen=True, kw_only=True):
    """Announce that more combatants may join, so that the game master decides the end.

    Only the game master reads this before the record is closed.
    """

    expected: bool = True

    def decide(self, table: Table) -> Rule[None]:
        """Conceal the id that stands for them, or remove it."""
        yield facts.Concealed(who=MORE_TO_COME, concealed=self.expected)

    def already(self, table: Table) -> str:
        """Say whether more combatants are expected."""
        return f"more are {'already' if self.expected else 'not'} expected"

    def instead(self, table: Table) -> str:
        """Return the opposite ruling."""
        return f"rule more_to_come {'false' if self.expected else 'true'}"


@ruled_as("veil", "show some counters only as unhurt, hurt, badly hurt or down, except to its players", "who", "pools")
class Veil(Ruling, frozen=True, kw_only=True):
    """Hide the numbers of counters: viewers see unhurt, hurt, badly hurt or down.

    The combatant's own players see the numbers. Unhurt means the value at the time of the ruling.
    """

    who: facts.CombatantId
    pools: tuple[Annotated[facts.PoolName, BRIEF], ...]

    def check(self, table: Table) -> None:
        """Refuse counters that the combatant does not have."""
        has = table[self.who].pools
        if not self.pools or any(pool not in has for pool in self.pools):
            raise Unusable(f"{self.who} has the counters {', '.join(has)}", "pools", known=has)

    def decide(self, table: Table) -> Rule[None]:
        """Hide the counters, in addition to those already hidden."""
        hidden = {pool: table.pool(self.who, pool) for pool in self.pools}
        yield facts.Veiled(who=self.who, pools={**hidden, **table.draft.veiled.get(self.who, {})})

    def already(self, table: Table) -> str:
        """Say which counters are hidden."""
        return f"{', '.join(self.pools)} of {table.name_of(self.who)} are hidden already"

    def instead(self, table: Table) -> str:
        """Return a ruling that shows the counters."""
        return f"rule unveil {self.who}"


@ruled_as("unveil", "show all counters of a combatant as numbers again", "who")
class Unveil(Ruling, frozen=True, kw_only=True):
    """Show all counters of a combatant as numbers again."""

    who: facts.CombatantId

    def decide(self, table: Table) -> Rule[None]:
        """Show the counters."""
        yield facts.Veiled(who=self.who, pools={})

    def already(self, table: Table) -> str:
        """Say that no counter is hidden."""
        return f"no counter of {table.name_of(self.who)} is hidden"

    def instead(self, table: Table) -> str:
        """Return a ruling that hides a counter."""
        pool = next(iter(table[self.who].pools), "")
        return f"rule veil {self.who} {pool}" if pool else ""


@ruled_as(
    FOES, "let players see what foes have left in numbers (open), as a word (rough), or not at all (hidden)", "show"
)
class Foes(Ruling, frozen=True, kw_only=True):
    """Set what players read of their foes.

    Attributes:
        show: Numbers, a word such as *hurt*, or neither.
        heroes: The sides of the players. By default those set before, or those of player characters.
    """

    show: facts.FoeDetail
    heroes: tuple[Annotated[facts.SideName, BRIEF], ...] = ()

    def check(self, table: Table) -> None:
        """Refuse a side that is not in the fight."""
        sides = list_sides(table)
        if unknown := next((side for side in self.heroes if side not in sides), ""):
            raise NoSuch("side", unknown, sides, "heroes")

    def decide(self, table: Table) -> Rule[None]:
        """Set it, and draw or lift the veil of each foe."""
        draft = table.draft
        known = draft.foes != "open" and not self.heroes
        heroes = draft.heroes if known else list_hero_sides(draft, self.heroes or draft.heroes)
        yield from tuple(set_foes(self.show, heroes, draft))

    def already(self, table: Table) -> str:
        """Say what players read."""
        return f"players see what foes have left {FOE_DETAILS[self.show]} already"

    def instead(self, table: Table) -> str:
        """Return a ruling with another setting."""
        return f"rule {FOES} {'rough' if self.show == 'open' else 'open'}"


MOST_NAMED = 8
"""The most positions that a refusal names."""


def _join_positions(positions: Sequence[int]) -> str:
    return ", ".join(map(str, positions))


@ruled_as("release", "let all viewers read words that were sealed for a hidden combatant")
class Release(Ruling, frozen=True, kw_only=True):
    """Let all viewers read sealed words about concealed combatants.

    The words of a secret roll are read with its dice, when the record is closed.

    Attributes:
        positions: The positions of the commands with the words. Without any, all words so far are released.
    """

    only_recorded: ClassVar[bool] = True

    positions: tuple[Annotated[int, Meta(ge=1)], ...] = ()

    def check_record(self, recorded: Sequence[Recorded], opened: Container[int]) -> None:
        """Refuse positions without sealed words, and list positions that have some."""
        sealed = list_sealed_words(recorded, opened)
        if not sealed:
            raise Refused("no_change", "", "no words are sealed: every viewer can read all words so far")
        right = [at for at in self.positions if at <= len(recorded) and recorded[at - 1].cause in sealed]
        wrong = [at for at in self.positions if at not in right]
        if wrong:
            there = [*sealed.values()]
            named, more = _join_positions(there[:MOST_NAMED]), ", …" if len(there) > MOST_NAMED else ""
            line = f"rule release positions={','.join(map(str, right or there[:MOST_NAMED]))}"
            reason = f"no words are sealed at {_join_positions(wrong[:MOST_NAMED])}, but at {named}{more}"
            raise Refused("no_change", "", reason, example=line)

    def decide(self, table: Table) -> Rule[None]:
        """Release the words. Who can read an event is not part of the state."""
        yield facts.Released(positions=self.positions)


@ruled_as(SECRET_ROLL, "throw dice that only the game master sees until the record is closed", "dice", "purpose")
class SecretRoll(Ruling, frozen=True, kw_only=True):
    """Throw dice that only the game master sees until the record is closed.

    Attributes:
        dice: Dice of one size, perhaps with a modifier, such as ``2d6+1``.
        purpose: The purpose of the dice.
        plus: A further modifier.
    """

    only_recorded: ClassVar[bool] = True

    dice: DiceText
    purpose: Annotated[facts.PurposeName, BRIEF]
    plus: Bonus = 0

    def check_new(self, table: Table) -> None:
        """Refuse a purpose that contains separators of roll names."""
        check_purpose(self.purpose, "purpose")

    def check(self, table: Table) -> None:
        """Refuse malformed dice."""
        read_dice(self.dice)

    def decide(self, table: Table) -> Rule[None]:
        """Throw the dice by the engine.

        Real dice can be thrown behind a screen, and need no record.
        """
        thrown = read_dice(self.dice)
        modifiers = thrown.list_modifiers(self.plus)
        yield Roll(dice=(thrown.dice,), purpose=self.purpose, by="gm", modifiers=modifiers, waits=False)
