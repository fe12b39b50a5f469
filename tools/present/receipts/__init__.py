"""Explanations of events as text, as one object, or as one page."""
