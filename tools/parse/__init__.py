"""Words, tables and numbers that people type, turned into intents and typed values."""
