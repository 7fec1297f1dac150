"""The addresses of the server, by topic; each module has a list ``ROUTES``."""
