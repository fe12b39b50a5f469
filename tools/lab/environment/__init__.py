"""Fights as PettingZoo environments: sides play each other by small choices.

It needs the extra ``env``. ``env`` adds PettingZoo's usual wrappers; ``raw_env`` is the environment itself.
"""

try:
    from .environment import Fights, env, raw_env
except ModuleNotFoundError as error:
    if error.name not in ("gymnasium", "numpy", "pettingzoo"):
        raise
    raise ModuleNotFoundError(
        f'environments need the extra env: pip install ".[env]" in the folder of Affray ({error.name} is missing)',
        name=error.name,
    ) from None

__all__ = ["Fights", "env", "raw_env"]
