"""Text as such: printable, isolated by direction, spelled nearly right, written to a file."""
