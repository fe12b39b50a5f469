"""The command ``odds``: a forecast of a fight."""
