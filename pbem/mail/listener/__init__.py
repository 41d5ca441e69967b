"""Mail handed to us over SMTP or LMTP."""
