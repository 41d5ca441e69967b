"""The listener, against our own outbox, against plain clients and against hostile ones."""

import asyncio
import logging
import smtplib
import tracemalloc
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.listener.inbox import Listener, SmtpInbox
from pbem.mail.outgoing.transport import Deferred, OutgoingMail, Refused, Sent, Unavailable
from pbem.mail.reading.letter import Envelope
from tests.mail.conftest import NOW, Desk, clock
from tests.mail.wires import MAIL, RAW, codes, converse, listening, outbox, send

HELLO = ("EHLO x", "MAIL FROM:<a@x.example>")
RCPT = "RCPT TO:<orders@campaigns.example>"


async def test_mail_arrives_byte_for_byte_with_its_envelope(desk: Desk) -> None:
    async with listening(desk) as inbox:
        assert await send(inbox.port) == Sent()
        raw, envelope = await desk.next()
        assert raw == RAW
        assert (envelope.sender, envelope.recipients) == ("a@x.example", ("orders@campaigns.example",))
        assert envelope.arrived == NOW


async def test_reports_on_delivery_arrive_with_an_empty_sender(desk: Desk) -> None:
    async with listening(desk) as inbox:
        assert await send(inbox.port, OutgoingMail("", MAIL.recipient, RAW)) == Sent()
        assert (await desk.next())[1].sender == ""


async def test_mail_that_cannot_be_stored_is_to_be_offered_again(desk: Desk) -> None:
    desk.failures = 1
    async with listening(desk) as inbox, outbox(inbox.port) as box:
        assert await box.send(MAIL) == Deferred("451 4.3.0 Not stored, please try again later")
        assert await box.send(MAIL) == Sent()
        assert desk.taken.qsize() == 1


async def test_too_large_a_mail_is_refused(desk: Desk) -> None:
    async with listening(desk, largest=100) as inbox:
        result = await send(inbox.port, OutgoingMail("a@x.example", MAIL.recipient, RAW + b"x" * 70 + b"\r\n"))
        assert isinstance(result, Refused)
        assert result.reason.startswith("552")


async def test_lines_longer_than_the_standard_allows_are_taken(desk: Desk) -> None:
    async with listening(desk) as inbox:
        raw = RAW + b"x" * 5000 + b"\r\n"
        assert await send(inbox.port, OutgoingMail("a@x.example", MAIL.recipient, raw)) == Sent()
        assert (await desk.next())[0] == raw


async def test_lmtp_answers_once_for_each_recipient(desk: Desk) -> None:
    lines = [
        *("LHLO x", "MAIL FROM:<a@x.example>", "RCPT TO:<a@campaigns.example>", "RCPT TO:<b@elsewhere.example>"),
        *("RCPT TO:<c+t@campaigns.example>", "DATA", "Subject: x", "", "Red: hold", ".", "QUIT"),
    ]
    async with listening(desk, "lmtp") as inbox:
        answers = await converse(inbox.port, *lines)
        assert [line[:3] for line in answers if line[3] == " "] == [
            *("220", "250", "250", "250", "550", "250", "354", "250", "250", "221"),
        ]
        raw, envelope = await desk.next()
        assert raw == b"Subject: x\r\n\r\nRed: hold\r\n"
        assert envelope.recipients == ("a@campaigns.example", "c+t@campaigns.example")


@pytest.mark.parametrize(("failures", "body", "code"), [(1, "Red: hold", "451"), (0, "x" * 300, "552")])
async def test_lmtp_answers_each_recipient_when_it_fails_too(desk: Desk, failures: int, body: str, code: str) -> None:
    desk.failures = failures
    head = ["LHLO x", "MAIL FROM:<a@x.example>", "RCPT TO:<a@campaigns.example>", "RCPT TO:<b@campaigns.example>"]
    async with listening(desk, "lmtp", largest=200) as inbox:
        answers = await converse(inbox.port, *head, "DATA", "Subject: x", "", body, ".", "NOOP", "QUIT")
        assert [line[:3] for line in answers][-4:] == [code, code, "250", "221"]


