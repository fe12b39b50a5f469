"""What is going to happen in a fight: the command ``odds``, and how it is told."""
