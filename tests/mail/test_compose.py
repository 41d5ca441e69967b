"""Drafts to bytes, looked at with the standard library's parser and on the wire."""

from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.mail.addresses import Address
from pbem.mail.outgoing.compose import Attachment, Draft, compose, header_text, readdress
from pbem.mail.reading.letter import read_letter

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4

DRAFT = Draft(
    sender=Address("orders@campaigns.example", "Nippon Demo"),
    recipient=Address("ana@x.example", "Ana"),
    subject="[nippon-demo] Turn 3 is out",
    text="Hello Ana\n\n.\n..\nFrom here on\n",
    message_id="<t3.ana@campaigns.example>",
    date=datetime(2026, 11, 30, 18, 4, 11, tzinfo=UTC),
    automatic="auto-generated",
)

FULL = replace(
    DRAFT,
    html='<p>Hello Ana</p><img src="cid:map@nippon" alt="14 Ford, yours">',
    pictures={"map@nippon": PNG},
    reply_to="orders+K7Q2ABCD@campaigns.example",
    in_reply_to="<1@x.example>",
    references=("<nippon-demo@campaigns.example>", "<1@x.example>"),
    list_id="Nippon Demo <nippon-demo.campaigns.example>",
    extra={"List-Unsubscribe": "<mailto:orders+off@campaigns.example>"},
    attachments=(Attachment("turn-3.json", "application/json", b"{}"),),
)


def parsed(draft: Draft) -> EmailMessage:
    """The mail as a mail program sees it."""
    mail = message_from_bytes(compose(draft), policy=policy.default)
    assert isinstance(mail, EmailMessage)
    return mail


def header_block(raw: bytes) -> bytes:
    """The headers as sent."""
    return raw.partition(b"\r\n\r\n")[0]


def structure(part: EmailMessage) -> Any:
    """Content types, nested."""
    if part.is_multipart():
        return part.get_content_subtype(), [
            structure(each) for each in part.iter_parts() if isinstance(each, EmailMessage)
        ]
    return part.get_content_type()


def test_text_alone_is_one_part() -> None:
    assert structure(parsed(DRAFT)) == "text/plain"
    assert parsed(DRAFT).get_content().splitlines() == DRAFT.text.splitlines()


def test_picture_stands_inside_the_html_beside_the_text() -> None:
    mail = parsed(FULL)
    related = ("related", ["text/html", "image/png"])
    assert structure(mail) == ("mixed", [("alternative", ["text/plain", related]), "application/json"])
    picture = next(part for part in mail.walk() if part.get_content_type() == "image/png")
    assert picture["Content-ID"] == "<map@nippon>"
    assert picture.get_content_disposition() == "inline"
    assert picture.get_payload(decode=True) == PNG


def test_headers_name_thread_sender_and_machine() -> None:
    mail = parsed(FULL)
    assert {name: str(mail[name]) for name in mail if name not in ("Content-Type", "MIME-Version")} == {
        "From": "Nippon Demo <orders@campaigns.example>",
        "To": "Ana <ana@x.example>",
        "Subject": "[nippon-demo] Turn 3 is out",
        "Date": "Mon, 30 Nov 2026 18:04:11 +0000",
        "Message-ID": "<t3.ana@campaigns.example>",
        "Reply-To": "orders+K7Q2ABCD@campaigns.example",
        "In-Reply-To": "<1@x.example>",
        "References": "<nippon-demo@campaigns.example> <1@x.example>",
        "List-Id": "Nippon Demo <nippon-demo.campaigns.example>",
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",
        "X-Pbem": "1",
        "List-Unsubscribe": "<mailto:orders+off@campaigns.example>",
    }


def test_same_draft_gives_the_same_bytes() -> None:
    assert compose(FULL) == compose(FULL)


def test_every_line_ends_as_the_standard_says_and_is_ascii() -> None:
    raw = compose(
        replace(FULL, text="Zürich → Łódź 日本\n" * 50, subject="Zug für Łukasz 日本", list_id="Für alle <a.b>")
    )
    assert raw.replace(b"\r\n", b"").find(b"\n") == -1
    assert raw.isascii()
    assert max(map(len, raw.split(b"\r\n"))) <= 998


def test_names_and_text_survive_in_any_script() -> None:
    draft = replace(
        FULL,
        sender=Address("orders@campaigns.example", 'Kampagne "Łódź", 日本'),
        recipient=Address("ana@x.example", "Jürgen Groß <j@y.example>"),
        subject="Zug 3 für Łukasz, 日本 " + "sehr lang " * 12,
        text="Zürich → Łódź 日本\n",
    )
    mail = parsed(draft)
    letter = read_letter(compose(draft))
    assert letter.subject == draft.subject.strip()
    assert letter.body == "Zürich → Łódź 日本"
    assert letter.sender == "orders@campaigns.example"
    assert [each.display_name for each in mail["From"].addresses] == ['Kampagne "Łódź", 日本']
    assert [each.addr_spec for each in mail["To"].addresses] == ["ana@x.example"]


def test_long_identifiers_go_out_as_they_are() -> None:
    long = "<" + "AM9PR07MB7284" * 12 + "@AM9PR07MB7284.eurprd07.prod.outlook.com>"
    raw = compose(replace(FULL, in_reply_to=long, references=("<a@b>", long, "<c@d>")))
    assert f"In-Reply-To: {long}\r\n".encode() in raw
    assert f"References: <a@b> {long} <c@d>\r\n".encode() in raw


