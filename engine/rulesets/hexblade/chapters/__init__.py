"""The chapters that only Hexblade has, named as its rules name them."""