async def test_plain_library_client_can_send(desk: Desk) -> None:
    def by_hand(port: int) -> dict[str, Any]:
        with smtplib.SMTP("127.0.0.1", port) as client:
            return client.sendmail("a@x.example", ["orders@campaigns.example", "ben@elsewhere.example"], RAW)

    async with listening(desk) as inbox:
        refused = await asyncio.to_thread(by_hand, inbox.port)
        assert list(refused) == ["ben@elsewhere.example"]
        assert (await desk.next())[0] == RAW


async def test_listener_that_stops_says_good_bye_and_lets_go_of_its_port(desk: Desk) -> None:
    inbox = SmtpInbox(Listener(), desk.accept, clock)
    await inbox.start()
    port = inbox.port
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    assert (await reader.readline()).startswith(b"220")
    await inbox.stop()
    assert await asyncio.wait_for(reader.read(), 20) == b"421 4.3.2 Shutting down\r\n"
    writer.close()
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection("127.0.0.1", port)


async def test_port_in_use_is_an_error(desk: Desk) -> None:
    async with listening(desk) as inbox:
        with pytest.raises(OSError, match="in use"):
            await SmtpInbox(Listener(port=inbox.port), desk.accept, clock).start()


# --- whose mail is taken ------------------------------------------------------------------------------------------

OURS, NONE = "250 2.1.5 OK", "553 5.1.3 Not an address"
UNKNOWN, FOREIGN = "550 5.1.1 No such address here", "550 5.7.1 We take no mail for others"


@pytest.mark.parametrize(
    ("recipient", "over_smtp", "over_lmtp"),
    [
        ("<orders@campaigns.example>", OURS, OURS),
        ("<ORDERS+K7Q2ABCD@Campaigns.EXAMPLE>", OURS, OURS),
        ("<orders+b12.x@campaigns.example>", OURS, OURS),
        ("<@relay.example,@b.example:orders@campaigns.example>", OURS, OURS),
        ("<postmaster>", OURS, OURS),
        ("<Postmaster@campaigns.example>", OURS, OURS),
        ("<abuse@campaigns.example>", OURS, OURS),
        ("<ben@campaigns.example>", UNKNOWN, OURS),
        ("<orders-old@campaigns.example>", UNKNOWN, OURS),
        ("<ben>", UNKNOWN, OURS),
        ("<ben%x.example@campaigns.example>", UNKNOWN, OURS),
        ("<x.example!ben@campaigns.example>", UNKNOWN, OURS),
        ('<"ben@x.example"@campaigns.example>', NONE, NONE),
        ("<ben@elsewhere.example>", FOREIGN, FOREIGN),
        ("<@campaigns.example:ben@elsewhere.example>", FOREIGN, FOREIGN),
        ("<orders@campaigns.example@elsewhere.example>", NONE, NONE),
        ('<"orders@campaigns.example"@elsewhere.example>', NONE, NONE),
        ("<orders@[127.0.0.1]>", NONE, NONE),
        ("<orders@campaigns.example.>", FOREIGN, FOREIGN),
        ("<orders@sub.campaigns.example>", FOREIGN, FOREIGN),
        ("<\u043erders@campaigns.example>", UNKNOWN, OURS),
        ("<orders@c\u0430mpaigns.example>", FOREIGN, FOREIGN),
        ("<>", NONE, NONE),
    ],
)
async def test_mail_is_taken_for_our_own_addresses_alone(
    desk: Desk, recipient: str, over_smtp: str, over_lmtp: str
) -> None:
    for protocol, hello, answer in (("smtp", "EHLO x", over_smtp), ("lmtp", "LHLO x", over_lmtp)):
        async with listening(desk, protocol) as inbox:
            answers = await converse(inbox.port, hello, "MAIL FROM:<>", f"RCPT TO:{recipient}", "QUIT")
        assert answers[-2] == answer


@pytest.mark.parametrize(
    "command",
    [
        "RCPT TO:<a b@campaigns.example>",
        "RCPT TO:<orders@campaigns.example",
        "RCPT TO:<orders@campaigns.example> ORCPT=x",
        "RCPT TO:<" + "(" * 2000 + ">",
        "RCPT TO:<" + "x" * 4000 + "@campaigns.example>",
        b"RCPT TO:<orders\x00@campaigns.example>\r\n",
        b"RCPT TO:<orders\xff@campaigns.example>\r\n",
        "RCPT",
    ],
)
async def test_malformed_recipient_is_refused_for_good(desk: Desk, command: str | bytes) -> None:
    async with listening(desk) as inbox:
        answers = await converse(inbox.port, *HELLO, command, "QUIT")
    assert answers[-2].startswith("5")


