"""Telling people what happened: words, sentences, and the story they make."""
