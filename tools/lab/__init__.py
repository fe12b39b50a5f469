"""The laboratory: odds, luck, balance, benchmarks, and an environment for learning.

Nothing that runs a fight imports it.
"""
