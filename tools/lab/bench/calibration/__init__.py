"""Whether odds come true: fresh fights, what they were given at a moment of each, and how they ended."""

from .calibration import odds

__all__ = ["odds"]
