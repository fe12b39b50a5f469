"""All checks of a rule system's source."""

from collections.abc import Iterator

from affray.engine.core.ruleset import Ruleset

from .citations import find_clause_faults
from .constants import find_constant_faults
from .driving import find_driving_faults
from .flow_rows import find_flow_faults
from .purity import find_purity_faults
from .source import Source, SystemFault
from .words import find_word_faults


def find_source_faults(ruleset: Ruleset, sources: tuple[Source, ...]) -> Iterator[SystemFault]:
    """Yield the faults that the source of a rule system shows; no fight is played."""
    yield from find_flow_faults(ruleset, sources)
    yield from find_clause_faults(ruleset, sources)
    yield from find_word_faults(ruleset, sources)
    yield from find_constant_faults(sources)
    yield from find_driving_faults(sources)
    yield from find_purity_faults(sources)
