"""The server's clockwork: one APScheduler job that looks at what is due, and the worker it wakes."""
