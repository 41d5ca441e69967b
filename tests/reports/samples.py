"""Letters and a report with something in every part, for the tests of this folder."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import ClassVar

from pbem.core.dice import Roll
from pbem.core.odds import Forecast
from pbem.core.orders import Check, Fault, Line, Sheet, Verdict, Written
from pbem.core.report import Form, Items, Map, Proof, Report, Section, Table, Text
from pbem.core.ruleset import Dispute
from pbem.reports import letters

NOW = datetime(2026, 5, 12, 17, 4, tzinfo=UTC)
CLOSING = datetime(2026, 5, 17, 18, 0, tzinfo=UTC)
HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

HEAD = letters.Letterhead(
    campaign="dragonis",
    title="The Dragonis War",
    now=NOW,
    realm="Red Banner Duchy",
    person="Ana",
    zone="Europe/Berlin",
    reply_to="orders+ab12@example.org",
    deadlines=(letters.Deadline("Turn 7, orders", CLOSING),),
    frame="PBEM dragonis turn 7 ab12",
    links=(letters.Link("The archive", "https://example.org/dragonis/"),),
    organizer="olga@example.org",
)


@dataclass(frozen=True)
class Plain:
    """An order that is only its line."""

    immediate: ClassVar[bool] = False
    text: str

    @property
    def key(self) -> str:
        return self.text.partition(":")[0]

    def __str__(self) -> str:
        return self.text


FORMS = (
    "Red Dragons: move 13   # to a section, by number or name; a banner that cannot get there in one turn goes as far "
    "as it can and says so",
    "Red Dragons: fortify   # builds works",
    "Red Dragons: hold",
)


def verdict(number: int, text: str, does: str, *notes: str) -> Verdict:
    return Verdict(Written(Plain(text), Line(number, text)), text.partition(":")[0], does, notes)


DRAGONS = verdict(
    1,
    "Red Dragons: move 13",
    "MOVE 12 -> 13",
    "Leaving the forest 12: 5 in 6 keep the way; on a 1 the banner is lost and goes to a random neighbour.",
    "May meet Blue's Sea Wolves, who stand in 14.",
)
MARCHES = verdict(2, "Grand Army of the Marches: fortify", "FORTIFY in 20")
CRANES = verdict(3, "White Cranes: hold", "HOLD in 25")
TYPO = Fault(
    Line(4, "Iron Wall: mve to 41"),
    "Iron Wall",
    "41 Ford is not next to 38 Moor. Next to 38: 37, 39, 44, 52.",
    "Iron Wall: move 39",
    "Iron Wall: HOLD in 38",
)
CHAT = Line(6, "Sorry for the late mail, the whole family was on holiday by the sea, and the dog too.")
DEFAULT = (("Iron Wall", "HOLD in 38"),)
EXAMPLES = ("Red Dragons: move 13", "Iron Wall: move 39", "OK")

GOOD_SHEET = Sheet((DRAGONS.written, MARCHES.written, CRANES.written))


def acknowledgement(**changes: object) -> letters.Acknowledgement:
    """An answer to three good orders; ``changes`` to its fields."""
    facts = {
        "head": HEAD,
        "turn": 7,
        "receipt": "K7Q2",
        "content": HASH,
        "received": NOW,
        "sheet": GOOD_SHEET,
        "check": Check((DRAGONS, MARCHES, CRANES)),
    }
    return letters.Acknowledgement(**(facts | changes))  # type: ignore[arg-type]


FORECAST = Forecast(
    prospects=(
        (
            "Red Dragons",
            (
                "4 in 9 to arrive in 14 Ford",
                "1 in 3 to stay in 12 Thorn",
                "2 in 9 to go astray, to 11, 15 or 17",
                "4 in 9 to meet Blue's Red Fist in 14 Ford",
            ),
        ),
        ("White Cranes", ("certain to stay in 25 Moor",)),
    ),
    overall=(
        ("Meetings", "4 in 9 that you meet somebody"),
        ("Sections", "7 now, on average 7.2 then"),
        ("15 Cold Mill", "2 in 9 to become yours"),
    ),
    guessed=(
        "The banners of other realms hold; scattered ones walk home.",
        "What they hold you do not know. Points of each, as an equal share of a whole army: Blue's 666, Green's 500.",
    ),
)

LETTERS: dict[str, letters.Letter | letters.Unknown | letters.Unread] = {
    "acknowledgement all fine": acknowledgement(),
    "acknowledgement with a fault": acknowledgement(
        sheet=Sheet((DRAGONS.written, MARCHES.written), (TYPO,), (CHAT,)),
        check=Check((DRAGONS, MARCHES, CRANES), defaults=DEFAULT),
    ),
    "acknowledgement fault on a banner with an order": acknowledgement(
        sheet=Sheet((), (Fault(Line(1, "White Cranes: hodl"), "White Cranes", "I do not know 'hodl'."),)),
        examples=EXAMPLES,
    ),
    "acknowledgement nothing readable": acknowledgement(
        sheet=Sheet(ignored=(CHAT,)), check=Check(defaults=DEFAULT), examples=EXAMPLES
    ),
    "acknowledgement nothing changed": acknowledgement(kind="unchanged", same_as="K7Q2", receipt="K7Q3"),
    "acknowledgement late": acknowledgement(
        kind="late", missed="Turn 6, orders", closed=NOW, check=Check((DRAGONS, MARCHES, CRANES), defaults=DEFAULT)
    ),
    "acknowledgement late, fetched late": acknowledgement(
        kind="late", missed="Turn 6, orders", closed=NOW + timedelta(minutes=9), check=Check((DRAGONS,))
    ),
    "acknowledgement after the deadline": acknowledgement(
        receipt="", content="", kind="overdue", missed="Turn 7, orders", closed=NOW - timedelta(minutes=4)
    ),
    "acknowledgement overtaken in part": acknowledgement(
        sheet=Sheet((DRAGONS.written,)),
        later="M3XA",
        later_at=NOW + timedelta(minutes=7),
        overtaken=("Iron Wall: move 39", "White Cranes: move 26"),
    ),
    "acknowledgement overtaken": acknowledgement(
        receipt="",
        content="",
        sheet=Sheet(),
        later="M3XA",
        later_at=NOW + timedelta(minutes=7),
        overtaken=("Iron Wall: move 39",),
    ),
    "acknowledgement quoted only": acknowledgement(
        kind="quoted",
        sheet=Sheet((DRAGONS.written,), (TYPO,)),
        check=Check((DRAGONS, CRANES), defaults=DEFAULT),
    ),
    "acknowledgement outside": acknowledgement(
        kind="outside",
        sheet=Sheet((DRAGONS.written,), (TYPO,)),
        check=Check((DRAGONS, CRANES), defaults=DEFAULT),
    ),
    "acknowledgement OK": acknowledgement(sheet=Sheet(), check=Check(defaults=DEFAULT), all_hold=True, final=True),
    "acknowledgement said twice": acknowledgement(
        outdone=(("Red Dragons: move 13", "Red Dragons: move 13"), ("White Cranes: move 26", "White Cranes: hold"))
    ),
    "acknowledgement cancelled": acknowledgement(
        sheet=Sheet(), check=Check((DRAGONS,), defaults=DEFAULT), dropped=("Iron Wall: move 39",)
    ),
    "acknowledgement replaced all": acknowledgement(
        sheet=Sheet((DRAGONS.written,)),
        check=Check((DRAGONS,), defaults=DEFAULT),
        replaced=True,
        dropped=("Iron Wall: move 39", "White Cranes: hold"),
    ),
    "acknowledgement done at once": acknowledgement(
        sheet=Sheet(), check=Check(), acted=1, done=("You offer 200 pp to Blue at 14 Ford: terms P3.",)
    ),
    "status": letters.Status(
        HEAD,
        7,
        "Turn 7, orders",
        Check((DRAGONS,), defaults=DEFAULT),
        receipt="K7Q2",
        received=NOW,
        final=True,
        standing=(("Loss order", "Halberdiers, then Iron Wall; then the cheapest unit first, characters last"),),
    ),
    "status nothing came": letters.Status(HEAD, 7, "Turn 7, meetings", Check(), awaited=False),
    "try": letters.Try(HEAD, 7, "Turn 7, orders", FORECAST, Check((DRAGONS, MARCHES, CRANES)), GOOD_SHEET),
    "try with assumptions": letters.Try(
        HEAD,
        7,
        "Turn 7, orders",
        replace(
            FORECAST,
            assumed=(("Blue's Red Fist", "MOVE 16 -> 12 -> 14, mounted"),),
            faults=(
                Fault(
                    Line(5, "ASSUME Blue's Red Fits holds"),
                    "",
                    "No banner of another realm that you can see is called so. Did you mean 'Red Fist'?",
                ),
            ),
            runs=600,
        ),
        Check((DRAGONS,), defaults=DEFAULT),
        Sheet((DRAGONS.written,), (TYPO,)),
        ("FINAL",),
    ),
    "try of the orders on file, when nobody moves": letters.Try(HEAD, 7, "Turn 7, meetings", None, Check(), Sheet()),
    "reminder": letters.Reminder(
        HEAD, 7, "Turn 7, orders", DEFAULT, ("Iron Wall: hold   # 38 Moor. next: 37 39 44 52", "OK")
    ),
    "notice": letters.Notice(
        HEAD,
        7,
        "an offer at 14 Ford",
        ("Blue offers at 14 Ford: it gives you 200 pp and asks for a truce of 3 turns (P3).",),
        (("accept P3", "takes the terms"), ("decline P3", "refuses them: the battle is fought")),
        "the battle is fought.",
    ),
    "welcome": letters.Welcome(
        HEAD, "a war of six realms for 66 map sections", "one turn a week: orders by Sunday 20:00", "12 turns"
    ),
    "announcement": letters.Announcement(
        HEAD, "Turn 7 extended by 2 days", ("The organizer has extended Turn 7, orders, by 2 days.",)
    ),
    "catchup": letters.Catchup(HEAD, "Turn 7, orders", NOW, CLOSING),
    "held": letters.Held(HEAD, "Turn 7, orders", "E-31"),
    "held organizer": letters.Held(HEAD, "Turn 7, orders", "E-31", "RuleError in NIP 6.4"),
    "over": letters.Over(HEAD, "Green holds 60 % of the land.", (("Green",), ("Red", "Blue"), ("Black",))),
    "help": letters.Help(HEAD, FORMS, EXAMPLES, "orders@example.org"),
    "rules": letters.Rules(
        HEAD, "6.4", "## 6.4 Passing\n\nWhere **hostile** banners cross, dice decide.\n\n- one\n- two"
    ),
    "rules unknown": letters.Rules(HEAD, "99", "", ("6.4 Passing in the night", "6.5 Hostile")),
    "unsure": letters.Unsure(HEAD, "token", "K7Q2", NOW, ("Red Dragons: move 13",)),
    "unsure not proven": letters.Unsure(HEAD, "proof", "K7Q2", NOW, ("Red Dragons: move 13",)),
    "unsure about addresses": letters.Unsure(HEAD, "account", "K7Q2", NOW, ("ADDRESS ana@work.example",)),
    "addresses": letters.Addresses(
        HEAD,
        (("ana@example.org", "reports go there"), ("ana@work.example", "you can write from it")),
        ("ana@old.example is no longer one of your addresses.",),
        (Fault(Line(2, "FORGET ana@x.example"), "", "It is not one of your addresses."),),
        "Your addresses have changed",
    ),
    "addresses listed": letters.Addresses(HEAD, (("ana@example.org", "reports go there"),)),
    "addresses, to one that was dropped": letters.Addresses(
        replace(HEAD, reply_to="", frame=""),
        (),
        ("ana@old.example is no longer one of your addresses.",),
        (),
        "Your addresses have changed",
    ),
    "joining asked again": letters.Joining(HEAD, "ana@example.org", unclear=True),
    "joining": letters.Joining(
        letters.Letterhead("dragonis", "The Dragonis War", NOW, reply_to="orders+ab12@example.org"), "ana@example.org"
    ),
    "misused": letters.Misused(HEAD, "eve@example.net"),
    "misused by an address that was asked": letters.Misused(HEAD, "ana@work.example", NOW),
    "misused by nobody": letters.Misused(HEAD, ""),
    "misused, the organizer's": letters.Misused(replace(HEAD, realm="", person=""), "eve@example.net"),
    "farewell": letters.Farewell(replace(HEAD, reply_to="", frame="")),
    "welcome to a seat that was another's": letters.Welcome(
        HEAD, "a war of six realms", "one turn a week", "12 turns", "dwarfs", takes_over=True
    ),
    "unknown, but asked": letters.Unknown("orders@example.org", NOW),
    "unknown": letters.Unknown("orders@example.org"),
    "unread": letters.Unread(
        "orders@example.org", "Turn 7 <orders>", "it has 300,000 bytes, and the most that is read is 256,000"
    ),
    "unreachable": letters.Unreachable(
        HEAD, "Blue", "ben@example.org", "5.1.1 550 5.1.1 <ben@example.org>: User unknown", "ben@work.example"
    ),
    "unreachable everywhere": letters.Unreachable(HEAD, "Blue", "ben@example.org", "4.4.7 Delivery time expired"),
    "leaving": letters.Leaving(HEAD),
    "applying": letters.Applying(
        letters.Letterhead("dragonis", "The Dragonis War", NOW, reply_to="orders+ab12@example.org"),
        "Crane Host",
        "army: dwarfs",
    ),
    "applying asked again": letters.Applying(HEAD, "Crane Host", approved=True, unclear=True),
    "applied": letters.Applied(
        HEAD, "You have no seat", "Another realm is called Crane Host.", "JOIN dragonis as Swan Host"
    ),
    "wants in": letters.WantsIn(HEAD, "ben@example.org", "Crane Host", "dwarfs", 2),
    "wants out": letters.WantsOut(HEAD, "Blue", "Ben", "ben@example.org"),
    "complained": letters.Complained(HEAD, "Blue", "ben@example.org"),
    "unreachable organizer": letters.UnreachableOrganizer(
        "orders@example.org", "The Dragonis War", "olga@example.org", "5.1.1 550 5.1.1 User unknown"
    ),
    "digest": letters.Digest(
        HEAD,
        (
            letters.Senders("ana@example.org", 41, 0, NOW, CLOSING),
            letters.Senders("a.player.with.a.long.address@mail.example.org", 140, 80, NOW, CLOSING),
        ),
    ),
    "strays": letters.Strays(
        "orders@example.org",
        NOW,
        (
            letters.Stray(
                12,
                "eve@example.net",
                "Your invoice, which is a subject that goes on for a long while",
                "unknown sender",
            ),
            letters.Stray(13, "", "", "no usable sender address"),
        ),
        53,
    ),
    "unread-outlook": letters.Unread(
        "orders@example.org", "Turn 7", "its text is in a file winmail.dat, which only Outlook reads", "tnef"
    ),
    "unread-smime": letters.Unread("orders@example.org", "Turn 7", "it is encrypted with S/MIME", "smime"),
    "unread-pgp": letters.Unread("orders@example.org", "Turn 7", "it is encrypted with PGP", "pgp"),
    "organizer with prose": letters.Organizer(
        replace(HEAD, realm="", person="Olga"),
        "status",
        "Turn 7, orders",
        ignored=(Line(3, "Regards,"), Line(4, "Olga")),
    ),
    "organizer": letters.Organizer(
        HEAD,
        "closed Turn 7, orders",
        "Turn 8, orders",
        ("Turn 7, orders, is closed and resolved.", "Six reports are on their way."),
        (Fault(Line(3, "extend two days"), "", "How long? A number and d or h.", "extend 2d"),),
        (
            letters.Seating("Red Banner Duchy", "final", "K7Q2", NOW),
            letters.Seating("Blue", "missing", note="mail bounced on 3 May"),
        ),
        ("A letter of Blue came too late: receipt K7Q9.",),
        (
            Dispute(
                "B14",
                "Battle in 14 Ford, Red Banner Duchy against Blue",
                frozenset("AB"),
                ("Red Banner Duchy: Red Banner Duchy victory; B Bowmen 8", 'Blue: "we stopped in round three"'),
                (
                    ('rule B14 draw "why"', "nobody won"),
                    ('rule B14 Red Banner Duchy victory; B Bowmen 8 "why"', "as Red Banner Duchy says"),
                    ('rule B14 auto "why"', "left to dice"),
                ),
            ),
        ),
        (("close", "closes the stage now"), ("extend 2d", "moves the deadline")),
    ),
}

PROOF = Proof(HASH, "00ff", (HASH, HASH[::-1]), (Roll("forest A Red 12", 6, 4),), "", (), HASH)

REPORT = Report(
    campaign="dragonis",
    title="The Dragonis War",
    headline="Turn 7: you hold 11 of 66 sections, 1 battle",
    number=13,
    turn=7,
    stage="Turn 7, full report",
    seat="A",
    reader="Red Banner Duchy",
    sections=(
        Section("short", "In short", (Text("You won 13 Ford and lost none. " * 3),)),
        Section("orders", "Your orders", (Items((("Red Dragons", "MOVE 13. Done."), ("Iron Wall", "HOLD. Done."))),)),
        Section("news", "The world", (Items((("", "Green took Thorn Pass."), ("", "Blue razed 7."))),)),
        Section(
            "banners",
            "Your banners",
            (Table(("Banner", "Where", "#Points"), (("Red Dragons", "13 Ford", "1,200"), ("Iron Wall", "38", "800"))),),
        ),
        Section("map", "Map", (Map("Red: 12, 13, 38. Blue: 14."),)),
        Section(
            "form", "Order form", (Text("Send it back."), Form(("Red Dragons: hold  # 13", "Iron Wall: hold  # 38")))
        ),
    ),
    proof=PROOF,
)
