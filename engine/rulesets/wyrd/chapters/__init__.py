"""What only Wyrd has, a module for each chapter."""
