"""Mails written into the outbox and sent."""
