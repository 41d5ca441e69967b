"""What the doctor says of mailbox, mail server and round trip, with real servers and their faults."""

import asyncio
import imaplib
import smtplib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import aiosmtplib
import pytest

from pbem.config import Settings
from pbem.doctor import Patient, accounts, areas, run
from pbem.doctor.finding import Finding
from pbem.mail.imap.mailbox import Mailbox
from pbem.mail.listener.inbox import Listener, SmtpInbox
from pbem.mail.oauth import AccessTokens, TokenServer
from pbem.mail.outgoing.smtp import Relay, SmtpOutbox
from pbem.mail.reading.letter import Envelope, read_letter
from pbem.mail.reading.screen import House, screen
from pbem.packaged import packaged
from pbem.storage.migrate import migrate
from pbem.storage.tables import Letter
from pbem.storage.unit import Unit
from tests.doctor.conftest import ADDRESS, PASSWORD, Provider, now, running
from tests.mail.test_outbox import NOT_OURS, Particular, scripted
from tests.servers import Dovecot, free_port


def patient(folder: Path, provider: Provider, **more: object) -> Patient:
    """A server that fetches its mail from the provider and sends by it."""
    here = {"host": "127.0.0.1", "security": "none"}
    settings = {
        "data": folder / "data",
        "mail": {"address": ADDRESS},
        "web": {"enabled": False},
        "smtp_in": {"enabled": False},
        "imap_in": {"enabled": True, "port": provider.imap_port, "user": ADDRESS, "password": PASSWORD, **here},
        "smtp_out": {"mode": "smtp", "port": provider.smtp_port, **here},
    }
    return Patient(Settings(**{**settings, **more}), patience=1.5, clock=now)  # type: ignore[arg-type]


async def of_mail(patient: Patient) -> dict[str, Finding]:
    """The findings about mail, by subject."""
    found = await run([area for area in areas(patient) if area.title == "Mail"])
    return {finding.subject: finding for finding in found}


def levels(found: Mapping[str, Finding]) -> dict[str, str]:
    return {subject: finding.level for subject, finding in found.items()}


# --- the round trip -----------------------------------------------------------------------------------------------


async def test_a_letter_goes_out_and_comes_back(tmp_path: Path) -> None:
    async with running(Provider()) as provider:
        found = await of_mail(patient(tmp_path, provider))
        mails = await provider.mails()
    assert {subject for subject, level in levels(found).items() if level == "ok"} == {
        *("mailbox", "mail server", "mail server abilities", "sender address"),
        *("round trip", "tagged addresses", "clock"),
    }
    assert "keeps no marks" in found["mailbox abilities"].said  # It is so with this IMAP server.
    assert len(mails) == 2
    for raw in mails:
        finding = screen(read_letter(raw), House(frozenset({"pbem.play.example"})))
        assert finding is not None
        assert (finding.check, finding.answer) == ("own", False)


async def test_test_letters_are_put_away_so_that_nobody_reads_them_again(tmp_path: Path) -> None:
    async with running(Provider()) as provider:
        examined = patient(tmp_path, provider)
        assert examined.box
        examined.box = replace(examined.box, done_folder="Done")
        await of_mail(examined)
        assert provider.host
        assert (len(await provider.mails()), len(await provider.host.mails(ADDRESS, "Done"))) == (0, 2)


def tagged(recipient: str) -> bool:
    return "+" in recipient


@pytest.mark.parametrize("fault", [{"refuses": tagged}, {"loses": tagged}])
async def test_a_provider_without_plus_addresses_is_told_with_what_to_do(tmp_path: Path, fault: dict) -> None:
    async with running(Provider(**fault)) as provider:
        found = await of_mail(patient(tmp_path, provider))
    assert levels(found)["round trip"] == "ok"
    assert levels(found)["tagged addresses"] == "wrong"
    assert "plus addressing" in found["tagged addresses"].cure


async def test_a_letter_that_does_not_come_back_is_told(tmp_path: Path) -> None:
    async with running(Provider(loses=lambda recipient: True)) as provider:
        found = await of_mail(patient(tmp_path, provider))
    assert found["round trip"].level == "wrong"
    assert "did not come in within 1.5 seconds" in found["round trip"].said
    assert "junk" in found["round trip"].cure


