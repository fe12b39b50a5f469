"""Explanations of events as text, as JSON, or as a page."""
