"""The rule systems, one package each, strangers to one another."""
