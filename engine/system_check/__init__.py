"""Checks of a rule system's source: flow, clauses, words, constants, driving and purity, with file and line."""

from .source import SystemFault, read_sources
from .source_faults import find_source_faults

__all__ = ["SystemFault", "find_source_faults", "read_sources"]
