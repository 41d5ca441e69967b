"""Pages: the archive for readers, and the server's health for whoever watches it."""
