"""The server behind nginx and Caddy with TLS, configured as docs/players-elsewhere.md says."""

from __future__ import annotations

import re
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from shutil import which
from threading import Thread
from typing import NamedTuple

import httpx
import msgspec
import pytest
import uvicorn
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from playwright.sync_api import Browser, expect
from websockets.sync.client import ClientConnection, connect

from affray.client import Client
from affray.engine.stores import FileStore
from affray.tools.server.server_state import ServerState
from affray.tools.server.startup import build_config
from tests.examples import THOROUGH
from tests.page.window import declare
from tests.serve.server import HOST, serving
from tests.tools.program import ENCOUNTER

DOCUMENT = (Path(__file__).parents[2] / "docs" / "players-elsewhere.md").read_text("utf-8")
CERTIFICATES = "/etc/letsencrypt/live/table.example/"
HEADERS = {"Authorization": f"Bearer {HOST}"}


class Proxied(NamedTuple):
    """A server behind a proxy.

    Attributes:
        address: The public one, of the proxy.
        state: The state of the server, which runs in a thread of this process.
        tls: What a client needs to accept the proxy's certificate.
    """

    address: str
    state: ServerState
    tls: ssl.SSLContext

    def request(
        self, method: str, path: str, body: object = None, *, source: str = "", claimed: str = ""
    ) -> httpx.Response:
        """Send a request of the host, from an address of this machine, with a claim to come from elsewhere."""
        transport = httpx.HTTPTransport(verify=self.tls, local_address=source or None)
        headers = HEADERS | ({"X-Forwarded-For": claimed} if claimed else {})
        with httpx.Client(transport=transport, timeout=30) as client:
            return client.request(method, f"{self.address}{path}", headers=headers, json=body)


