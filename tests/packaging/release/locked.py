"""The packages of ``requirements.lock``, with their licences and the part of Affray that needs them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, Literal, NamedTuple

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[3]
PIN = re.compile(r"(?P<name>[\w.-]+)==(?P<version>[\w.]+)")
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")

GROUP = re.compile(r"\(([^()]+)\)")
"""A part of an SPDX expression in brackets."""

SPOKEN = {
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD 2-Clause License": "BSD-2-Clause",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}
"""What packages say in place of an SPDX identifier, where it can mean one alone."""

Scope = Literal["required", "optional", "excluded"]
"""``required`` by Affray, ``optional`` for an extra, or ``excluded``: for its development alone."""


class Locked(NamedTuple):
    """A locked package.

    Attributes:
        hashes: The SHA-256 of each file that may be installed.
    """

    name: str
    version: str
    hashes: tuple[str, ...]


def read_lock(text: str) -> list[Locked]:
    """Read the pins of a lock."""
    found = []
    for line in text.replace("\\\n", "").splitlines():
        pin = PIN.match(line)
        if pin:
            found.append(Locked(pin["name"], pin["version"], tuple(HASH.findall(line))))
    return found


def read_settings(pyproject: Path = ROOT / "pyproject.toml") -> Mapping[str, Any]:
    """Read what a release must heed: the allowed licences, and those that packages do not state clearly."""
    settings: Mapping[str, Any] = tomllib.loads(pyproject.read_text("utf-8"))["tool"]["affray"]["release"]
    return settings


def find_licence(name: str, stated: Mapping[str, str]) -> str:
    """Return the licence of a package as an SPDX expression; nothing if it does not say one clearly.

    Args:
        stated: The licences of packages that do not.
    """
    if name in stated:
        return canonicalize_license_expression(stated[name])
    try:
        about = metadata.metadata(name)
    except metadata.PackageNotFoundError:  # it is for another platform
        return ""
    classifiers = [one for one in about.get_all("Classifier", []) if one.startswith("License ::")]
    said = [*about.get_all("License-Expression", []), *about.get_all("License", []), *classifiers]
    for words in (one.rpartition(" :: ")[2] for one in said):
        try:
            return canonicalize_license_expression(SPOKEN.get(words, words))
        except InvalidLicenseExpression:
            continue
    return ""


def is_allowed(expression: str, allowed: Sequence[str]) -> bool:
    """Tell whether an SPDX expression leaves a choice of allowed licences alone."""
    while GROUP.search(expression):
        expression = GROUP.sub(lambda group: allowed[0] if is_allowed(group[1], allowed) else "none", expression)
    return any(all(one in allowed for one in choice.split(" AND ")) for choice in expression.split(" OR "))


def list_forbidden(locked: list[Locked], settings: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each locked package with a forbidden or unknown licence."""
    for name in sorted({one.name for one in locked}):
        licence = find_licence(name, settings["stated"])
        if not licence:
            yield f"{name} states no licence clearly; say it in pyproject.toml, under [tool.affray.release.stated]"
        elif not is_allowed(licence, settings["licences"]):
            yield f"{name} has the licence {licence}, which [tool.affray.release] in pyproject.toml does not allow"


def find_scopes(locked: list[Locked]) -> dict[str, Scope]:
    """Return for each locked package what it is needed for."""
    extras = {*(metadata.metadata("affray").get_all("Provides-Extra") or [])} - {"dev", "docs"}
    required, optional = _list_needed(()), _list_needed(extras)
    names = {one.name: str(canonicalize_name(one.name)) for one in locked}
    return {
        name: "required" if one in required else "optional" if one in optional else "excluded"
        for name, one in names.items()
    }


def _list_needed(extras: Iterable[str]) -> set[str]:
    """List the packages that Affray needs with some of its extras, and what these need."""
    found: set[tuple[str, str]] = set()
    waiting = [("affray", extra) for extra in ("", *extras)]
    while waiting:
        name, extra = waiting.pop()
        if (name, extra) in found:
            continue
        found.add((name, extra))
        try:
            needs = map(Requirement, metadata.requires(name) or [])
        except metadata.PackageNotFoundError:  # it is for another platform
            continue
        for one in needs:
            # What only other platforms or versions of Python need is needed as well.
            if one.marker is None or "extra" not in str(one.marker) or one.marker.evaluate({"extra": extra}):
                waiting += [(str(canonicalize_name(one.name)), more) for more in ("", *one.extras)]
    return {name for name, _ in found}
