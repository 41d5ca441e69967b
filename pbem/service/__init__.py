"""Use cases, one file for each verb. Everything that happens in the server begins with one of these functions."""
