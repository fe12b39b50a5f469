"""Affray: an event-sourced engine for tabletop fights.

``affray.events`` is the vocabulary of the log, ``affray.engine`` decides and folds, ``affray.tools`` is
what a person or another program touches. Imports point one way: events, engine, tools.
"""

__all__ = ["__version__"]

__version__ = "0.1.0"
