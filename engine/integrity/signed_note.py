"""Signed notes: a text with signatures below it (C2SP ``signed-note`` v1.0.0).

After the text and an empty line each signature has its own line: an em dash, the name of the key, and base64. The
base64 holds the key's id of four bytes and the Ed25519 signature (RFC 8032) of the text, its last newline included.
Keys are written as Go's package ``note`` does: a signing key as ``PRIVATE+KEY+name+id+base64(0x01 || seed)``, and its
verifier key as ``name+id+base64(0x01 || public key)``. So any tool that reads those formats reads these.
"""

import re
from base64 import b64decode, b64encode
from hashlib import sha256
from types import ModuleType

from msgspec import Struct

from affray.engine.commands import MANY
from affray.engine.errors import Unusable

ED25519 = b"\x01"
"""The algorithm byte of the specification."""

PRIVATE = "PRIVATE+KEY+"
_SIGNATURE = re.compile(r"— ([^ ]+) ([^ ]+)")
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f]")
_ID_BYTES = 4
_KEY_BYTES = 32


class Signature(Struct, frozen=True, kw_only=True):
    """One signature line.

    Attributes:
        name: Name of the key, as claimed.
        id: Id of the key, as claimed.
        value: The signature itself; 64 bytes if it is Ed25519.
    """

    name: str
    id: bytes
    value: bytes


class Note(Struct, frozen=True, kw_only=True):
    """A signed text. It proves nothing before a trusted signature was checked.

    Attributes:
        text: The signed text, with its last newline.
        signatures: At least one.
    """

    text: str
    signatures: tuple[Signature, ...]


class VerifierKey(Struct, frozen=True, kw_only=True):
    """The public key of a signer."""

    name: str
    public: bytes

    @property
    def id(self) -> bytes:
        """The key id of the specification, which tells apart keys with the same name."""
        return sha256(self.name.encode() + b"\n" + ED25519 + self.public).digest()[:_ID_BYTES]

    def __str__(self) -> str:
        """Return the key in its text form."""
        return f"{self.name}+{self.id.hex()}+{_base64(ED25519 + self.public)}"


def signing_key(name: str, seed: bytes) -> str:
    """Build a secret key for signing.

    Args:
        name: The name of its owner.
        seed: 32 secret bytes.

    Raises:
        Unusable: the name cannot be a key's, or the package for signatures is missing.
    """
    if not _is_key_name(name) or len(name) > MANY:
        raise Unusable(f"must have 1 to {MANY} printable characters, none of them a space or +", "NAME")
    return f"{PRIVATE}{name}+{_verifier(name, seed).id.hex()}+{_base64(ED25519 + seed)}"


def verifier_key_of(key: str) -> VerifierKey:
    """Derive the verifier key of a signing key.

    Raises:
        Unusable: the text is no signing key. The message never quotes it, because it may be another secret.
    """
    return _verifier(*_decode_signing_key(key))


def sign(text: str, key: str) -> str:
    """Sign a text with a signing key, and return the note.

    Raises:
        Unusable: it is no signing key, or the package for signatures is missing.
    """
    name, seed = _decode_signing_key(key)
    signature = _ed25519().Ed25519PrivateKey.from_private_bytes(seed).sign(text.encode())
    return f"{text}\n— {name} {_base64(_verifier(name, seed).id + signature)}\n"


def read_note(written: str) -> Note:
    """Decode a note; its signatures are not checked yet.

    Raises:
        Unusable: the text is no note; names the faulty line and the right form.
    """
    for number, line in enumerate(written.split("\n"), 1):
        if _CONTROL.search(line):
            raise Unusable("must be plain text; here is a control character", f"line {number}")
    text, empty, below = written.rpartition("\n\n")
    signatures = below.split("\n")
    first = text.count("\n") + 3
    if not (empty and below and text):
        raise Unusable("must hold a text, an empty line, and the signatures; nothing is signed here")
    if signatures.pop():
        raise Unusable("must end with a newline", f"line {first + len(signatures)}")
    return Note(text=text + "\n", signatures=tuple(_signature(line, first + n) for n, line in enumerate(signatures)))


