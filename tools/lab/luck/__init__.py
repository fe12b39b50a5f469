"""The command ``luck``: the effect of dice and decisions on a fight."""
