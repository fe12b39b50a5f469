"""A step of a scenario: what is done, and what must come of it."""

from typing import Any, Literal, get_args

from msgspec import Struct

from affray.engine.errors import Unusable

Detail = Literal["phases", "marks", "resolved"]

DETAILS: tuple[str, ...] = get_args(Detail)
"""The kinds of book-keeping that have lines only if a step asks for them."""


class ScenarioStep(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"lacks": "not"}):
    """Something that is done, and what must come of it.

    Attributes:
        do: What is done, as in ``affray play``; also ``undo`` and ``redo``; or nothing: only look at the state.
        dice: Every die that falls, in order.
        reason: Why, of a ruling or an undo.
        then: Everything that comes of it, see ``notation``; ``{VES-026}`` asserts a clause.
        has: Lines that come of it, in this order, among others.
        lacks: Lines that must not come of it; written ``not``.
        refused: The code, the clause, or both; several where any of them will do.
        unusable: A part of what is said of input that cannot be understood.
        state: What must be so afterwards, see ``state_check``.
        details: The book-keeping that has lines here.
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
    """Refuse a step that contradicts itself, or does nothing and looks at nothing.

    Args:
        field: Where it stands in its file.

    Raises:
        Unusable: it says two things about its outcome that cannot both be so, or nothing at all.
    """
    every = {"then, has and not": step.tells, "refused": step.refused, "unusable": step.unusable}
    ways = [way for way, said in every.items() if said]
    if len(ways) > 1:
        raise Unusable(f"says {' and '.join(ways)}; a step comes out in one of these ways", field)
    if not step.do and (ways or step.dice or not step.state):
        raise Unusable("says not what is done; a step that does nothing only looks at the state", field)
