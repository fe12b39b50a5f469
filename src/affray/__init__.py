"""Affray: an event-sourced engine for tabletop fights.

This is the public surface for programs that run, read or watch fights; ``docs/library.md`` is its guide. The names are
loaded when the first of them is used. ``affray.client`` is the client of a server. ``affray.rules`` is for authors of
rule systems.

Everything else is internal and may move without notice. ``affray.events`` is the vocabulary of the log,
``affray.engine`` decides and folds, ``affray.tools`` is what a person or another program touches. Imports point one
way: events, engine, tools.
"""

TYPE_CHECKING = False  # type checkers take it for true; the module typing would slow every start

__version__ = "0.1.0"

if TYPE_CHECKING:
    from affray._names import *  # noqa: F403 - a type checker reads its ``__all__``
    from affray._names import __all__ as __all__
    from affray.tools.lab.environment import env as env
else:

    def __getattr__(name: str) -> object:
        """Load a public name when it is first used."""
        from affray._surface import load_public_name  # noqa: PLC0415 - a start of the program does without it

        return load_public_name(name)

    def __dir__() -> list[str]:
        """List the public names."""
        from affray._surface import list_public_names  # noqa: PLC0415 - a name is loaded when it is first used

        return list_public_names()
