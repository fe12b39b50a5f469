"""The command ``balance``: how an encounter is going to go, before the evening."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from affray.engine.analysis.odds import Plan, Sampled, Tally, Wanted, Work, moment_of, sampled
from affray.engine.core.ruleset import Ruleset, config_of, load
from affray.engine.errors import Unusable
from affray.engine.fight import Fight
from affray.engine.opening import begin_fight
from affray.tools.encounters import located, read_encounter
from affray.tools.odds.asking import bar, fighters, trying, wanted
from affray.tools.odds.sides import side_of
from affray.tools.options import json_option
from affray.tools.printing import say, say_json

from .telling import Row, rows_for_machines, rows_said
from .variants import Variant, read_vary, variants, with_party


@click.command(short_help="Say how an encounter is going to go.")
@click.argument("encounter", metavar="ENCOUNTER.toml", type=click.Path(path_type=Path))
@click.option(
    "--vary",
    "varied",
    multiple=True,
    metavar="PATH=VALUES",
    help="Try other values: bandits.count=1..8, config.KEY=A,B.",
)
@click.option("--party", type=click.Path(path_type=Path), metavar="FILE", help="With these combatants on their sides.")
@click.option("--side", metavar="SIDE", help="Whose chance to win; the side that joins first if not given.")
@click.option(
    "--aim", type=click.FloatRange(0, 100), metavar="PERCENT", help="Name the variant nearest to this chance."
)
@trying
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
    as_json: bool,
) -> None:
    """Fight an encounter again and again, and say who wins, what it costs, and how long it takes.

    All variants are fought with the same dice. WHO in --vary WHO.FIELD=VALUES is an entry, or a side of
    which one entry alone has the field.
    """
    ruleset, tried = _read(encounter, party, varied)
    much = wanted(within, trials)
    rows: list[Row] = []
    with fighters(jobs, cluster) as work:
        for variant in tried:
            fight = _begun(variant, encounter)
            plan = Plan(moment=moment_of(fight), policy=policy, seed=seed)
            found = _counted(plan, much, work, variant)
            rows.append(Row(variant.changed, side_of(fight, side), fight, found.tally, found.enough))
    if as_json:
        say_json(rows_for_machines(rows, policy, seed, aim))
    else:
        for line in rows_said(rows, ruleset.vocabulary, aim):
            say(line)


def _read(file: Path, party: Path | None, varied: Sequence[str]) -> tuple[Ruleset, list[Variant]]:
    """Return the rules, and every variant of the encounter; the plain one is looked at first.

    Raises:
        Faulty: a file cannot be used; says where.
        Unusable: a variant cannot be made.
    """
    text, content = read_encounter(file)
    with located(file, text, content):
        begin_fight("balance", content, who="gm", seed=bytes(32))
    ruleset = load(str(content["system"]))
    if party is not None:
        content = with_party(content, read_encounter(party)[1])
    config: dict[str, Any] = msgspec.to_builtins(config_of(ruleset, content.get("config", {})))
    return ruleset, variants(content, ruleset, [read_vary(one, content, config) for one in varied])


def _begun(variant: Variant, file: Path) -> Fight:
    """Begin a variant's fight, which nobody keeps.

    Raises:
        Unusable: it cannot begin so; says in which variant.
    """
    try:
        return begin_fight("balance", variant.content, who="gm", seed=bytes(32))
    except Unusable as error:
        said = ", ".join(f"{path}={value}" for path, value in variant.changed) or "--party"
        raise Unusable(f"{file} with {said}: {error.message}", error.field) from None


def _counted(plan: Plan, much: Wanted, work: Work, variant: Variant) -> Sampled:
    """Return what is known of a variant; what an interruption leaves is told."""
    said = ", ".join(f"{path}={value}" for path, value in variant.changed)
    found = Sampled(tally=Tally(), enough=False)
    with bar(much.most) as shown:
        for found in sampled(plan, much, work):
            shown(found.tally.trials, said)
    return found
