"""Proofs: the commitment to the dice, checkpoints, signed notes, the audit."""
