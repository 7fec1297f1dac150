"""The web app: a server for games, analyses, solves and runs, and the built front end."""
