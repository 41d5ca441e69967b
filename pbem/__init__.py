"""A campaign server for games played by e-mail."""

__version__ = "0.1.0"
