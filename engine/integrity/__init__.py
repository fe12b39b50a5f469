"""What can be proven: the promise of the dice, checkpoints, signed notes, the audit."""
