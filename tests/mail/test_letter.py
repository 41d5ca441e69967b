"""Bytes to letters: character sets, encodings, structure; and that no bytes at all break it."""

import base64
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.addresses import only_address
from pbem.mail.reading.contents import unflow
from pbem.mail.reading.letter import Envelope, read_letter


def mail(head: str, body: str | bytes = "move 14\r\n") -> bytes:
    """A mail with these headers."""
    raw = body if isinstance(body, bytes) else body.encode()
    return head.strip().replace("\n", "\r\n").encode() + b"\r\n\r\n" + raw


def body_of(content_type: str, body: bytes, encoding: str = "8bit") -> str:
    """What is read of a mail with one part."""
    return read_letter(mail(f"Content-Type: {content_type}\nContent-Transfer-Encoding: {encoding}", body)).body


@pytest.mark.parametrize(
    ("charset", "codec"),
    [
        ("utf-8", "utf-8"),
        ("iso-8859-1", "latin-1"),
        ("iso-8859-15", "iso-8859-15"),
        ("windows-1252", "cp1252"),
        ("bogus", "utf-8"),
        ("unknown-8bit", "cp1252"),
        ('""', "utf-8"),
        ("utf-8", "latin-1"),
        ("us-ascii", "utf-8"),
        ("us-ascii", "latin-1"),
        ("unicode_escape", "utf-8"),
        ("zlib", "utf-8"),
        ("'", "utf-8"),
    ],
)
def test_text_is_decoded_whatever_its_charset_is_called(charset: str, codec: str) -> None:
    assert body_of(f"text/plain; charset={charset}", "Bären: räumen".encode(codec)) == "Bären: räumen"


@pytest.mark.parametrize(
    ("charset", "codec", "text"),
    [
        ("windows-874", "cp874", "จาก: ส่ง"),
        ("tis-620", "cp874", "จาก: “ส่ง”"),
        ("x-sjis", "cp932", "差出人: ①"),
        ("x-euc-jp", "euc_jp", "差出人: 件名"),
        ("euc-jp", "euc_jis_2004", "差出人: ①"),
        ("cp50221", "iso2022_jp", "差出人: 件名"),
        ("x-gbk", "gbk", "发件人: 主题"),
        ("cn-gb", "gb2312", "发件人: 主题"),
        ("chinese", "gb2312", "发件人: 主题"),
        ("windows-936", "gbk", "发件人: 主题"),
        ("big5", "big5hkscs", "嘅: 寄件者"),
        ("x-x-big5", "big5", "寄件者: 主旨"),
        ("windows-950", "cp950", "寄件者: 主旨"),
        ("x-windows-949", "cp949", "보낸 사람: 뷁"),
        ("ks_c_5601-1987", "cp949", "보낸 사람: 뷁"),
        ("x-cp1251", "cp1251", "От: Тема"),
        ("cp-1251", "cp1251", "От: Тема"),
        ("x-mac-cyrillic", "mac-cyrillic", "От: Тема"),
        ("koi8-ru", "koi8-u", "Від: Тема"),
        ("dos-862", "cp862", "מאת: נושא"),
        ("x-mac-roman", "mac-roman", "Épées: à"),
        ("iso-8859-9", "cp1254", "“Gönderen”: ş"),
    ],
)
def test_character_sets_are_known_by_the_names_that_programs_give_them(charset: str, codec: str, text: str) -> None:
    assert body_of(f"text/plain; charset={charset}", text.encode(codec)) == text


@pytest.mark.parametrize("charset", ["windows-874", "koi8-r", "big5", "shift_jis"])
def test_one_broken_sign_spoils_no_other_one(charset: str) -> None:
    text = {"windows-874": "จาก: ส่ง", "koi8-r": "От: Тема", "big5": "寄件者: 主旨", "shift_jis": "差出人: 件名"}[
        charset
    ]
    raw = text.encode(charset.replace("windows-", "cp")) + b"\r\n\xff\xdb"
    assert body_of(f"text/plain; charset={charset}", raw).split("\n")[0] == text


