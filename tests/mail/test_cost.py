"""What reading costs is measured apart from whatever else the tests have had."""

from tests.mail.cost import MOST_MEGABYTES, costs


def test_what_the_parent_has_had_counts_for_nothing() -> None:
    assert len(b"x" * (MOST_MEGABYTES * 1024**2)) > 0
    (measured,) = costs(["many empty headers"])
    assert 1 < measured.megabytes < MOST_MEGABYTES