@pytest.mark.parametrize("sender", [b"a\x00@x.example", b"a\xff@x.example", b"a\x1b[2J@x.example", b"a b@x.example"])
async def test_malformed_sender_is_refused_for_good(desk: Desk, sender: bytes) -> None:
    async with listening(desk) as inbox:
        answers = await converse(inbox.port, "EHLO x", b"MAIL FROM:<" + sender + b">\r\n", "QUIT")
    assert answers[-2].startswith("55")


async def test_sender_and_text_in_another_script_are_taken(desk: Desk) -> None:
    lines = ["EHLO x", "MAIL FROM:<józef@bücher.example> SMTPUTF8 BODY=8BITMIME", RCPT, "DATA", "Zürich", ".", "QUIT"]
    async with listening(desk) as inbox:
        await converse(inbox.port, *lines)
        raw, envelope = await desk.next()
    assert (raw.decode(), envelope.sender) == ("Zürich\r\n", "józef@bücher.example")


@pytest.mark.parametrize(
    "command", ["VRFY orders", "VRFY ben", "EXPN orders", "HELP", "HELP MAIL", "VRFY", "VRFY \x00"]
)
async def test_server_tells_nothing_about_addresses(desk: Desk, command: str) -> None:
    async with listening(desk) as inbox:
        answers = await converse(inbox.port, "EHLO x", command, "QUIT")
    assert "@" not in answers[-2]
    if command.startswith("VRFY"):
        assert answers[-2] == "252 2.5.2 Send the mail and see"


async def test_what_is_offered_is_what_is_done(desk: Desk) -> None:
    async with listening(desk, largest=123_456) as inbox:
        answers = await converse(inbox.port, "EHLO x", "QUIT")
    assert answers[1:-1] == [
        *("250-campaigns.example", "250-SIZE 123456", "250-8BITMIME", "250-SMTPUTF8", "250-PIPELINING", "250 HELP"),
    ]


async def test_nothing_goes_before_the_greeting(desk: Desk) -> None:
    async with listening(desk) as inbox:
        answers = await converse(inbox.port, "MAIL FROM:<a@x.example>", RCPT, "DATA", "Subject: x", ".", "QUIT")
    assert codes(answers) == ["220", "503", "503", "503", "500", "500", "221"]
    assert desk.taken.empty()


# --- how a mail ends ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", [b"\n.\n", b"\n.\r\n", b"\r.\r", b"\r\n.\n", b"\r\n.\r", b"\r.\r\n", b"\r\n\x00.\r\n"])
async def test_half_a_line_end_ends_no_mail(desk: Desk, end: bytes) -> None:
    """A mail that another server takes for one must not be two here: the second could be from anybody."""
    inner = b"MAIL FROM:<ceo@x.example>\r\nRCPT TO:<orders@campaigns.example>\r\nDATA\r\nforged"
    async with listening(desk) as inbox:
        await converse(inbox.port, *HELLO, RCPT, "DATA", b"Subject: x\r\n\r\nhold" + end + inner, b"\r\n.\r\n", "QUIT")
        raw, _ = await desk.next()
    assert b"forged" in raw
    assert desk.taken.empty()


@pytest.mark.parametrize(
    ("sent", "stored"),
    [
        (b".\r\n", b""),
        (b"\r\n.\r\n", b"\r\n"),
        (b"..\r\n.\r\n", b".\r\n"),
        (b"x\r\n...\r\n.x\r\n.\r\n", b"x\r\n..\r\nx\r\n"),
        (b"NUL \x00 8bit \xff\xfe\r\n.\r\n", b"NUL \x00 8bit \xff\xfe\r\n"),
        (b"a\nb\rc\r\n.\r\n", b"a\nb\rc\r\n"),
        (b"x" * 4095 + b"\r\n.\r\n", b"x" * 4095 + b"\r\n"),
        (
            b"x" * 70_000 + b"\r\n..\r\n" + b"y" * 70_000 + b"\r\n.\r\n",
            b"x" * 70_000 + b"\r\n.\r\n" + b"y" * 70_000 + b"\r\n",
        ),
        (b"\r\n" * 50_000 + b".\r\n", b"\r\n" * 50_000),
    ],
)
async def test_mail_is_stored_as_it_was_written(desk: Desk, sent: bytes, stored: bytes) -> None:
    async with listening(desk) as inbox:
        answers = await converse(inbox.port, *HELLO, RCPT, "DATA", sent, "QUIT")
        assert codes(answers)[-3:] == ["354", "250", "221"]
        assert (await desk.next())[0] == stored


