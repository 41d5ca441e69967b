"""Mail to the next mail server, over one connection that is kept."""

import asyncio
import logging
import re
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import aiosmtplib

from pbem.core.errors import PbemError
from pbem.mail.addresses import normal, valid
from pbem.mail.connecting import Security, trouble
from pbem.mail.outgoing.pace import Pace
from pbem.mail.outgoing.transport import Deferred, OutgoingMail, Refused, Result, Sent, Unavailable
from pbem.mail.status_codes import of_sender

LOGIN_WANTED = frozenset({530, 534, 535, 538})
"""Codes that speak of our login or encryption, not of the mail: a matter for the organizer, then the mail can go."""
STATUS = re.compile(r"5\.\d{1,3}\.\d{1,3}(?!\S)")
OF_ADDRESSES = {550: "5.1.1", 551: "5.1.6", 552: "5.2.2", 553: "5.1.3", 556: "5.1.10"}
OF_MAILS = {552: "5.3.4"}
"""What codes mean that come without an enhanced status code (RFC 5321 4.2.3)."""

log = logging.getLogger(__name__)


class Tokens(Protocol):
    """Where access tokens come from."""

    async def __call__(self) -> str:
        """The token that is good now; raises ``PbemError`` if there is none."""
        ...

    def refused(self, token: str) -> None:
        """It was not taken."""
        ...


@dataclass(frozen=True)
class Relay:
    """The mail server that takes our mail."""

    host: str
    port: int
    security: Security = "starttls"
    user: str = ""
    password: str = field(default="", repr=False)
    tokens: Tokens | None = None
    """With these, the login is by XOAUTH2 instead of the password."""
    name: str = ""
    """What we call ourselves; empty: what this machine is called."""
    per_minute: int = 0
    """Mails that it takes in a minute; 0: any number."""
    timeout: float = 30.0
    """Seconds to wait for each answer."""
    patience: float = 300.0
    """Seconds to wait for the answer to a whole mail: who gives up while the server looks at it sends it twice."""
    context: ssl.SSLContext | None = None
    """Whom to trust; by default whom the system trusts."""


class Unusable(Exception):
    """There is no way to send through the relay; says why, in words for the organizer."""


