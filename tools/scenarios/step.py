"""A step of a scenario: what is done, and what must come of it."""

from typing import Any, Literal, get_args

from msgspec import Struct

from affray.engine.errors import Unusable

Detail = Literal["phases", "marks", "resolved"]

DETAILS: tuple[str, ...] = get_args(Detail)
"""The kinds of book-keeping that have lines only if a step asks for them."""


class ScenarioStep(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"lacks": "not"}):
    """A command with its expected outcome.

    Attributes:
        do: The command as in ``affray play``; also ``undo`` and ``redo``; or nothing, to check the state only.
        dice: Every die that falls, in order.
        reason: The reason of a ruling or an undo.
        then: The complete expected lines, see ``notation``; ``{VES-026}`` asserts a clause.
        has: Expected lines, in this order, among others.
        lacks: Lines that must not occur; written ``not``.
        refused: The expected code, clause, or both; of several, any one may match.
        unusable: A part of the expected message about unusable input.
        state: The expected state afterwards, see ``state_check``.
        details: The book-keeping events that have lines here.
    """

    do: str = ""
    dice: str = ""
    reason: str = "so ruled"
    then: tuple[str, ...] | None = None
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    refused: str | tuple[str, ...] = ()
    unusable: str = ""
    state: dict[str, Any] = {}
    details: tuple[Detail, ...] = ()

    @property
    def refusals(self) -> tuple[str, ...]:
        """List the accepted refusals."""
        return (self.refused,) if isinstance(self.refused, str) else self.refused

    @property
    def tells(self) -> bool:
        """Tell if the step names lines that must come of it, or must not."""
        return self.then is not None or bool(self.has or self.lacks)

    @property
    def loose(self) -> bool:
        """Tell if the step accepts any outcome."""
        return not (self.tells or self.refused or self.unusable or self.state)


def check_step(step: ScenarioStep, field: str) -> None:
    """Refuse a step that contradicts itself, or that neither acts nor checks.

    Args:
        field: The step's field in its file.

    Raises:
        Unusable: its expected outcomes exclude each other, or it has none.
    """
    every = {"then, has and not": step.tells, "refused": step.refused, "unusable": step.unusable}
    ways = [way for way, said in every.items() if said]
    if len(ways) > 1:
        raise Unusable(f"says {' and '.join(ways)}; a step comes out in one of these ways", field)
    if not step.do and (ways or step.dice or not step.state):
        raise Unusable("says not what is done; a step that does nothing only looks at the state", field)
