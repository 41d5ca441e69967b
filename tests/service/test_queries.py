"""What is asked of the database for every letter and every look must not take longer with every letter stored."""

import re
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import event

from pbem.mail.outgoing.maildir import MaildirOutbox
from pbem.service.host import Host
from pbem.service.incoming.robots import play_robots
from pbem.service.outgoing import deliver
from pbem.service.stages.remind import remind
from tests.service.conftest import CAMPAIGN, PLAIN, Club

LARGE = re.compile(r"SCAN (letter|outbox|submission|turn|report)\b")
"""Tables that grow with every letter or turn, read from end to end."""


def scans(host: Host, work: Callable[[], object]) -> list[str]:
    """The questions of some work that are answered by reading all of a large table."""
    asked: dict[str, object] = {}

    def note(connection: object, cursor: object, statement: str, parameters: object, *rest: object) -> None:
        if statement.startswith(("SELECT", "UPDATE", "DELETE")):
            asked.setdefault(statement, parameters)

    event.listen(host.engine, "before_cursor_execute", note)
    work()
    event.remove(host.engine, "before_cursor_execute", note)
    with host.engine.connect() as connection:
        plans = {
            each: "\n".join(row.detail for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {each}", given))
            for each, given in asked.items()
        }
    return [f"{statement}\n{plan}" for statement, plan in plans.items() if LARGE.search(plan)]


def test_a_letter_reads_no_table_from_end_to_end(duel: Club) -> None:
    to = duel.reply_address("ana@example.org")

    def write() -> None:
        card = duel.write("ana@example.org", "Red Dragons: hold", to=to)
        again = duel.write("ana@example.org", "Iron Wall: hold\nSTATUS", to=to)
        unsure = duel.write("ana@example.org", "Red Dragons: hold", to=PLAIN)
        stranger = duel.write("somebody@example.com", "Red Dragons: hold", to=to)
        assert (card, again, unsure, stranger) == ("filed", "filed", "asked", "held")

    assert scans(duel.host, write) == []


def statements(host: Host, work: Callable[[], object]) -> int:
    """How many statements some work takes."""
    asked: list[str] = []

    def note(connection: object, cursor: object, statement: str, *rest: object) -> None:
        asked.append(statement)

    event.listen(host.engine, "before_cursor_execute", note)
    work()
    event.remove(host.engine, "before_cursor_execute", note)
    return len(asked)


def more_campaigns(club: Club, number: int) -> None:
    for each in range(number):
        club.begin(CAMPAIGN.replace('"gate"', f'"gate{each}"'))


def test_a_stranger_costs_the_same_however_many_campaigns_there_are(club: Club) -> None:
    def write() -> None:
        assert club.write("somebody@example.com", "hello", to="orders+ABCD2345@campaigns.example") == "held"

    write()
    before = statements(club.host, write)
    more_campaigns(club, 5)
    assert statements(club.host, write) == before


def test_a_look_costs_the_same_however_many_campaigns_there_are(club: Club) -> None:
    def look() -> None:
        assert play_robots(club.host) + club.run() + remind(club.host) == 0

    before = statements(club.host, look)
    more_campaigns(club, 5)
    assert statements(club.host, look) == before


async def test_a_look_and_sending_read_no_table_from_end_to_end(duel: Club, tmp_path: Path) -> None:
    def look() -> None:
        play_robots(duel.host)
        duel.run()
        remind(duel.host)

    assert scans(duel.host, look) == []
    assert (await deliver.flush(duel.host, MaildirOutbox(tmp_path))).sent > 0
    assert scans(duel.host, lambda: deliver._claim(duel.host)) == []
