"""The command ``new``: open a fight from an encounter file, or write a template."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from affray.engine.core.loading import load_all, template
from affray.engine.core.ruleset import Ruleset
from affray.engine.errors import EngineError, Unusable
from affray.engine.opening import begin_fight
from affray.engine.stores import FileStore
from affray.engine.stores.documents import document_owner_of, documents_of
from affray.engine.visibility import FOE_DETAILS, FOES
from affray.events import DistanceSet
from affray.tools.api.dice_choice import choose_dice
from affray.tools.api.fight_origin import Origin, note_origin
from affray.tools.api.store_url import must_be_free, resolve_new_place
from affray.tools.cli.command_output import deliver, report
from affray.tools.cli.completion import values
from affray.tools.cli.options import dice_option, force_option, json_option, who_option
from affray.tools.cli.printing import say
from affray.tools.cli.render_distances import sum_up_distances
from affray.tools.encounters.party.placement import join_party, list_joint_faults, located_in
from affray.tools.encounters.party.storage import load_party
from affray.tools.parse.encounter_file import add_location, read_encounter
from affray.tools.parse.faults import Fault, Faulty

from .reference import find


@click.command()
@click.argument(
    "encounter",
    metavar="[ENCOUNTER.toml]",
    type=click.Path(path_type=Path),
    required=False,
    shell_complete=values.files(".toml"),
)
@click.option(
    "-o",
    "said",
    metavar="FILE",
    help="Where to keep it; beside you, under its own name, if not given. A template goes to standard output with -.",
)
@click.option("--name", help="What the fight is called, instead of the encounter's own name.")
@dice_option
@click.option(
    "--template",
    "system",
    metavar="SYSTEM",
    shell_complete=values.systems,
    help="Write an encounter file of this system, and open no fight.",
)
@click.option(
    "--party",
    metavar="PARTY",
    shell_complete=values.parties,
    help="With this party, as it is now, in the places of those on its side.",
)
@click.option(
    "--foes",
    type=click.Choice([*FOE_DETAILS]),
    help="What players of a served fight see of foes: numbers, a word, or neither. As the encounter says if not given.",
)
@force_option
@who_option
@json_option
def new(
    encounter: Path | None,
    said: str | None,
    name: str | None,
    dice: str,
    system: str | None,
    party: str | None,
    foes: str | None,
    force: bool,
    who: str,
    as_json: bool,
) -> None:
    """Open a fight from an encounter file; or write a new file (--template SYSTEM)."""
    if (encounter is None) == (system is None):
        raise Unusable("name an encounter file, or a system to get a template of with --template SYSTEM", "ENCOUNTER")
    if system is not None:
        write_template(find(system), said or f"{system}.toml", force=force)
    else:
        assert encounter is not None
        open_new(encounter, said, name, dice, who, as_json=as_json, party=party, foes=foes)


MOST_PAIRS = 6
"""The most pairs of combatants whose distances an opening tells one by one."""


def open_new(
    encounter: Path,
    said: str | None,
    name: str | None,
    dice: str,
    who: str,
    *,
    as_json: bool,
    party: str | None = None,
    side: str = "",
    foes: str | None = None,
) -> None:
    """Open a fight from an encounter, with or without a party, and print its outcome."""
    text, content = read_encounter(encounter)
    behind: list[str] = []
    locating = add_location(encounter, text, content)
    list_faults = partial(_list_faults, encounter, text, content)
    if party is not None:
        kept = load_party(party)
        joint = join_party(content, kept.content, side, text=text, file=encounter)
        locating = located_in(encounter, text, content, kept, joint)
        list_faults = partial(list_joint_faults, encounter, text, kept, joint)
        content, behind = joint.content, joint.behind
    place = resolve_new_place(said or f"{encounter.stem}.jsonl")
    content |= {key: value for key, value in (("name", name), (FOES, foes)) if value}
    must_be_free(place)
    chosen = choose_dice(dice)
    try:
        with locating:
            fight = begin_fight(
                place.name, content, who=who, seed=chosen.seed, entered=chosen.entered, store=place.store
            )
    except Faulty as error:
        first = (error.fault.file, error.fault.field)
        error.others = tuple([one for one in list_faults() if (one.file, one.field) != first])
        raise
    if not isinstance(place.store, FileStore):  # a fight in a file of its own has no other files beside it
        with suppress(EngineError):  # the fight works without it
            owner = document_owner_of(place.name, fight.history.beginning)
            note_origin(documents_of(place.store), owner, Origin(content))
    if not as_json:
        say(f"opened {place.said}")
        for one in behind:
            say(f"{one} stays behind")
    recorded, apart = fight.history.recorded, ""
    if not as_json and sum(map(len, fight.state.distances.values())) > MOST_PAIRS:
        apart = sum_up_distances(fight)
    if apart:
        recorded = [one for one in recorded if not isinstance(one.event, DistanceSet)]
        say(apart)
    report(place, fight, recorded, as_json=as_json)


def _list_faults(file: Path, text: str, content: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield the faults of an encounter file."""
    from affray.tools.encounters.library.encounter_check import faults_in  # noqa: PLC0415 - only who errs waits

    return (replace(one, file=str(file)) for one in faults_in(content, text))


def write_template(ruleset: Ruleset, file: str, *, force: bool) -> None:
    """Write a system's commented encounter file, or print it if ``file`` is ``-``.

    Raises:
        Unusable: the system has no template, or the path cannot be written.
        StoreFailed: the file exists already.
    """
    text = template(ruleset)
    if not text:
        with_one = [one.name for one in load_all() if template(one)]
        raise Unusable(f"{ruleset.title} has no template; there is one for {', '.join(with_one)}", "--template")
    deliver(file, text, f"wrote {file}; open a fight from it with: affray new {file}", force=force)
