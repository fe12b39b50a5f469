"""Was it the dice or the decisions: the command ``luck``, and how it is told and drawn."""
