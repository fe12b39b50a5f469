"""The content of a report, before it is written in any format."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from affray import events as facts
from affray.engine.analysis.stats import Summary, collect_dice, summarise_dice
from affray.engine.core.state import Combatant
from affray.engine.fight import Fight
from affray.engine.integrity.audit import Report as Audited
from affray.engine.texts import id_said, quote
from affray.events import Event, Recorded
from affray.tools.parse.values import count_of
from affray.tools.present.audit_text import summarise_audit
from affray.tools.present.charts.dice_bars import chance
from affray.tools.present.luck import Luck, sums_said
from affray.tools.present.names import conditions_of, most_of
from affray.tools.present.statistics_text import MANY as MANY_GROUPS
from affray.tools.present.statistics_text import MEANING, title
from affray.tools.present.story.narration import tell, tell_story
from affray.tools.present.story.story import ROUND, TURN, Line, is_budget
from affray.tools.present.story.words import Names, capital, change, name_of, names_of, plain, side_said, won_by
from affray.tools.present.times import format_period
from affray.tools.present.waiting_text import waiting_line

from .highlights import Highlight, Highlights

MANY = 10
"""The most groups of dice that are listed separately."""


class Counter(Struct, frozen=True, kw_only=True):
    """A counter at the start and the end; the main one has its maximum, if known."""

    name: str
    before: int
    after: int
    most: int = 0

    def __str__(self) -> str:
        """Return it in words."""
        moved = change(plain(self.before), plain(self.after)) if self.before != self.after else plain(self.after)
        return f"{self.name} {moved}"

    @property
    def share(self) -> int:
        """Return its value in percent of the most."""
        return max(0, min(100, 100 * self.after // self.most))


class Fighter(Struct, frozen=True, kw_only=True):
    """The result of a combatant: conditions, counters, damage and felled opponents."""

    name: str
    side: str
    counters: tuple[Counter, ...]
    conditions: str
    dealt: int
    taken: int
    felled: int

    @property
    def heading(self) -> str:
        """Return the side's name as a heading."""
        return capital(side_said(self.side))


class Chapter(Struct, frozen=True, kw_only=True):
    """A part of the story: its title, and per turn a heading (may be empty) and its lines."""

    title: str
    turns: tuple[tuple[str, tuple[str, ...]], ...]


class DiceGroup(Struct, frozen=True, kw_only=True):
    """A group of dice in short; the mean is empty for several groups put together."""

    title: str
    throws: int
    mean: str = ""
    fair: str = ""
    p: str = ""


class Remark(Struct, frozen=True, kw_only=True):
    """A note at a position, with the name of its claimed sender."""

    position: int
    who: str
    text: str


class BattleReport(Struct, frozen=True, kw_only=True):
    """The content of a battle report.

    Attributes:
        name, rules: The fight's name, and its rule system with the version.
        began, ended: Times of the first and the last event.
        outcome: The result, or the party that the fight waits for.
        rounds, commands, events: Their numbers.
        fighters: All combatants who ever joined the fight, by sides.
        highlights: The turning points.
        chapters: The story; the first chapter is the setting.
        dice: The dice, by group.
        groups: The number of groups of dice.
        rulings, corrections: The game master's rulings, and the commands that were undone or amended.
        audit: The audit's line; empty if there was none.
        head, hash: Position and hash of the record's last line, which identify it.
        commitment, seed: The promise behind the dice, and the seed once it is revealed.
        parent: The parent fight that this one was forked from.
        luck: The worth of dice and decisions, if it was computed.
    """

    name: str
    rules: str
    began: str
    ended: str
    outcome: str
    rounds: int
    commands: int
    events: int
    fighters: tuple[Fighter, ...]
    highlights: tuple[Highlight, ...]
    chapters: tuple[Chapter, ...]
    dice: tuple[DiceGroup, ...]
    groups: int
    rulings: tuple[Remark, ...]
    corrections: tuple[Remark, ...]
    audit: str
    head: int
    hash: str
    commitment: str
    seed: str
    parent: str
    luck: Luck | None = None


def make_report(fight: Fight, audited: Audited | None = None, luck: Luck | None = None) -> BattleReport:
    """Make the report of a fight."""
    history = fight.history
    names = names_of(history.recorded)
    highlights = Highlights(fight, names)
    opening, last = history.at(1), history.recorded[-1]
    assert isinstance(opening.event, facts.FightOpened)
    groups = sorted(summarise_dice(collect_dice([history]).dice), key=lambda one: -one.throws)
    fork = next((one.event for one in history.recorded if isinstance(one.event, facts.Forked)), None)
    return BattleReport(
        name=quote(fork.fight if fork else opening.event.fight),
        rules=f"{fight.ruleset.title} {id_said(history.version)}",
        began=opening.time,
        ended=last.time,
        outcome=_outcome(fight),
        rounds=highlights.rounds,
        commands=len(history.commands),
        events=history.head,
        fighters=tuple(_fighters(fight, highlights, names)),
        highlights=tuple(highlights.highlights),
        chapters=tuple(_chapters(tell_story(list(history.effective()), names))),
        dice=tuple(_dice(groups, names)),
        groups=len(groups),
        rulings=tuple(_list_remarks(history.effective(), names, facts.Ruled)),
        corrections=tuple(_list_remarks(history.recorded, names, facts.Amended, facts.Rewound, facts.Restored)),
        audit=summarise_audit(audited) if audited else "",
        head=history.head,
        hash=history.head_hash,
        commitment=fork.commitment if fork else opening.event.commitment,
        seed=last.event.seed if isinstance(last.event, facts.Closed) else "",
        parent=f"{quote(fork.parent)}, left at position {fork.position}" if fork else "",
        luck=luck,
    )


