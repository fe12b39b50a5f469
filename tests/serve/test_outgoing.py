"""Long answers wait for their readers in parts, and only so many bytes of them are in memory."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
from litestar import Litestar

from affray.engine.stores import FileStore
from affray.engine.visibility import Viewer, can_read
from affray.tools.api.schemas import fights as schemas
from affray.tools.api.viewer_queries import project_log, project_story
from affray.tools.present.story.entries import entries
from affray.tools.server import send_buffer
from affray.tools.server.app import build_application
from affray.tools.server.downloads import PART_BYTES
from affray.tools.server.open_fights import LimitReached
from affray.tools.server.send_buffer import COUNTED_BYTES, MOST_OF_ALL, MOST_OF_ONE, MOST_OF_PLAYERS, SendBuffer
from tests.engine.fights import submit_accepted
from tests.engine.test_hiding import rule
from tests.engine.test_open_secrets import concealed_last
from tests.rulesets.statistics import make_declaration
from tests.serve.server import HOST, Server, serving
from tests.serve.test_pictures import png, upload_picture
from tests.tools.program import ENCOUNTER
from tests.twins.inside import Message, Sent, ask, request_for

LOG = "/api/fights/duel/log"


class Slow(Sent):
    """A request whose answer the test reads on demand."""

    def __init__(self, app: Litestar, path: str, token: str) -> None:
        self.reads = asyncio.Event()
        super().__init__(app, request_for("GET", path, token, {}))

    async def _sent(self, message: Message) -> None:
        await super()._sent(message)
        if message["type"] == "http.response.body" and message["more_body"]:
            await self.reads.wait()

    async def begun(self) -> int:
        """Wait until the answer begins; return its status."""
        while not self.messages and not self.task.done():
            await asyncio.sleep(0)
        return int(self.messages[0]["status"])


async def with_a_long_log(folder: Path) -> Litestar:
    """Return a server with a fight whose log is longer than the limit."""
    app = build_application(serving(FileStore(folder, durable=False)))
    await ask(app, "POST", "/api/fights", HOST, None, {"id": "duel", "toml": ENCOUNTER})
    for nth in range(COUNTED_BYTES // 2_000 + 1):
        ruled = {"type": "Ruled", "kind": "note", "params": {"text": "n"}, "reason": "x" * 1_990}
        answer = await ask(app, "POST", "/api/fights/duel/commands", HOST, None, {"id": f"n{nth}", "intent": ruled})
        assert answer.status == 200
    return app


def test_a_link_whose_long_answers_are_not_read_gets_no_more_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Short ones it gets, and long ones again once it has read the first. Other links get theirs all the while."""
    monkeypatch.setattr(send_buffer, "MOST_OF_ONE", COUNTED_BYTES)

    async def scene() -> None:
        app = await with_a_long_log(tmp_path)
        granted = await ask(app, "POST", "/api/fights/duel/grants", HOST, None, {"role": "spectator", "name": "Eve"})
        token = msgspec.json.decode(granted.body)["token"]
        slow = Slow(app, LOG, token)
        assert await slow.begun() == 200
        assert sum(len(one.get("body", b"")) for one in slow.messages) == PART_BYTES
        refused = await ask(app, "GET", LOG, token)
        assert (refused.status, b'"too_many"' in refused.body) == (429, True)
        assert (await ask(app, "GET", LOG, token, {"limit": 9})).status == 200
        assert (await ask(app, "GET", LOG, HOST)).status == 200
        slow.reads.set()
        await slow.task
        whole = await ask(app, "GET", LOG, token)
        assert whole.body == b"".join(one.get("body", b"") for one in slow.messages)

    asyncio.run(scene())


