"""The engine: state and fold, flow machine, dice, rules, history, stores."""

from .commands import Amend, AnswerUndo, Close, Command, Outcome, Redo, Stir, Undo
from .core.evolve import evolve, fold
from .core.ruleset import Ruleset
from .core.loading import available, load
from .core.state import State, digest
from .core.table import Table
from .errors import Diverged, EngineError, OutOfDate, Refused, Reused, StoreFailed, Unusable
from .fight import Fight
from .history.log import read_log, verify_chain
from .opening import begin_fight, open_fight
from .runtime.offers import list_legal_actions
from .stores import FileStore, SqliteStore, Store

__all__ = [
    "Amend", "AnswerUndo", "Close", "Command", "Diverged", "EngineError", "Fight", "FileStore", "OutOfDate",
    "Outcome", "Redo", "Refused", "Reused", "Ruleset", "SqliteStore", "State", "Stir", "Store", "StoreFailed",
    "Table", "Undo", "Unusable", "available", "begin_fight", "digest", "evolve", "fold", "list_legal_actions",
    "load", "open_fight", "read_log", "verify_chain",
]  # fmt: skip