@given(lines=st.lists(st.binary(max_size=12).map(lambda line: line.replace(b"\r\n", b"")), max_size=8), cuts=st.data())
def test_mail_arrives_however_it_is_cut_into_packets(lines: list[bytes], cuts: st.DataObject) -> None:
    content = b"".join(line + b"\r\n" for line in lines)
    sent = b"".join((b"." if line.startswith(b".") else b"") + line + b"\r\n" for line in lines) + b".\r\n"
    marks = sorted(cuts.draw(st.sets(st.integers(1, len(sent)), max_size=5)) | {0, len(sent)})

    async def deliver() -> bytes:
        desk = Desk()
        async with listening(desk) as inbox:
            reader, writer = await asyncio.open_connection("127.0.0.1", inbox.port)
            writer.write("\r\n".join([*HELLO, RCPT, "DATA", ""]).encode())
            while not (await reader.readline()).startswith(b"354"):
                pass
            for start, end in pairwise(marks):
                writer.write(sent[start:end])
                await asyncio.sleep(0)
            raw, _ = await desk.next()
            writer.close()
        return raw

    assert asyncio.run(deliver()) == content


# --- limits -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("declared", ["", " SIZE=50"])
async def test_too_large_a_mail_is_refused_however_small_it_said_it_is(desk: Desk, declared: str) -> None:
    async with listening(desk, largest=1000) as inbox:
        lines = (
            "EHLO x",
            f"MAIL FROM:<a@x.example>{declared}",
            RCPT,
            "DATA",
            *["x" * 98] * 11,
            ".",
            *HELLO[1:],
            "QUIT",
        )
        answers = await converse(inbox.port, *lines)
    assert codes(answers)[-4:] == ["354", "552", "250", "221"]
    assert desk.taken.empty()


async def test_mail_of_just_the_largest_size_is_taken(desk: Desk) -> None:
    async with listening(desk, largest=1000) as inbox:
        answers = await converse(inbox.port, *HELLO, RCPT, "DATA", *["x" * 98] * 10, ".", "QUIT")
    assert codes(answers)[-2:] == ["250", "221"]


async def test_size_is_refused_before_the_mail_is_sent(desk: Desk) -> None:
    async with listening(desk, largest=1000) as inbox:
        answers = await converse(inbox.port, "EHLO x", "MAIL FROM:<a@x.example> SIZE=1001", "QUIT")
    assert codes(answers)[-2:] == ["552", "221"]


@pytest.mark.parametrize("line", [b"x" * 20_000_000 + b"\r\n", b"\r\n" * 10_000_000], ids=["one line", "empty lines"])
async def test_endless_mail_takes_no_memory(desk: Desk, line: bytes) -> None:
    async with listening(desk, largest=10_000) as inbox:
        tracemalloc.start()
        reader, writer = await asyncio.open_connection("127.0.0.1", inbox.port)
        writer.write("\r\n".join([*HELLO, RCPT, "DATA", ""]).encode())
        for start in range(0, len(line), 100_000):
            writer.write(line[start : start + 100_000])
            await writer.drain()
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        writer.write(b".\r\nQUIT\r\n")
        answers = (await reader.read()).decode().splitlines()
        writer.close()
    assert codes(answers)[-2:] == ["552", "221"]
    assert peak < 5_000_000


async def test_command_of_ten_megabytes_takes_no_memory(desk: Desk) -> None:
    async with listening(desk) as inbox:
        answers = await converse(inbox.port, b"x" * 10_000_000 + b"\r\n", "QUIT")
    assert codes(answers) == ["220", "500", "221"]


async def test_further_recipients_are_for_another_mail(desk: Desk) -> None:
    lines = [
        *HELLO,
        *[f"RCPT TO:<orders+{number}@campaigns.example>" for number in range(103)],
        "DATA",
        "x",
        ".",
        "QUIT",
    ]
    async with listening(desk) as inbox:
        answers = await converse(inbox.port, *lines)
        assert codes(answers)[-7:] == ["250", "452", "452", "452", "354", "250", "221"]
        assert len((await desk.next())[1].recipients) == 100


