"""A line to the tests' PostgreSQL server that is cut at a chosen moment."""

from __future__ import annotations

import socket
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from types import TracebackType

_PART = 1 << 16


class Cutter:
    """Stands between a store and the server, and passes on what both say.

    Attributes:
        url: Where to connect to.
        cuts: How often the line was cut.
    """

    def __init__(self, folder: Path) -> None:
        self._server = str(folder / ".s.PGSQL.5432")
        self._listening = socket.create_server(("127.0.0.1", 0))
        port = self._listening.getsockname()[1]
        self.url = f"postgresql://affray@127.0.0.1:{port}/postgres?sslmode=disable&gssencmode=disable"
        self.cuts = 0
        self._left, self._what, self._mark = 0, "", b""
        self._open: list[socket.socket] = []
        self._threads = [Thread(target=self._accept)]

    def cut(self, what: str, mark: bytes, times: int = 1) -> None:
        """Cut the line when a mark comes by: before the server hears the ``question``, or behind its ``answer``."""
        self._what, self._mark, self._left = what, mark, times

    def __enter__(self) -> Cutter:
        self._threads[0].start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        _end(self._listening, *self._open)
        for thread in self._threads:
            thread.join()
        self._listening.close()

    def _accept(self) -> None:
        while True:
            try:
                store = self._listening.accept()[0]
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            server.connect(self._server)
            self._open += [store, server]
            thread = Thread(target=self._pass_on, args=(store, server))
            self._threads.append(thread)
            thread.start()

    def _pass_on(self, store: socket.socket, server: socket.socket) -> None:
        """Carry questions there and answers back, until one side ends or the line is cut."""
        with store, server:
            swallowed = Event()
            back = Thread(target=_carry_back, args=(store, server, swallowed))
            back.start()
            while said := receive_part(store):
                if self._left and self._mark in said:
                    self._left -= 1
                    self.cuts += 1
                    if self._what == "question":
                        break
                    swallowed.set()
                with suppress(OSError):  # the server may be gone already; then nothing comes back either
                    server.sendall(said)
            _end(store, server)
            back.join()


def _carry_back(store: socket.socket, server: socket.socket, swallowed: Event) -> None:
    while (heard := receive_part(server)) and not swallowed.is_set():
        store.sendall(heard)
    _end(store, server)


def receive_part(one: socket.socket) -> bytes:
    try:
        return one.recv(_PART)
    except OSError:
        return b""


def _end(*both: socket.socket) -> None:
    for one in both:
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
