"""What a rule system has to make encounters from: its tables, and the form of an encounter."""
