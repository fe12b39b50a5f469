"""Queries on a fight and their answers, shared by all transports."""
