"""Routes of the page and the rule books; all files come from the package, none from a network."""

from collections.abc import Iterator
from functools import cache, lru_cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from mimetypes import guess_type
from threading import Lock
from typing import Annotated

from litestar import MediaType, Response, get
from litestar.params import FromPath, HeaderParameter

from affray.engine.core.loading import available, load
from affray.tools import book
from affray.tools.api.access import NotFound
from affray.tools.server.auth import TheServer
from affray.tools.server.compression import accepts_gzip, compress
from affray.tools.server.content_security_policy import page_policy
from affray.tools.server.worker_threads import compute

ROOT = files("affray.tools") / "page"
FIRST_MODULE = '<script type="module"'
KINDS = frozenset({".css", ".html", ".ico", ".js", ".json", ".jsonl", ".png", ".svg", ".ts", ".txt", ".webmanifest"})


Accepts = Annotated[str, HeaderParameter(name="Accept-Encoding")]
Known = Annotated[str, HeaderParameter(name="If-None-Match")]


@get("/", media_type=MediaType.HTML, include_in_schema=False)
async def get_page(server: TheServer, accepts: Accepts = "", known: Known = "") -> Response[bytes]:
    """Serve the page."""
    content, kind = _file("index.html")
    page = content.decode().replace(FIRST_MODULE, f"{_preload_links()}{FIRST_MODULE}")
    policy = page_policy(page, server.others.frames)
    return _answer(page.encode(), kind, accepts, known, {"content-security-policy": policy})


@get("/static/{file:path}", include_in_schema=False)
async def get_page_file(file: FromPath[str], accepts: Accepts = "", known: Known = "") -> Response[bytes]:
    """Serve a file of the page."""
    return _answer(*_file(file), accepts, known, {})


@get("/rules/{system:str}", media_type=MediaType.HTML, include_in_schema=False)
async def get_rules_book(system: FromPath[str]) -> Response[bytes]:
    """Return the book of a rule system, which is the same for every client and has nothing of any fight."""
    if system not in available():
        raise NotFound("there is no such rule system")
    content = await compute(_render_book_once, system)
    headers = {"content-security-policy": book.policy(), "cache-control": "max-age=3600"}
    return Response(content, media_type=MediaType.HTML, headers=headers)


def _render_book_once(system: str) -> bytes:
    """Render a book, once for all concurrent requests."""
    with _MAKING:
        return _render_book(system)


@cache
def _render_book(system: str) -> bytes:
    return book.html(load(system)).encode()


_MAKING = Lock()


@cache
def _preload_links() -> str:
    """Build a preload link for each module of the table, so that a browser fetches them all at once.

    Modules in ``host/``, which only the host's page needs, are loaded on demand.
    """
    folders = ("", "lib/", "affray/")
    found = (f"{folder}{one.name}" for folder in folders for one in ROOT.joinpath(folder).iterdir())
    modules = sorted(name for name in found if name.endswith(".js"))
    return "".join(f'<link rel="modulepreload" href="static/{name}">' for name in modules)


def _file(path: str) -> tuple[bytes, str]:
    """Return the content and media type of a file of the page.

    Raises:
        NotFound: the page has no such file.
    """
    found = _files().get(path.strip("/"))
    if found is None:
        raise NotFound("there is no such file")
    name = found.name
    return found.read_bytes(), "text/javascript" if name.endswith(".js") else guess_type(name)[0] or "text/plain"


@cache
def _files() -> dict[str, Traversable]:
    """Index the served files of the page's folder by their path."""
    return dict(_below(ROOT, ""))


def _below(folder: Traversable, at: str) -> Iterator[tuple[str, Traversable]]:
    for one in folder.iterdir():
        if one.name.startswith("."):
            continue
        if one.is_dir():
            yield from _below(one, f"{at}{one.name}/")
        elif one.name[one.name.rfind(".") :] in KINDS:
            yield at + one.name, one


def _answer(content: bytes, kind: str, accepts: str, known: str, more: dict[str, str]) -> Response[bytes]:
    """Serve a static file. Compress it if accepted. Answer 304 if the client's copy is current."""
    tag, small = _compress_cached(content)
    headers = {"cache-control": "no-cache", "etag": tag, "vary": "accept-encoding", **more}
    if tag in (one.strip() for one in known.split(",")):
        return Response(b"", status_code=304, media_type=kind, headers=headers)
    if accepts_gzip(accepts):
        return Response(small, media_type=kind, headers={**headers, "content-encoding": "gzip"})
    return Response(content, media_type=kind, headers=headers)


@lru_cache(maxsize=200)
def _compress_cached(content: bytes) -> tuple[str, bytes]:
    """Return a file's ETag, and the file compressed as well as possible, without padding since it holds no secret."""
    return f'W/"{sha256(content).hexdigest()[:24]}"', compress(content, level=9, noise=0)