def test_answers_on_their_way_are_bounded_for_a_link_and_for_all() -> None:
    """One alone may be as long as it is; game masters get some where players get none."""
    found, mebi = SendBuffer(), [bytes(1 << 20) for _ in range(MOST_OF_ALL >> 20)]
    held: list[Any] = []

    def hold(lane: str, content: bytes, *, rules: bool = False) -> None:
        held.append(found.hold(lane, content, rules=rules))
        held[-1].__enter__()

    for nth, one in enumerate(mebi[: MOST_OF_PLAYERS >> 20]):
        hold(str(nth * len(one) // MOST_OF_ONE), one)
    for lane, rules in (("0", True), ("eve", False)):
        with pytest.raises(LimitReached):
            hold(lane, mebi[-1], rules=rules)
    for nth, one in enumerate(mebi[MOST_OF_PLAYERS >> 20 :]):
        hold(f"gm {nth}", one, rules=True)
    with pytest.raises(LimitReached):
        hold("host", bytes(1 << 20), rules=True)
    hold("host", mebi[0], rules=True)  # shared with another link
    for one in held:
        one.__exit__(None, None, None)
    with found.hold("eve", bytes(MOST_OF_ONE + 1)), pytest.raises(LimitReached), found.hold("eve", bytes(1)):
        pass
    with found.hold("eve", bytes(MOST_OF_ONE)):
        pass


def test_who_reads_one_picture_shares_it_in_memory(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Five read it slowly: it counts once."""
    content = png() + bytes(COUNTED_BYTES)
    name = upload_picture(server, content)
    monkeypatch.setattr(send_buffer, "MOST_OF_ONE", len(content))

    async def scene() -> None:
        readers = [Slow(server.app, f"/api/pictures/{name}", "") for _ in range(5)]
        assert [await one.begun() for one in readers] == [200] * 5
        for one in readers:
            one.reads.set()
            await one.task
            assert b"".join(part.get("body", b"") for part in one.messages) == content

    asyncio.run(scene())


def test_an_answer_with_lines_of_a_log_ends_where_it_is_long_enough(
    begun: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At least one line comes, however long it is; who asks for those behind the last one gets all of them."""
    whole = begun.spectator.looks("/log").json()
    monkeypatch.setattr(schemas, "LINES_BYTES", 1_000)
    read: list[object] = []
    while len(read) < whole["head"]:
        found = begun.spectator.looks("/log", after=len(read)).json()
        assert 1 <= len(found["lines"]) < whole["head"] - len(read) or len(str(found["lines"])) < 3_000
        read += found["lines"]
    assert read == whole["lines"]


@pytest.mark.parametrize("role", ["spectator", "player"])
def test_where_an_answer_with_lines_ends_does_not_tell_how_long_a_sealed_line_is(
    role: Literal["spectator", "player"],
) -> None:
    """Two fights that differ in the length of a sealed reason alone have answers of the same lines."""
    counts = []
    for length in (1, 190):
        fight = concealed_last("vestige")
        for nth in range(20):
            rule(fight, "note", text="n" * length if nth % 2 else "n")
        written = [msgspec.json.encode({"event": one.event}) for one in fight.history.recorded]
        viewer = Viewer(role=role)
        assert "n" * 190 not in repr(project_log(viewer, fight, 0, written))
        counts.append([len(project_log(viewer, fight, after, written[after:], 2_000)) for after in range(len(written))])
    assert counts[0] == counts[1]


def test_a_story_is_encoded_beside_the_event_loop() -> None:
    """Entry by entry: what is left to do at the end is to put them side by side."""
    fight = concealed_last("vestige")
    submit_accepted(fight, make_declaration("gm", "begin", cause="threat"))
    spectator, opened = Viewer(role="spectator"), fight.history.opened
    told, count = project_story(spectator, fight, 1)
    assert {type(one).__name__ for one in told} == {"Raw"}
    whole = entries(one for one in fight.history.recorded if can_read(spectator, one, opened))
    assert (msgspec.json.encode(told), count) == (msgspec.json.encode(whole[1:]), len(whole))
