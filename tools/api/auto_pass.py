"""Automatic passes in windows: for combatants without a useful option, or out of time."""

from collections.abc import Callable, Iterator

from affray.engine.analysis.policies import PASSING, appraise_declarations
from affray.engine.core.draft import Draft
from affray.engine.core.evolve import evolve
from affray.engine.core.groups.fighter import rate_all_alike
from affray.engine.core.ruleset import Ruleset
from affray.engine.core.table import Table
from affray.engine.core.words import PoolWord
from affray.engine.fight import Fight
from affray.engine.history.timeline import History
from affray.engine.runtime.offers import build_offer_trees
from affray.engine.visibility import Viewer, list_bands, project_state
from affray.engine.visibility.redacting import TYPICAL, count_in_band
from affray.events import Id, Passed, PassedFor, PoolChanged, StatChanged, WhenAsked

TABLE = "the table"
"""The author of automatic passes."""

SPECTATOR = Viewer(role="spectator")
"""A viewer who sees only what every viewer sees."""

POOR = PASSING / 2
"""The target of a pending action is not asked if all its options rate worse."""

MOST = 1000
"""The most automatic passes in a row."""


def let_pass(fight: Fight, submit: Callable[[Passed], object], *, unsaid: WhenAsked = "always") -> None:
    """Pass for combatants without a useful option, until one must be asked.

    Args:
        submit: Carries out a pass in this fight.
        unsaid: The setting where no player or game master has set one.
    """
    for _ in range(MOST):
        passed = next(not_worth(fight, unsaid), None)
        if passed is None:
            return
        submit(passed)


def not_worth(fight: Fight, unsaid: WhenAsked = "always") -> Iterator[Passed]:
    """Yield passes for the combatants of the open window that have no useful option.

    The rule system rates every declaration (``Ruleset.appraise``); an option is useful if it rates no worse than a
    pass. The target of a pending action is asked unless all its options are poor. All combatants are asked if the
    table is set to ``always``, and all targets if it or their player is set to ``targeted``. All viewers see when the
    table stops. So the rating uses only facts that all viewers know: concealed combatants do not count, and veiled
    counters count by their band. No automatic pass is sent for a concealed combatant, because its timing would give
    away the combatant's place and weapons.
    """
    draft, ruleset = fight.table.draft, fight.ruleset
    if draft.waits_for:  # in a window an attempt may wait for the game master, or a ruling may be pending above it
        return
    if draft.window is None or fight.history.closed or ruleset.fighter.appraise is rate_all_alike:
        return
    known = _as_known(fight)
    for who in known.draft.window.to if known.draft.window else ():
        targeted = any(who in pending.targets for pending in known.draft.stack)
        least = POOR if targeted else PASSING
        if not _stops_always(known.draft, who, unsaid, targeted) and not _has_option(ruleset, known, who, least):
            yield passed_for(draft, who, "not worth")


def _as_known(fight: Fight) -> Table:
    """Return the table that every viewer knows; a veiled counter is the best one of its band."""
    seen = project_state(SPECTATOR, fight.state)
    if seen is fight.state:
        return fight.table
    known, vocabulary = Table(Draft(seen), fight.table.config), fight.ruleset.vocabulary
    bands = list_bands(SPECTATOR, fight.state)
    for who in {*seen.combatants}.intersection(fight.state.veiled):
        for pool in fight.state.veiled[who]:
            word = vocabulary.pools.get(pool, PoolWord())
            count = count_in_band(bands.get(who, {}).get(pool, "unhurt"), word.rises)
            evolve(known.draft, PoolChanged(who=who, pool=pool, before=count, after=count))
            if word.most in fight.state.combatants[who].stats:
                evolve(known.draft, StatChanged(who=who, stat=word.most, before=TYPICAL, after=TYPICAL))
    return known


def passed_for(draft: Draft, who: Id, why: PassedFor) -> Passed:
    """Return an automatic pass for a combatant who is asked in the open window."""
    assert draft.window is not None
    return Passed(window=draft.window.id, who=who, why=why)


def _stops_always(draft: Draft, who: Id, unsaid: WhenAsked, targeted: bool) -> bool:
    """Tell whether the table always waits for a combatant by setting."""
    what = draft.window.what if draft.window else ""
    own, table = draft.standing.get(who), draft.stops.get(what) or draft.stops.get("", unsaid)
    if targeted and ("targeted" in (own, table) or table == "always"):
        return True
    return table == "always" and own != "worthwhile"


def _has_option(ruleset: Ruleset, table: Table, who: Id, least: float) -> bool:
    """Tell whether a combatant has an option that rates at least so well."""
    ways = [one for one in build_offer_trees(ruleset, table) if one.actor == who]
    return any(worth >= least for way in ways for worth, _ in appraise_declarations(way))


def sent_for_others(history: History) -> int:
    """Count the automatic passes at the end of the record."""
    count = 0
    for position in reversed(history.path):
        one = history.at(position)
        if history.commands.get(one.cause) != position:
            continue  # no first event of a command
        if not (isinstance(one.event, Passed) and one.event.why):
            break
        count += 1
    return count
