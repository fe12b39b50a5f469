"""Parts shared by several rule systems: sides, maps, relations, rulings, files."""
