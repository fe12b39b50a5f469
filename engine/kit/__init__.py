"""What two or more rule systems share: sides, relations, modifiers, chances, common rulings, encounter files."""
