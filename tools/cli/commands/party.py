"""The command ``party``: a party that joins encounters and bears their costs."""

from __future__ import annotations

from pathlib import Path

import click

from affray.engine.clock import utc_now
from affray.tools.api.schemas.parties import CostLine
from affray.tools.api.store_url import open_at, place_of
from affray.tools.cli.commands.new import open_new
from affray.tools.cli.completion import values
from affray.tools.cli.options import FREE_WORDS, dice_option, force_option, json_option, who_option
from affray.tools.cli.printing import say, say_json
from affray.tools.encounters.party import storage
from affray.tools.encounters.party.corrections import correct_member, value_of
from affray.tools.encounters.party.costs import after_fight, cost_lines, rest_party
from affray.tools.encounters.party.members import Content, made_from, taken_back
from affray.tools.encounters.party.party_text import lines_about
from affray.tools.parse.encounter_file import read_encounter

party_argument = click.argument("said", metavar="PARTY", shell_complete=values.parties)


@click.group()
def party() -> None:
    """Keep a party in FILE.toml, or in a store of fights, as in fights.db#heroes.

    Make it once from an encounter, and join it to any other. The cost of each fight is carried to the next.
    """


@party.command()
@party_argument
@click.option(
    "--from",
    "encounter",
    required=True,
    metavar="ENCOUNTER.toml",
    type=click.Path(path_type=Path),
    shell_complete=values.files(".toml"),
    help="Encounter file that holds the combatants.",
)
@click.option("--side", default="", metavar="SIDE", help="Side of the combatants; by default the first one.")
@click.option("--name", default="", help="Name of the party; by default the name of its file.")
@force_option
@json_option
def new(said: str, encounter: Path, side: str, name: str, force: bool, as_json: bool) -> None:
    """Make a party of the combatants on one side of an encounter."""
    _, content = read_encounter(encounter)
    made = made_from(content, name or Path(said.rpartition("#")[2]).stem, side)
    storage.begin(said, made, force=force)
    if as_json:
        say_json({"party": said, "content": made})
    else:
        say(f"made {said}: {', '.join(one['name'] for one in made['combatant'])}")


@party.command()
@party_argument
@json_option
def show(said: str, as_json: bool) -> None:
    """Show the state of each member of a party, and what they carry over."""
    content = storage.load_party(said).content
    if as_json:
        say_json({"party": said, "content": content})
        return
    for line in lines_about(content):
        say(line)


@party.command()
@party_argument
@click.argument("fight", metavar="FIGHT", shell_complete=values.fights)
@json_option
def after(said: str, fight: str, as_json: bool) -> None:
    """Subtract the cost of a finished fight, and let members recover; once a fight."""
    kept = storage.load_party(said)
    content, told = after_fight(kept.content, open_at(place_of(fight)), utc_now())
    _keep(kept, content, told, as_json=as_json, otherwise="the fight cost nothing that lasts")


@party.command()
@party_argument
@click.argument("kind", metavar="REST")
@json_option
def rest(said: str, kind: str, as_json: bool) -> None:
    """Let a party rest in one of the ways of its rules, such as night or downtime."""
    kept = storage.load_party(said)
    content, told = rest_party(kept.content, kind, utc_now())
    _keep(kept, content, told, as_json=as_json, otherwise="nothing recovers by it")


@party.command()
@party_argument
@click.argument("encounter", metavar="ENCOUNTER.toml", type=click.Path(path_type=Path))
@click.option("-o", "fight", metavar="FIGHT", help="Where to keep the fight; by default under the encounter's name.")
@click.option("--side", default="", metavar="SIDE", help="Side that the party replaces; by default its own.")
@dice_option
@who_option
@json_option
def join(said: str, encounter: Path, fight: str | None, side: str, dice: str, who: str, as_json: bool) -> None:
    """Open a fight of an encounter; the party takes the places of those on its side."""
    open_new(encounter, fight, None, dice, who, as_json=as_json, party=said, side=side)


@party.command("set", context_settings=FREE_WORDS)
@party_argument
@click.argument("member", metavar="MEMBER")
@click.argument("field", metavar="FIELD")
@click.argument("value", metavar="VALUE")
@json_option
def set_(said: str, member: str, field: str, value: str, as_json: bool) -> None:
    """Correct one value of a member.

    FIELD is a counter (hp), a condition with its level (bleeding 2; 0 ends it), a counter of an item (arrows.count,
    leather.die, sword.lost), or a field of the entry.
    """
    kept = storage.load_party(said)
    content = correct_member(kept.content, member, {field: value_of(kept.content, field, value)}, utc_now())
    _keep(kept, content, [CostLine("note", member, f"{member}: {field} is {value} now")], as_json=as_json)


@party.command()
@party_argument
@json_option
def undo(said: str, as_json: bool) -> None:
    """Undo the last change of a party."""
    kept = storage.load_party(said)
    content, what = taken_back(kept.content)
    _keep(kept, content, [CostLine("note", "", f"took back: {what}")], as_json=as_json)


def _keep(
    kept: storage.StoredParty,
    content: Content,
    told: list[CostLine],
    *,
    as_json: bool,
    otherwise: str = "nothing changes",
) -> None:
    """Write a party, and print what changed."""
    storage.write(kept, content)
    if as_json:
        say_json({"party": kept.said, "lines": told, "content": content})
        return
    for line in cost_lines(told) or [otherwise]:
        say(line)
