"""Output of commands that write: sentences for people, or one JSON object."""

from collections.abc import Sequence
from pathlib import Path

from affray.engine.fight import Fight
from affray.events import Recorded
from affray.tools.api.store_url import StorePlace
from affray.tools.present.awaited import awaited_in
from affray.tools.present.readers import who_reads
from affray.tools.text.output_files import write_output

from .printing import say, say_document, say_json


def report(
    place: StorePlace, fight: Fight, recorded: Sequence[Recorded], *, as_json: bool, repeated: bool = False
) -> None:
    """Print the events that a command recorded and what the fight waits for."""
    if as_json:
        reply = {
            "fight": place.said,
            "head": fight.head,
            "hash": fight.history.head_hash,
            "phase": fight.state.phase,
            "repeated": repeated,
            "events": recorded,
            "waiting": awaited_in(fight),
        }
        say_json(reply)
        return
    from affray.tools.present.story.narration import tell_all  # noqa: PLC0415 - a machine's reply needs neither words nor pictures
    from affray.tools.present.waiting_text import waiting_line  # noqa: PLC0415 - a machine's reply needs neither words nor pictures

    for line in tell_all(recorded, fight):
        say(line)
    if readers := who_reads(fight, recorded):
        say(readers)
    say(waiting_line(fight))


def deliver(file: str, content: str, told: str, *, force: bool) -> None:
    """Write a document to a file and say so; print it if the file is ``-``.

    Raises:
        StoreFailed, Unusable: see ``write_output``.
    """
    if file == "-":
        say_document(content)
    else:
        write_output(Path(file), content, force=force)
        say(told)
