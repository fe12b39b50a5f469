"""Texts and pictures for people: names, sentences, stories, receipts, reports and charts."""
