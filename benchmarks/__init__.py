"""How fast the server is, next to a well-known program of the field in the same run. ``make bench``."""
