"""What becomes of a letter that comes in."""
