"""How many examples the properties try: few by default, many with ``AFFRAY_PROFILE=thorough``.

Both are derandomised: the same code meets the same examples everywhere, so a red run is red again.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

_SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example)

settings.register_profile(
    "quick", max_examples=40, deadline=None, derandomize=True, database=None, suppress_health_check=_SLOW
)
settings.register_profile("thorough", settings.get_profile("quick"), max_examples=1000)
settings.load_profile(os.environ.get("AFFRAY_PROFILE", "quick"))
