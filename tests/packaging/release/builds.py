"""The files of a release, built from a commit in clean folders, twice with one result."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from tests.packaging.release.locked import ROOT

BUILD = "import sys; from setuptools import build_meta; getattr(build_meta, f'build_{sys.argv[1]}')(sys.argv[2])"

SURROUNDINGS = (
    {"PYTHONHASHSEED": "1", "TZ": "UTC", "LC_ALL": "C.UTF-8"},
    {"PYTHONHASHSEED": "2", "TZ": "Asia/Kathmandu", "LC_ALL": "C"},
)
"""What differs between the two builds, beside folder and time."""


class NotReproducible(Exception):
    """Two builds of one commit differ."""


def git(*words: str) -> bytes:
    """Run git in the project; return what it says."""
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True).stdout


def build_twice(commit: str, seconds: int) -> dict[str, bytes]:
    """Build the sdist and the wheel of a commit twice; return the content of each by name.

    Args:
        seconds: The time that all files get, in seconds since 1970.

    Raises:
        NotReproducible: names the files that differ.
    """
    archive = git("-c", "tar.umask=022", "archive", "--format=tar", commit)
    first, second = (build(archive, seconds, surroundings) for surroundings in SURROUNDINGS)
    differing = sorted(name for name in first.keys() | second.keys() if first.get(name) != second.get(name))
    if differing:
        raise NotReproducible(f"two builds differ in {', '.join(differing)}")
    return first


def build(archive: bytes, seconds: int, surroundings: dict[str, str]) -> dict[str, bytes]:
    """Build the sdist from an archive of the sources, and the wheel from the sdist."""
    with tempfile.TemporaryDirectory() as folder:
        checkout, unpacked, out = (Path(folder, name) for name in ("checkout", "unpacked", "out"))
        out.mkdir()
        _unpack(archive, checkout)
        _run("sdist", checkout, out, seconds, surroundings)
        (sdist,) = out.glob("*.tar.gz")
        sdist.write_bytes(settle_times(sdist.read_bytes(), seconds))
        _unpack(gzip.decompress(sdist.read_bytes()), unpacked)
        _run("wheel", unpacked / sdist.name.removesuffix(".tar.gz"), out, seconds, surroundings)
        return {path.name: path.read_bytes() for path in out.iterdir()}


def settle_times(sdist: bytes, seconds: int) -> bytes:
    """Return an sdist with one time for all files; setuptools heeds ``SOURCE_DATE_EPOCH`` only in wheels."""
    packed = io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(sdist)) as found,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as settled,
    ):
        for member in sorted(found.getmembers(), key=lambda one: one.name):
            member.mtime, member.pax_headers = seconds, {}
            member.uid = member.gid = 0
            member.uname = member.gname = ""
            settled.addfile(member, found.extractfile(member) if member.isfile() else None)
    return gzip.compress(packed.getvalue(), mtime=seconds)


def _unpack(archive: bytes, folder: Path) -> None:
    with tarfile.open(fileobj=io.BytesIO(archive)) as packed:
        packed.extractall(folder, filter="data")


def _run(what: str, sources: Path, out: Path, seconds: int, surroundings: dict[str, str]) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LC_", "TZ"))}
    env = {**kept, **surroundings, "SOURCE_DATE_EPOCH": str(seconds)}
    done = subprocess.run(
        [sys.executable, "-c", BUILD, what, str(out)], cwd=sources, env=env, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise NotReproducible(f"the {what} is not built:\n{done.stderr}")
