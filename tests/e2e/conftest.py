"""Servers for the whole way."""

from tests.servers import dovecot, dovecot_server

__all__ = ["dovecot", "dovecot_server"]
