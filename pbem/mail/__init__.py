"""Bytes to letters and back: reading, screening and composing mail, the ways in and the ways out."""