def lmtp(dovecot: Dovecot, put_aside: str = "") -> Callable[[bytes, Envelope], Awaitable[None]]:
    """Hands mail on to Dovecot; into the folder ``put_aside``, if there is one."""

    def hand_on(raw: bytes) -> None:
        if put_aside:
            with imaplib.IMAP4("127.0.0.1", dovecot.imap_port) as client:
                client.login(dovecot.user, dovecot.password)
                client.create(put_aside)
                client.append(put_aside, "", "", raw)
            return
        with smtplib.LMTP("127.0.0.1", dovecot.lmtp_port) as client:
            client.sendmail(ADDRESS, dovecot.address, raw)

    async def accept(raw: bytes, envelope: Envelope) -> None:
        await asyncio.to_thread(hand_on, raw)

    return accept


def at_dovecot(folder: Path, dovecot: Dovecot, relay: SmtpInbox) -> Patient:
    """A server whose mailbox is at Dovecot."""
    box = {"host": "127.0.0.1", "port": dovecot.imap_port, "user": dovecot.user, "password": dovecot.password}
    provider = Provider(smtp_port=relay.port)
    return patient(folder, provider, imap_in={"enabled": True, "security": "none", "done_folder": "Done", **box})


async def test_letters_are_found_in_a_real_mailbox_and_put_away(tmp_path: Path, dovecot: Dovecot) -> None:
    async with SmtpInbox(Listener(), lmtp(dovecot), now) as relay:
        found = await of_mail(at_dovecot(tmp_path, dovecot, relay))
    assert set(levels(found).values()) <= {"ok", "note"}
    assert (len(dovecot.mails()), len(dovecot.mails("Done"))) == (0, 2)


async def test_a_letter_that_was_taken_for_junk_is_found_there(tmp_path: Path, dovecot: Dovecot) -> None:
    async with SmtpInbox(Listener(), lmtp(dovecot, put_aside="Spam"), now) as relay:
        found = await of_mail(at_dovecot(tmp_path, dovecot, relay))
    assert (found["round trip"].level, "lies in the folder Spam" in found["round trip"].said) == ("wrong", True)


async def test_a_letter_that_is_not_taken_is_told_in_the_servers_words(tmp_path: Path) -> None:
    async with running(Provider(refuses=lambda recipient: True)) as provider:
        found = await of_mail(patient(tmp_path, provider))
    assert (found["round trip"].level, "550 5.1.1 no such user" in found["round trip"].said) == ("wrong", True)


@pytest.mark.parametrize(("minutes", "level"), [(0, "ok"), (10, "wrong"), (-10, "wrong")])
async def test_clocks_that_are_apart_are_told(tmp_path: Path, minutes: int, level: str) -> None:
    async with running(Provider(clock_ahead=timedelta(minutes=minutes))) as provider:
        found = await of_mail(patient(tmp_path, provider))
    assert found["clock"].level == level


RESULTS = "Received: from a by b; x\r\nAuthentication-Results: mx.play.example; spf={}; dkim=none\r\n"


@pytest.mark.parametrize(
    ("header", "authserv_id", "level", "words"),
    [
        ("", "", "note", "tokens alone prove a sender"),
        ("", "mx.play.example", "warning", "wrote no results"),
        (RESULTS.format("pass"), "", "note", "signs its results as mx.play.example"),
        (RESULTS.format("pass"), "mx.play.example", "ok", "as [trust] expects"),
        (RESULTS.format("pass"), "mx.other.example", "warning", "but [trust] expects mx.other.example"),
        (RESULTS.format("fail"), "mx.play.example", "warning", "spf=fail"),
        ("Received: c\r\n" + RESULTS.format("pass"), "mx.play.example", "warning", "2 servers write above"),
        (f"Authentication-Results: filter; none\r\n{RESULTS.format('pass')}", "mx.play.example", "ok", "as [trust]"),
        (RESULTS.format("pass (" + "x" * 5000 + ")"), "mx.play.example", "warning", "cannot be read"),
        (RESULTS.format("=(("), "mx.play.example", "warning", "cannot be read"),
        ("Authentication-Results: spf=pass\r\n", "", "note", "writes no Authentication-Results"),
    ],
)
async def test_the_name_under_which_the_mail_server_proves_senders_is_told(
    tmp_path: Path, header: str, authserv_id: str, level: str, words: str
) -> None:
    async with running(Provider(header=header)) as provider:
        found = await of_mail(patient(tmp_path, provider, trust={"authserv_id": authserv_id}))
    assert (found["sender's proof"].level, words in found["sender's proof"].said) == (level, True)
    if words == "signs its results as mx.play.example" and not authserv_id:
        assert 'authserv_id = "mx.play.example", hops = 1' in found["sender's proof"].cure


