"""What only Hexblade has, named as its rules name it."""
