"""The history of a fight: lanes, snapshots, replay of inputs, undo, amendments, idempotency."""
