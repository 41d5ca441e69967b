"""The addresses from which a seat is played: a player adds and drops them himself, by mail.

A new address is asked whether it wants to. Only a YES from that very address with the token of the question adds it;
so nobody can add one that he does not read, nor one whose reader only asks back, and nothing has to be stored
meanwhile. Every address of the seat hears of a change. What the question says may be read by anybody: it could be sent
to any address on earth.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from pbem.core.orders import Fault, plain
from pbem.mail.reading.card import Card
from pbem.reports.letters import Addresses, Joining
from pbem.service.host import Game, Host
from pbem.service.incoming.commands import Account, Words
from pbem.service.incoming.filing import Desk
from pbem.service.limits import HOUR
from pbem.service.organizer.handover import renew
from pbem.service.outgoing.post import plain_head, seat_head, tell
from pbem.service.tokens import joining_token
from pbem.storage.tables import Address, Campaign, Seat, number_of
from pbem.storage.tables import Letter as LetterRow
from pbem.storage.unit import Unit

MOST_ADDRESSES = 10
MOST_QUESTIONS = 3
"""So often a seat may have new addresses asked in an hour, and so often an address is asked: nobody is to be flooded
with our questions."""


CHANGED = "Your addresses have changed"
TOPICS = (CHANGED, "Your reply address has changed", "A new address is asked")
"""For the subject of what tells of a change: the weightiest first."""


class Impossible(Exception):
    """A word that cannot be obeyed; the message says why."""


@dataclass(frozen=True)
class _Changed:
    """What a word did."""

    sentence: str = ""
    note: str = ""
    """For the organizer, if it is for him."""
    topic: str = ""
    """For the subject."""


def obey(desk: Desk, words: Words) -> str:
    """Do what a card says about addresses, and answer it; a note if something of it is for the organizer."""
    before = desk.unit.campaigns.addresses(desk.seat)
    changed, faults = [], list(words.faults)
    for word in dict.fromkeys(words.account):
        try:
            changed.append(VERBS[word.verb](desk, word))
        except Impossible as reason:
            faults.append(Fault(word.line, "", str(reason)))
    words.faults = []  # They are told here.
    done = tuple(each.sentence for each in changed if each.sentence)
    topic = next((topic for topic in TOPICS if topic in [each.topic for each in changed]), "")
    readers = dict.fromkeys((desk.letter.sender, *(before if done else ())))
    _tell(desk.host, desk.unit, desk.game, desk.seat, desk.letter, list(readers), done, tuple(faults), topic)
    return "; ".join(each.note for each in changed if each.note)


def risks(desk: Desk, words: Words) -> bool:
    """Whether a card could change who may write for the seat, or where its reports go: a word that cannot be obeyed
    could not."""
    return any(word.verb == "add" or _can(desk, word) for word in words.account if word.risky)


def _can(desk: Desk, word: Account) -> bool:
    try:
        _droppable(desk, word) if word.verb == "drop" else _own(desk, word)
    except Impossible:
        return False
    return True


def invitation(host: Host, campaign: Campaign, seat: Seat, stage: int, email: str) -> str:
    """The token with which an address answers whether it wants to play a seat, if it was asked in this stage."""
    times = seat.dropped.get(email, 0)
    return joining_token(host.key, campaign.name, seat.code, seat.tenure, stage, email, times)


def join(host: Host, unit: Unit, row: LetterRow, card: Card, seat: Seat, found: Game) -> tuple[str, str]:
    """An address has answered the question whether it wants to play a seat; the letter's status and note."""
    email = row.sender
    row.campaign_id, row.seat_id = seat.campaign_id, seat.id
    before = unit.campaigns.addresses(seat)
    if email in before:
        return "answered", f"plays {seat.name} already"
    said = {word for line in card.lines if (word := yes_or_no(line.text))}
    if said == {"no"}:
        _void(seat, email)
        return "answered", f"does not want to play {seat.name}"
    if said != {"yes"}:
        again = replace(_question(host, found, seat, email, before[0]), unclear=True)
        tell(host, unit, found.campaign, email, again, f"again {row.cause}", row)
        return "held", f"was asked whether to play {seat.name}, and said neither yes nor no"
    if len(before) >= MOST_ADDRESSES or _is_of_another(unit, found.campaign, seat, email, before):
        return "held", f"wants to play {seat.name}, which cannot be"
    unit.campaigns.add(Address(seat_id=number_of(seat), email=email))
    unit.campaigns.audit(found.campaign, host.clock(), email, f"added {email} to {seat.name}")
    done = (f"You can write from {email} now.",)
    _tell(host, unit, found, seat, row, [email, *before], done, (), CHANGED)
    return "answered", f"plays {seat.name} now"


def yes_or_no(text: str) -> str:
    """The ``yes`` or ``no`` that a line begins with; nothing if it does not, or asks back."""
    found = re.match(r"(yes|no)(?!\w)", plain(text))
    return found[1] if found and "?" not in text else ""


