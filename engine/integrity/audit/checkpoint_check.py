"""The checkpoint layer: it checks whether a log extends signed heads."""

from affray.engine.integrity.checkpoint import Checkpoint, position_differs
from affray.engine.texts import name_said

from .findings import Findings


class CheckpointCheck:
    """Compares a log with a checkpoint, position by position.

    Args:
        found: Receives the first position that differs.

    Attributes:
        position: The last position that the checkpoint covers.
        parted: Whether a position differs.
    """

    def __init__(self, found: Findings, checkpoint: Checkpoint) -> None:
        self.position = checkpoint.position
        self.parted = False
        self._found = found
        self._checkpoint = checkpoint

    def compare(self, position: int, hash: str | None, number: int) -> None:
        """Compare the position just read."""
        signed = self._checkpoint
        if not self.parted and 0 < position <= signed.position and position_differs(signed, position, hash or ""):
            self._find(position, number, "rewritten", "the event that was signed", "another one")

    def end(self, position: int, lines: int) -> None:
        """Report a log that ends before the checkpoint as cut short."""
        signed = self._checkpoint
        if not self.parted and position < signed.position:
            expected = f"a log of {signed.position} events or more, as it was signed"
            self._find(position + 1, lines + 1, "cut_short", expected, f"one of {position}")

    def _find(self, position: int, number: int, code: str, expected: str, found: str) -> None:
        by = ", ".join(sorted({name_said(signature.name) for signature in self._checkpoint.note.signatures}))
        signed = f"{expected} at position {self._checkpoint.position} by {by}"
        self.parted = True
        self._found.note("checkpoint", position, number, code, signed, found)
