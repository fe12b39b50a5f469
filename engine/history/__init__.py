"""The history of a fight: lanes, snapshots, replay, undo, amendments, idempotency."""
