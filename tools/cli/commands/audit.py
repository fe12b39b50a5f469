"""The command ``audit``: prove record, dice and rules from the log of a fight."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import click

from affray.engine.clock import utc_now
from affray.engine.errors import Unusable
from affray.engine.integrity.audit import Derived, Parent, Report, derive_dice
from affray.engine.integrity.audit import audit as audited
from affray.engine.integrity.audit.dice import rolls_in_words
from affray.engine.integrity.checkpoint import Checkpoint
from affray.engine.integrity.commitment import Promise, find_promise
from affray.engine.integrity.signed_note import signature_fault
from affray.engine.runtime.dice import NamedDice, decode_seed
from affray.engine.texts import quote
from affray.events import Closed, LogError, Malformed, Recorded, Rolled, choose_decoder
from affray.tools.api.queries import parent_in, verdict_of
from affray.tools.api.store_url import StorePlace, place_of
from affray.tools.cli.completion import values
from affray.tools.cli.exit_codes import INCOMPLETE, REFUSED
from affray.tools.cli.options import fight_argument, json_option
from affray.tools.cli.printing import say_json
from affray.tools.cli.progress import watched_lines
from affray.tools.cli.terminal import console, join_pieces
from affray.tools.parse.decoding import reword_decoder_text
from affray.tools.parse.faults import Faulty, fault_of
from affray.tools.present.audit_text import (
    cited_in_findings,
    finding_sentence,
    layer_results,
    list_remarks,
    list_unjudged,
    summarise_audit,
)
from affray.tools.present.story.words import CALLING, names_of

from .checkpoint import checkpoint_in, signer_of
from .replay import read_back


@click.command()
@fight_argument
@click.option(
    "--roll",
    type=int,
    metavar="N",
    help="Show how each die of the roll at position N follows from its name, and judge nothing else.",
)
@click.option(
    "--checkpoint",
    "kept",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A signed head of the log, as affray checkpoint writes it.",
)
@click.option(
    "--signer",
    "signers",
    multiple=True,
    metavar="KEY",
    help="A required signer of each checkpoint: a key, or its file. Repeatable.",
)
@click.option(
    "--parent",
    "parents",
    multiple=True,
    metavar="FIGHT",
    shell_complete=values.fights,
    help="The fight that a fork comes from.",
)
@click.option("--verbose", is_flag=True, help="List every roll that was entered from real dice.")
@json_option
@click.pass_context
def audit(
    context: click.Context,
    said: str,
    roll: int | None,
    kept: tuple[Path, ...],
    signers: tuple[str, ...],
    parents: tuple[str, ...],
    verbose: bool,
    as_json: bool,
) -> None:
    """Prove record, dice and rules from the log alone.

    The exit code is 1 if a fault is found, and 3 if none is found but not everything could be judged. With --roll it
    is 1 if a die of that roll does not follow from its name. With --checkpoint, also prove that the log extends a
    signed head. With --parent, also prove that a fork holds its parent's record.
    """
    place = place_of(said)
    if roll is not None:
        for option, given in (("--checkpoint", kept), ("--signer", signers), ("--parent", parents)):
            if given:
                raise Unusable(f"--roll shows one roll and judges nothing else; leave out --roll or {option}", option)
        context.exit(0 if _show_roll(place, roll, as_json=as_json) else REFUSED)
    checkpoints = [_check_signers(file, signers) for file in kept]
    report = audited(
        watched_lines(lambda: place.store.lines(place.name)),
        seed=place.store.seed(place.name),
        parents=[_parent(one) for one in parents],
        checkpoints=checkpoints,
        signed=bool(signers),
        now=utc_now(),
    )
    _must_hold_a_line(place, report)
    if parents and not report.fork_of and all(one.code == "parent" for one in report.findings):
        raise Unusable(f"{said} is no fork, so it has no parent", "--parent")
    if as_json:
        say_json(verdict_of(report))
    else:
        _show(place, report, verbose=verbose)
    context.exit(EXIT_CODES[report.verdict])


EXIT_CODES = {"clean": 0, "found": REFUSED, "incomplete": INCOMPLETE}
"""The exit code of each verdict."""


UNREAD = {"empty", "line_ends", "torn", "unreadable"}
"""Codes of findings in a file that has no readable line of a log."""


def _must_hold_a_line(place: StorePlace, report: Report) -> None:
    """Refuse a file without any readable line.

    Raises:
        Faulty: the message says what is wrong with the file.
    """
    if report.commands or not report.findings or not UNREAD.issuperset(one.code for one in report.findings):
        return
    try:
        place.store.read(place.name)
    except LogError as error:
        nothing = Malformed(f"nothing to audit: {reword_decoder_text(error.reason)}", error.line)
        raise Faulty(fault_of(nothing, place.said)) from None


def _parent(said: str) -> Parent:
    """Read the parent of a fork from its store."""
    place = place_of(said)
    return parent_in(place.store, place.name, said)


def _check_signers(file: Path, signers: tuple[str, ...]) -> Checkpoint:
    """Read a checkpoint and check that every named signer has signed it.

    Raises:
        Unusable: a signature is missing or wrong; the message says which.
    """
    checkpoint = checkpoint_in(file)
    faults = [fault for one in signers if (fault := signature_fault(checkpoint.note, signer_of(one)))]
    if faults:
        raise Unusable(f"{file}: {'; '.join(faults)}", "--signer")
    return checkpoint


def _show(place: StorePlace, report: Report, *, verbose: bool) -> None:
    """Print a report for people: the verdict, a line for each layer, then gaps, findings and lists."""
    screen = console()
    screen.print(join_pieces(summarise_audit(report), style=f"bold {COLOURS[report.verdict]}"), soft_wrap=True)
    screen.print()
    names = names_of(list_callings(place, report.stopped or None))
    said = list(layer_results(report))
    width = max(len(one.layer) for one in said)
    for one in said:
        screen.print(join_pieces(f"{one.layer:<{width}}  {one}"), soft_wrap=True)
    if report.missing:
        screen.print()
        screen.print(join_pieces("not judged:", style="bold yellow"))
    for line in list_unjudged(report):
        screen.print(join_pieces(f"  {line}"), soft_wrap=True)
    if report.findings:
        screen.print()
        screen.print(join_pieces("found, each taken as it stands by what follows:", style="bold red"))
    for found in report.findings:
        screen.print(join_pieces(f"  {finding_sentence(found, names)}"), soft_wrap=True)
    if report.stopped:
        screen.print(join_pieces(f"  nothing behind line {report.stopped} was read"), soft_wrap=True)
    for line in cited_in_findings(report):
        screen.print(join_pieces(f"  {line}", style="dim"), soft_wrap=True)
    told = list(list_remarks(report, names, entered=verbose))
    if told:
        screen.print()
        screen.print(join_pieces("listed, no faults:"))
    for line in told:
        screen.print(join_pieces(line), soft_wrap=True)
    if report.entered and not verbose:
        screen.print()
        screen.print(join_pieces(f"{rolls_in_words(len(report.entered))} entered from real dice; --verbose lists them"))


COLOURS = {"clean": "green", "incomplete": "yellow", "found": "red"}
"""The colour of each verdict."""


def list_callings(place: StorePlace, most: int | None) -> Iterator[Recorded]:
    """Yield the events that give names, even from a damaged log.

    The opening is one of them, because it says which system's vocabulary to use.
    """
    oldest = choose_decoder(1)  # the events that give names are the same in all formats
    types = [f'"{one.__name__}"'.encode() for one in CALLING]
    for number, line in enumerate(islice(place.store.lines(place.name), most), 1):
        if any(one in line for one in types):
            try:
                yield oldest(line, number)
            except LogError:
                continue


def _show_roll(place: StorePlace, position: int, *, as_json: bool) -> bool:
    """Print how the dice of a roll are derived from its name; tell whether they are the recorded ones."""
    recorded = read_back(place.said)
    if not 1 <= position <= len(recorded):
        raise Unusable(f"must be from 1 to {len(recorded)}", "--roll")
    event = recorded[position - 1].event
    if not isinstance(event, Rolled):
        raise Unusable(f"position {position} is no roll but {type(event).__name__}", "--roll")
    if event.source != "engine":
        raise Unusable(f"the dice at position {position} were entered, and follow from nothing", "--roll")
    promise = find_promise(recorded[:position])
    if 0 < promise.seen < promise.since:
        late = f"words were stirred in at {promise.since}, after the first die fell or was shown at {promise.seen}"
        raise Unusable(f"{late}; affray audit judges the whole log", "--roll")
    dice = list(derive_dice(event, _named_dice(place, recorded, promise)))
    under: dict[str, object] = {"promise": promise.commitment, "made": promise.made, "words": promise.words}
    if as_json:
        say_json({"position": position, "roll": event.roll, "dice": dice, **under})
    else:
        screen = console()
        for one in dice:
            screen.print(join_pieces(_derivation(one)), soft_wrap=True)
        screen.print(
            join_pieces(f"under the promise {promise.commitment} that line {promise.made} makes"), soft_wrap=True
        )
        for words in promise.words:
            screen.print(join_pieces(f"with the words {quote(words)}"), soft_wrap=True)
    return all(one.face == one.recorded for one in dice)


def _derivation(one: Derived) -> str:
    """Format how one die was derived."""
    thrown = f" after {one.rejected} thrown away" if one.rejected else ""
    shows = f"= {one.face}" if one.face == one.recorded else f"= {one.face}, but {one.recorded} is recorded"
    return (
        f"{one.kind} d{one.sides}: word {one.nth} of {one.block} is {one.word}{thrown}, modulo {one.sides} + 1 {shows}"
    )


def _named_dice(place: StorePlace, recorded: list[Recorded], promise: Promise) -> NamedDice:
    """Return the dice generator of a promise, if its seed is known."""
    last = recorded[-1].event
    revealed = decode_seed(last.seed) if isinstance(last, Closed) else None
    for seed in (revealed, place.store.seed(place.name)):
        if seed is not None and promise.is_kept_by(seed):
            return promise.dice(seed)
    raise Unusable("the seed of these dice is still secret; closing the fight reveals it", "--roll")