def test_another_script_under_a_name_that_nobody_knows_is_not_guessed_at() -> None:
    def read(charset: str, body: bytes) -> str:
        return read_letter(mail(f"Content-Type: text/plain; charset={charset}", body)).obstacle

    assert read("x-unheard-of", "Red: hold\n\nจาก: ส่ง".encode("cp874")) == "charset"
    assert read("x-unheard-of", "Red: hold\n\nจาก: ส่ง".encode()) == ""
    assert read("x-unheard-of", "Bären: räumen".encode("cp1252")) == ""
    assert read("windows-874", "จาก: ส่ง".encode("cp874")) == ""


@pytest.mark.parametrize("charset", ["utf-8", "utf-16le", "us-ascii", "windows-1252"])
def test_mark_of_a_text_file_goes_before_what_the_mail_says(charset: str) -> None:
    assert body_of(f"text/plain; charset={charset}", "Bären: räumen".encode("utf-16")) == "Bären: räumen"
    assert body_of(f"text/plain; charset={charset}", "Bären: räumen".encode("utf-8-sig")) == "Bären: räumen"


def test_hebrew_in_visual_order_is_decoded() -> None:
    assert body_of("text/plain; charset=iso-8859-8-i", "שלום".encode("iso-8859-8")) == "שלום"


def test_quoted_printable_joins_soft_breaks_and_keeps_lines() -> None:
    assert body_of("text/plain", b"Red: mo=\r\nve 14=20\r\nB=C3=A4ren: hold", "quoted-printable") == (
        "Red: move 14\nBären: hold"
    )


def test_base64_is_read_in_spite_of_a_torn_end_and_a_footer() -> None:
    encoded = base64.b64encode(b"Red: move 14\nBlue: hold")
    assert body_of("text/plain", encoded + b"\r\n-- \r\nfooter", "base64") == "Red: move 14\nBlue: hold"
    assert body_of("text/plain", encoded[:-3], "BASE64") == "Red: move 14\nBlue: ho"


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("base64", b"UmVkOiBob2xk"),
        ("Base64;", b"UmVkOiBob2xk"),
        ("base64 (x)", b"UmVkOiBob2xk"),
        ("(x) base64", b"UmVkOiBob2xk"),
        ('"base64"', b"UmVkOiBob2xk"),
        ("base64; charset=utf-8", b"UmVkOiBob2xk"),
        ("=?us-ascii?q?base64?=", b"UmVkOiBob2xk"),
        ("Quoted-Printable;", b"Red=3a ho=\r\nld"),
        (" quoted-printable  (x)", b"Red=3a hold"),
        ("quoted printable", b"Red=3a hold"),
        ("7bit (not base64)", b"Red: hold"),
        ("x-unheard-of", b"Red: hold"),
    ],
)
def test_transfer_encoding_is_known_with_what_programs_add_to_its_name(encoding: str, body: bytes) -> None:
    assert body_of("text/plain", body, encoding) == "Red: hold"


@pytest.mark.parametrize("between", [b"\r\n", b"\n", b"", b"\r\n\r\n", b" \r\n"])
def test_base64_that_was_encoded_line_by_line_is_read_to_its_end(between: bytes) -> None:
    lines = [b"Red Dragons: move 14\r\n", b"Blue: hold\r\n", b"\r\n", b"Green: hold it\r\n", b"Iron: raze 20\r\n"]
    encoded = between.join(map(base64.b64encode, lines))
    assert b"=" in base64.b64encode(lines[0])
    assert body_of("text/plain", encoded, "base64") == b"".join(lines).replace(b"\r\n", b"\n").decode().strip()


@pytest.mark.parametrize("footer", [b"-- \r\nlist", b"____\r\nlist mailing list", b"\r\nBest\r\nAnna", b"footer\r\n"])
def test_footer_below_base64_is_no_more_of_it(footer: bytes) -> None:
    encoded = base64.b64encode(b"Red Dragons: move 14")
    assert encoded.endswith(b"=")
    assert body_of("text/plain", encoded + b"\r\n" + footer, "base64") == "Red Dragons: move 14"


