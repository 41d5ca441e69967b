"""config.toml and the environment, as frozen settings.

``PBEM_SMTP_OUT__PASSWORD=secret`` overrides ``password`` in ``[smtp_out]``. All mistakes are told at once.
"""

from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    model_validator,
)
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from pbem.core import toml
from pbem.core.errors import BadInput, Flaw
from pbem.mail.addresses import valid
from pbem.mail.connecting import Security
from pbem.service.stages.deadlines import duration

Duration = Annotated[timedelta, BeforeValidator(lambda value: duration(value) if isinstance(value, str) else value)]
Port = Annotated[int, Field(ge=0, le=65535)]
Login = Literal["password", "xoauth2"]
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
"""Hosts that only this machine can reach."""


def _own_address(text: str) -> str:
    if not valid(text) or "+" in text or not text.rpartition("@")[0].isascii():
        raise ValueError(f"{text!r} cannot be the server's address; write for example orders@example.org")
    return text


def _keeps_secrets(url: str) -> str:
    if url and not url.startswith("https://") and urlsplit(url).hostname not in LOOPBACK:
        raise ValueError(f"{url!r} would get secrets unencrypted; it has to begin with https://")
    return url


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _refuse_clear_login(given: "ImapIn | SmtpOut") -> None:
    if given.user and given.security == "none" and given.host not in LOOPBACK:
        raise ValueError('with security = "none" the password would go unencrypted; write "tls" or "starttls"')


class Mail(_Table):
    """``[mail]``: who the server is to its players."""

    address: Annotated[str, AfterValidator(_own_address)] = "orders@localhost"
    name: str = "Campaign server"
    postmaster: str = ""
    largest: Annotated[int, Field(ge=10_000)] = 10_000_000


class Trust(_Table):
    """``[trust]``: what proves that a sender is who he says he is, besides the token in the address."""

    authserv_id: Annotated[str, Field(pattern=r"^[^\s;=]*$")] = ""
    hops: Annotated[int, Field(ge=0, le=100)] = 1
    dkim: bool = False
    strict: bool = False


class Limits(_Table):
    """``[limits]``: how much one address may cause in an hour; 0: any number."""

    answers: Annotated[int, Field(ge=0)] = 20
    strangers: Annotated[int, Field(ge=0)] = 3
    letters: Annotated[int, Field(ge=0)] = 60
    questions: Annotated[int, Field(ge=0)] = 5
    strangers_together: Annotated[int, Field(ge=0)] = 100


class SmtpIn(_Table):
    """``[smtp_in]``: the listener."""

    enabled: bool = True
    protocol: Literal["smtp", "lmtp"] = "smtp"
    host: str = "127.0.0.1"
    port: Port = 2525
    connections: Annotated[int, Field(ge=1)] = 100
    tls_cert: Path | None = None
    tls_key: Path | None = None
    user: str = ""
    password: SecretStr = SecretStr("")

    @model_validator(mode="after")
    def _goes_together(self) -> Self:
        if bool(self.tls_cert) != bool(self.tls_key):
            raise ValueError("tls_cert and tls_key go together; give both files, or none")
        if bool(self.user) != bool(self.password.get_secret_value()):
            raise ValueError("user and password go together; give both, or none")
        if self.user and not self.tls_cert and self.host not in LOOPBACK:
            raise ValueError("with user and password, give tls_cert and tls_key too: nobody may log in unencrypted")
        return self


class ImapIn(_Table):
    """``[imap_in]``: a mailbox to fetch orders from."""

    enabled: bool = False
    host: str = "localhost"
    port: Port = 993
    security: Security = "tls"
    login: Login = "password"
    user: str = ""
    password: SecretStr = SecretStr("")
    folder: str = "INBOX"
    done_folder: str = ""
    quarantine_folder: str = ""
    poll: Annotated[Duration, Field(gt=timedelta(0))] = timedelta(seconds=60)
    recover: Annotated[Duration, Field(ge=timedelta(seconds=0.3))] = timedelta(seconds=60)

    @model_validator(mode="after")
    def _keeps_secrets(self) -> Self:
        if self.enabled:
            _refuse_clear_login(self)
        return self


class SmtpOut(_Table):
    """``[smtp_out]``: how mail goes out."""

    mode: Literal["maildir", "smtp"] = "maildir"
    host: str = "localhost"
    port: Port = 587
    security: Security = "starttls"
    login: Login = "password"
    user: str = ""
    password: SecretStr = SecretStr("")
    per_minute: Annotated[int, Field(ge=0)] = 0

    @model_validator(mode="after")
    def _keeps_secrets(self) -> Self:
        if self.mode == "smtp":
            _refuse_clear_login(self)
        return self


class OAuth(_Table):
    """``[oauth]``: where ``login = "xoauth2"`` gets its access tokens."""

    token_url: Annotated[str, AfterValidator(_keeps_secrets)] = ""
    client_id: str = ""
    client_secret: SecretStr = SecretStr("")
    refresh_token: SecretStr = SecretStr("")
    scope: str = ""


class Dkim(_Table):
    """``[dkim]``: the signature of outgoing mail."""

    key: Path | None = None
    selector: Annotated[str, Field(pattern=r"^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$")] = "pbem"
    domain: str = ""


class Web(_Table):
    """``[web]``: the pages."""

    enabled: bool = True
    host: str = "127.0.0.1"
    port: Port = 8025
    url: str = ""


class Schedule(_Table):
    """``[schedule]``: when the server looks and reminds."""

    tick: Duration = timedelta(seconds=15)
    reminders: tuple[Duration, ...] = (timedelta(hours=72), timedelta(hours=24), timedelta(hours=3))
    catch_up: Duration = timedelta(hours=2)
    mailbox_grace: Duration = timedelta(minutes=10)


class Settings(BaseSettings):
    """All of config.toml."""

    model_config = SettingsConfigDict(extra="forbid", frozen=True, env_prefix="PBEM_", env_nested_delimiter="__")

    data: Path = Path("data")
    database: str = ""
    mail: Mail = Mail()
    trust: Trust = Trust()
    limits: Limits = Limits()
    smtp_in: SmtpIn = SmtpIn()
    imap_in: ImapIn = ImapIn()
    smtp_out: SmtpOut = SmtpOut()
    oauth: OAuth = OAuth()
    dkim: Dkim = Dkim()
    web: Web = Web()
    schedule: Schedule = Schedule()

    @property
    def database_url(self) -> str:
        """The database address; by default SQLite in the data folder."""
        return self.database or f"sqlite:///{self.data / 'pbem.sqlite'}"

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment wins over the file, which is handed in as the arguments."""
        return env_settings, init_settings


DEFAULT = Path("config.toml")


def load(path: Path | None = None) -> Settings:
    """The settings of a file, by default ``config.toml`` in this folder if there is one.

    Raises ``BadInput`` with every flaw; a file that was named but is not there is one.
    """
    if path is None and not DEFAULT.exists():
        return _settings("the environment", "", {})
    path = path or DEFAULT
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadInput([Flaw(str(path), f"cannot be read: {error.strerror}")]) from error
    return _settings(str(path), text, toml.parse(str(path), text))


def _settings(name: str, text: str, data: dict[str, Any]) -> Settings:
    try:
        return Settings(**data)
    except ValidationError as error:
        raise BadInput(toml.flaws(name, text, error.errors())) from error
