"""Where the program begins: until it is loaded, Ctrl-C ends it without a word."""

import signal


def main() -> None:
    """Load the program and run it."""
    heard = signal.getsignal(signal.SIGINT)
    if heard is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from .cli.main import main as program  # noqa: PLC0415 - takes tenths of a second

    signal.signal(signal.SIGINT, heard)
    program()