def test_what_nobody_sees_is_left_out() -> None:
    body = "Red\x00 Dra\u00adgons:\u00a0move\u200b 14\u2028Blue: hold\u202f!\ufeff"
    assert body_of("text/plain; charset=utf-8", body.encode()) == "Red Dragons: move 14\nBlue: hold !"


def test_flowed_lines_are_joined_and_quotations_kept_apart() -> None:
    text = "Red: move \n14 \nby road\n> old \n> order\n new \n>> older \n-- \nAnn"
    assert unflow(text) == "Red: move 14 by road\n> old order\nnew \n> > older \n-- \nAnn"


def test_flowed_lines_lose_their_trailing_space_where_the_writer_says_so() -> None:
    assert unflow("move four \nteen", delete_space=True) == "move fourteen"


def test_alternative_is_read_as_text_unless_that_is_blank() -> None:
    html = "Content-Type: text/html\r\n\r\n<p>from html</p>"
    parts = f"--b\r\nContent-Type: text/plain\r\n\r\n{{}}\r\n--b\r\n{html}\r\n--b--\r\n"
    head = "Content-Type: multipart/alternative; boundary=b"
    assert read_letter(mail(head, parts.format("from text"))).body == "from text"
    assert read_letter(mail(head, parts.format(" \r\n"))).body == "from html"


def test_text_in_several_parts_is_put_together_without_attachments() -> None:
    body = (
        "--b\r\n\r\nRed: move 14\r\n--b\r\nContent-Type: image/jpeg\r\n\r\nxxx\r\n"
        "--b\r\nContent-Type: text/plain\r\n\r\nBlue: hold\r\n"
        "--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment\r\n\r\nGreen: hold\r\n"
        "--b\r\nContent-Type: message/rfc822\r\n\r\nSubject: old\r\n\r\nWhite: hold\r\n--b--\r\nepilogue"
    )
    assert read_letter(mail("Content-Type: multipart/mixed; boundary=b", body)).body == "Red: move 14\nBlue: hold"


def test_multipart_without_parts_is_read_as_text() -> None:
    assert read_letter(mail("Content-Type: multipart/mixed; boundary=b")).body == "move 14"
    assert read_letter(mail("Content-Type: multipart/mixed")).body == "move 14"


def test_multipart_cut_short_is_read_as_far_as_it_goes() -> None:
    raw = mail('Content-Type: multipart/mixed; boundary="a b"', "--a b\r\nContent-Type: text/html\r\n\r\n<b>move 14")
    assert read_letter(raw).body == "move 14"


def test_boundary_in_pieces_is_put_together() -> None:
    raw = mail("Content-Type: multipart/mixed; boundary*0=a; boundary*1*=%62", "--ab\r\n\r\nmove 14\r\n--ab--")
    assert read_letter(raw).body == "move 14"


def test_text_without_end_is_kept_in_part() -> None:
    letter = read_letter(mail("From: a@x.example", b"Red: hold, and wait for what comes, then hold again\n" * 6_000))
    assert (len(letter.body), letter.obstacle) == (256_000, "large")
    letter = read_letter(mail("From: a@x.example", b"Red: hold\n" * 6_001))
    assert (letter.body.count("\n"), letter.obstacle) == (5_999, "large")


def test_pictures_and_archives_have_no_text() -> None:
    assert body_of("application/zip", b"PK") == ""


@pytest.mark.parametrize("raw", [b"move 14\r\n", b"\n\nmove 14", b"From ann Mon Nov 30\nSubject: x\n\nmove 14\n"])
def test_mail_with_hardly_a_header_still_has_its_text(raw: bytes) -> None:
    assert read_letter(raw).body == "move 14"