@pytest.mark.parametrize(
    "command",
    ["RCPT TO:<ben@campaigns.example>", RCPT, "RCPT TO:<", "DATA x", "NONSENSE", "", "BDAT 10", "AUTH PLAIN x", "é"],
)
async def test_who_errs_without_end_is_sent_away(desk: Desk, command: str) -> None:
    async with listening(desk) as inbox:
        answers = await converse(inbox.port, *HELLO, *[command] * 1000)
    assert len(answers) < 150
    assert answers[-1].startswith(("421 4.7.0 Too many errors", "502 5.5.1 Too many"))


async def test_who_keeps_a_connection_for_nothing_is_sent_away(desk: Desk) -> None:
    async with listening(desk) as inbox:
        answers = await converse(inbox.port, "EHLO x", *["NOOP"] * 1000)
    assert answers[-1] == "421 4.7.0 Too many commands without a mail"


async def test_who_brings_mail_may_stay(desk: Desk) -> None:
    mail = [HELLO[1], RCPT, "RCPT TO:<ben@campaigns.example>", "NOOP", "DATA", "x", "."]
    async with listening(desk) as inbox:
        answers = await converse(inbox.port, "EHLO x", *mail * 200, "QUIT")
    assert desk.taken.qsize() == 200
    assert codes(answers)[-1] == "221"


@pytest.mark.parametrize("lines", [[], ["EHLO x"], [*HELLO, RCPT, "DATA", "Subject: x"], [b"EHL"]])
async def test_who_is_too_slow_is_sent_away(desk: Desk, lines: list[str | bytes]) -> None:
    async with listening(desk, timeout=0.2) as inbox:
        assert (await converse(inbox.port, *lines))[-1] == "421 4.4.2 Too slow"
        assert desk.taken.empty()


async def test_connections_beyond_the_limit_are_told_to_come_later(desk: Desk) -> None:
    async with listening(desk, connections=2) as inbox:
        async with outbox(inbox.port) as first, outbox(inbox.port) as second:
            assert [await first.send(MAIL), await second.send(MAIL)] == [Sent(), Sent()]
            assert await converse(inbox.port) == ["421 4.7.0 Too many connections, please try again later"]
            assert isinstance(await send(inbox.port), Unavailable)
        assert await send(inbox.port) == Sent()


# --- what goes wrong on our side ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "error", [OSError("disk full"), RuntimeError(), ValueError("500 x"), MemoryError(), TimeoutError()]
)
@pytest.mark.parametrize("protocol", ["smtp", "lmtp"])
async def test_no_fault_of_ours_is_a_refusal_for_good(protocol: str, error: Exception) -> None:
    async def fail(raw: bytes, envelope: Envelope) -> None:
        raise error

    listener = Listener(protocol=protocol, name="campaigns.example")  # type: ignore[arg-type]
    async with SmtpInbox(listener, fail, clock) as inbox:
        answers = await converse(
            inbox.port,
            *("LHLO x" if protocol == "lmtp" else "EHLO x", HELLO[1], RCPT, RCPT, "DATA", "x", ".", "QUIT"),
        )
    count = 2 if protocol == "lmtp" else 1
    assert codes(answers)[5:] == ["354", *["451"] * count, "221"]


@pytest.mark.parametrize("until", [b"EHLO x\r\n", b"EHLO x\r\nMAIL FROM:<>\r\n" + RCPT.encode() + b"\r\nDATA\r\nSubj"])
@pytest.mark.parametrize("reset", [True, False])
async def test_client_that_goes_away_leaves_nothing(
    desk: Desk, until: bytes, reset: bool, caplog: pytest.LogCaptureFixture
) -> None:
    async with listening(desk, connections=1) as inbox:
        _, writer = await asyncio.open_connection("127.0.0.1", inbox.port)
        writer.write(until)
        await writer.drain()
        if reset:
            writer.transport.abort()
        writer.close()
        while (answers := await converse(inbox.port, "QUIT")) and answers[0].startswith("421"):
            await asyncio.sleep(0.01)
    assert codes(answers) == ["220", "221"]
    assert desk.taken.empty()
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []
