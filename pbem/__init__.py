"""A campaign server for games played by e-mail."""

import gc

__version__ = "0.1.0"

gc.set_threshold(50_000)  # Rules and libraries stay: to look through them again and again is a sixth of each start.
