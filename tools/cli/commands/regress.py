"""The command ``regress``, which decides recorded fights again under other rules."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import click
import msgspec

from affray.engine.analysis.what_if import Regression, RegressionResult, decide_again
from affray.engine.core.loading import load
from affray.engine.core.ruleset import Ruleset
from affray.engine.errors import Unusable
from affray.engine.history.timeline import History
from affray.events import Event
from affray.tools.api.store_url import said_of
from affray.tools.cli.completion import values
from affray.tools.cli.exit_codes import REFUSED
from affray.tools.cli.options import json_option
from affray.tools.cli.printing import say, say_json
from affray.tools.cli.progress import each_with_bar
from affray.tools.parse.faults import fault_of, hint_setting
from affray.tools.parse.forms import describe_kind, kinds_of
from affray.tools.parse.values import count_of
from affray.tools.present.fault_text import lines_of
from affray.tools.present.story.diff_text import list_differences
from affray.tools.present.story.narration import tell
from affray.tools.present.story.words import Names, names_of
from affray.tools.present.waiting_text import waiting_sentence

from .replay import read_back

VERDICTS: dict[RegressionResult, tuple[str, str]] = {
    "differs": ("ends differently", "end differently"),
    "stops": ("stops at a question that was never answered", "stop at a question that was never answered"),
    "parts": ("goes another way and ends the same", "go another way and end the same"),
    "same": ("is the same", "are the same"),
}
"""Words for each verdict, of one fight and of several."""


@click.command()
@click.argument("fights", metavar="FIGHT…", nargs=-1, required=True, shell_complete=values.fights)
@click.option(
    "--set",
    "settings",
    metavar="KEY=VALUE",
    multiple=True,
    shell_complete=values.settings,
    help="Change a configuration value; repeatable.",
)
@click.option(
    "--as",
    "system",
    metavar="SYSTEM",
    shell_complete=values.systems,
    help="Decide by another rule system, such as a house variant.",
)
@json_option
def regress(fights: tuple[str, ...], settings: tuple[str, ...], system: str | None, as_json: bool) -> None:
    """Decide recorded fights again: the same inputs and dice, but other rules.

    The inputs are its declarations, answers and rulings. Without options, each fight is decided by the installed
    version of its own rules. Nothing is recorded. The exit code is 1 if any fight goes another way.
    """
    results = [(said, *_decide_fight(said, settings, system)) for said in each_with_bar(fights, "fights decided again")]
    if as_json:
        told = [_for_machines(said, found) for said, found, _, _ in results]
        say_json({"fights": told, "verdicts": _count_verdicts(found for _, found, _, _ in results)})
    else:
        for said, found, ruleset, names in results:
            for line in _tell_result(said, found, ruleset, names):
                say(line)
        say(_summary([found for _, found, _, _ in results]))
    if any(found.verdict != "same" for _, found, _, _ in results):
        raise click.exceptions.Exit(REFUSED)


def _decide_fight(said: str, settings: Sequence[str], system: str | None) -> tuple[Regression, Ruleset, Names]:
    """Decide one fight again; return the result with its system and names."""
    with said_of(said):
        history = History(read_back(said))
        ruleset = load(system or history.opening.system)
        found = decide_again(history, ruleset, _settings(ruleset, settings))
    return found, ruleset, names_of(history.recorded)


def _settings(ruleset: Ruleset, said: Sequence[str]) -> dict[str, Any]:
    """Parse ``KEY=VALUE`` words to configuration values in their types."""
    values: dict[str, Any] = {}
    for word in said:
        key, equals, value = word.partition("=")
        fields = {field.name: field.type for field in msgspec.structs.fields(ruleset.config)}
        if not equals:
            raise Unusable(f"say KEY=VALUE, not {word}", "--set")
        if key not in fields:
            raise Unusable(f"{ruleset.name} has no such key{hint_setting(key, ruleset.name, fields)}", f"config.{key}")
        values[key] = _value(ruleset, key, value)
    return values


def _value(ruleset: Ruleset, key: str, said: str) -> Any:
    """Parse one value in its type. A list is joined by ``;``."""
    form = ruleset.config
    for value in (said, said.split(";") if said else []):
        try:
            return getattr(msgspec.convert({key: value}, form, strict=False), key)
        except msgspec.ValidationError:
            continue
    right = " or ".join(describe_kind(kind, " joined by ;") for kind in kinds_of(form)[key])
    raise Unusable(f"cannot be {said}; it must be {right}", f"config.{key}")


def _tell_result(said: str, found: Regression, ruleset: Ruleset, names: Names) -> Iterator[str]:
    """Yield the result of one fight line by line."""
    yield f"{said}: {VERDICTS[found.verdict][0]}"
    parting = found.comparison.parting
    if parting is None:
        return
    yield f"  parts at position {found.position}"
    yield f"    recorded  {_event(parting.one, names)}"
    yield f"    decided   {_event(parting.other, names)}"
    if found.comparison.order:
        yield f"  the turn order differs from round {found.comparison.order}"
    for one in found.dropped:
        why = lines_of(fault_of(one.why))[0] if one.why else "no longer asked for, or no longer reached"
        yield f"  {one.position}: {tell(one.event, names, verbose=True)} – {why}"
    if found.passed:
        yield f"  nobody was asked then, and {count_of(found.passed, 'offer')} let pass"
    if found.needs is not None:
        yield f"  never asked before: {waiting_sentence(found.after, ruleset)}; {len(found.waiting)} later inputs wait"
    elif found.comparison.changes:
        yield "  the end, recorded → decided:"
        yield from (f"    {line}" for line in list_differences(found.comparison.changes, names))
    if found.drawn:
        whose = "a seed that stands in for the fight's secret one" if found.stand_in else "the fight's own seed"
        yield f"  {count_of(len(found.drawn), 'roll')} that the record does not show, thrown under {whose}"


def _event(event: Event | None, names: Names) -> str:
    """Format an event with its clauses."""
    if event is None:
        return "nothing more"
    rules = f" ({', '.join(event.rules)})" if event.rules else ""
    return f"{tell(event, names, verbose=True)}{rules}"


def _summary(found: Sequence[Regression]) -> str:
    """Return one line with the number of fights of each verdict."""
    counts = _count_verdicts(found)
    if len(found) == 1:
        return f"The fight {VERDICTS[found[0].verdict][0]}."
    parts = [f"{count} {VERDICTS[verdict][count != 1]}" for verdict, count in counts.items() if count]
    return f"Of {len(found)} fights {', '.join(parts)}."


def _count_verdicts(found: Sequence[Regression] | Iterator[Regression]) -> dict[RegressionResult, int]:
    """Count the fights of each verdict."""
    counts = Counter(one.verdict for one in found)
    return {verdict: counts[verdict] for verdict in VERDICTS}


def _for_machines(said: str, found: Regression) -> dict[str, Any]:
    """Build the JSON answer for one fight."""
    parting = found.comparison.parting
    return {
        "fight": said,
        "verdict": found.verdict,
        "position": found.position,
        "recorded": parting and parting.one,
        "decided": parting and parting.other,
        "changes": found.comparison.changes,
        "order": found.comparison.order,
        "dropped": [
            {"position": one.position, "event": one.event, "why": one.why and fault_of(one.why)}
            for one in found.dropped
        ],
        "needs": found.needs,
        "waiting": found.waiting,
        "drawn": found.drawn,
        "stand_in": found.stand_in,
    }