@pytest.mark.parametrize(
    ("value", "sender", "name"),
    [
        ("ann@Example.ORG", "ann@example.org", ""),
        ("Ann <Ann@Example.ORG>", "ann@example.org", "Ann"),
        ('"Ann, of the \\"Reds\\"" <ann@x.example>', "ann@x.example", 'Ann, of the "Reds"'),
        ("ann@x.example (Ann of the Reds)", "ann@x.example", "Ann of the Reds"),
        ("=?utf-8?q?J=C3=BCrgen?= =?utf-8?b?IEdyb8Of?= <j@x.example>", "j@x.example", "Jürgen Groß"),
        ("=?utf-8?q?Gro=C3?= =?utf-8?q?=9F?= <j@x.example>", "j@x.example", "Groß"),
        ("=?utf-8?q?a=40b=2Ec=3E=2C?= <j@x.example>", "j@x.example", "a@b.c>,"),
        ("a@x.example, b@x.example", "", ""),
        ("Ann", "", ""),
        ("bob@x.example)<evil@y.example>", "", ""),
        ("bob@x.example <evil@y.example>", "evil@y.example", "bob@x.example"),
        ("<a@x.example> <b@x.example>", "", ""),
        ('"bob@x.example', "", ""),
        ("(" * 3000, "", ""),
        ("a@b@c.example", "", ""),
    ],
)
def test_sender_is_the_one_address_that_can_be_read_in_one_way(value: str, sender: str, name: str) -> None:
    letter = read_letter(mail(f"From: {value}"))
    assert letter.sender == sender
    named = only_address([value])
    assert (named.name if named else "") == name


def test_sender_named_twice_is_none() -> None:
    assert read_letter(mail("From: a@x.example\nFrom: b@x.example")).sender == ""


def test_recipients_are_those_of_the_envelope_and_of_the_headers() -> None:
    raw = mail(
        "To: a@X.example, B <b@x.example>\nCc: c@x.example\nDelivered-To: a@x.example\nX-Original-To: d@x.example"
    )
    written = ("a@x.example", "b@x.example", "c@x.example", "d@x.example")
    assert read_letter(raw).recipients == written
    assert read_letter(raw, Envelope(recipients=("e+t@X.example",))).recipients == ("e+t@x.example", *written)
    assert read_letter(raw, Envelope(recipients=("\udcff@x.example", ""))).recipients == ("?@x.example", *written)


def test_subject_is_unfolded_decoded_and_clean() -> None:
    raw = mail("Subject: =?iso-8859-1?Q?Z=FCge?=\n =?utf-8?Q?_f=C3=BCr_?= [G12]\n  =?utf-8?B?AAo=?= end")
    assert read_letter(raw).subject == "Züge für [G12] end"


@pytest.mark.parametrize(
    ("value", "date"),
    [
        ("Mon, 30 Nov 2026 19:04:11 +0100", datetime(2026, 11, 30, 18, 4, 11, tzinfo=UTC)),
        ("Mon, 30 Nov 2026 19:04:11 -0000", datetime(2026, 11, 30, 19, 4, 11, tzinfo=UTC)),
        ("30 Nov 26 19:04 EST", datetime(2026, 12, 1, 0, 4, tzinfo=UTC)),
        ("yesterday", None),
        ("Mon, 30 Nov 2026 19:04:11 +9999", None),
        ("Mon, 30 Nov 99999999999999999999 19:04:11", None),
        ("Fri, 31 Dec 9999 23:59:59 -1200", None),
    ],
)
def test_date_is_utc_or_nothing(value: str, date: datetime | None) -> None:
    assert read_letter(mail(f"Date: {value}")).date == date


def test_thread_is_read_from_identifiers() -> None:
    letter = read_letter(mail("Message-ID:\n <1@x>\nReferences: <a@x>\n <b@x> junk\nIn-Reply-To: Ann's mail <b@x>"))
    assert letter.message_id == "<1@x>"
    assert letter.references == ("<a@x>", "<b@x>")
    assert letter.in_reply_to == "<b@x>"