def write_certificate(folder: Path) -> ssl.SSLContext:
    """Write a key and a certificate for localhost, and return a context that accepts it."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name.from_rfc4514_string("CN=localhost")
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(names, critical=False)
        .sign(key, hashes.SHA256())
    )
    form = serialization.PrivateFormat.PKCS8
    (folder / "privkey.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption())
    )
    (folder / "fullchain.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    return ssl.create_default_context(cafile=str(folder / "fullchain.pem"))


def find_block(language: str) -> str:
    """Return a configuration of the document."""
    (block,) = re.findall(rf"^```{language}\n(.*?)^```", DOCUMENT, re.DOTALL | re.MULTILINE)
    return str(block)


def configure_nginx(folder: Path, port: int, server: int) -> list[str]:
    """Write nginx's configuration for one process; return the command that runs it."""
    site = find_block("nginx").replace(CERTIFICATES, f"{folder}/").replace("listen 443", f"listen 127.0.0.1:{port}")
    site = site.replace("table.example", "localhost").replace("127.0.0.1:8000", f"127.0.0.1:{server}")
    places = "".join(f"{one}_temp_path {folder}/{one};" for one in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (folder / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {folder}/nginx.pid; error_log stderr notice;\n"
        f"events {{}}\nhttp {{ access_log off; {places}\n{site}}}\n",
        "utf-8",
    )
    return ["nginx", "-c", str(folder / "nginx.conf"), "-e", "stderr"]


def configure_caddy(folder: Path, port: int, server: int) -> list[str]:
    """Write Caddy's configuration with a certificate of ours; return the command that runs it."""
    site = find_block("caddyfile").replace("127.0.0.1:8000", f"127.0.0.1:{server}")
    own = f"https://localhost:{port} {{\n    tls {folder}/fullchain.pem {folder}/privkey.pem"
    (folder / "Caddyfile").write_text(
        "{\n    admin off\n    auto_https disable_redirects\n}\n" + site.replace("table.example {", own), "utf-8"
    )
    return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


PROXIES = {"nginx": (configure_nginx, "event method"), "caddy": (configure_caddy, "serving initial configuration")}
"""How each proxy is configured, and what it says on standard error once it listens."""


@contextmanager
def running(command: list[str], folder: Path, ready: str) -> Iterator[None]:
    """Run a proxy; wait until it says that it listens."""
    surroundings = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": str(folder)}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=surroundings, cwd=folder) as proxy:
        assert proxy.stderr is not None
        drained = Thread(target=proxy.stderr.read)
        try:
            said = ""
            while ready not in said:
                line = proxy.stderr.readline()
                assert line, said
                said += line
            drained.start()
            yield
        finally:
            proxy.terminate()
            proxy.wait(20)
            if drained.ident is not None:
                drained.join(20)


@contextmanager
def serve_in_thread(state: ServerState, *trusted: str) -> Iterator[int]:
    """Serve with the settings of ``affray serve`` in a thread; give the port."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        server = uvicorn.Server(build_config(state, trusted))
        thread = Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            yield listening.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(20)


@contextmanager
def proxied(kind: str, folder: Path, *trusted: str) -> Iterator[Proxied]:
    """Run a server with a duel behind a proxy; skip where the machine has no such proxy."""
    if not THOROUGH:
        pytest.skip("proxies are tried by `make thorough`, or with AFFRAY_PROFILE=thorough")
    if which(kind, path="/usr/sbin:/usr/bin:/sbin:/bin") is None:
        pytest.skip(f"there is no {kind} here (apt-get install {kind}): its configuration is not tested")
    tls = write_certificate(folder)
    (folder / "fights").mkdir()
    state = serving(FileStore(folder / "fights"))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    configure, ready = PROXIES[kind]
    with serve_in_thread(state, *trusted) as server, running(configure(folder, port, server), folder, ready):
        there = Proxied(f"https://localhost:{port}", state, tls)
        opened = there.request("POST", "/api/fights", {"id": "duel", "toml": ENCOUNTER, "dice": "entered"})
        assert opened.status_code == 201, opened.text
        yield there


def read_type(feed: ClientConnection) -> str:
    """Return the type of the next message that is no heartbeat."""
    kinds: Iterator[str] = (msgspec.json.decode(feed.recv(20))["type"] for _ in range(5))
    return next(one for one in kinds if one != "beat")


@pytest.mark.parametrize("kind", PROXIES)
def test_a_fight_is_played_behind_a_proxy_with_tls(
    kind: str, tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Links carry the public name, the check finds the server, and feed, WebSocket, commands and page work."""
    with proxied(kind, tmp_path) as there:
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "fullchain.pem"))
        told = there.request("PUT", "/api/addresses", {"url": there.address}).json()
        assert told["checks"] == [
            {"url": there.address, "leads": True, "says": f"{there.address} leads to this server."}
        ]
        granted = there.request("POST", "/api/fights/duel/grants", {"role": "gm", "name": "Gregor"}).json()
        assert granted["link"].startswith(f"{there.address}/#fight=duel&token=")

        context = browser.new_context(ignore_https_errors=True)
        page = context.new_page()
        page.goto(granted["link"])
        at = f"{there.address.replace('https', 'wss')}/api/fights/duel/feed"
        with connect(at, ssl=there.tls) as feed:
            feed.send(msgspec.json.encode({"token": granted["token"]}).decode())
            assert [read_type(feed) for _ in range(2)] == ["snapshot", "ready"]
            declare(page, "begin")
            assert read_type(feed) == "line"
        with httpx.Client(verify=there.tls) as http, Client(granted["link"], http=http) as gm:
            gm.say("roll 15")
        expect(page.get_by_role("region", name="The story")).to_contain_text("15")
        context.close()


@pytest.mark.parametrize("kind", PROXIES)
def test_a_proxy_that_is_not_trusted_stands_for_its_clients(kind: str, tmp_path: Path) -> None:
    """One that is trusted says who they are, and believes no client who names another address."""
    for trusted, lane in (((), "@127.0.0.1"), (("127.0.0.1",), "@127.0.0.2")):
        folder = tmp_path / str(len(trusted))
        folder.mkdir()
        with proxied(kind, folder, *trusted) as there:
            there.request("GET", "/api/health", source="127.0.0.2", claimed="203.0.113.9")
            assert {one for one in there.state.rate_limits._lanes if one.startswith("@")} == {lane}
