"""Mail into folders, read back with the standard library."""

import mailbox
from pathlib import Path

import pytest

from pbem.mail.outgoing.maildir import MaildirOutbox, folder_name
from pbem.mail.outgoing.transport import Deferred, OutgoingMail, Sent

RAW = b"Date: Mon, 30 Nov 2026 19:04:11 +0100\r\nSubject: Turn 3\r\n\r\nRed: hold\r\n"
MAIL = OutgoingMail("orders@campaigns.example", "Ana@x.example", RAW)


async def test_mail_lies_in_the_maildir_of_its_recipient(tmp_path: Path) -> None:
    outbox = MaildirOutbox(tmp_path)
    assert await outbox.send(MAIL) == Sent()
    assert [path.name for path in tmp_path.iterdir()] == ["ana@x.example"]
    (message,) = mailbox.Maildir(outbox.folder("ana@x.example"), create=False)
    assert message["Subject"] == "Turn 3"
    assert message.get_payload() == "Red: hold\n"


async def test_same_mail_again_is_the_same_file_even_after_it_was_read(tmp_path: Path) -> None:
    outbox = MaildirOutbox(tmp_path)
    await outbox.send(MAIL)
    assert await outbox.send(MAIL) == Sent()
    folder = outbox.folder(MAIL.recipient)
    (file,) = (folder / "new").iterdir()
    file.rename(folder / "cur" / f"{file.name}:2,S")
    assert await outbox.send(MAIL) == Sent()
    assert len(mailbox.Maildir(folder)) == 1


async def test_files_sort_by_date(tmp_path: Path) -> None:
    outbox = MaildirOutbox(tmp_path)
    for day in (30, 28, 29):
        await outbox.send(OutgoingMail("a@x.example", "b@x.example", RAW.replace(b"30 Nov", b"%d Nov" % day)))
    files = sorted((outbox.folder("b@x.example") / "new").iterdir())
    assert [file.read_bytes()[11:17] for file in files] == [b"28 Nov", b"29 Nov", b"30 Nov"]


async def test_folder_that_cannot_be_written_defers(tmp_path: Path) -> None:
    (tmp_path / "ana@x.example").write_text("in the way")
    assert isinstance(await MaildirOutbox(tmp_path).send(MAIL), Deferred)


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("ana@x.example", "ana@x.example"),
        ("Ana+T@X.example", "ana+t@x.example"),
        ("../../etc@x", "etc@x-8ffb74b1e555"),
        ("-r@x", "r@x-558dcd21bcc4"),
        (".new@x.example", "new@x.example-a13af56c2a81"),
        ("józef@x.example", "j_zef@x.example-8dab714f9f5c"),
        ("", "nobody-e3b0c44298fc"),
        ("a" * 200, "a" * 80 + "-c2a908d98f5d"),
    ],
)
def test_folder_names_are_safe(address: str, name: str) -> None:
    assert folder_name(address) == name


def test_addresses_that_differ_never_share_a_folder() -> None:
    addresses = ["a/b@x", "a_b@x", "a\\b@x", "a?b@x", ".a_b@x"]
    assert len({folder_name(address) for address in addresses}) == len(addresses)
