"""The software bill of materials of a release, as CycloneDX 1.6 in JSON.

The structs say what the format demands of the parts that are used: names, required fields, patterns, choices.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Annotated, Literal
from uuid import NAMESPACE_URL, uuid5

import msgspec
from msgspec import Meta, Struct

from tests.packaging.release.locked import Locked, Scope

Text = Annotated[str, Meta(min_length=1)]
Purl = Annotated[str, Meta(pattern=r"^pkg:pypi/[a-z0-9-]+@[0-9A-Za-z.]+(?!\n)$")]


class Hash(Struct, frozen=True, forbid_unknown_fields=True):
    """The SHA-256 of a file."""

    alg: Literal["SHA-256"]
    content: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}(?!\n)$")]


class Licence(Struct, frozen=True, forbid_unknown_fields=True):
    """A licence as an SPDX expression; a component has one of them at most."""

    expression: Text


class Component(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, rename={"bom_ref": "bom-ref"}):
    """A package."""

    type: Literal["application", "library"]
    name: Text
    version: Text
    bom_ref: Text
    purl: Purl
    scope: Scope = "required"
    hashes: tuple[Hash, ...] = ()
    licenses: Annotated[tuple[Licence, ...], Meta(max_length=1)] = ()


class About(Struct, frozen=True, forbid_unknown_fields=True):
    """The subject of the bill, and its time."""

    timestamp: datetime
    component: Component


class Bill(Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """A bill of materials."""

    bom_format: Literal["CycloneDX"]
    spec_version: Literal["1.6"]
    serial_number: Annotated[
        str, Meta(pattern=r"^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?!\n)$")
    ]
    version: Annotated[int, Meta(ge=1)]
    metadata: About
    components: tuple[Component, ...]


def build_bill(
    version: str,
    seconds: int,
    files: Mapping[str, bytes],
    locked: Sequence[Locked],
    licences: Mapping[str, str],
    scopes: Mapping[str, Scope],
) -> bytes:
    """Build the bill of a release; the same of the same.

    Args:
        seconds: Its time, in seconds since 1970.
        files: The content of each file of the release.

    Raises:
        ValueError: the bill is none that CycloneDX takes.
    """
    built = [Hash("SHA-256", sha256(files[name]).hexdigest()) for name in sorted(files)]
    affray = _component("application", "affray", version, "required", built, "MIT")
    components = tuple(
        _component(
            "library",
            one.name,
            one.version,
            scopes[one.name],
            [Hash("SHA-256", content) for content in one.hashes],
            licences[one.name],
        )
        for one in locked
    )
    serial = uuid5(NAMESPACE_URL, sha256(msgspec.json.encode((affray, components))).hexdigest())
    when = datetime.fromtimestamp(seconds, UTC)
    bill = Bill("CycloneDX", "1.6", f"urn:uuid:{serial}", 1, About(when, affray), components)
    text = msgspec.json.format(msgspec.json.encode(bill), indent=1) + b"\n"
    must_be_bill(text)
    return text


def must_be_bill(text: bytes) -> None:
    """Check that a text is a bill as CycloneDX demands.

    Raises:
        ValueError: says where it is not.
    """
    bill = msgspec.json.decode(text, type=Bill)
    names = [one.bom_ref for one in (bill.metadata.component, *bill.components)]
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled:
        raise ValueError(f"a bom-ref stands twice: {', '.join(doubled)}")


def _component(
    kind: Literal["application", "library"], name: str, version: str, scope: Scope, hashes: Iterable[Hash], licence: str
) -> Component:
    purl = f"pkg:pypi/{name}@{version}"
    return Component(kind, name, version, purl, purl, scope, tuple(hashes), (Licence(licence),) if licence else ())
