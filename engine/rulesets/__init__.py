"""Rule systems, one folder each; the folder is the registration."""
