"""The commands ``key`` and ``checkpoint``: make a signing key, and sign the head of a log."""

from pathlib import Path
from secrets import token_bytes

import click

from affray.engine.errors import Unusable
from affray.engine.integrity.checkpoint import Checkpoint, checkpoint_text, origin_of, read_checkpoint
from affray.engine.integrity.signed_note import VerifierKey, read_verifier_key, sign, signing_key, verifier_key_of
from affray.engine.stores.input_files import read_input_text
from affray.tools.cli.options import fight_argument, force_option, json_option
from affray.tools.cli.printing import say, say_document, say_json
from affray.tools.parse.faults import Faulty, fault_of
from affray.tools.text.output_files import SECRET, write_output

from .replay import read_back


@click.command()
@click.argument("name", metavar="NAME")
@click.option("-o", "said", metavar="FILE", help="Where to keep it; in NAME.signer, if not given.")
@force_option
@json_option
def key(name: str, said: str | None, force: bool, as_json: bool) -> None:
    """Make a key for signing checkpoints as NAME.

    Keep the file secret. The printed verifier key is public: with it others check what you sign.
    """
    made = signing_key(name, token_bytes(32))
    verifier = verifier_key_of(made)
    file = Path(said or f"{name.replace('/', '-')}.signer")
    write_output(file, made + "\n", force=force, mode=SECRET)
    if as_json:
        say_json({"file": str(file), "name": name, "verifier": str(verifier)})
    else:
        say(f"wrote {file}, which nobody else should see; whoever checks what you sign needs this:")
        say(str(verifier))


@click.command()
@fight_argument
@click.option("--key", "file", metavar="FILE", required=True, type=click.Path(path_type=Path), help="From affray key.")
@click.option("--at", type=int, metavar="N", help="Up to position N; to its end, if not given.")
@click.option("-o", "to", metavar="FILE", type=click.Path(path_type=Path), help="Where to write it.")
@force_option
@json_option
def checkpoint(said: str, file: Path, at: int | None, to: Path | None, force: bool, as_json: bool) -> None:
    """Sign the head of a log.

    The owner of a checkpoint can prove later, with affray audit --checkpoint, that nothing before it was rewritten.
    """
    recorded = read_back(said)
    if at is not None and not 1 <= at <= len(recorded):
        raise Unusable(f"must be from 1 to {len(recorded)}", "--at")
    recorded = recorded[:at]
    secret = _read_signed_text(file)
    try:
        signer = verifier_key_of(secret)
        note = sign(checkpoint_text(recorded), secret)
    except Unusable as error:
        raise Faulty(fault_of(error, str(file))) from None
    if to is not None:
        write_output(to, note, force=force)
    if as_json:
        head = recorded[-1]
        about = {"fight": said, "origin": origin_of(recorded), "position": head.position, "hash": head.hash}
        say_json({**about, "verifier": str(signer), "note": note})
    elif to is not None:
        say(f"wrote {to}: {said} up to position {recorded[-1].position}, signed by {signer.name}")
    else:
        say_document(note)


def checkpoint_in(file: Path) -> Checkpoint:
    """Read a checkpoint from a file, without checking its signatures.

    Raises:
        Faulty: the file is no checkpoint, or cannot be read; names file and line.
    """
    try:
        return read_checkpoint(_read_signed_text(file))
    except Unusable as error:
        raise Faulty(fault_of(error, str(file))) from None


def signer_of(said: str) -> VerifierKey:
    """Read a verifier key, given itself or as the name of its file.

    Raises:
        Faulty, Unusable: the text or the file is no verifier key.
    """
    file = Path(said)
    if not file.is_file():
        return read_verifier_key(said)
    try:
        return read_verifier_key(_read_signed_text(file))
    except Unusable as error:
        raise Faulty(fault_of(error, said)) from None


def _read_signed_text(file: Path) -> str:
    """Return the text of a file with the line ends that were signed.

    Line ends that an editor changed are restored.
    """
    try:
        return read_input_text(file)
    except UnicodeDecodeError:
        raise Faulty(fault_of(Unusable("must be UTF-8 text"), str(file))) from None
