"""Build a release into ``dist/``; ``make release`` runs it.

It checks the version and the licences, builds twice, and writes the files, their hashes and the bill of materials.
"""

from __future__ import annotations

import sys
from hashlib import sha256

from affray import __version__ as version
from tests.packaging.release.builds import NotReproducible, build_twice, git
from tests.packaging.release.locked import ROOT, find_licence, find_scopes, list_forbidden, read_lock, read_settings
from tests.packaging.release.sbom import build_bill
from tests.packaging.release.versions import list_wrong_versions

DIST = ROOT / "dist"


def main() -> int:
    """Build the release of the present commit; return the exit code."""
    settings = read_settings()
    locked = read_lock((ROOT / "requirements.lock").read_text("utf-8"))
    tags = git("tag", "--points-at", "HEAD").decode().split()
    changelog = git("show", "HEAD:CHANGELOG.md").decode()
    wrong = [*list_wrong_versions(version, changelog, tags), *list_forbidden(locked, settings)]
    if git("status", "--porcelain", "--untracked-files=no"):
        wrong.append("there are changes that are not committed; a release is built from a commit")
    for line in wrong:
        print(line, file=sys.stderr)
    if wrong:
        return 1
    seconds = int(git("log", "-1", "--format=%ct", "HEAD"))
    try:
        files = build_twice("HEAD", seconds)
    except NotReproducible as error:
        print(error, file=sys.stderr)
        return 1
    licences = {one.name: find_licence(one.name, settings["stated"]) for one in locked}
    bill = build_bill(version, seconds, files, locked, licences, find_scopes(locked))
    files[f"affray-{version}.cdx.json"] = bill
    files["SHA256SUMS"] = "".join(f"{sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files)).encode()
    DIST.mkdir(exist_ok=True)
    for name, content in files.items():
        (DIST / name).write_bytes(content)
    print(files["SHA256SUMS"].decode(), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
