"""The page: files of the package, and nothing from any network."""

from __future__ import annotations

from importlib.resources import files
from mimetypes import guess_type

from litestar import MediaType, Response, get
from litestar.params import FromPath

from affray.tools.serve.fights import Missing

ROOT = files("affray.tools") / "page"
KINDS = frozenset({".css", ".html", ".ico", ".js", ".json", ".jsonl", ".png", ".svg", ".ts", ".txt", ".webmanifest"})


@get("/", media_type=MediaType.HTML, include_in_schema=False)
async def index() -> Response[bytes]:
    """Return the page."""
    return _file("index.html")


@get("/static/{file:path}", include_in_schema=False)
async def static(file: FromPath[str]) -> Response[bytes]:
    """Return one of the files that the page is made of."""
    return _file(file)


def _file(path: str) -> Response[bytes]:
    """Return a file of the page's folder; no path leads out of it."""
    parts = [part for part in path.split("/") if part]
    found = ROOT.joinpath(*parts) if parts else ROOT
    name = parts[-1] if parts else ""
    if any(part.startswith(".") for part in parts) or name[name.rfind(".") :] not in KINDS or not found.is_file():
        raise Missing("there is no such file")
    kind = "text/javascript" if name.endswith(".js") else guess_type(name)[0] or "text/plain"
    return Response(found.read_bytes(), media_type=kind)


ROUTES = [index, static]
