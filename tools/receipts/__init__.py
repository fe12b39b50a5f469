"""Telling people why: the explanation of an event as text, as one object, or as one page."""
