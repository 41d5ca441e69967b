from io import BytesIO

import pytest

from pbem.mail.pipe import NoMail, read_mail

RAW = b"Subject: orders\n\nRed: hold\n"


def test_mail_is_read_to_its_end() -> None:
    assert read_mail(BytesIO(RAW), len(RAW)) == RAW


@pytest.mark.parametrize(("raw", "reason"), [(b"", "there is no mail"), (b" \r\n\n", "there is no mail")])
def test_nothing_is_no_mail(raw: bytes, reason: str) -> None:
    with pytest.raises(NoMail, match=reason):
        read_mail(BytesIO(raw), 100)


def test_of_too_large_a_mail_no_more_is_read_than_shows_it() -> None:
    pipe = BytesIO(RAW * 1000)
    with pytest.raises(NoMail, match=r"larger than 100 bytes, which `largest` in \[mail\] allows"):
        read_mail(pipe, 100)
    assert pipe.tell() == 101
