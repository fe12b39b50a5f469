"""Everything said to people: names, sentences, stories, receipts, reports and charts."""
