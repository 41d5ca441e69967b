"""How names, sets of mails and answers are written in IMAP."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as some

from pbem.mail.imap.syntax import folder_name, in_namespace, read_date, read_fetch, read_search, uid_set, uid_sets


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Done", '"Done"'),
        ('a "b" \\c', '"a \\"b\\" \\\\c"'),
        ("Tom & Ana", '"Tom &- Ana"'),
        ("Entwürfe", '"Entw&APw-rfe"'),
        ("~peter/mail/台北/日本語", '"~peter/mail/&U,BTFw-/&ZeVnLIqe-"'),
        ("😀", '"&2D3eAA-"'),
    ],
)
def test_folder_names_are_written_in_their_own_utf_7(name: str, written: str) -> None:
    assert folder_name(name) == written


@given(some.sets(some.integers(1, 3000), max_size=1500))
def test_sets_name_each_mail_once_on_lines_of_bearable_length(uids: set[int]) -> None:
    written = list(uid_sets(uids))
    read = [uid for line in written for part in line.split(",") for uid in _run(part)]
    assert read == sorted(uids)
    assert all(len(line) < 8000 for line in written)


def _run(part: str) -> range:
    first, _, last = part.partition(":")
    return range(int(first), int(last or first) + 1)


def test_neighbours_are_written_as_a_run() -> None:
    assert uid_set([9, 3, 4, 5]) == "3:5,9"


@pytest.mark.parametrize(
    ("answer", "name", "found"),
    [
        (b'NAMESPACE (("INBOX." ".")) NIL NIL', "Done", "INBOX.Done"),
        (b'NAMESPACE (("INBOX." ".")) NIL NIL', "INBOX.Done", "INBOX.Done"),
        (b'NAMESPACE (("" "/")) (("~" "/")) NIL', "Done/2026", "Done/2026"),
        (b'NAMESPACE (("" ".")) NIL NIL', "Done/2026", "Done.2026"),
        (b"NAMESPACE NIL NIL NIL", "Done", "Done"),
        (b"", "Done", "Done"),
    ],
)
def test_folders_are_looked_for_in_the_namespace(answer: bytes, name: str, found: str) -> None:
    assert in_namespace(answer, name) == found


def test_search_may_answer_in_several_lines_and_none() -> None:
    assert read_search([b"SEARCH 9 3", b"5 EXISTS", b"search 4", b"SEARCH"]) == [3, 4, 9]
    assert read_search([b"SEARCH 7 (MODSEQ 917162500)"]) == [7]


@pytest.mark.parametrize(
    ("parts", "found"),
    [
        ([b"1 FETCH (UID 7 BODY[] {3}", b"a)(", b")"], {"UID": b"7", "BODY[]": b"a)("}),
        ([b"1 FETCH (BODY[] {3}", b"abc", b" UID 7)"], {"UID": b"7", "BODY[]": b"abc"}),
        ([b"1 fetch (uid 7 body[] {0}", b"", b")"], {"UID": b"7", "BODY[]": b""}),
        ([b"1 FETCH (UID 7 BODY[] NIL)"], {"UID": b"7", "BODY[]": b""}),
        ([b'1 FETCH (UID 7 BODY[] "NIL")'], {"UID": b"7", "BODY[]": b"NIL"}),
        ([b'1 FETCH (UID 7 BODY[] "a \\"b\\" (c")'], {"UID": b"7", "BODY[]": b'a "b" (c'}),
        ([b"1 FETCH (FLAGS (\\Seen $X) UID 7)"], {"UID": b"7"}),
        ([b"1 FETCH (FLAGS ())"], {}),
        ([b'1 FETCH (INTERNALDATE " 1-Nov-2026 18:04:11 +0000")'], {"INTERNALDATE": b" 1-Nov-2026 18:04:11 +0000"}),
        ([b"5 EXISTS"], None),
    ],
)
def test_mails_are_read_in_whatever_order_and_shape_they_are_told(
    parts: list[bytes], found: dict[str, bytes] | None
) -> None:
    told = read_fetch(parts)
    assert told == found or told == {**(found or {}), "FLAGS": b""}


@pytest.mark.parametrize(
    "parts",
    [
        [b"1 FETCH (UID 7"],
        [b"1 FETCH (UID"],
        [b"1 FETCH (UID 7 BODY[] {3}", b"abc", b'and more "'],
        [b"1 FETCH (UID 7))"],
    ],
)
def test_answer_that_does_not_hold_together_is_refused(parts: list[bytes]) -> None:
    with pytest.raises(ValueError, match="FETCH answer"):
        read_fetch(parts)


@given(some.lists(some.binary(max_size=40), max_size=4))
def test_any_bytes_are_read_or_refused(parts: list[bytes]) -> None:
    with contextlib.suppress(ValueError):
        read_fetch([b"1 FETCH (" + b"".join(parts[:1]), *parts[1:]])


def test_date_that_is_none_is_no_date() -> None:
    for text in (None, b"", b"soon", b"99-Foo-2026 18:04:11 +0000", b"\xff", b"30-Nov-2026 18:04:11"):
        assert read_date(text) is None
