"""The server: fights over HTTP, for pages and programs. Its packages come with the extra ``serve``."""
