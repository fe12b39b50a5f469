"""Entry point of the program. Ctrl-C ends it silently until it is loaded."""

import signal


def main() -> None:
    """Load the program and run it."""
    heard = signal.getsignal(signal.SIGINT)
    if heard is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from .cli.main import main as program  # noqa: PLC0415 - takes tenths of a second

    signal.signal(signal.SIGINT, heard)
    program()
