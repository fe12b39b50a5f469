"""The command ``play``: a fight as a conversation."""
