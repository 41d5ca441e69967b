"""Is the configuration one that can work?"""

import stat
from collections.abc import Iterable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

from pbem.config import DEFAULT, LOOPBACK, Settings
from pbem.core import toml
from pbem.core.ruleset import Ruleset
from pbem.doctor.finding import Finding, note, ok, warning, wrong

SECRETS = frozenset({"password", "client_secret", "refresh_token"})
LARGE_CARD = 1_000_000
"""Bytes that a letter easily has with last turn's report quoted below it, in HTML and with its pictures."""
PATIENCE = timedelta(minutes=5)
"""Players begin to wonder when they have no answer by then."""


def secrecy(file: Path | None) -> list[Finding]:
    """Who can read the passwords in the configuration file."""
    path, subject = file or DEFAULT, "passwords"
    if not path.exists():
        return [ok(subject, "there is no configuration file; all is as it comes or stands in the environment")]
    mode = stat.S_IMODE(path.stat().st_mode)
    found = sorted(_secrets(toml.parse(str(path), path.read_text(encoding="utf-8"))))
    if found and mode & 0o077:
        said = f"{path} holds {', '.join(found)}, and others on this machine may read it (mode {mode:o})"
        return [warning(subject, said, f"chmod 600 {path}")]
    return [ok(subject, f"none that others could read in {path}")]


def _secrets(table: Any, where: str = "") -> Iterator[str]:
    for key, value in table.items() if isinstance(table, dict) else ():
        if key in SECRETS and value:
            yield f"{where}{key}"
        yield from _secrets(value, f"{where}{key}.")


def rules(rulesets: Iterable[Ruleset]) -> list[Finding]:
    """What is wrong with the files of the rules, such as army lists."""
    subject, cure = "rules", "mend the file, or take it away; what it describes cannot be used until then"
    flaws = [flaw for each in rulesets for flaw in each.flaws()]
    return [wrong(subject, str(flaw), cure) for flaw in flaws] or [ok(subject, "their files are in order")]


def sense(settings: Settings) -> list[Finding]:
    """What can be read but makes no sense together."""
    checks = (_address, _ways_in, _ways_out, _links, _logins, _limits)
    found = [finding for check in checks for finding in check(settings)]
    return found or [ok("settings", "they fit together")]


def _address(settings: Settings) -> Iterator[Finding]:
    subject, address = "address", settings.mail.address
    if address.endswith("@localhost") and (settings.smtp_out.mode == "smtp" or settings.imap_in.enabled):
        said = f"mail goes out with the sender {address}, to which nobody outside can answer"
        yield wrong(subject, said, "set address in [mail] to the address to which players are to write")


def _ways_in(settings: Settings) -> Iterator[Finding]:
    listener, subject = settings.smtp_in, "ways in"
    if not listener.enabled and not settings.imap_in.enabled:
        said = "neither a listener nor a mailbox is on: letters come only through `pbem deliver`"
        yield warning(subject, said, "enable [imap_in] or [smtp_in], unless your mail server pipes letters to it")
    if settings.mail.largest < LARGE_CARD:
        said = f"letters of more than {settings.mail.largest:,} bytes are not read; many have more"
        yield warning(subject, said, "set largest in [mail] to 10_000_000")
    if settings.imap_in.enabled and settings.imap_in.poll > PATIENCE:
        said = f"a mailbox that tells nothing by itself is looked into only every {settings.imap_in.poll}"
        yield warning(subject, said, 'set poll in [imap_in] to "60s"')


def _ways_out(settings: Settings) -> Iterator[Finding]:
    if settings.smtp_out.mode == "maildir":
        said = f"mail goes into folders under {settings.data / 'mail'}: good for trying things out, nobody gets any"
        yield note("way out", said, 'to play, set mode = "smtp" in [smtp_out]')
    elif settings.smtp_out.per_minute and settings.smtp_out.per_minute < 5:
        said = f"only {settings.smtp_out.per_minute} mails go out in a minute: reports to all players take long"
        yield warning("way out", said, "set per_minute in [smtp_out] to what your provider allows")


def _links(settings: Settings) -> Iterator[Finding]:
    if settings.web.enabled and not settings.web.url and settings.smtp_out.mode == "smtp":
        said = "mails have no links to the pages, for these have no public address"
        yield note("links", said, "if a web server shows them to the world, set url in [web] to their address")


def _logins(settings: Settings) -> Iterator[Finding]:
    used = {"imap_in": settings.imap_in.enabled, "smtp_out": settings.smtp_out.mode == "smtp"}
    for table, given in (("imap_in", settings.imap_in), ("smtp_out", settings.smtp_out)):
        subject = f"login of [{table}]"
        if not used[table]:
            continue
        if table == "imap_in" and not given.user:
            yield wrong(subject, "there is no user", "set user in [imap_in], often the whole mail address")
        if given.login == "password" and given.user and not given.password.get_secret_value():
            cure = f"set PBEM_{table.upper()}__PASSWORD in the environment, or password in [{table}]"
            yield wrong(subject, "there is no password", cure)
        if given.login == "xoauth2" and not (settings.oauth.token_url and settings.oauth.client_id):
            yield wrong(subject, "it is xoauth2, but [oauth] is not filled in", "fill in [oauth], see config.toml")
        if given.security == "none" and given.user and given.host not in LOOPBACK:
            said = "the password goes over the network in clear"
            yield warning(subject, said, f'set security in [{table}] to "tls" or "starttls"')


def _limits(settings: Settings) -> Iterator[Finding]:
    limits, subject = settings.limits, "limits"
    if 0 < limits.answers < 5:
        said = f"a player gets only {limits.answers} answers in an hour, and then no word of his orders"
        yield warning(subject, said, "set answers in [limits] to 20")
    if 0 < limits.letters < 10:
        said = f"only {limits.letters} letters of a player are read in an hour"
        yield warning(subject, said, "set letters in [limits] to 60")
    if settings.schedule.tick > PATIENCE:
        said = f"the server looks only every {settings.schedule.tick} at what is due"
        yield warning(subject, said, 'set tick in [schedule] to "15s"')
