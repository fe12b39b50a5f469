"""Text operations: escaping, bidirectional isolates, spelling hints, output files."""