class SmtpOutbox:
    """Sends mail through a relay, one at a time."""

    def __init__(self, relay: Relay) -> None:
        self._relay = relay
        self._client: aiosmtplib.SMTP | None = None
        self._busy = asyncio.Lock()
        self._pace = Pace(relay.per_minute)
        self._takes_tags = True
        """As far as is known: many relays take only the address of our login as the sender's, without any tag."""

    async def send(self, mail: OutgoingMail) -> Result:
        """Send it. An answer that it failed may be wrong if the connection broke after the last byte."""
        if not valid(mail.recipient):
            return Refused(f"not an address: {mail.recipient!r}", "5.1.3")
        await self._pace.turn()
        async with self._busy:
            try:
                return await self._send(mail if self._takes_tags else _untagged(mail))
            except Unusable as error:
                return Unavailable(str(error))
            except asyncio.CancelledError:
                self._hang_up()  # In the middle of a mail it is of no more use.
                raise

    async def check(self) -> str:
        """Connect and log in; what is in the way, in words for the organizer, or nothing."""
        async with self._busy:
            await self._drop()
            try:
                await self._connection()
            except Unusable as error:
                return str(error)
            return ""

    async def probe(self, sender: str, recipient: str) -> str:
        """Ask whether the relay takes mail from this sender, and send none; what it says against him, or nothing."""
        async with self._busy:
            try:
                await _address(await self._connection(), OutgoingMail(sender, recipient, b""))
            except aiosmtplib.SMTPResponseException as error:
                return _answer(error) if _is_of_sender(error) else ""
            except (Unusable, _Lost, aiosmtplib.SMTPException) as error:
                return str(error)
            finally:
                await self._reset()
            return ""

    @property
    def offers(self) -> Mapping[str, str]:
        """What the relay says it can do, in small letters, while there is a connection: ``{"size": "10240000"}``."""
        return dict(self._client.esmtp_extensions) if self._client else {}

    @property
    def certificate(self) -> dict[str, Any]:
        """What the relay's certificate says, while there is a connection; nothing without encryption."""
        encryption = self._client.get_transport_info("ssl_object") if self._client else None
        return (encryption.getpeercert() or {}) if encryption else {}

    async def close(self) -> None:
        """Say good-bye to the relay."""
        async with self._busy:
            await self._drop()

    # --- a mail -----------------------------------------------------------------------------------------------

    async def _send(self, mail: OutgoingMail) -> Result:
        """Over the kept connection; if the server has closed that meanwhile, over a new one."""
        kept = self._client is not None and self._client.is_connected
        client = await self._connection()
        try:
            await _address(client, mail)
            await client.data(mail.raw, timeout=self._relay.patience)
        except aiosmtplib.SMTPResponseException as error:
            if kept and error.code == 421 and not isinstance(error, aiosmtplib.SMTPDataError):
                return await self._send_anew(mail)
            await self._reset()
            return await self._send_untagged(mail, error) if _is_of_sender(error) else _verdict(error)
        except (aiosmtplib.SMTPNotSupported, ValueError) as error:
            await self._reset()
            return Refused(f"cannot be addressed: {_words(error)}", "5.6.7")
        except _Lost as error:
            if kept:
                return await self._send_anew(mail)
            self._hang_up()
            return Deferred(f"the connection broke before the mail: {error}")
        except (aiosmtplib.SMTPException, OSError) as error:
            self._hang_up()
            return Deferred(f"the connection broke in the middle of the mail: {_words(error)}")
        return Sent()

    async def _send_anew(self, mail: OutgoingMail) -> Result:
        await self._drop()
        return await self._send(mail)

    async def _send_untagged(self, mail: OutgoingMail, refusal: aiosmtplib.SMTPResponseException) -> Result:
        """From our plain address: the relay does not take the one with a tag."""
        plain, said = _untagged(mail), f"{self._relay.host} does not let us send as {mail.sender}: {_answer(refusal)}"
        if plain == mail:
            return Deferred(f"{said}. Look at [mail] address and at [smtp_out] user", ours=True)
        result = await self._send(plain)
        if self._takes_tags and not isinstance(result, Deferred):
            self._takes_tags = False
            log.warning("%s. From now on mail goes out from %s; run pbem doctor", said, plain.sender)
        return result

    async def _reset(self) -> None:
        """Forget the mail that was refused; the connection is good for the next one."""
        try:
            if self._client:
                await self._client.rset()
        except (aiosmtplib.SMTPException, OSError):
            self._hang_up()

    # --- the connection ---------------------------------------------------------------------------------------

    async def _connection(self) -> aiosmtplib.SMTP:
        """The kept connection, or a new one; raises ``Unusable``."""
        if self._client and self._client.is_connected:
            return self._client
        try:
            return await self._connect()
        except (Unusable, aiosmtplib.SMTPException, PbemError, OSError, ValueError) as error:
            self._hang_up()
            raise Unusable(self._reason(error)) from error

    async def _connect(self) -> aiosmtplib.SMTP:
        relay = self._relay
        client = self._client = aiosmtplib.SMTP(
            hostname=relay.host,
            port=relay.port,
            local_hostname=relay.name or None,
            timeout=relay.timeout,
            use_tls=relay.security == "tls",
            start_tls=False,
            tls_context=relay.context,
        )
        await client.connect()
        await client.ehlo()
        if relay.security == "starttls":
            if not client.supports_extension("starttls"):
                raise Unusable(f'{relay.host} offers no encryption on port {relay.port}: try smtp_out.security = "tls"')
            await client.starttls()
        if relay.user:
            await self._log_in(client)
        return client

    async def _log_in(self, client: aiosmtplib.SMTP) -> None:
        relay = self._relay
        if not relay.tokens:
            await client.login(relay.user, relay.password)
            return
        token = await relay.tokens()
        try:
            await client.auth_xoauth2(relay.user, token)
        except aiosmtplib.SMTPAuthenticationError:
            relay.tokens.refused(token)
            raise

    def _reason(self, error: Exception) -> str:
        """Why there is no connection, in words for the organizer."""
        host, cause = self._relay.host, error.__cause__
        match error:
            case Unusable() | PbemError():
                return str(error)
            case aiosmtplib.SMTPAuthenticationError():
                return f"{host} does not let us log in: {_answer(error)}. Look at [smtp_out] user and how it logs in"
            case aiosmtplib.SMTPResponseException():
                return f"{host} does not take mail from us: {_answer(error)}"
            case aiosmtplib.SMTPConnectError() if isinstance(cause, OSError):
                return trouble(cause, "smtp_out", host, self._relay.port)
            case OSError():
                return trouble(error, "smtp_out", host, self._relay.port)
        return f"no connection to {host}: {_words(error)}"

    async def _drop(self) -> None:
        try:
            if self._client and self._client.is_connected:
                await self._client.quit(timeout=2)
        except (aiosmtplib.SMTPException, OSError):
            pass
        finally:
            self._hang_up()

    def _hang_up(self) -> None:
        client, self._client = self._client, None
        if client:
            client.close()