def _outcome(fight: Fight) -> str:
    """Return the end of a fight, or its awaited input."""
    state = fight.state
    if state.ended:
        return capital(won_by(state.victors, *state.allied_victors))
    return f"Left undecided in round {state.round}" if fight.history.closed else waiting_line(fight)


def _fighters(fight: Fight, highlights: Highlights, names: Names) -> Iterator[Fighter]:
    joined = {one.event.who: one.event for one in fight.history.effective() if isinstance(one.event, facts.Joined)}
    state = fight.state
    present = state.combatants
    sides = dict.fromkeys([one.side for one in present.values()] + [one.side for one in joined.values()])
    for side in sides:
        for who, first in joined.items():
            now = present.get(who)
            if (now.side if now else first.side) != side:
                continue
            deeds = highlights.deeds[who]
            yield Fighter(
                name=name_of(names, who),
                side=side,
                counters=tuple(_counters(first, now, names)) if now else (),
                conditions=conditions_of(now, names) if now else "gone",
                dealt=deeds.dealt,
                taken=deeds.taken,
                felled=deeds.felled,
            )


def _counters(first: facts.Joined, now: Combatant, names: Names) -> Iterator[Counter]:
    """Yield the main counter, and every other that has changed."""
    main = next((pool for pool in first.pools if not is_budget(names, pool)), "")
    for pool, after in now.pools.items():
        before = first.pools.get(pool, 0)
        if pool == main or (before != after and not is_budget(names, pool)):
            most = most_of(now, pool, names) if pool == main else 0
            yield Counter(name=names.label("pools", pool), before=before, after=after, most=most)


def _chapters(lines: list[Line]) -> Iterator[Chapter]:
    """Yield the story by rounds, each by turns."""
    name = ""
    turns: list[tuple[str, list[str]]] = []
    for line in lines:
        text = str(line).strip()
        if line.depth == ROUND:
            if name or turns:
                yield _chapter(name, turns)
            name, turns = text, []
        elif line.depth == TURN and line.about[:1] == ("turn",):
            turns.append((text, []))
        else:
            if not turns or (line.depth == TURN and turns[-1][0]):
                turns.append(("", []))
            turns[-1][1].append(text)
    yield _chapter(name, turns)


def _chapter(name: str, turns: list[tuple[str, list[str]]]) -> Chapter:
    return Chapter(title=name, turns=tuple((heading, tuple(acts)) for heading, acts in turns))


def _dice(groups: Sequence[Summary], names: Names) -> Iterator[DiceGroup]:
    """Yield the groups with the most dice, and the number of the others."""
    for group in groups[:MANY]:
        mean, fair = f"{group.mean:.2f}", f"{group.fair_mean:g}"
        yield DiceGroup(title=title(group, names), throws=group.throws, mean=mean, fair=fair, p=chance(group.adjusted))
    rest = groups[MANY:]
    if rest:
        yield DiceGroup(title=f"{len(rest)} smaller groups", throws=sum(one.throws for one in rest))


def _list_remarks(recorded: Iterator[Recorded] | list[Recorded], names: Names, *kinds: type[Event]) -> Iterator[Remark]:
    for one in recorded:
        if isinstance(one.event, kinds):
            yield Remark(
                position=one.position, who=names.get(one.who) or quote(one.who), text=tell(one.event, names) or ""
            )


def subtitle(report: BattleReport) -> str:
    """Return the subtitle: rules, time and length of the fight."""
    return f"{report.rules} · {format_period(report.began, report.ended)} · {count_of(report.rounds, 'round')}"


def dice_meaning(report: BattleReport) -> str:
    """Return the note on how to read the dice statistics."""
    return MEANING + (f" {MANY_GROUPS.format(many=report.groups)}" if report.groups > 1 else "")


def record_said(report: BattleReport) -> list[tuple[str, str]]:
    """List the facts about the record, each with its name."""
    said = [
        ("Events", f"{report.events} in {count_of(report.commands, 'command')}"),
        ("Head", f"position {report.head}, hash {report.hash}"),
        ("Fork of", report.parent),
        ("Dice", "all entered from real dice" if not report.commitment else ""),
        ("Commitment of the dice", report.commitment),
        ("Seed", report.seed or ("secret until the record is closed" if report.commitment else "")),
        ("Audit", report.audit),
    ]
    return [(name, text) for name, text in said if text]


def luck_said(luck: Luck) -> str:
    """Return how the chances went, and how that was counted."""
    counted = f"{luck.trials} fights from each of {len(luck.moves) + 1} moments"
    sums = f"The chance of {side_said(luck.side)} to win: {sums_said(luck)}"
    return f"{sums}. Counted in {counted}; smaller swings may be noise."


HOW_TO_VERIFY = (
    "This report is told from an event log. With the log at hand, affray audit proves its chain, its dice and its"
    " rules; the log is the one told here if its head has the hash above. What Affray does can also be done without it:"
    " docs/verify.md shows how, in a page of Python."
)
