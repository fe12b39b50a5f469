"""The engine: state and fold, flow machine, dice, rules at the table, history, stores."""

from __future__ import annotations

from .commands import Amend, Close, Command, Outcome, Redo, Stir, Undo
from .errors import Diverged, EngineError, OutOfDate, Refused, Reused, StoreFailed, Unusable
from .evolve import evolve, fold
from .fight import Fight
from .legal import legal
from .log import read_log, verify_chain
from .opening import begin_fight, open_fight
from .ruleset import Ruleset, available, load
from .state import State, digest
from .stores import FileStore, SqliteStore, Store
from .table import Table

__all__ = [
    "Amend",
    "Close",
    "Command",
    "Diverged",
    "EngineError",
    "Fight",
    "FileStore",
    "OutOfDate",
    "Outcome",
    "Redo",
    "Refused",
    "Reused",
    "Ruleset",
    "SqliteStore",
    "State",
    "Stir",
    "Store",
    "StoreFailed",
    "Table",
    "Undo",
    "Unusable",
    "available",
    "begin_fight",
    "digest",
    "evolve",
    "fold",
    "legal",
    "load",
    "open_fight",
    "read_log",
    "verify_chain",
]
