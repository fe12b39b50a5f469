"""The flow of a fight as one table of steps, run by ``transitions``.

Only this file knows that library. It checks the rows, hands them to a machine, and draws the diagram. It also compiles
a table that finds the destination of a trigger in a hundredth of the machine's time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from affray.engine.errors import NoRow, Refused
from affray.events import Clause, Id, PhaseEntered

if TYPE_CHECKING:
    from transitions import Machine

    from .table import Table

Guard = Callable[["Table", Id], None]
"""A function of table and actor that refuses a command which the step allows but the present state forbids."""


class Step(NamedTuple):
    """A row of the flow: in ``source``, ``trigger`` leads to ``dest``, by ``rule``.

    ``guard`` may refuse it. The source ``*`` stands for every phase that has no other row for the trigger, and no row
    that forbids it by name. ``entered`` is the event of the fight's own phase for this step, filled in by the flow.
    """

    source: str | tuple[str, ...]
    trigger: str
    dest: str
    guard: Guard | None = None
    rule: Clause = ""
    entered: PhaseEntered = PhaseEntered(phase="", trigger="")


class Rows(dict[tuple[str, str], Step]):
    """The rows of a flow by phase and trigger."""

    def __missing__(self, key: tuple[str, str]) -> Step:
        """Refuse a trigger without a row."""
        raise NoRow(*key)


ANY = "*"
"""The name that stands for every phase, or every trigger."""

MEANWHILE = "?"
"""The prefix of a question's topic, or a roll's purpose, in a row about declarations while it is open."""


class Forbidden(NamedTuple):
    """The refusal of a trigger that leads nowhere.

    ``*`` stands for every phase, or every trigger. A trigger such as ``?morale`` stands for every declaration while
    that question, or that roll, is open. ``first`` may refuse with another reason, since it knows the actor.
    """

    phase: str | tuple[str, ...]
    trigger: str
    code: str
    rule: Clause
    message: str
    first: Guard | None = None


def _each(phases: str | tuple[str, ...]) -> tuple[str, ...]:
    return (phases,) if isinstance(phases, str) else phases


class Flow:
    """The phases of a rule system and the steps between them.

    Attributes:
        table: The compiled table: the row for a phase and a trigger.

    Raises:
        ValueError: a row repeats a phase and trigger, or leaves from a phase that no row leads to.
    """

    def __init__(self, initial: str, steps: tuple[Step, ...], forbidden: tuple[Forbidden, ...] = ()) -> None:
        self.initial = initial
        self.steps = steps
        self.forbidden = forbidden
        self._forbidden = {(phase, row.trigger): row for row in forbidden for phase in _each(row.phase)}
        reached = {initial, *(step.dest for step in steps)}
        self.phases = tuple(sorted(reached))
        table = Rows()
        for step in sorted(steps, key=lambda step: step.source == ANY):
            for source in self._sources(step, table):
                if (source, step.trigger) in table:
                    raise ValueError(f"two rows for {step.trigger} in {source}")
                rules = (step.rule,) if step.rule else ()
                entered = PhaseEntered(phase=step.dest, trigger=step.trigger, rules=rules)
                told = step if step.source == ANY else step._replace(source=source)
                table[source, step.trigger] = told._replace(entered=entered)
        lost = {source for source, _ in table} - reached
        if lost:
            said = "; ".join(
                f'no row leads to the phase {one}: write Step("…", "…", "{one}", …)' for one in sorted(lost)
            )
            raise ValueError(said)
        self.triggers = tuple(sorted({trigger for _, trigger in table}))
        self.table: Mapping[tuple[str, str], Step] = table

    def _sources(self, step: Step, table: Mapping[tuple[str, str], Step]) -> tuple[str, ...]:
        """List the phases that a row applies to."""
        if step.source != ANY:
            return _each(step.source)
        taken = table.keys() | self._forbidden.keys()
        return tuple([phase for phase in self.phases if (phase, step.trigger) not in taken])

    def leads(self, phase: str, trigger: str) -> Step:
        """Return the row for an outcome.

        Raises:
            NoRow: the ruleset fired a trigger that its own table does not know; a mistake in the ruleset.
        """
        return self.table[phase, trigger]

    def permit(self, table: Table, actor: Id, trigger: str) -> Step:
        """Return the row for a command.

        Raises:
            Refused: the present phase does not know the trigger, or the row's guard forbids it.
        """
        phase = table.draft.phase
        step = self.table.get((phase, trigger))
        if step is None:
            row = self._row(phase, trigger)
            if row is not None and row.first is not None:
                row.first(table, actor)
            raise self.refusal(phase, trigger)
        if step.guard is not None:
            step.guard(table, actor)
        return step

    def refusal(self, phase: str, trigger: str) -> Refused:
        """Return the refusal of a trigger in a phase."""
        row = self._row(phase, trigger)
        if row is None:
            return Refused("wrong_phase", "", f"nobody can {trigger} in the phase {phase}", source=phase)
        return Refused(row.code, row.rule, row.message, source=phase)

    def is_refused_in(self, phase: str) -> bool:
        """Tell whether a row refuses all other triggers of a phase by name, as at the end of a fight."""
        return (phase, ANY) in self._forbidden

    def _row(self, phase: str, trigger: str) -> Forbidden | None:
        keys = ((phase, trigger), (phase, "*"), ("*", trigger), ("*", "*"))
        return next((self._forbidden[key] for key in keys if key in self._forbidden), None)

    def machine(self) -> Machine:
        """Build a machine of ``transitions`` from the table, without a model."""
        from transitions import Machine  # noqa: PLC0415 - only tests and diagrams need it, and it would slow every start

        return Machine(
            model=None,
            states=list(self.phases),
            initial=self.initial,
            auto_transitions=False,
            transitions=[[trigger, source, step.dest] for (source, trigger), step in self.table.items()],
        )

    def mermaid(self, title: str) -> str:
        """Draw the machine as a Mermaid state diagram.

        Each arrow has its trigger, guard and clause. Steps out of every phase (``*``) are left out.
        """
        from transitions.extensions import GraphMachine  # noqa: PLC0415 - see ``machine``

        drawn = _Drawn()
        phases, start = list(self.phases), self.initial
        machine = GraphMachine(drawn, phases, start, auto_transitions=False, graph_engine="mermaid", title=title)
        for (source, trigger), step in self.table.items():
            if step.source == ANY:
                continue
            guard = f" [{step.guard.__name__}]" if step.guard else ""
            rule = f" ({step.rule})" if step.rule else ""
            machine.add_transition(trigger + guard + rule, source, step.dest)
        return str(drawn.get_graph().source)


class _Drawn:
    """The model of the diagram's machine."""

    get_graph: Callable[[], Any]
