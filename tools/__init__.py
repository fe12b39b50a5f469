"""The tools for people and programs: command line, server, page, API, laboratory."""
