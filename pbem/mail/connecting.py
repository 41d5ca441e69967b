"""Connections to mail servers: how they are encrypted, and why there is none, in words for who has to set it right."""

import socket
import ssl
from typing import Literal

Security = Literal["tls", "starttls", "none"]
"""How a connection is encrypted: from the start, after a greeting in clear, or not at all."""

WRONG_ANSWERS = ("WRONG_VERSION_NUMBER", "PACKET_LENGTH_TOO_LONG", "HTTP_REQUEST", "RECORD_LAYER_FAILURE")
"""What OpenSSL calls bytes that are no TLS."""


def trouble(error: Exception, table: str, host: str, port: int) -> str:
    """What went wrong, and which setting of a table of ``config.toml`` to look at."""
    match error:
        case ssl.SSLCertVerificationError():
            return _certificate(error, table, host)
        case ssl.SSLError():
            if error.reason in WRONG_ANSWERS:
                return f'port {port} of {host} is not encrypted from the start: try {table}.security = "starttls"'
            return f"{host} and this server find no encryption they both know: {_words(error)}"
        case socket.gaierror():
            return f"there is no host {host}: look at {table}.host"
        case ConnectionRefusedError():
            return f"nobody listens on port {port} of {host}: look at {table}.host and {table}.port"
        case ConnectionResetError() | ConnectionAbortedError():
            return f"{host} broke off while the connection was made: look at {table}.port and {table}.security"
        case TimeoutError():
            return f"{host} did not answer in time: look at {table}.host and {table}.port"
    return _words(error)


def _certificate(error: ssl.SSLCertVerificationError, table: str, host: str) -> str:
    match error.verify_code:
        case 10:
            return f"the certificate of {host} has expired; whoever runs it has to renew it"
        case 9:
            return f"the certificate of {host} is not good yet: look at the clock of this machine"
        case 62 | 64:
            return f"the certificate shown by {host} is for another name: set {table}.host to the name it is for"
    return (
        f"nobody whom this machine trusts vouches for the certificate of {host} ({error.verify_message}): install the "
        "certificate of its issuer on this machine, or name its file in SSL_CERT_FILE"
    )


def _words(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
