"""Firefox as the machine has it, driven over WebDriver BiDi: what a test of the page needs of it."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from shutil import which
from typing import Any

import msgspec
from websockets.sync.client import ClientConnection, connect

PREFERENCES = {
    "app.normandy.enabled": False,
    "app.update.disabledForTesting": True,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "remote.active-protocols": 1,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
    "ui.prefersReducedMotion": 1,
}
"""A browser that speaks with nobody but us."""

PATIENCE_SECONDS = 60
"""How long anything may take: a busy machine may take its time."""

UNTIL = """new Promise((done, failed) => {
  const end = performance.now() + %d;
  const look = () => {
    const found = (%s);
    if (found) done(found);
    else if (performance.now() > end) failed(new Error("this never came about"));
    else requestAnimationFrame(look);
  };
  look();
})"""


def find_firefox() -> str | None:
    """Return where Firefox is, if it is anywhere."""
    return which("firefox") or which("firefox-esr")


@contextmanager
def window(program: str, profile: Path) -> Iterator[Firefox]:
    """Start Firefox with an empty profile, and end it behind the test."""
    lines = (f'user_pref("{name}", {str(value).lower()});\n' for name, value in PREFERENCES.items())
    (profile / "user.js").write_text("".join(lines), "utf-8")
    words = [program, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stderr is not None
            said = (line.partition("WebDriver BiDi listening on ")[2].strip() for line in process.stderr)
            address = next(one for one in said if one)
            with connect(f"{address}/session", max_size=None, open_timeout=PATIENCE_SECONDS) as socket:
                yield Firefox(socket)
        finally:
            process.kill()


class Firefox:
    """One window of Firefox.

    Attributes:
        wrong: What scripts failed at, and what was refused.
    """

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._numbers = count(1)
        self.wrong: list[str] = []
        self._call("session.new", capabilities={})
        self._call("session.subscribe", events=["log.entryAdded"])
        self._window: str = self._call("browsingContext.getTree")["contexts"][0]["context"]

    def open(self, link: str, *, size: tuple[int, int] = (1280, 860)) -> None:
        """Go to an address."""
        width, height = size
        self._call("browsingContext.setViewport", context=self._window, viewport={"width": width, "height": height})
        self._call("browsingContext.navigate", context=self._window, url=link, wait="complete")

    def evaluate(self, script: str) -> Any:
        """Return what a script comes to: a text, a number, or whether."""
        told = self._call("script.evaluate", expression=script, target={"context": self._window}, awaitPromise=True)
        assert told["type"] == "success", told.get("exceptionDetails", {}).get("text")
        return told["result"].get("value")

    def waits_for(self, condition: str) -> Any:
        """Wait until something holds, and return what it comes to."""
        return self.evaluate(UNTIL % (PATIENCE_SECONDS * 1000, condition))

    def click(self, selector: str) -> None:
        """Click the first element that can be seen, with a mouse, in its middle."""
        quoted = msgspec.json.encode(selector).decode()
        chosen = f"[...document.querySelectorAll({quoted})].find(one => one.checkVisibility())"
        self.waits_for(chosen + " !== undefined")
        where = self.evaluate(
            f"(() => {{ const one = {chosen}; one.scrollIntoView({{ block: 'nearest' }});"
            " const { x, y, width, height } = one.getBoundingClientRect();"
            " return `${Math.round(x + width / 2)} ${Math.round(y + height / 2)}`; })()"
        )
        x, y = map(int, where.split())
        self.drag((x, y))

    def drag(self, *through: tuple[int, int]) -> None:
        """Press the mouse at the first of some points, move it over the others, and let it go at the last."""
        first, *others = ({"type": "pointerMove", "x": x, "y": y, "duration": 20} for x, y in through)
        deeds = [first, {"type": "pointerDown", "button": 0}, *others, {"type": "pointerUp", "button": 0}]
        mouse = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": deeds}
        self._call("input.performActions", context=self._window, actions=[mouse])

    def picture(self) -> str:
        """Return what is shown, as a PNG in base64."""
        shown: str = self._call("browsingContext.captureScreenshot", context=self._window)["data"]
        return shown

    def _call(self, method: str, **params: Any) -> Any:
        number = next(self._numbers)
        self._socket.send(msgspec.json.encode({"id": number, "method": method, "params": params}).decode())
        while True:
            message = msgspec.json.decode(self._socket.recv(timeout=2 * PATIENCE_SECONDS))
            if message.get("id") == number:
                assert message["type"] == "success", f"{method}: {message['error']}: {message['message']}"
                return message["result"]
            entry = message.get("params", {})
            if message.get("method") == "log.entryAdded" and entry["level"] == "error":
                self.wrong.append(str(entry["text"]))
