"""The installed program, started over and over from a process that has imported it already.

Importing takes the program longer than most of what it is asked. So one process imports all of it and forks for each
run; what forks then is as if it had been started: its folder, environment, words and streams are those it is given. The
process ends when whoever asks is gone.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from affray.engine.core.loading import available, load
from affray.tools.cli.command_registry import COMMANDS
from affray.tools.cli.main import main

ROOT = Path(__file__).parents[2]
PATIENCE = 60
LATE = ("affray.engine.stores.postgres", "affray.tools.server.startup", "jinja2", "structlog")
"""What commands import when they need it."""


def run(folder: Path, words: Sequence[str], env: Mapping[str, str], streams: Sequence[BinaryIO]) -> int:
    """Run the program with these files as its standard input, output and error; return its exit code."""
    return wait(start(folder, words, env, streams))


def start(folder: Path, words: Sequence[str], env: Mapping[str, str], streams: Sequence[BinaryIO]) -> int:
    """Start the program with these files as its standard input, output and error; return the number of its process."""
    return ask_process_server([str(folder), list(words), dict(env)], [one.fileno() for one in streams])


def wait(process: int) -> int:
    """Wait, once, until a process that was started has ended; return its exit code, below 0 if a signal ended it."""
    return os.waitstatus_to_exitcode(ask_process_server(process, []))


def ask_process_server(request: Any, streams: Sequence[int]) -> int:
    """Ask for a process to be started, or for the end of one."""
    line = _line()
    asked = json.dumps(request).encode()
    socket.send_fds(line, [len(asked).to_bytes(8, "big")], streams)
    line.sendall(asked)
    return int.from_bytes(line.recv(8), "big")


@cache
def _line() -> socket.socket:
    """Start the process, once, and return the line to it."""
    ours, its = socket.socketpair()
    ours.settimeout(PATIENCE)
    command = [sys.executable, "-m", "tests.tools.warm", str(its.fileno())]
    pipe = subprocess.PIPE
    warm = subprocess.Popen(command, cwd=ROOT, pass_fds=[its.fileno()], stdin=pipe, stdout=pipe, stderr=pipe)
    its.close()

    def end() -> None:
        ours.close()
        warm.communicate(timeout=PATIENCE)

    atexit.register(end)
    return ours


def _serve(line: socket.socket) -> None:
    """Fork for each run; return in the forked process, as which the program is to go on."""
    while True:
        size, streams, _, _ = socket.recv_fds(line, 8, 3)
        if not size:
            os._exit(0)
        asked = b""
        while len(asked) < int.from_bytes(size, "big"):
            asked += line.recv(1 << 20)
        request = json.loads(asked)
        if isinstance(request, int):
            line.sendall(os.waitpid(request, 0)[1].to_bytes(8, "big"))
            continue
        child = os.fork()
        if not child:
            break
        for one in streams:
            os.close(one)
        line.sendall(child.to_bytes(8, "big"))
    line.close()
    for nth, one in enumerate(streams):
        os.dup2(one, nth)
        os.close(one)
    folder, words, env = request
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(env)
    sys.argv[1:] = words


def _warm_up() -> None:
    """Import every command and every rule system."""
    for module in (*{f"affray.tools.{entry.module}" for entry in COMMANDS.values()}, *LATE):
        import_module(module)
    for system in available():
        load(system)
    gc.freeze()


def _leave(code: int) -> NoReturn:
    """End the process as ``sys.exit`` does, but leave all that was imported to the system to clear away."""
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    _warm_up()
    sys.path.remove(str(ROOT))
    sys.argv[0] = str(Path(sys.executable).with_name("affray"))
    _serve(socket.socket(fileno=int(sys.argv[1])))
    try:
        main()
    except SystemExit as left:
        _leave(left.code if isinstance(left.code, int) else 1)