def read_verifier_key(written: str) -> VerifierKey:
    """Decode a verifier key.

    Raises:
        Unusable: the text is no verifier key; gives the right form.
    """
    name, _, rest = written.strip().partition("+")
    id, _, key = rest.partition("+")
    public = _from_base64(key)
    if not _is_key_name(name) or public[:1] != ED25519 or len(public) != 1 + _KEY_BYTES:
        raise Unusable("must be a verifier key for Ed25519, NAME+ID+KEY, as affray key prints it", "signer")
    found = VerifierKey(name=name, public=public[1:])
    if id != found.id.hex():
        raise Unusable(f"the verifier key of {name} was copied wrongly: its id does not fit the rest", "signer")
    return found


def signature_fault(note: Note, key: VerifierKey) -> str:
    """Explain why a key has not validly signed a note; empty if it has.

    Raises:
        Unusable: the package for signatures is missing.
    """
    named = [one for one in note.signatures if one.name == key.name]
    mine = [one for one in named if one.id == key.id]
    if not named:
        others = ", ".join(dict.fromkeys(one.name for one in note.signatures))
        return f"{key.name} has not signed it; it names {others}"
    if not mine:
        return f"it is signed with another key that is called {key.name}: {named[0].id.hex()}, not {key.id.hex()}"
    public = _ed25519().Ed25519PublicKey.from_public_bytes(key.public)
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - installed, if the module above is

    try:
        for one in mine:
            public.verify(one.value, note.text.encode())
    except InvalidSignature:
        return f"the signature of {key.name} does not fit the text: the text was changed, or the signature is forged"
    return ""


def _signature(line: str, number: int) -> Signature:
    found = _SIGNATURE.fullmatch(line)
    value = _from_base64(found[2]) if found else b""
    if found is None or not _is_key_name(found[1]) or len(value) <= _ID_BYTES:
        raise Unusable("must be a signature: an em dash, a name, and base64, with a space between", f"line {number}")
    return Signature(name=found[1], id=value[:_ID_BYTES], value=value[_ID_BYTES:])


def _decode_signing_key(key: str) -> tuple[str, bytes]:
    """Decode the name and the seed of a signing key."""
    name, _, rest = key.strip().removeprefix(PRIVATE).partition("+")
    id, _, secret = rest.partition("+")
    seed = _from_base64(secret)
    if not key.startswith(PRIVATE) or not _is_key_name(name) or seed[:1] != ED25519 or len(seed) != 1 + _KEY_BYTES:
        raise Unusable(f"is no signing key, which begins with {PRIVATE}; affray key makes one", "key")
    if id != _verifier(name, seed[1:]).id.hex():
        raise Unusable("is a damaged signing key: its id does not fit the rest", "key")
    return name, seed[1:]


def _verifier(name: str, seed: bytes) -> VerifierKey:
    key = _ed25519().Ed25519PrivateKey.from_private_bytes(seed)
    return VerifierKey(name=name, public=key.public_key().public_bytes_raw())


def _is_key_name(name: str) -> bool:
    """Tell whether a text can be the name of a key.

    A space other than the plain one is not printable either.
    """
    return bool(name) and name.isprintable() and not {" ", "+"} & {*name}


def _base64(content: bytes) -> str:
    return b64encode(content).decode()


def _from_base64(written: str) -> bytes:
    """Decode canonical base64; return no bytes where it is malformed."""
    try:
        content = b64decode(written, validate=True)
    except ValueError:
        return b""
    return content if _base64(content) == written else b""


def _ed25519() -> ModuleType:
    """Return the module for signatures; if it is not installed, say what to install."""
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - an extra
    except ImportError:
        raise Unusable('signatures need the extra sign: pip install ".[sign]" in the folder of Affray') from None
    return ed25519