def test_thread_keeps_its_first_and_latest_references() -> None:
    many = tuple(f"<{number}@x>" for number in range(50))
    assert read_letter(compose(replace(FULL, references=many))).references == (many[0], *many[-19:])


def test_address_in_another_script_is_sent_as_it_is() -> None:
    raw = compose(replace(DRAFT, recipient=Address("józef@x.example")))
    assert "To: józef@x.example\r\n".encode() in raw


@pytest.mark.parametrize(
    "subject",
    [
        "A\r\nBcc: evil@y.example",
        "A =?UTF-8?Q?=0D=0ABcc=3A?= evil@y.example",
        "A =?UTF-8?Q?=0A?=Bcc: evil@y.example",
        "=?utf-8?q?=3D=3Futf-8=3Fq=3F=0ABcc:_evil@y.example=3F=3D?=",
        "A\u2028Bcc: evil@y.example",
        "A\x0bBcc: evil@y.example",
        "A\x00\x1b[2J",
    ],
)
def test_nothing_in_a_text_becomes_a_header(subject: str) -> None:
    draft = replace(
        FULL,
        subject=subject,
        sender=Address("orders@campaigns.example", subject),
        recipient=Address("ana@x.example", subject),
        extra={"X-Note": subject},
        list_id=subject,
        attachments=(Attachment(subject, "text/plain", b"x"),),
    )
    raw = compose(draft)
    assert b"\nBcc" not in raw
    assert parsed(draft)["Bcc"] is None
    assert [byte for byte in header_block(raw) if byte < 32 and byte not in b"\r\n"] == []


NASTY = st.text(alphabet=st.sampled_from('=?utf-8qb0AD:, \r\n\t<>@"()ü\u2028\x00\ud800日'), max_size=60)


@settings(max_examples=50)
@given(NASTY, NASTY, NASTY, NASTY, NASTY, NASTY, NASTY)
def test_any_text_may_stand_anywhere(
    subject: str, sender: str, recipient: str, list_id: str, note: str, file: str, text: str
) -> None:
    draft = replace(
        FULL,
        subject=subject,
        sender=Address("a@x.example", sender),
        recipient=Address("b@x.example", recipient),
        list_id=list_id,
        extra={"X-Note": note},
        attachments=(Attachment(file, "text/plain", note.encode("utf-8", "replace")),),
        text=text,
        html=text,
    )
    raw = compose(draft)
    letter = read_letter(raw)
    assert letter.subject == header_text(subject)
    assert letter.sender == "a@x.example"
    assert sendable(raw)


@settings(max_examples=50)
@given(
    st.dictionaries(st.sampled_from(["X-Note", "List-Help"]), st.text(max_size=3000), max_size=2),
    st.text(max_size=3000),
    st.lists(st.from_regex(r"\A<[!-;=?-~]{1,200}@[!-;=?-~]{1,100}>\Z"), max_size=30),
    st.binary(max_size=3000),
)
def test_no_line_is_longer_than_servers_take(
    extra: dict[str, str], text: str, references: list[str], content: bytes
) -> None:
    draft = replace(
        FULL,
        extra=extra,
        list_id=text,
        text=text,
        references=tuple(references),
        attachments=(Attachment(text, "application/octet-stream", content),),
    )
    assert sendable(compose(draft))


def sendable(raw: bytes) -> bool:
    """Whether every server takes it: ASCII, whole line ends, lines that are not too long, no controls in headers."""
    lines = raw.split(b"\r\n")
    plain = raw.isascii() and b"\x00" not in raw
    return plain and not any(b"\r" in line or b"\n" in line or len(line) > 998 for line in lines)


@pytest.mark.parametrize(
    "change",
    [
        {"recipient": Address("ana@x.example\r\nBcc: evil@y.example")},
        {"recipient": Address("ana@x.example, evil@y.example")},
        {"recipient": Address("ana")},
        {"reply_to": "a b@x.example"},
        {"message_id": "<a@b>\r\nBcc: evil@y.example"},
        {"message_id": "a@b"},
        {"in_reply_to": "<a b>"},
        {"references": ("<a@b\x00>",)},
        {"extra": {"Bcc: evil@y.example\r\nX": "y"}},
        {"extra": {"": "y"}},
        {"sender": Address("orders\u200b@campaigns.example")},
    ],
)
def test_addresses_and_identifiers_that_are_none_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="not "):
        compose(replace(FULL, **change))


def test_domain_in_another_script_goes_out_in_the_form_that_every_server_takes() -> None:
    raw = compose(replace(DRAFT, recipient=Address("ana@bücher.example", "Ana Bücher")))
    assert raw.isascii()
    assert b"<ana@xn--bcher-kva.example>\r\n" in raw


@pytest.mark.parametrize(
    "address", ["ana@work.example", f"{'a' * 60}@{'b' * 40}.example", "巯@bücher.example", "ana+tag@x.example"]
)
@pytest.mark.parametrize("draft", [DRAFT, FULL, replace(FULL, recipient=Address(f"{'long' * 15}@{'c' * 50}.example"))])
def test_a_mail_to_another_address_is_the_same_mail(draft: Draft, address: str) -> None:
    raw = readdress(compose(draft), Address(address))
    assert raw == compose(replace(draft, recipient=Address(address)))


def test_a_mail_goes_to_no_address_that_is_none() -> None:
    with pytest.raises(ValueError, match="not an address"):
        readdress(compose(DRAFT), Address("ana@x.example\r\nBcc: evil@y.example"))