def test_size_is_that_of_the_whole_mail() -> None:
    assert read_letter(b"abc").size == 3
    assert read_letter(b"abc", Envelope(size=999)).size == 999


HEAD = "From: a@x.example\nDate: Mon, 30 Nov 2026 19:04:11 +0100\nSubject: orders\nMessage-ID: <1@x>"


def test_same_mail_by_another_way_is_the_same_letter() -> None:
    one = mail(HEAD, "Red: hold\r\nBlue: hold\r\n")
    other = b"Return-Path: <a@x.example>\nReceived: from a\n\tby b\nDelivered-To: me@x\n" + one.replace(b"\r\n", b"\n")
    assert read_letter(one).content_hash == read_letter(other + b"\n").content_hash


@pytest.mark.parametrize(("old", "new"), [("Red: hold", "Red: move 14"), ("<1@x>", "<2@x>"), ("orders", "order")])
def test_other_text_or_identity_is_another_letter(old: str, new: str) -> None:
    one = mail(HEAD, "Red: hold\r\n")
    assert read_letter(one).content_hash != read_letter(one.replace(old.encode(), new.encode())).content_hash


def test_the_same_words_without_identity_are_another_letter_when_they_come_again() -> None:
    one = mail("From: a@x.example\nTo: me+STAGE1@x", "OK\r\n")
    first, later = (Envelope(arrived=datetime(2026, 5, 4, 12, minute, tzinfo=UTC)) for minute in (0, 1))
    assert read_letter(one, first).content_hash == read_letter(one, first).content_hash
    assert read_letter(one, first).content_hash != read_letter(one, later).content_hash
    assert read_letter(one).content_hash != read_letter(one.replace(b"STAGE1", b"STAGE2")).content_hash


@pytest.mark.parametrize(
    "header",
    [
        "Auto-Submitted: auto-replied",
        "Auto-Submitted: auto-generated (failure)",
        "Precedence: bulk",
        "Precedence: auto_reply",
        "X-Autoreply: yes",
        "X-Autorespond: Away",
        "List-Id: <news.x.example>",
        "List-Unsubscribe: <mailto:off@x.example>",
        "Return-Path: <>",
        "X-Failed-Recipients: a@x.example",
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
        "From: Mail Delivery System <MAILER-DAEMON@x.example>",
        "Subject: Automatic reply: Turn 3 is out",
        "Subject: Out of Office",
        "Subject: =?utf-8?Q?R=C3=A9ponse_automatique?= : Tour 3",
        "Subject: Out of Office AutoReply: Turn 3 is out",
        "Subject: Автоматический ответ: Turn 3 is out",
        "Subject: 自动回复\N{FULLWIDTH COLON}Turn 3 is out",
        "Subject: Odpowiedź automatyczna: Turn 3 is out",
        "Subject: Otomatik yan\u0131t: Turn 3 is out",
        "X-Autogenerated: Reply",
        "X-Vacation: 1",
        "X-MS-Exchange-Generated-Message-Source: Mailbox Rules Agent",
        "X-POST-MessageClass: 9; Autoresponder",
        "X-FC-MachineGenerated: true",
        "X-Precedence: bulk",
        "X-Mailing-List: club@x.example",
        "X-Boxbe-Pass-Through: 1",
        "X-Delivery-Agent: TMDA/1.1.12",
        "Content-Type: message/disposition-notification",
        "Content-Type: multipart/report; report-type=disposition-notification; boundary=b",
        "Content-Type: text/calendar; method=REPLY",
        "X-Pbem: 1",
    ],
)
def test_each_sign_of_automatic_mail_is_enough(header: str) -> None:
    assert read_letter(mail(header)).automatic != ""


