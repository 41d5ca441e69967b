"""What an organizer can tell the server to do, and is told."""
