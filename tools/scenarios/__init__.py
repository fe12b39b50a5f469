"""The command ``scenario``: rule scenarios that a game master can read."""
