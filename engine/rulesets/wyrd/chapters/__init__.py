"""The chapters that only Wyrd has, one module for each."""
