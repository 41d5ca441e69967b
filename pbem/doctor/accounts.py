"""Do the mail servers let us in, and can they do what we want of them?"""

from datetime import datetime

from pbem.doctor.finding import Finding, note, ok, warning, wrong
from pbem.doctor.server import lifetime
from pbem.mail.imap.connection import Connection
from pbem.mail.imap.login import LoginRefused
from pbem.mail.imap.mailbox import Mailbox
from pbem.mail.imap.wire import MailboxError
from pbem.mail.oauth import AccessTokens, NoToken
from pbem.mail.outgoing.smtp import SmtpOutbox

LARGEST_REPORT = 500_000
"""Bytes that a report can have: two pictures of a map, and documents."""


async def token(access: AccessTokens | None) -> list[Finding]:
    """Whether an access token can be had."""
    if access is None:
        return []
    try:
        await access()
    except NoToken as error:
        return [wrong("access token", str(error), "mend [oauth]; docs/organizing.md says where its values come from")]
    return [ok("access token", "there is one")]


async def mailbox(box: Mailbox | None, now: datetime) -> list[Finding]:
    """Whether the mailbox opens, and what its server can do."""
    if box is None:
        return []
    subject, whose = "mailbox", f"{box.user} on {box.host}"
    try:
        async with Connection(box) as connection:
            found = [ok(subject, f"{whose} opens, with its folder {box.folder}")]
            found += [*_abilities(connection, box), *await _folders(connection)]
            return [*found, *lifetime("mailbox certificate", connection.certificate, now)]
    except LoginRefused as error:
        return [wrong(subject, f"{whose}: {error}", "see that user and password in [imap_in] are right")]
    except MailboxError as error:
        if not str(error).startswith("SELECT"):
            return [wrong(subject, f"{whose}: {error}", "mend host, port and security in [imap_in]")]
        said = f"the folder {box.folder} of {whose} does not exist, or cannot be opened ({error})"
        return [wrong(subject, said, "set folder in [imap_in] to one that is there; most often it is INBOX")]


async def _folders(connection: Connection) -> list[Finding]:
    """Which of the folders that letters are moved into are not there yet."""
    missing = [] if connection.read_only else await connection.missing_folders()
    return [note("mailbox folders", f"{name} is not there yet; it is made with the first letter") for name in missing]


def _abilities(connection: Connection, box: Mailbox) -> list[Finding]:
    subject, found = "mailbox abilities", []
    if connection.read_only:
        said = "it is read-only: letters stay in it unmarked, and each is looked at again after a restart"
        found.append(warning(subject, said, "give the user the right to write into it"))
    elif not connection.keeps_marks and not box.done_folder:
        said = "it keeps no marks of its own: letters that stay are looked at again after every restart"
        found.append(warning(subject, said, 'set done_folder in [imap_in], for example to "Done"'))
    if box.done_folder and not connection.offers & {"MOVE", "UIDPLUS"}:
        said = f"its server can move no letters: they will stay in {box.folder}"
        found.append(warning(subject, said, "leave done_folder and quarantine_folder in [imap_in] empty"))
    if "IDLE" not in connection.offers:
        said = f"it does not tell of new mail (no IDLE): it is looked into every {box.poll:g} seconds"
        found.append(note(subject, said))
    return found or [ok(subject, "it tells of new mail at once, and letters can be marked and moved")]


async def relay(out: SmtpOutbox | None, address: str, now: datetime) -> list[Finding]:
    """Whether the server that is to send our mail lets us in, and takes ``address`` as ours; sends nothing."""
    if out is None:
        return []
    subject = "mail server"
    if trouble := await out.check():
        cure = "mend [smtp_out]: host, port, security, user or password"
        return [wrong(subject, trouble, cure)]
    found = [ok(subject, "it lets us in"), *_takes(out), *await _senders(out, address)]
    found += lifetime("mail server certificate", out.certificate, now)
    await out.close()
    return found


async def _senders(out: SmtpOutbox, address: str) -> list[Finding]:
    """Whether it takes mail from our address, and from that with a tag, by which we tell what comes back."""
    subject = "sender address"
    if refused := await out.probe(address, address):
        cure = f"let user in [smtp_out] send as {address}, or name an address of that user as [mail] address"
        return [wrong(subject, f"it does not let us send as {address}: {refused}", cure)]
    tagged = address.replace("@", "+b2-doctor@")
    if refused := await out.probe(tagged, address):
        said = f"it takes mail from {address}, but not with a tag: {refused}. Less of what comes back is understood"
        return [warning(subject, said, f"let user in [smtp_out] send as {tagged} too, with any tag after the plus")]
    return [ok(subject, f"it takes mail from {address}, with any tag")]


def _takes(out: SmtpOutbox) -> list[Finding]:
    subject, offers = "mail server abilities", out.offers
    size = offers.get("size", "").strip()
    if size.isdigit() and 0 < int(size) < LARGEST_REPORT:
        said = f"it takes mails of up to {int(size):,} bytes; a report with maps may have {LARGEST_REPORT:,}"
        return [warning(subject, said, "ask its owner for a larger limit, or use another one")]
    scripts = "and addresses in every script" if "smtputf8" in offers else "but no addresses beyond ASCII"
    largest = f"up to {int(size):,} bytes" if size.isdigit() and int(size) else "any size it likes"
    return [ok(subject, f"it takes mails of {largest}, {scripts}")]
