"""What was recorded, and where it stands: lanes, snapshots, replay of inputs, undo, amendments, commands sent twice."""