class _Lost(Exception):
    """The server was gone before the mail was begun."""


async def _address(client: aiosmtplib.SMTP, mail: OutgoingMail) -> None:
    """Say from whom and to whom; raises ``_Lost`` if the server is not there any more."""
    sender, recipient = normal(mail.sender), normal(mail.recipient)
    options, encoding = [f"SIZE={len(mail.raw)}"] if client.supports_extension("size") else [], "ascii"
    if not (sender + recipient).isascii():
        if not client.supports_extension("smtputf8"):
            raise aiosmtplib.SMTPNotSupported(
                "our mail server takes only addresses in plain Latin letters (no SMTPUTF8)"
            )
        options, encoding = [*options, "BODY=8BITMIME", "SMTPUTF8"], "utf-8"
    try:
        await client.mail(sender, options=options, encoding=encoding)
        await client.rcpt(recipient, encoding=encoding)
    except (aiosmtplib.SMTPServerDisconnected, aiosmtplib.SMTPTimeoutError, OSError) as error:
        raise _Lost(_words(error)) from error


def _untagged(mail: OutgoingMail) -> OutgoingMail:
    """The same from the address without its tag."""
    local, at, domain = mail.sender.rpartition("@")
    return replace(mail, sender=f"{local.partition('+')[0]}{at}{domain}")


def _is_of_sender(answer: aiosmtplib.SMTPResponseException) -> bool:
    """Whether the mail is refused because of whom it is from. That is our own matter, not the recipient's."""
    if not 500 <= answer.code <= 599 or answer.code in LOGIN_WANTED:
        return False
    if isinstance(answer, aiosmtplib.SMTPSenderRefused):
        return answer.code != 552  # The size of the mail is told there as well.
    return of_sender(_status(answer), answer.message)


def _verdict(answer: aiosmtplib.SMTPResponseException) -> Result:
    if 500 <= answer.code <= 599 and answer.code not in LOGIN_WANTED:
        return Refused(_answer(answer), _status(answer))
    return Deferred(_answer(answer), ours=answer.code in LOGIN_WANTED)


def _status(answer: aiosmtplib.SMTPResponseException) -> str:
    """The enhanced status code of a final answer. Before the recipient is named, none is about him."""
    if isinstance(answer, aiosmtplib.SMTPSenderRefused):
        return OF_MAILS.get(answer.code, "5.0.0")
    if given := STATUS.match(answer.message):
        return given[0]
    # A server that says 550 before it has seen the mail speaks of the address; afterwards, of the mail.
    meanings = OF_ADDRESSES if isinstance(answer, aiosmtplib.SMTPRecipientRefused) else OF_MAILS
    return meanings.get(answer.code, "5.0.0")


def _answer(answer: aiosmtplib.SMTPResponseException) -> str:
    return f"{answer.code} {' '.join(answer.message.split())}"


def _words(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
