"""A release: its version fits, its licences are allowed, its bill is one, and its files do not depend on the time."""

from __future__ import annotations

import gzip
import io
import tarfile

import msgspec
import pytest

from tests.packaging.release.builds import settle_times
from tests.packaging.release.locked import (
    ROOT,
    Locked,
    find_licence,
    find_scopes,
    is_allowed,
    list_forbidden,
    read_lock,
    read_settings,
)
from tests.packaging.release.sbom import build_bill, must_be_bill
from tests.packaging.release.versions import list_wrong_versions

LOCKED = read_lock((ROOT / "requirements.lock").read_text("utf-8"))
HASH = "ab" * 32


@pytest.mark.parametrize(
    ("version", "changelog", "tags", "says"),
    [
        ("0.2.0", "## [Unreleased]\n\n## 0.2.0\n", ["v0.2.0", "demo"], []),
        ("0.2.0", "## [0.2.0] - 2026-11-29\n", ["v0.2.0"], []),
        ("0.2.0", "## 0.2.0\n", [], ["the commit has no version tag; give it one: git tag v0.2.0"]),
        ("0.2.0", "## 0.2.0\n", ["v0.1.0"], ["the commit has the tag v0.1.0, but affray.__version__ is 0.2.0"]),
        ("0.2.0", "## 0.2.01\n", ["v0.2.0"], ["CHANGELOG.md has no entry for 0.2.0; call its section: ## 0.2.0"]),
        ("2", "## 2\n", ["v2"], ["affray.__version__ is 2; it must have the form 1.2.3"]),
    ],
)
def test_the_version_is_the_same_everywhere(version: str, changelog: str, tags: list[str], says: list[str]) -> None:
    assert list(list_wrong_versions(version, changelog, tags)) == says


def test_every_locked_package_has_an_allowed_licence() -> None:
    assert len(LOCKED) > 100
    assert list(list_forbidden(LOCKED, read_settings())) == []


def test_a_licence_that_is_not_allowed_or_not_known_is_named() -> None:
    settings = {"licences": ["MIT"], "stated": {"odd": "GPL-3.0-only"}}
    said = list(list_forbidden([Locked(name, "1", ()) for name in ("odd", "not-there", "msgspec", "click")], settings))
    assert [line.split(" ")[0] for line in said] == ["click", "msgspec", "not-there", "odd"]
    assert "BSD-3-Clause, which [tool.affray.release] in pyproject.toml does not allow" in said[0]
    assert said[2].endswith("say it in pyproject.toml, under [tool.affray.release.stated]")


@pytest.mark.parametrize(
    ("expression", "allowed"),
    [
        ("MIT", True),
        ("GPL-3.0-only", False),
        ("GPL-3.0-only OR MIT", True),
        ("GPL-3.0-only AND MIT", False),
        ("MIT AND (GPL-3.0-only OR 0BSD)", True),
        ("(MIT AND GPL-3.0-only) OR (GPL-3.0-only AND 0BSD)", False),
        ("Apache-2.0 WITH LLVM-exception", False),
    ],
)
def test_a_choice_of_licences_is_allowed_if_one_of_them_is(expression: str, allowed: bool) -> None:
    assert is_allowed(expression, ["MIT", "0BSD"]) is allowed


def test_the_bill_lists_every_locked_package() -> None:
    """With its licence, its hashes and its scope; the same commit has the same bill."""
    stated = read_settings()["stated"]
    licences, scopes = {one.name: find_licence(one.name, stated) for one in LOCKED}, find_scopes(LOCKED)
    first, second = (build_bill("0.2.0", 1, {"a.whl": b"wheel"}, LOCKED, licences, scopes) for _ in range(2))
    assert first == second
    bill = msgspec.json.decode(first)
    assert {(one["name"], one["version"]) for one in bill["components"]} == {one[:2] for one in LOCKED}
    shown = {one["name"]: (one.get("scope", "required"), one["licenses"]) for one in bill["components"]}
    assert shown["msgspec"] == ("required", [{"expression": "BSD-3-Clause"}])
    assert (shown["litestar"][0], shown["pytest"][0]) == ("optional", "excluded")
    assert all(one["hashes"] for one in bill["components"])


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ('"CycloneDX"', '"Cyclone"'),
        ('"1.6"', '"6"'),
        ("urn:uuid:", "uuid:"),
        (HASH, "ab"),
        ('"library"', '"book"'),
        ('"optional"', '"needed"'),
        ('"pkg:pypi/one@1"', '"one"'),
        ('"name": "one"', '"name": ""'),
        ('"name": "one"', '"title": "one"'),
        ('"bom-ref": "pkg:pypi/one@1"', '"bom-ref": "pkg:pypi/affray@0.2.0"'),
    ],
)
def test_a_bill_that_cyclonedx_does_not_take_is_refused(good: str, bad: str) -> None:
    text = build_bill("0.2.0", 1, {}, [Locked("one", "1", (HASH,))], {"one": "MIT"}, {"one": "optional"}).decode()
    must_be_bill(text.encode())
    assert good in text
    with pytest.raises(ValueError, match=r"\w"):
        must_be_bill(text.replace(good, bad).encode())


def test_an_sdist_does_not_depend_on_when_and_by_whom_it_was_built() -> None:
    def pack(names: list[str], when: int, user: str) -> bytes:
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w:gz") as archive:
            for name in names:
                member = tarfile.TarInfo(name)
                member.mtime, member.uname, member.uid, member.size = when, user, when, 3
                archive.addfile(member, io.BytesIO(b"one"))
        return packed.getvalue()

    first = settle_times(pack(["a/one", "a/two"], 5, "ilse"), 1_700_000_000)
    assert first == settle_times(pack(["a/two", "a/one"], 9, "bram"), 1_700_000_000)
    with tarfile.open(fileobj=io.BytesIO(gzip.decompress(first))) as archive:
        assert [(one.name, one.mtime, one.uname) for one in archive] == [
            ("a/one", 1_700_000_000, ""),
            ("a/two", 1_700_000_000, ""),
        ]
