"""The dice of fights in words: per group, whether they fell as fair dice do."""

from collections.abc import Iterator, Sequence

from affray.engine.analysis.stats import Streak, Summary, ThrownDice
from affray.tools.present.charts.dice_bars import chance
from affray.tools.present.story.words import Names, capital, name_of

BARS = 1
"""The expected count per face below which a plot shows only the counts."""


UNUSUAL = 0.05
"""An adjusted p below this is reported as unusual."""


MEANING = (
    "p is how often fair dice would fall at least as unevenly as these: a small p is a reason to look closer and no"
    " proof of anything, and a large one does not prove a die fair."
)


MANY = (
    "{many} groups were tested: of fair dice one group in twenty falls below 0.05 by chance alone, and the adjusted p"
    " (after Holm) allows for that."
)


METHOD = (
    "The test is exact where fewer than 5 of each face are expected, and chi-square otherwise. The interval is that of"
    " the mean, by the normal distribution and the variance of a fair die."
)


def first_said(groups: Sequence[Summary], names: Names) -> str:
    """Return a sentence on whether a group of dice is unusual, by the p adjusted for all groups."""
    few = " Few dice were thrown: only a very uneven die could show." * all(one.expected < BARS for one in groups)
    strange = sorted((one for one in groups if one.adjusted < UNUSUAL), key=lambda one: one.adjusted)
    if not strange:
        which = f"the {len(groups)} groups of dice" if len(groups) > 1 else "these dice"
        return f"Nothing is unusual: {which} fell as fair dice often do.{few}"
    said = "; ".join(f"{title(one, names)} (adjusted p {chance(one.adjusted)})" for one in strange)
    return f"Look closer: fair dice rarely fall as these did: {said}. By chance alone it happens too.{few}"


def title(group: Summary, names: Names) -> str:
    """Return the name of a group of dice: ``Ilse, d20, engine``."""
    parts = [
        name_of(names, group.roller) if group.roller else "",
        names.label("dice", group.kind),
        f"d{group.sides}",
        group.source,
    ]
    if group.kind == f"d{group.sides}":
        del parts[1]
    return capital(", ".join(part for part in parts if part))


def table(groups: Sequence[Summary], names: Names) -> Iterator[str]:
    """Yield a table with one line per group."""
    titles = [title(group, names) for group in groups]
    width = max(map(len, titles))
    yield f"{'':{width}}  dice   mean  fair    95 % interval       p  adjusted"
    for name, one in zip(titles, groups, strict=True):
        between = f"{one.low:.2f} – {one.high:.2f}"
        yield (
            f"{name:{width}}  {one.throws:>4}  {one.mean:>5.2f}  {one.fair_mean:>4}  {between:>14}"
            f"  {chance(one.fairness.p):>6}  {chance(one.adjusted):>8}"
        )


def meaning_of(dice: ThrownDice, groups: Sequence[Summary]) -> Iterator[str]:
    """Yield the meaning of the numbers and their limits, and which dice were counted."""
    yield MEANING + (" " + MANY.format(many=len(groups)) if len(groups) > 1 else "")
    banded = any(group.fairness.test == "chi-square in bands" for group in groups)
    yield METHOD + (" Where an exact test would take too long, neighbouring faces are counted together." * banded)
    undone = sum(group.undone for group in groups)
    counted = [
        f"Of the dice, {undone} lie in what was taken back; they were thrown all the same." * bool(undone),
        f"Dice met again under the same name, and counted once: {dice.again}." * bool(dice.again),
        f"Entered dice that an amendment corrected, and not counted: {dice.corrected}." * bool(dice.corrected),
    ]
    if any(counted):
        yield " ".join(filter(None, counted))


def streaks_said(streaks: Sequence[Streak]) -> Iterator[str]:
    """Yield the longest runs and how often fair dice show any as long."""
    for one in streaks:
        if one.length > 1:
            what = f"{one.face}" if one.of == "same" else f"the {one.of} half"
            yield f"  longest run of {what}: {one.length}; as long or longer in {share(one.chance)} of fair runs"


def share(p: float) -> str:
    """Return a chance as a percentage."""
    return f"{100 * p:.0f} %" if 0.01 <= p <= 0.99 else "over 99 %" if p > 0.99 else "under 1 %"
