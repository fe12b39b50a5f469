"""Calibration of odds: forecasts in fresh fights, compared with their ends."""

from .calibration import odds

__all__ = ["odds"]