@pytest.mark.parametrize(
    "header",
    [
        "Auto-Submitted: no",
        "X-Autoreply: no",
        "X-Autogenerated: false",
        "X-Vacation: No",
        "Precedence: normal",
        "Return-Path: <a@x.example>",
        "Subject: Re: out of office hours I move",
        "From: Listy McList <list@x.example>",
        "X-Auto-Response-Suppress: All",
        "Subject: Re: Automatic reply: Turn 3 is out",
        "Subject: Automatic reply, as you asked for",
        "Subject: I am out of office, so here are my orders early",
        "Subject: Poissaolo loppuu: siirrot",
        "Precedence: first-class",
        "Auto-Submitted: No",
        "X-Loop: ann@x.example",
        "Feedback-ID: i1234:Fastmail",
        "Content-Type: text/calendar; method=REQUEST",
        "Disposition-Notification-To: ann@x.example",
        "Return-Receipt-To: ann@x.example",
    ],
)
def test_mail_of_people_is_not_automatic(header: str) -> None:
    assert read_letter(mail(header)).automatic == ""


def test_read_receipt_is_told_from_a_report_on_delivery() -> None:
    receipt = mail("Content-Type: multipart/report; boundary=b;\n report-type=disposition-notification")
    assert read_letter(receipt).automatic == "it is a receipt that says a mail was read"
    report = mail("Content-Type: multipart/report; boundary=b; report-type=delivery-status")
    assert read_letter(report).automatic == "it is a report on the delivery of a mail"


def test_mail_without_an_envelope_sender_is_automatic() -> None:
    assert read_letter(mail(HEAD), Envelope(sender="")).automatic != ""
    assert read_letter(mail(HEAD), Envelope(sender="a@x.example")).automatic == ""


@given(st.binary(max_size=300))
def test_any_bytes_are_a_letter(raw: bytes) -> None:
    assert read_letter(raw).body.encode("utf-8").count(b"\x00") == 0


PIECES = st.sampled_from(
    [
        *(
            b"From: ",
            b"To: ",
            b"Subject: ",
            b"Date: ",
            b"Message-ID: ",
            b"Content-Type: ",
            b"References: <",
            b"\r\n",
            b"\n",
        ),
        *(
            b" ",
            b"\r",
            b"\x00",
            b"\xff",
            b"multipart/mixed; boundary=b",
            b"text/html",
            b"text/plain; charset=",
            b"utf-8",
        ),
        *(
            b"utf-16",
            b"utf-7",
            b"idna",
            b"; name*",
            b'"',
            b"(",
            b"<",
            b">",
            b"@",
            b"a@b.c",
            b",",
            b":",
            b";",
            b"--b",
            b"--",
        ),
        *(
            b"=?utf-8?b?",
            b"=?utf-8?q?=00",
            b"?=",
            b"Content-Transfer-Encoding: base64",
            b"quoted-printable",
            b"=",
            b"=0",
        ),
        *(b"<div>", b"</blockquote>", b"<!--", b"-->", b"&#xD800;", b"&#0;", b"On 2026 a wrote:", b"Mon, 30 Nov 2026"),
    ]
)


@given(st.lists(PIECES, max_size=40).map(b"".join))
def test_torn_mail_is_a_letter(raw: bytes) -> None:
    letter = read_letter(raw)
    for text in (letter.body, letter.subject, letter.sender):
        assert text == text.encode("utf-8").decode("utf-8")
        assert "\x00" not in text


@pytest.mark.parametrize("sign", ["\u200b", "\u200d", "\u00ad", "\u2060", "\ufeff", "\u202e", "\x00", "\x08"])
@pytest.mark.parametrize("address", ["an{}a@x.example", "{}ana@x.example", "ana@x{}.example", "ana@x.example{}"])
@pytest.mark.parametrize("charset", ["utf-8", "latin-1"])
def test_sender_with_a_hidden_sign_is_not_taken_for_the_one_without(address: str, sign: str, charset: str) -> None:
    raw = f"From: Ana <{address.format(sign)}>\r\n\r\nx\r\n".encode(charset, "ignore")
    if sign.encode(charset, "ignore"):
        assert read_letter(raw).sender == ""  # Nor for anybody to whom an answer could go.
        assert read_letter(raw.replace(b"<", b"").replace(b">", b"").replace(b"Ana ", b"")).sender == ""
