"""Mails of ours, and the ways they go."""
