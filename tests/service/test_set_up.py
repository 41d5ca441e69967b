"""A campaign that is set up by mail: headquarters and armies come with the first card (NIP 2)."""

from dataclasses import replace
from email.message import EmailMessage
from functools import partial

import pytest

from pbem.mail.reading.safely import read
from pbem.rulesets.nippon import NIPPON
from pbem.rulesets.nippon.state import State
from pbem.service.incoming.requeue import requeue
from pbem.service.stages.replay import replay
from tests.service.conftest import DUEL, Club, text_of

ANA, BEN = "ana@example.org", "ben@example.org"

OPEN = (
    DUEL.replace('map = "duel"', 'map = "duel", setup = true')
    .replace('headquarters = "Thornwick"\n', "")
    .replace('headquarters = "Larkfield"\n', "")
)

ARMY = """headquarters: Southmoor, 4

banner Sea Wolves
captain "Ito" (warhorse, shield)
20 swordsmen "Iron Wall" (standard)
"""


@pytest.fixture
def chosen(club: Club) -> Club:
    """The campaign in its first stage, all invitations sent."""
    club.begin(OPEN)
    club.mails()
    return club


def position(club: Club) -> State:
    """The position as it is stored."""
    with club.host.unit() as unit:
        state = club.host.state(unit.campaigns.all()[0], unit.turns.last(unit.campaigns.all()[0]))
    assert isinstance(state, State)
    return state


def test_an_army_is_acknowledged_with_its_points_and_stands_when_all_are_done(chosen: Club) -> None:
    assert chosen.write(ANA, ARMY + "FINAL") == "filed"
    told = text_of(chosen.mail_to(ANA))
    assert "16 Southmoor, else 4 Emberly" in told
    assert "286 of 2,000 points, 1 banner" in told
    assert "Iron Wall: 20 swordsmen (light armour, shield, standard): 210" in " ".join(told.split())
    assert chosen.write(BEN, "hq 19\nroster: ready-made\nFINAL") == "filed"
    chosen.run()
    state = position(chosen)
    assert (state.turn, state.stage) == (1, "orders")
    assert {key: banner.at for key, banner in state.banners.items()} == {
        "A Sea Wolves": 16, "B Blue Herons": 19, "B Long Oars": 19, "B Grey Mice": 19,
    }  # fmt: skip
    assert [step.differs for step in replay(chosen.host, "duel")] == [(), ()]


def test_an_illegal_army_comes_back_with_every_reason_and_the_rest_is_filed(chosen: Club) -> None:
    wrong = ARMY.replace("shield", "halberd, bow").replace("20 swordsmen", "2 swordsmen")
    assert chosen.write(ANA, wrong) == "filed"
    told = " ".join(text_of(chosen.mail_to(ANA)).split())
    for reason in (
        "Ito: it cannot have bow",
        "Iron Wall: it has 2 models and should have 10 or more",
        "banner Sea Wolves: it is worth",
    ):
        assert reason in told
    assert chosen.filed("A") == ["headquarters: Southmoor, 4"]


TABLE = "banner,number,unit,name,options\r\nSea Wolves,1,captain,Ito,\r\nSea Wolves,20,swordsmen,Iron Wall,standard\r\n"


def test_an_attached_table_is_the_card_of_a_mail_that_says_nothing_else(chosen: Club) -> None:
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Subject"] = ANA, chosen.reply_address(ANA), "my army"
    letter.set_content("")
    letter.add_attachment(TABLE.encode(), "text", "csv", filename="army.csv")
    assert chosen.offer(letter.as_bytes()) == "filed"
    mail = chosen.mail_to(ANA)
    assert mail.subject.startswith("[duel] Set-up: ")
    assert "270 of 2,000 points, 1 banner" in text_of(mail)  # 60 + 20 x 10 + 10


def with_file(club: Club, text: str, content: bytes, name: str) -> bytes:
    """A mail of Ana's with a file."""
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Subject"] = ANA, club.reply_address(ANA), "my army"
    letter.set_content(text)
    letter.add_attachment(content, "application", "octet-stream", filename=name)
    return letter.as_bytes()


ROSTER = b"""<roster gameSystemName="Nippon"><costs><cost name="pts" value="270"/></costs><forces>
<force name="Sea Wolves" catalogueName="Free Peoples"><selections>
<selection name="Captain" type="model"><costs><cost name="pts" value="60"/></costs></selection>
<selection name="Swordsmen" type="unit"><selections><selection name="Swordsman" type="model" number="20"/></selections>
</selection></selections></force></forces></roster>"""


def reading_files(club: Club) -> Club:
    """A server that reads letters as the real one does."""
    return Club(replace(club.host, read=partial(read, files=club.host.files)), club.clock, club.taken)


def test_a_roster_file_is_read_beside_what_stands_in_the_mail(chosen: Club) -> None:
    club = reading_files(chosen)
    assert club.offer(with_file(club, "Here is my army.\nheadquarters: 16\n", ROSTER, "Wolves.ros")) == "filed"
    told = text_of(club.mail_to(ANA))
    assert "260 of 2,000 points, 1 banner" in told  # 60 + 20 x 10
    assert [line.partition(":")[0] for line in club.filed("A")] == ["headquarters", "army"]


def test_an_attached_table_is_read_beside_a_greeting_and_a_signature(chosen: Club) -> None:
    club = reading_files(chosen)
    text = "Here is my army, hope it is fine.\n\nAna\n-- \nAna of Thornwick\n"
    assert club.offer(with_file(club, text, TABLE.encode(), "army.csv")) == "filed"
    assert "270 of 2,000 points, 1 banner" in text_of(club.mail_to(ANA))


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("army.csv", TABLE.replace("swordsmen", "swordmen"), "No unit is called 'swordmen'"),
        ("army.csv", "Sea Wolves,1,captain,Ito\r\n", "army.csv: the first row must name the columns: banner, type, "),
        ("army.txt", "banner Sea Wolves\n20 swordmen\n", "No unit is called 'swordmen'"),
    ],
)
def test_what_is_wrong_with_an_army_in_a_file_is_told_beside_a_greeting(
    chosen: Club, name: str, content: str, told: str
) -> None:
    club = reading_files(chosen)
    mail = with_file(club, "Here is my army, hope it is fine.\n", content.encode(), name)
    assert club.offer(mail) == "answered"
    assert told in " ".join(text_of(club.mail_to(ANA)).split())


def test_what_is_wrong_with_a_roster_file_is_told(chosen: Club) -> None:
    club = reading_files(chosen)
    assert club.offer(with_file(club, "Here is my army.", b"<catalogue/>", "Wolves.ros")) == "answered"
    assert "Wolves.ros: this is no roster but a 'catalogue'" in " ".join(text_of(club.mail_to(ANA)).split())


def test_a_roster_file_that_is_taken_in_again_is_read_the_same(chosen: Club) -> None:
    """A letter that came before files were read, and was held, counts when the organizer lets it in."""
    assert chosen.offer(with_file(chosen, "", ROSTER, "Wolves.ros")) == "held"
    with chosen.host.unit() as unit:
        number = unit.letters.latest(1)[0].id or 0
    assert requeue(chosen.host, number, "olga").status == "filed"


def test_silence_gets_what_is_left(chosen: Club) -> None:
    chosen.clock.go(days=8)
    chosen.run()
    state = position(chosen)
    assert sorted(realm.headquarters for realm in state.realms.values()) == [1, 4]
    assert [banner.name for banner in state.banners_of("A")] == ["Cancel Crew", "Iron Wall", "Red Dragons"]
    assert NIPPON.stage(state).awaiting == {"A", "B"}
