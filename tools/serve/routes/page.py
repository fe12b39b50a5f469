"""The page and the books of rules: from the package alone, and nothing from any network."""

import asyncio
from functools import cache
from importlib.resources import files
from mimetypes import guess_type
from threading import Lock

from litestar import MediaType, Response, get
from litestar.params import FromPath

from affray.engine.core.ruleset import available, load
from affray.tools import book
from affray.tools.serve.fights import Missing
from affray.tools.serve.policy import policy

ROOT = files("affray.tools") / "page"
KINDS = frozenset({".css", ".html", ".ico", ".js", ".json", ".jsonl", ".png", ".svg", ".ts", ".txt", ".webmanifest"})


@get("/", media_type=MediaType.HTML, include_in_schema=False)
async def index() -> Response[bytes]:
    """Return the page."""
    page = _file("index.html")
    page.set_header("content-security-policy", policy(page.content.decode()))
    return page


@get("/static/{file:path}", include_in_schema=False)
async def static(file: FromPath[str]) -> Response[bytes]:
    """Return one of the files that the page is made of."""
    return _file(file)


@get("/rules/{system:str}", media_type=MediaType.HTML, include_in_schema=False)
async def rules(system: FromPath[str]) -> Response[bytes]:
    """Return the book of a rule system; it is the same for everybody, and tells nothing of any fight."""
    if system not in available():
        raise Missing("there is no such rule system")
    content = await asyncio.to_thread(_book, system)
    headers = {"content-security-policy": book.policy(), "cache-control": "max-age=3600"}
    return Response(content, media_type=MediaType.HTML, headers=headers)


def _book(system: str) -> bytes:
    """Return a book, made once however many ask for it at the same time."""
    with _MAKING:
        return _made(system)


@cache
def _made(system: str) -> bytes:
    return book.html(load(system)).encode()


_MAKING = Lock()


def _file(path: str) -> Response[bytes]:
    """Return a file of the page's folder; no path leads out of it."""
    parts = [part for part in path.split("/") if part]
    found = ROOT.joinpath(*parts) if parts else ROOT
    name = parts[-1] if parts else ""
    if any(part.startswith(".") for part in parts) or name[name.rfind(".") :] not in KINDS or not found.is_file():
        raise Missing("there is no such file")
    kind = "text/javascript" if name.endswith(".js") else guess_type(name)[0] or "text/plain"
    return Response(found.read_bytes(), media_type=kind)


ROUTES = [index, rules, static]
