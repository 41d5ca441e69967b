"""Mail to the next mail server, over one connection that is kept."""

import asyncio
import re
import ssl
from dataclasses import dataclass
from typing import Literal

import aiosmtplib

from pbem.mail.addresses import valid
from pbem.mail.transport import Deferred, OutgoingMail, Refused, Result, Sent

Security = Literal["none", "starttls", "tls"]

LOGIN_WANTED = frozenset({530, 534, 535, 538})
"""Codes that speak of our login or encryption, not of the mail: a matter for the organizer, then the mail can go."""

STATUS = re.compile(r"5\.\d{1,3}\.\d{1,3}(?!\S)")
OF_ADDRESSES = {550: "5.1.1", 551: "5.1.6", 552: "5.2.2", 553: "5.1.3", 556: "5.1.10"}
OF_MAILS = {552: "5.3.4"}
"""What codes mean that come without an enhanced status code (RFC 5321 4.2.3)."""


@dataclass(frozen=True)
class Relay:
    """The mail server that takes our mail."""

    host: str
    port: int
    security: Security = "starttls"
    user: str = ""
    password: str = ""
    timeout: float = 30.0
    """Seconds to wait for each answer."""
    context: ssl.SSLContext | None = None
    """Whom to trust; by default whom the system trusts."""


class SmtpOutbox:
    """Sends mail through a relay, one at a time."""

    def __init__(self, relay: Relay) -> None:
        self._relay = relay
        self._client: aiosmtplib.SMTP | None = None
        self._busy = asyncio.Lock()

    async def send(self, mail: OutgoingMail) -> Result:
        """Send it. An answer that it failed may be wrong if the connection broke after the last byte."""
        if not valid(mail.recipient):
            return Refused(f"not an address: {mail.recipient!r}", "5.1.3")
        async with self._busy:
            try:
                client = await self._connection()
            except (aiosmtplib.SMTPException, OSError, ValueError) as error:
                await self._drop()
                return Deferred(f"no connection to {self._relay.host}: {_line(error)}")
            return await self._hand_over(client, mail)

    async def close(self) -> None:
        """Say good-bye to the relay."""
        async with self._busy:
            await self._drop()

    async def _hand_over(self, client: aiosmtplib.SMTP, mail: OutgoingMail) -> Result:
        try:
            await client.sendmail(mail.sender, [mail.recipient], mail.raw, mail_options=_options(mail))
        except aiosmtplib.SMTPRecipientsRefused as error:
            return _verdict(error.recipients[0])
        except aiosmtplib.SMTPResponseException as error:
            return _verdict(error)
        except (aiosmtplib.SMTPNotSupported, ValueError) as error:
            return Refused(f"cannot be addressed: {_line(error)}", "5.6.7")
        except (aiosmtplib.SMTPException, OSError) as error:
            await self._drop()
            return Deferred(f"the connection broke: {_line(error)}")
        except asyncio.CancelledError:
            client.close()  # In the middle of a mail it is of no more use.
            raise
        return Sent()

    async def _connection(self) -> aiosmtplib.SMTP:
        """The kept connection if the relay still answers, else a new one."""
        if self._client and await _answers(self._client):
            return self._client
        await self._drop()
        relay = self._relay
        self._client = aiosmtplib.SMTP(
            hostname=relay.host,
            port=relay.port,
            username=relay.user or None,
            password=relay.password or None,
            timeout=relay.timeout,
            use_tls=relay.security == "tls",
            start_tls=relay.security == "starttls",
            tls_context=relay.context,
        )
        await self._client.connect()
        return self._client

    async def _drop(self) -> None:
        client, self._client = self._client, None
        if client is None:
            return
        try:
            if client.is_connected:
                await client.quit(timeout=2)
        except (aiosmtplib.SMTPException, OSError):
            pass
        finally:
            client.close()


async def _answers(client: aiosmtplib.SMTP) -> bool:
    """Whether the connection is alive: servers close idle ones without a word."""
    try:
        return client.is_connected and (await client.noop()).code < 400
    except (aiosmtplib.SMTPException, OSError):
        return False


def _options(mail: OutgoingMail) -> list[str]:
    plain = (mail.sender + mail.recipient).isascii()
    return [] if plain else ["SMTPUTF8"]


def _verdict(answer: aiosmtplib.SMTPResponseException) -> Result:
    reason = f"{answer.code} {' '.join(answer.message.split())}"
    final = 500 <= answer.code <= 599 and answer.code not in LOGIN_WANTED
    return Refused(reason, _status(answer)) if final else Deferred(reason)


def _status(answer: aiosmtplib.SMTPResponseException) -> str:
    """The enhanced status code of a final answer."""
    if given := STATUS.match(answer.message):
        return given[0]
    # A server that says 550 before it has seen the mail speaks of the address; afterwards, of the mail.
    meanings = OF_ADDRESSES if isinstance(answer, aiosmtplib.SMTPRecipientRefused) else OF_MAILS
    return meanings.get(answer.code, "5.0.0")


def _line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