async def test_a_letter_that_a_running_server_took_in_counts(tmp_path: Path) -> None:
    async def take_in(raw: bytes, envelope: Envelope) -> None:
        letter = read_letter(raw)
        with Unit(examined.engine) as unit:
            unit.letters.add(
                Letter(
                    content_hash=letter.content_hash,
                    received_at=now(),
                    stored_at=now(),
                    route="lmtp",
                    recipients=[],
                    sender=letter.sender,
                    subject=letter.subject,
                    message_id=letter.message_id,
                    raw=raw,
                    status="ignored",
                )
            )
            unit.commit()

    async with SmtpInbox(Listener(), take_in, now) as relay:
        (tmp_path / "data").mkdir()
        examined = patient(tmp_path, Provider(smtp_port=relay.port), imap_in={"enabled": False})
        migrate(examined.engine, packaged("db"))
        found = await of_mail(examined)
        examined.engine.dispose()
    assert (levels(found)["round trip"], levels(found)["tagged addresses"]) == ("ok", "ok")


async def test_with_a_listener_a_letter_is_waited_for_there_and_others_are_offered_again(tmp_path: Path) -> None:
    port = free_port()
    answers = []

    async def hand_on(raw: bytes, envelope: Envelope) -> None:
        async with aiosmtplib.SMTP(hostname="127.0.0.1", port=port) as client:
            try:
                await client.sendmail("ana@x.example", [ADDRESS], b"From: ana@x.example\r\n\r\nhold\r\n")
            except aiosmtplib.SMTPResponseException as error:
                answers.append(error.code)
            await client.sendmail(ADDRESS, list(envelope.recipients), raw)

    async with SmtpInbox(Listener(), hand_on, now) as relay:
        provider = Provider(smtp_port=relay.port)
        found = await of_mail(patient(tmp_path, provider, imap_in={"enabled": False}, smtp_in={"port": port}))
    assert (levels(found)["round trip"], levels(found)["tagged addresses"]) == ("ok", "ok")
    assert [code // 100 for code in answers] == [4, 4]


async def test_a_letter_goes_to_a_person_if_that_is_asked_for(tmp_path: Path) -> None:
    got, mails = [], []

    async def accept(raw: bytes, envelope: Envelope) -> None:
        got.extend(envelope.recipients)
        mails.append(raw)

    async with SmtpInbox(Listener(), accept, now) as relay:
        examined = patient(tmp_path, Provider(smtp_port=relay.port), imap_in={"enabled": False})
        examined.recipient = "me@x.example"
        found = await of_mail(examined)
    assert (levels(found)["test letter"], got) == ("ok", ["me@x.example"])
    assert b"The organizer of campaigns" in mails[0]
    assert levels(found)["round trip"] == "note"


async def test_where_mail_goes_into_folders_the_letter_to_a_person_lies_in_one(tmp_path: Path) -> None:
    examined = patient(tmp_path, Provider(), imap_in={"enabled": False}, smtp_out={"mode": "maildir"})
    assert "test letter" not in await of_mail(examined)
    examined.recipient = "me@x.example"
    found = (await of_mail(examined))["test letter"]
    assert (found.level, str(tmp_path) in found.said) == ("note", True)


# --- the accounts -------------------------------------------------------------------------------------------------


async def mailbox(box: Mailbox) -> dict[str, Finding]:
    return {finding.subject: finding for finding in await accounts.mailbox(box, now())}


def box_of(dovecot: Dovecot, **more: str | int) -> Mailbox:
    given = {"user": dovecot.user, "password": dovecot.password, "port": dovecot.imap_port, "security": "none", **more}
    return Mailbox("127.0.0.1", **given)  # type: ignore[arg-type]


async def test_a_mailbox_that_opens_is_well(dovecot: Dovecot) -> None:
    assert levels(await mailbox(box_of(dovecot))) == {"mailbox": "ok", "mailbox abilities": "ok"}


@pytest.mark.parametrize(
    ("fault", "words", "cure"),
    [
        ({"password": "wrong"}, "user name or password refused", "user and password"),
        ({"folder": "Nowhere"}, "the folder Nowhere of", "folder in [imap_in]"),
        ({"security": "starttls"}, "STARTTLS: the server does not offer it", "security in [imap_in]"),
    ],
)
async def test_a_mailbox_that_does_not_open_is_told(dovecot: Dovecot, fault: dict, words: str, cure: str) -> None:
    found = await mailbox(box_of(dovecot, **fault))
    assert (found["mailbox"].level, words in found["mailbox"].said) == ("wrong", True)
    assert cure in found["mailbox"].cure


async def test_folders_that_are_not_there_yet_are_noted(dovecot: Dovecot) -> None:
    found = await mailbox(box_of(dovecot, done_folder="Put away"))
    assert (found["mailbox folders"].level, "Put away is not there yet" in found["mailbox folders"].said) == (
        "note",
        True,
    )


async def test_a_mailbox_where_nobody_listens_is_told() -> None:
    found = await mailbox(Mailbox("127.0.0.1", "me", "x", port=free_port(), security="none"))
    assert "nobody listens" in found["mailbox"].said


async def relay(**given: object) -> dict[str, Finding]:
    out = SmtpOutbox(Relay("127.0.0.1", **{"security": "none", **given}))  # type: ignore[arg-type]
    return {finding.subject: finding for finding in await accounts.relay(out, ADDRESS, now())}


async def test_a_mail_server_that_takes_too_little_is_told(tmp_path: Path) -> None:
    async with running(Provider()) as provider:
        found = await relay(port=provider.smtp_port)
    assert levels(found) == {"mail server": "ok", "mail server abilities": "ok", "sender address": "ok"}
    async with running(Provider(), largest=200_000) as provider:
        found = await relay(port=provider.smtp_port)
    assert (found["mail server abilities"].level, "200,000 bytes" in found["mail server abilities"].said) == (
        "warning",
        True,
    )


@pytest.mark.parametrize(("command", "refusal"), NOT_OURS)
async def test_a_mail_server_that_takes_not_every_sender_is_told(command: str, refusal: str) -> None:
    known = command != "DATA"  # What is told only after a mail is told by the round trip.
    async with scripted(Particular(command, refusal, ADDRESS)) as port:
        found = (await relay(port=port))["sender address"]
    assert found.level == ("warning" if known else "ok")
    async with scripted(Particular(command, refusal)) as port:
        found = (await relay(port=port))["sender address"]
    assert (found.level, "name an address of that user" in found.cure) == (("wrong", True) if known else ("ok", False))


async def test_a_mail_server_that_does_not_let_us_in_is_told() -> None:
    assert "nobody listens" in (await relay(port=free_port()))["mail server"].said
    async with running(Provider()) as provider:
        assert "offers no encryption" in (await relay(port=provider.smtp_port, security="starttls"))["mail server"].said


async def test_without_a_login_nothing_is_sent(tmp_path: Path) -> None:
    async with running(Provider()) as provider:
        wrong = {"enabled": True, "host": "127.0.0.1", "port": provider.imap_port, "security": "none"}
        found = await of_mail(patient(tmp_path, provider, imap_in={**wrong, "user": ADDRESS, "password": "guess"}))
        assert await provider.mails() == []
    assert (found["mailbox"].level, found["round trip"].said) == ("wrong", "not looked at: first mend the mailbox")


async def test_an_access_token_that_is_not_to_be_had_is_told(tmp_path: Path) -> None:
    nobody = TokenServer(f"http://127.0.0.1:{free_port()}/token", "client", "", "refresh")
    (finding,) = await accounts.token(AccessTokens(nobody, tmp_path / "oauth.json", now))
    assert (finding.level, "cannot be reached" in finding.said) == ("wrong", True)