def _add(desk: Desk, word: Account) -> _Changed:
    host, unit, campaign, seat, email = desk.host, desk.unit, desk.game.campaign, desk.seat, word.address
    own = unit.campaigns.addresses(seat)
    if email in own:
        return _Changed(f"{email} is one of your addresses already.")
    if len(own) >= MOST_ADDRESSES:
        raise Impossible(f"A seat has at most {MOST_ADDRESSES} addresses. FORGET one of them first.")
    if host.is_own(email):
        raise Impossible("That is my own address.")
    since, cause = host.clock() - HOUR, f"{campaign.name} joining"
    if unit.outbox.count(since, f"{cause} {seat.code} ") >= MOST_QUESTIONS:
        raise Impossible("I ask only a few addresses in an hour. Try again in an hour.")
    # What follows says the same in any case: whose address it is, or who else asks for it, would tell him who plays
    # against him.
    silent = ""
    if _is_of_another(unit, campaign, seat, email, [desk.letter.sender]):
        silent = f"asked to add {email}, from where another seat is played or a campaign is led"
    elif unit.outbox.count(since, cause, email) >= MOST_QUESTIONS:
        silent = f"asked to add {email}, which has been asked too often in an hour"
    _ask(desk, email, silent)
    return _Changed(
        f"I have written to {email}. Answer YES to that mail, from there, to make it yours.", silent, TOPICS[2]
    )


def _ask(desk: Desk, email: str, silent: str) -> None:
    """Write the question; if there is a reason to be ``silent`` it counts as one, and does not go out."""
    unit, game, seat = desk.unit, desk.game, desk.seat
    letter = _question(desk.host, game, seat, email, desk.letter.sender)
    message_id = tell(desk.host, unit, game.campaign, email, letter, f"joining {seat.code} {desk.letter.cause} {email}")
    if silent:
        unit.outbox.keep_back(message_id, silent)


def _question(host: Host, found: Game, seat: Seat, email: str, asker: str) -> Joining:
    token = invitation(host, found.campaign, seat, found.stage.number, email)
    return Joining(plain_head(host, found.campaign, token), asker)


def _drop(desk: Desk, word: Account) -> _Changed:
    unit, seat = desk.unit, desk.seat
    address = _droppable(desk, word)
    email = address.email
    unit.campaigns.forget(address)
    _void(seat, email)
    unit.campaigns.audit(desk.game.campaign, desk.host.clock(), desk.letter.sender, f"dropped {email} from {seat.name}")
    return _Changed(f"{email} is no longer one of your addresses.", topic=CHANGED)


def _void(seat: Seat, email: str) -> None:
    """What an address was asked before can no longer be answered."""
    seat.dropped = {**seat.dropped, email: seat.dropped.get(email, 0) + 1}


def _droppable(desk: Desk, word: Account) -> Address:
    address = _own(desk, word)
    if len(desk.unit.campaigns.addresses(desk.seat)) == 1:
        raise Impossible("It is the only one you have. Add another before you drop it.")
    return address


def _first(desk: Desk, word: Account) -> _Changed:
    """Make an address the first; that it once failed is forgotten."""
    address = _own(desk, word)
    address.rank = min(each.rank for each in desk.unit.campaigns.registered(desk.seat)) - 1
    address.failing, address.soft_bounces, address.hard_bounces, address.complaints = False, 0, 0, 0
    desk.unit.flush()
    return _Changed(f"Reports go to {address.email} from now on.", topic=CHANGED)


def _own(desk: Desk, word: Account) -> Address:
    own = desk.unit.campaigns.registered(desk.seat)
    for address in own:
        if address.email == word.address:
            return address
    listed = ", ".join(each.email for each in own)
    raise Impossible(f"It is not one of your addresses, which are: {listed}. ADDRESS {word.address} adds it.")


def _renew(desk: Desk, word: Account) -> _Changed:
    renew(desk.host, desk.unit, desk.game, desk.seat, desk.letter.sender)
    return _Changed(
        "Your old reply addresses are void. Your last report comes once more, with the new one.", topic=TOPICS[1]
    )


VERBS: Mapping[str, Callable[[Desk, Account], _Changed]] = {
    "list": lambda desk, word: _Changed(),
    "add": _add,
    "drop": _drop,
    "first": _first,
    "renew": _renew,
}


def _tell(
    host: Host,
    unit: Unit,
    found: Game,
    seat: Seat,
    row: LetterRow,
    readers: Sequence[str],
    done: tuple[str, ...],
    faults: tuple[Fault, ...],
    topic: str,
) -> None:
    """Tell how things stand, first him who wrote. Who is no longer among the addresses gets no reply address."""
    own = unit.campaigns.registered(seat)
    listed = tuple((each.email, _remark(each, first=each is own[0])) for each in own)
    for email in readers:
        stage = found.stage if email in [each.email for each in own] else None
        letter = Addresses(seat_head(host, found.campaign, seat, stage), listed if stage else (), done, faults, topic)
        answers = row if email == row.sender else None
        tell(host, unit, found.campaign, email, letter, f"addresses {row.cause} {seat.code}", answers)


def _remark(address: Address, *, first: bool) -> str:
    if address.failing:
        return "mail to it came back" + ("; reports go there all the same" if first else "")
    return "reports go there" if first else "you can write from it"


def _is_of_another(unit: Unit, campaign: Campaign, seat: Seat, email: str, own: Sequence[str]) -> bool:
    """Whether somebody else plays in this campaign from an address, or leads one. One person may have two seats."""
    if unit.campaigns.organized_by(email):
        return True
    others = [each for each in unit.campaigns.seats_of(email) if each.campaign_id == campaign.id and each.id != seat.id]
    return any(not set(unit.campaigns.addresses(each)) & set(own) for each in others)
