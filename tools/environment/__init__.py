"""Fights as environments of PettingZoo, for researchers: sides play each other through the tree of offers.

It needs the extra ``env``. ``env`` has the wrappers that are usual there; ``raw_env`` is the environment itself.
"""

from .environment import Fights, env, raw_env

__all__ = ["Fights", "env", "raw_env"]
