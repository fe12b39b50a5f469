"""The command ``balance``: the outcome of an encounter, forecast before play."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec

from affray.engine.analysis.odds import Plan, Precision, Work, find_rollout_start, sample_trials
from affray.engine.core.loading import load
from affray.engine.core.ruleset import config_of
from affray.engine.errors import Unusable
from affray.engine.fight import Fight
from affray.engine.opening import begin_fight
from affray.tools.cli.completion import values
from affray.tools.cli.options import Number, force_option, json_option
from affray.tools.cli.printing import say, say_json
from affray.tools.cli.progress import bar
from affray.tools.encounters.party.placement import join_party
from affray.tools.encounters.party.storage import load_party as read_party
from affray.tools.lab.odds.chance_text import format_share
from affray.tools.lab.trials import add_trial_options, fighters, precision_of
from affray.tools.parse.encounter_file import add_location, read_encounter
from affray.tools.parse.sides import side_of
from affray.tools.present.story.words import names_of
from affray.tools.text.output_files import check_output, write_output

from .balance_text import Found, VariantRow, found_for_machines, found_said
from .drawing import draw_balance
from .variants import Variant, read_vary, variants


class OpenedVariant(NamedTuple):
    """A variant with its fight and the side to win."""

    variant: Variant
    fight: Fight
    side: str


@click.command()
@click.argument(
    "encounter", metavar="ENCOUNTER.toml", type=click.Path(path_type=Path), shell_complete=values.files(".toml")
)
@click.option(
    "--vary",
    "varied",
    multiple=True,
    metavar="PATH=VALUES",
    help="Try other values: bandits.count=1..8, config.KEY=A,B.",
)
@click.option(
    "--party", type=click.Path(path_type=Path), metavar="FILE", help="With this party, as it is now, on its side."
)
@click.option("--side", metavar="SIDE", help="Side of the win chance; by default the first to join.")
@click.option("--aim", type=Number(0, 100), metavar="PERCENT", help="Name the variant nearest to this chance.")
@add_trial_options
@click.option(
    "--svg", "picture", type=click.Path(path_type=Path), metavar="FILE", help="Draw the chances as a picture."
)
@force_option
@json_option
def balance(
    encounter: Path,
    varied: tuple[str, ...],
    party: Path | None,
    side: str | None,
    aim: float | None,
    within: float,
    trials: int,
    policy: str,
    seed: str,
    jobs: int,
    cluster: str,
    picture: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Fight an encounter again and again, and say who wins, what it costs, and how long it takes.

    All variants are fought with the same dice. WHO in --vary WHO.FIELD=VALUES is an entry, or a side with only one
    entry that has the field.
    """
    if picture is not None:
        check_output(picture, force=force)
    first, found_variants = _read_variants(encounter, party, varied)
    files = f"{encounter}, {party}" if party is not None else str(encounter)
    begun = [_begin_variant(one, files, side or first) for one in found_variants]
    much, rows, interrupted = precision_of(within, trials), dict[int, VariantRow](), False
    with fighters(jobs, cluster) as work, closing(_fight_variants(begun, policy, seed, much, work)) as known:
        try:
            for nth, row in known:
                rows[nth] = row
        except KeyboardInterrupt:
            interrupted = True  # report the trials fought so far
    if not rows:
        raise KeyboardInterrupt
    found = Found(list(rows.values()), much, aim, len(begun) - len(rows), interrupted)
    if picture is not None:
        write_output(picture, draw_balance(found), force=force)
    if as_json:
        say_json(found_for_machines(found, policy, seed))
    else:
        for line in found_said(found):
            say(line)


def _read_variants(file: Path, party: Path | None, varied: Sequence[str]) -> tuple[str, list[Variant]]:
    """Return the side that joins first, and all variants of the encounter.

    The encounter itself is checked first.

    Raises:
        Faulty: a file cannot be used; names file and line.
        Unusable: a variant is not possible.
    """
    text, content = read_encounter(file)
    with add_location(file, text, content):
        begin_fight("balance", content, who="gm", seed=bytes(32))
    ruleset = load(str(content["system"]))
    if party is not None:
        content = join_party(content, read_party(str(party)).content, text=text, file=file).content
    config: dict[str, Any] = msgspec.to_builtins(config_of(ruleset, content.get("config", {})))
    first: str = content["combatant"][0]["side"]
    return first, variants(content, ruleset, [read_vary(one, content, config) for one in varied])


def _begin_variant(variant: Variant, files: str, side: str) -> OpenedVariant:
    """Begin a fight of a variant, without a store.

    Raises:
        Unusable: the fight cannot begin, or the side has no combatant; names the variant.
    """
    try:
        fight = begin_fight("balance", variant.content, who="gm", seed=bytes(32))
        return OpenedVariant(variant, fight, side_of(fight, side))
    except Unusable as error:
        said = ", ".join(f"{path}={value}" for path, value in variant.changed)
        raise Unusable(f"{files}{f' with {said}' if said else ''}: {error.message}", error.field) from None


def _fight_variants(
    begun: Sequence[OpenedVariant], policy: str, seed: str, much: Precision, work: Work
) -> Generator[tuple[int, VariantRow]]:
    """Fight all variants one after another; yield a row after every batch of trials."""
    for nth, (variant, fight, side) in enumerate(begun):
        plan, names = Plan(moment=find_rollout_start(fight), policy=policy, seed=seed), names_of(fight.history.recorded)
        with bar(much.most) as shown:
            for found in sample_trials(plan, much, work):
                row = VariantRow(variant.changed, side, plan.moment.state, names, found.tally, found.enough)
                shown(found.tally.trials, f"{row.name}: {format_share(row.chance)}")
                yield nth, row
