"""The server's own key: drawn once, whole, and for nobody else to read."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pbem.core.errors import BadInput
from pbem.service import key as keys
from pbem.service.key import own_key


def test_key_is_drawn_once_and_only_the_server_may_read_it(tmp_path: Path) -> None:
    path = tmp_path / "key"
    key = own_key(path)
    assert (len(key), own_key(path)) == (32, key)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_programs_that_start_at_the_same_moment_have_the_same_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "exists", lambda path: False)  # Each sees that there is none, and draws one.
    with ThreadPoolExecutor(8) as programs:
        assert len(set(programs.map(lambda _: own_key(tmp_path / "key"), range(40)))) == 1


def test_key_is_never_there_in_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "key"

    def seen_meanwhile(handle: int) -> None:
        assert not path.exists()

    monkeypatch.setattr(keys.os, "fsync", seen_meanwhile)
    own_key(path)
    assert path.exists()


@pytest.mark.parametrize("content", ["", "ab" * 31, "ab" * 33, "zz" * 32, "\xff" * 64])
def test_key_that_is_empty_or_damaged_is_refused_and_left_alone(tmp_path: Path, content: str) -> None:
    path = tmp_path / "key"
    path.write_text(content, encoding="latin-1")
    with pytest.raises(BadInput, match=r"key: is empty or damaged, and no key any more; put it back from a backup"):
        own_key(path)
    assert path.read_text(encoding="latin-1") == content


def test_key_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "key").mkdir()
    with pytest.raises(BadInput, match="key: cannot be read: Is a directory"):
        own_key(tmp_path / "key")
