"""What a mail holds: texts, text files, and what is neither. How texts are decoded is in test_letter.py."""

import pytest

from pbem.mail.mime import LONGEST_FILE
from pbem.mail.reading.card import read_card
from pbem.mail.reading.contents import MOST_FILES, MOST_PARTS, Obstacle
from pbem.mail.reading.letter import Letter, read_letter

TEXT = "Content-Type: text/plain\n\nRed: move 14\n"
BLANK = "Content-Type: text/plain\n\n \n"
ORDERS = 'Content-Type: text/plain; name="orders.txt"\nContent-Disposition: attachment\n\nBlue: hold\n'
WINMAIL = 'Content-Type: application/ms-tnef; name="winmail.dat"\nContent-Transfer-Encoding: base64\n\neJ8+IgAA\n'
SMIME = 'Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"\n\nMIAG\n'
PICTURE = "Content-Type: image/jpeg\nContent-Disposition: attachment; filename=map.jpg\n\nxxx\n"
PGP_VERSION = "Content-Type: application/pgp-encrypted\n\nVersion: 1\n"
ARMOURED = "-----BEGIN PGP MESSAGE-----\nVersion: x\n\nhQEMA+/=\n=abcd\n-----END PGP MESSAGE-----\n"


def several(kind: str, *parts: str) -> str:
    """A multipart."""
    boundary = f"b{sum(map(len, parts))}"
    inner = "".join(f"--{boundary}\n{part}\n" for part in parts)
    return f'Content-Type: multipart/{kind}; boundary="{boundary}"\n\n{inner}--{boundary}--\n'


def letter(mail: str) -> Letter:
    return read_letter(f"From: ann@example.org\n{mail}".encode())


@pytest.mark.parametrize(
    ("mail", "obstacle"),
    [
        (several("mixed", BLANK, WINMAIL), "tnef"),
        (WINMAIL, "tnef"),
        (several("mixed", BLANK, WINMAIL.replace("ms-tnef", "octet-stream")), "tnef"),
        (SMIME, "smime"),
        (SMIME.replace("enveloped", "signed"), "smime"),
        (SMIME.replace("pkcs7-mime", "x-pkcs7-mime").replace("; name", "; x"), "smime"),
        (SMIME.replace("pkcs7-mime", "octet-stream"), "smime"),
        (several('encrypted; protocol="application/pgp-encrypted"', PGP_VERSION, PICTURE), "pgp"),
        (several("mixed", BLANK, PGP_VERSION, PICTURE), "pgp"),
        (f"\n{ARMOURED}", "pgp"),
        (several("mixed", BLANK, PICTURE), "files"),
        (PICTURE, "files"),
        (BLANK, ""),
        (several("mixed", TEXT, WINMAIL), ""),
        (several("mixed", TEXT, SMIME), ""),
        (f"\nRed: move 14\n{ARMOURED}", ""),
        (several("mixed", BLANK, WINMAIL, ORDERS), ""),
    ],
)
def test_what_stands_in_the_way_is_named_where_no_text_is(mail: str, obstacle: Obstacle) -> None:
    assert letter(mail).obstacle == obstacle


def test_signed_mail_is_read_as_usual() -> None:
    signature = "Content-Type: application/pkcs7-signature; name=smime.p7s\n\nMIAG\n"
    signed = letter(several("signed; protocol=x", TEXT, signature))
    assert (signed.body, signed.obstacle) == ("Red: move 14", "")


def test_signed_text_is_read_as_it_was_before() -> None:
    text = (
        "Hi\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nRed: move 14\n- -----\n- - Blue: hold\n"
        "-----BEGIN PGP SIGNATURE-----\n\niQEz/+\n=abcd\n-----END PGP SIGNATURE-----\n- Green: hold\n"
    )
    assert letter(f"\n{text}").body == "Hi\n\nRed: move 14\n-----\n- Blue: hold\n- Green: hold"


def test_lines_that_only_begin_like_armour_are_kept() -> None:
    text = "-----BEGIN PGP SIGNATURE-----\nRed: move 14\n-----END PGP SIGNATURE-----"
    assert letter(f"\n{text}").body == text


@pytest.mark.parametrize(
    "kind",
    [
        'text/plain; name="orders.txt"\nContent-Disposition: attachment',
        "text/plain\nContent-Disposition: inline; filename*=utf-8''orders.txt",
        "text/plain\nContent-Disposition: attachment; filename=ATT00001",
        "application/octet-stream; name=ORDERS.TXT\nContent-Disposition: attachment",
        'application/octet-stream; name="=?utf-8?q?orders=2Etxt?="',
    ],
)
def test_text_files_are_read_apart_from_the_text(kind: str) -> None:
    found = letter(several("mixed", TEXT, f"Content-Type: {kind}\n\nBlue: hold\n"))
    assert (found.body, found.attached) == ("Red: move 14", "Blue: hold")


def test_text_file_in_one_of_two_alternatives_is_found() -> None:
    page = "Content-Type: text/html\n\n<p>Red: move 14</p>\n"
    found = letter(several("alternative", TEXT, several("mixed", page, ORDERS)))
    assert (found.body, found.attached) == ("Red: move 14", "Blue: hold")


FILES = {".ros": lambda name, content: f"{name}: {content.decode()}"}
ROSTER = "Content-Type: application/octet-stream; name=My.ROS\nContent-Transfer-Encoding: base64\n\nYXJteQ==\n"


def test_files_of_a_rule_system_are_read_by_it() -> None:
    found = read_letter(several("mixed", TEXT, ROSTER, ORDERS).encode(), files=FILES)
    assert (found.body, found.attached, found.enclosed) == ("Red: move 14", "Blue: hold", "My.ROS: army")
    assert letter(several("mixed", TEXT, ROSTER)).enclosed == ""


