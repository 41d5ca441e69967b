"""A mailbox that is looked into over IMAP."""
