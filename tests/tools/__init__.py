"""The programs of those who make maps."""