def test_files_of_a_rule_system_are_lines_of_the_card_whatever_stands_there() -> None:
    found = read_letter(several("mixed", TEXT, ROSTER).encode(), files=FILES)
    card = read_card(found.body, found.attached, found.enclosed)
    assert [line.text for line in card.lines] == ["Red: move 14", "My.ROS: army"]
    assert len({line.number for line in card.lines}) == 2


@pytest.mark.parametrize("parts", [[ROSTER] * (MOST_FILES + 1), [f"{ROSTER}{'A' * LONGEST_FILE}"]])
def test_too_many_or_too_large_files_are_not_read_in_part(parts: list[str]) -> None:
    found = read_letter(several("mixed", TEXT, *parts).encode(), files={".ros": lambda name, content: "army"})
    assert found.obstacle == "large"


@pytest.mark.parametrize(
    "part",
    [
        "Content-Type: message/rfc822\n\nFrom: ann@example.org\n\nBlue: hold\n",
        "Content-Type: message/rfc822\nContent-Disposition: attachment; filename=old.txt\n\nX: y\n\nBlue: hold\n",
        "Content-Type: message/partial; id=1\n\nBlue: hold\n",
        "Content-Type: text/calendar; method=REQUEST\n\nBlue: hold\n",
        "Content-Type: text/rfc822-headers\n\nBlue: hold\n",
        "Content-Type: text/html; name=orders.html\n\nBlue: hold\n",
        "Content-Type: application/pdf; name=orders.pdf\n\nBlue: hold\n",
        several("digest", "\nBlue: hold\n"),
    ],
)
def test_mails_and_calendars_and_other_files_are_nobody_s_orders(part: str) -> None:
    found = letter(several("mixed", BLANK, part))
    assert (found.body.strip(), found.attached) == ("", "")


@pytest.mark.parametrize(
    ("plain", "page", "body"),
    [
        ("This mail needs an HTML reader.", "<p>Red: move 14</p>", "Red: move 14"),
        ("Diese Nachricht wird nur in HTML angezeigt.\n\nBitte umschalten.", "<p>Red: move 14</p>", "Red: move 14"),
        (" \n", "<p>Red: move 14</p>", "Red: move 14"),
        ("*Red: move\n14*\n", "<p><b>Red:</b> move 14</p>", "*Red: move\n14*"),
        (
            "Red: move 14\n-- \nAnn <http://x.example>",
            "<p>Red: move 14</p>",
            "Red: move 14\n-- \nAnn <http://x.example>",
        ),
        ("Ouvrez ce message dans un navigateur (browser).", "<p>Red: move 14</p>", "Red: move 14"),
        ("Red: move 14\nSent from my HTML browser", "<p>Red: move 14</p>", "Red: move 14\nSent from my HTML browser"),
        ("Red: move 14", "<p>Other</p>", "Red: move 14"),
        ("Red: move 14", "<img src=x>", "Red: move 14"),
        ("Red: move 14\n" * 40, "<p>Our newsletter</p>", "\n".join(["Red: move 14"] * 40)),
    ],
)
def test_plain_text_that_only_points_to_the_page_is_not_read(plain: str, page: str, body: str) -> None:
    parts = f"Content-Type: text/plain\n\n{plain}\n", f"Content-Type: text/html\n\n{page}\n"
    assert letter(several("alternative", *parts)).body == body
    assert letter(several("alternative", several("related", parts[1]), parts[0])).body == body


@pytest.mark.parametrize("method", ["REPLY", "reply", "COUNTER"])
def test_calendar_s_answer_is_automatic(method: str) -> None:
    answer = f"Content-Type: text/calendar; charset=utf-8; method={method}\n\nBEGIN:VCALENDAR\n"
    assert letter(several("alternative", TEXT, answer)).automatic == "it is a calendar's answer to an invitation"
    assert letter(answer).automatic != ""


def test_invitation_is_of_a_person() -> None:
    assert letter(several("alternative", TEXT, "Content-Type: text/calendar; method=REQUEST\n\nx\n")).automatic == ""


def test_parts_are_counted_over_all_levels() -> None:
    few = several("mixed", TEXT, *[several("mixed", *[PICTURE] * 8)] * (MOST_PARTS // 10))
    assert letter(few).obstacle == ""
    many = several("mixed", TEXT, *[several("mixed", *[PICTURE] * 10)] * (MOST_PARTS // 10))
    assert (letter(many).body, letter(many).obstacle) == ("Red: move 14", "large")


def test_parts_are_looked_at_to_a_certain_depth() -> None:
    nested = TEXT
    for _ in range(10):
        nested = several("mixed", nested)
    assert letter(nested).body == "Red: move 14"
    assert letter(several("mixed", nested)).obstacle == "large"


@pytest.mark.parametrize(
    ("part", "obstacle"),
    [
        ("Content-Type: text/plain\n\n" + "x" * 256_001, "large"),
        ("Content-Type: text/plain\n\n" + "x\n" * 10_001, "large"),
        ("Content-Type: text/html\n\n" + "x" * 1_000_001, "large"),
        ("Content-Type: text/html\n\n" + "<b>" * 20_001, "large"),
        ("Content-Type: text/html\n\n<p>Red: hold</p><!--" + "x" * 900_000, ""),
        ("Content-Type: text/plain; name=log.txt\n\n" + "x\n" * 500_001, ""),
        ("Content-Type: image/png; name=map.png\n\n" + "x\n" * 500_001, ""),
    ],
)
def test_text_that_was_not_read_to_its_end_is_told_of(part: str, obstacle: Obstacle) -> None:
    assert letter(several("mixed", TEXT, part)).obstacle == obstacle
