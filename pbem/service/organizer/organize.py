"""What an organizer does while a campaign runs, by mail or on the command line: close, extend, pause and the like."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from textwrap import shorten

from pbem.core.errors import NotNow
from pbem.core.orders import QUOTES, Fault, Line, nearest, plain
from pbem.core.wording import counted
from pbem.mail.addresses import read_addresses
from pbem.reports.letters import Announcement
from pbem.reports.when import moment
from pbem.service.bounds import within_bounds
from pbem.service.host import Game, Host, game
from pbem.service.organizer import arbitration, handover, seating, withdrawal
from pbem.service.outgoing.overview import ADMITTING, COMMANDS, RULING, overview, send
from pbem.service.outgoing.post import seat_head, tell
from pbem.service.stages import free_seats
from pbem.service.stages.deadlines import duration
from pbem.service.stages.remind import reached
from pbem.service.tokens import ORGANIZER, reader_token
from pbem.storage.tables import Applicant, Campaign, Seat, Stage
from pbem.storage.tables import Letter as LetterRow
from pbem.storage.unit import Unit

LONGEST_QUOTED = 40
"""Signs of a command in a subject."""
MOST_ASKED = 5
"""Lines that are quoted to an organizer who has to send them once more."""
LONGEST_SENTENCE = 12
"""Words of a line that may have meant to be a command, though it is none."""
ALIKE = 0.7
"""How much (0 to 1) the first word of such a line must be like that of a command."""
LONGEST_REASON = 200
"""Signs of what all are told."""
MOMENT = timedelta(hours=1)
"""So long after a stage has closed, another close is taken for a slip if nobody has sent anything meanwhile."""
FIRST = 1
"""The number of a campaign's first stage: none has closed before it."""
NOTHING = "nothing in it reads as a command"
EXAMPLES = {words.split()[0]: words for words, _ in (*COMMANDS, *ADMITTING, *RULING)}
"""Each command, by its first word."""
VERB = re.compile(
    r"(?<!\w)(?:close|extend|pause|resume|status|dismiss|renew tokens|hand over|withdraw"
    r"|(?:seat|refuse)(?=\s\S+@)|rule(?=\s+(?:battle\s+)?b?\s?\d))(?!\w)",
    re.IGNORECASE,
)
"""How commands begin."""

EARLIER = re.compile(r"[-\N{MINUS SIGN}\N{EN DASH}]\s*\d")
"""A minus sign before a number; where commands are compared, such signs no longer stand."""


UNSAID = "".join(QUOTES) + " :,;.-"
"""Signs around a reason that are not part of it."""


class Refused(Exception):
    """A command that cannot be obeyed now; the message says why."""

    def __init__(self, reason: str, paste: str = "") -> None:
        super().__init__(reason)
        self.paste = paste
        """What to send instead, if that can be told."""


@dataclass(frozen=True)
class Control:
    """A campaign under an organizer's hand."""

    host: Host
    unit: Unit
    campaign: Campaign
    who: str
    """For the audit: an address, or ``command line``."""
    text: str = ""
    """The command as it was written."""

    @property
    def stage(self) -> Stage:
        """The stage that is open or held."""
        stage = self.unit.campaigns.current_stage(self.campaign)
        if stage is None:
            raise Refused(f"{self.campaign.title} is over")
        return stage

    @property
    def game(self) -> Game:
        """The game as it stands."""
        found = game(self.host, self.unit, self.campaign)
        if found is None:
            raise Refused(f"{self.campaign.title} is over")
        return found


def obey(host: Host, unit: Unit, campaign: Campaign, row: LetterRow, lines: Sequence[Line]) -> str:
    """Do what an organizer's mail says, and answer it; a note of what was done. Prose is left alone."""
    control = Control(host, unit, campaign, row.sender)
    done: list[str] = []
    lines, faults = within_bounds(lines)
    prose = tuple(line for line in lines if not like_a_command(line.text))
    for line in lines:
        try:
            done += [] if line in prose else [command(control, line.text)]
        except Refused as refusal:
            faults.append(Fault(line, "", str(refusal), refusal.paste))
    told = tuple(filter(None, done))
    _answer(control, row, told, tuple(faults), prose, topic="" if done or not prose else NOTHING)
    return "; ".join(told) or (NOTHING if prose and not done else "status")


def ask_back(host: Host, unit: Unit, campaign: Campaign, row: LetterRow, lines: Sequence[Line]) -> None:
    """Answer what may have come from an organizer: nothing was done; who reads this can reply to be obeyed."""
    control = Control(host, unit, campaign, row.sender)
    reason = "It could not be proven that this is from you, so nothing was done. Answer this mail with it."
    within = within_bounds(lines)[0]
    meant = [line for line in within if like_a_command(line.text)] or within
    faults = tuple(Fault(line, "", reason, line.text.strip()) for line in meant[:MOST_ASKED])
    stage = unit.campaigns.stages(campaign)[0]
    token = reader_token(host.key, campaign.name, ORGANIZER, 0, stage.number, row.sender)
    _answer(control, row, (), faults, reply_to=host.reply_address(token))


def command(control: Control, text: str) -> str:
    """Do one command; what was done, as a sentence (nothing for ``status``). Raises :class:`Refused`."""
    for pattern, action in ACTIONS:
        if match := re.fullmatch(pattern, plain(text)):
            return action(replace(control, text=text), match)
    raise Refused(f"I do not know the command {shorten(text, LONGEST_QUOTED, placeholder=' ...')!r}", _meant(text))


def like_a_command(text: str) -> bool:
    """Whether a line is a command or comes near one; greetings, names and sentences do not."""
    words = plain(text)
    known = any(re.fullmatch(pattern, words) for pattern, _ in ACTIONS)
    return known or bool(len(words.split()) <= LONGEST_SENTENCE and _meant(text))


def _meant(text: str) -> str:
    """The command that a line may have meant, to send instead; nothing if none comes near."""
    verb = VERB.search(text)
    if verb is None:
        alike = nearest(plain(text).split(" ")[0], list(EXAMPLES), 1, ALIKE)
        return next((EXAMPLES[word] for word in alike), "")
    tail = re.sub(r"[\s,]+please\W*$", "", text[verb.start() :], flags=re.IGNORECASE).strip(" .!?,;")
    fits = any(re.fullmatch(pattern, plain(tail)) for pattern, _ in ACTIONS)
    return tail if fits else EXAMPLES[plain(verb[0]).split()[0]]


def _close(control: Control, match: re.Match[str]) -> str:
    stage, now = control.stage, control.host.clock()
    if control.campaign.status == "paused":
        raise Refused("the campaign is paused; send resume first")
    if few := free_seats.missing(control.host, control.unit, control.campaign, stage):
        raise Refused(f"The game needs {counted(few, 'more player')}", "extend 7d")
    if not match["anyway"] and _just_opened(control, stage):
        raise Refused(f"{stage.title} has only just opened, and nobody has sent orders for it", "close anyway")
    stage.status, stage.deadline = "open", now
    _audit(control, f"closed {stage.title}")
    return f"{stage.title} is being closed; the reports go out within a minute."


def _just_opened(control: Control, stage: Stage) -> bool:
    """Whether a close is likely to be meant for the stage before: that closed a moment ago, and no player has sent
    anything for the next one, not even one for whom it does not wait any more."""
    if stage.number <= FIRST or stage.status != "open" or control.host.clock() - stage.opened_at > MOMENT:
        return False
    found, filed = control.game, control.unit.submissions.filed(stage)
    people = {seat.code for seat in control.unit.campaigns.seats(control.campaign) if not seat.robot}
    awaited = people & found.rules.stage(found.state).awaiting
    return bool(awaited) and not any(filed[code].letter_id for code in people & filed.keys())


def _extend(control: Control, match: re.Match[str]) -> str:
    stage = control.stage
    if EARLIER.search(control.text):
        raise Refused("A deadline moves only later, never earlier; close ends the stage now", "extend 2d")
    try:
        longer = duration(match["by"])
    except ValueError as error:
        raise Refused(str(error), "extend 2d") from error
    _move_deadline(control, stage, longer)
    _audit(control, f"extended {stage.title} by {match['by']}")
    _announce(control, f"{stage.title} extended by {match['by']}", _new_deadline(control))
    if control.campaign.status == "paused":
        return f"{stage.title} has {match['by']} more, once you resume."
    return f"{stage.title} now ends {_deadline(control, stage)}."


def _pause(control: Control, match: re.Match[str]) -> str:
    if control.campaign.status != "running":
        raise Refused(f"the campaign is {control.campaign.status} already")
    control.campaign.status, control.campaign.paused_at = "paused", control.host.clock()
    _audit(control, "paused")
    _announce(control, "paused", lambda zone: "The clock is stopped. Orders still come in and are kept.")
    return "The clock is stopped."


def _resume(control: Control, match: re.Match[str]) -> str:
    campaign, stage = control.campaign, control.stage
    if campaign.status != "paused" or campaign.paused_at is None:
        raise Refused("the campaign is not paused")
    paused, campaign.status, campaign.paused_at = campaign.paused_at, "running", None
    if stage.deadline is not None:
        _set_deadline(control, stage, stage.deadline + (control.host.clock() - paused))
    _audit(control, "resumed")
    _announce(control, "goes on", _new_deadline(control))
    return f"The clock runs again; {stage.title} ends {_deadline(control, stage)}."


def _status(control: Control, match: re.Match[str]) -> str:
    return ""


def _dismiss(control: Control, match: re.Match[str]) -> str:
    """Set letters aside, all that are named or none. They are kept, and a player's YES still files one."""
    campaign = control.campaign
    waiting = {str(letter.id): letter for letter in control.unit.letters.waiting(campaign, campaign.created_at)}
    numbers = list(dict.fromkeys(re.findall(r"\d+", match["numbers"])))
    if strange := [number for number in numbers if number not in waiting]:
        raise Refused(f"No letter {strange[0]} waits for you")
    for number in numbers:
        set_aside(control.host, control.unit, waiting[number], control.who)
    return f"{'Letter' if len(numbers) == 1 else 'Letters'} {', '.join(numbers)} set aside."


def _renew(control: Control, match: re.Match[str]) -> str:
    seat = _seat(control, _behind("of", control.text))
    return handover.renew_and_tell(control.host, control.unit, control.game, seat, control.who)


def _hand_over(control: Control, match: re.Match[str]) -> str:
    """``hand over Crane Host to Ben <ben@example.org>``, with or without the name; with ``anyway`` at its end also to
    somebody who plays another seat."""
    *written, person = re.split(r"\sto\s", f"{_behind('over', control.text)} ", flags=re.IGNORECASE)
    seat = _seat(control, " to ".join(written) or person)
    bare = re.sub(r"\sanyway\W*$", "", person, flags=re.IGNORECASE)
    found, sound = read_addresses(bare.strip(" ."))
    if not written or not sound or len(found) != 1 or control.host.is_own(found[0].address):
        paste = f"hand over {seat.name} to ben@example.org"
        raise Refused("I cannot read the one address of the new player", paste)
    _fit_to_play(control, seat, found[0].address.lower(), anyway=bare != person)
    return handover.hand_over(control.host, control.unit, control.game, seat, found[0], control.who)


def _seat_applicant(control: Control, match: re.Match[str]) -> str:
    applicant = _waiting(control, "seat")
    try:
        seat = seating.sit_down(control.host, control.unit, control.game, applicant, control.who)
    except seating.NoSeat as reason:
        raise Refused(str(reason).rstrip("."), f"refuse {applicant.email}") from reason
    return f"{applicant.email} has joined and leads {seat.name}."


def _refuse(control: Control, match: re.Match[str]) -> str:
    applicant = _waiting(control, "refuse")
    seating.refuse(control.host, control.unit, control.campaign, applicant, control.who)
    return f"{applicant.email} has been told that there is no seat for him."


def _waiting(control: Control, word: str) -> Applicant:
    """Who waits for a seat, by the address that a command names."""
    waiting = {each.email: each for each in control.unit.campaigns.waiting(control.campaign)}
    named = [address.address.lower() for address in read_addresses(_behind(word, control.text).strip(" ."))[0]]
    for address in named:
        if address in waiting:
            return waiting[address]
    known = f"; there are: {', '.join(waiting)}" if waiting else ""
    raise Refused(f"Nobody of this address waits for a seat{known}", next((f"{word} {each}" for each in waiting), ""))


def _fit_to_play(control: Control, seat: Seat, email: str, *, anyway: bool) -> None:
    """Refuse a new player who is the old one, and, unless that is meant, one who plays another seat."""
    played = [each for each in control.unit.campaigns.seats_of(email) if each.campaign_id == seat.campaign_id]
    if seat.id in [each.id for each in played]:
        paste = f"renew tokens of {seat.name}"
        raise Refused(f"{email} plays {seat.name} already. This makes its old reply addresses void", paste)
    if played and not anyway:
        reason = f"{email} plays {played[0].name} and would know what both know. If you mean it, say so"
        raise Refused(reason, f"hand over {seat.name} to {email} anyway")


def _withdraw(control: Control, match: re.Match[str]) -> str:
    """``withdraw Crane Host "has no time any more"``, with or without the quotes: a shell takes them away."""
    words = _behind("withdraw", control.text).split()
    starts = {plain(" ".join(words[:end]).rstrip(":,")): end for end in range(1, len(words) + 1)}
    seats = control.unit.campaigns.seats(control.campaign)
    named = [(starts[name], seat) for seat in seats for name in (plain(seat.code), plain(seat.name)) if name in starts]
    if not named:
        _seat(control, " ".join(words[:1]))
    end, seat = max(named, key=lambda found: found[0])
    reason = re.sub(r"^(because|as|since)\b[\s:,]*", "", " ".join(words[end:]).strip(UNSAID), flags=re.IGNORECASE)
    if not 0 < len(reason) <= LONGEST_REASON:
        why = f"All see why; say it in up to {LONGEST_REASON} signs"
        raise Refused(why, f'withdraw {seat.name} "has no time any more"')
    try:
        return withdrawal.withdraw(control.host, control.unit, control.game, seat, reason, control.who)
    except NotNow as error:
        raise Refused(str(error)) from error


def _rule(control: Control, match: re.Match[str]) -> str:
    """``rule B14 draw "both were late"``: the rules read what stands behind the word."""
    words = _behind("rule", control.text)
    try:
        return arbitration.rule(control.host, control.unit, control.game, words, control.who)
    except NotNow as error:
        raise Refused(str(error).rstrip(".")) from error


def _behind(word: str, text: str) -> str:
    """What stands behind a word of a command, as it was written."""
    return re.split(rf"\b{word}\b", text, maxsplit=1, flags=re.IGNORECASE)[-1].strip(" .!")


def _seat(control: Control, name: str) -> Seat:
    seats = control.unit.campaigns.seats(control.campaign)
    for seat in seats:
        if plain(name) in (plain(seat.name), plain(seat.code)):
            return seat
    raise Refused(f"No seat is called {name!r}; there are: {', '.join(seat.name for seat in seats)}")


def set_aside(host: Host, unit: Unit, letter: LetterRow, who: str) -> None:
    """A letter that waited is settled. It is kept, and a player's YES still files it."""
    letter.status, letter.note = "ignored", "; ".join(filter(None, (letter.note, f"set aside by {who}")))
    if letter.campaign_id is not None:
        campaign = unit.campaigns.get(letter.campaign_id)
        unit.campaigns.audit(campaign, host.clock(), who, f"set letter {letter.id} aside")


Action = Callable[[Control, re.Match[str]], str]

ACTIONS: Sequence[tuple[str, Action]] = (
    (r"close( now)?(?P<anyway> anyway)?", _close),
    (r"extend( by)? (?P<by>.+)", _extend),
    (r"pause", _pause),
    (r"resume", _resume),
    (r"status", _status),
    (r"renew tokens of .+", _renew),
    (r"hand over .+", _hand_over),
    (r"withdraw .+", _withdraw),
    (r"rule (battle )?b? ?\d.*", _rule),
    (r"seat .*@.*", _seat_applicant),
    (r"refuse .*@.*", _refuse),
    (r"dismiss( letters?)? (?P<numbers>\d+([ ,]+\d+)*)", _dismiss),
)


def _move_deadline(control: Control, stage: Stage, by: timedelta) -> None:
    """Later by so much; where it has passed already, as it has while a stage is held, so much from now on."""
    if stage.deadline is not None:
        # While the campaign is paused its clock stands still.
        now = control.campaign.paused_at or control.host.clock()
        _set_deadline(control, stage, max(stage.deadline, now) + by)


def _set_deadline(control: Control, stage: Stage, deadline: datetime) -> None:
    """A new deadline has reminders of its own, and a right to be put off if the server is down when it comes."""
    stage.deadline, stage.catch_up = deadline, False
    stage.reminded = reached(control.host, stage, control.host.clock())


def _deadline(control: Control, stage: Stage) -> str:
    return moment(stage.deadline, control.campaign.zone) if stage.deadline else "when all are done"


def _new_deadline(control: Control) -> Callable[[str], str]:
    """The sentence of the new deadline for a reader in some zone."""
    deadline = control.stage.deadline
    if control.campaign.status == "paused":
        return lambda zone: "The clock stands still; when it goes again, that is how much more time there will be."
    return lambda zone: f"The deadline is now {moment(deadline, zone)}." if deadline else "There is no deadline."


def _audit(control: Control, what: str) -> None:
    control.unit.campaigns.audit(control.campaign, control.host.clock(), control.who, what)


def _announce(control: Control, topic: str, sentence: Callable[[str], str]) -> None:
    """Tell all players, each on his own clock."""
    campaign, stage = control.campaign, control.stage
    number = len(control.unit.campaigns.audits(campaign))
    for seat in control.unit.campaigns.seats(campaign):
        head = seat_head(control.host, campaign, seat, stage)
        letter = Announcement(head, topic, (sentence(seat.zone),))
        address = control.unit.campaigns.address(seat)
        tell(control.host, control.unit, campaign, address, letter, f"{topic} {seat.code} {number}")


def _answer(
    control: Control,
    row: LetterRow,
    done: tuple[str, ...],
    faults: tuple[Fault, ...],
    prose: tuple[Line, ...] = (),
    *,
    topic: str = "",
    reply_to: str = "",
) -> None:
    host, unit, campaign = control.host, control.unit, control.campaign
    topic = _topic(done, faults) or topic or "status"
    letter = overview(host, unit, campaign, topic=topic, besides=row, done=done, faults=faults, teaching=not done)
    letter = replace(letter, ignored=prose, head=replace(letter.head, reply_to=reply_to or letter.head.reply_to))
    send(host, unit, campaign, letter, f"organizer {row.cause}", row)


def _topic(done: Sequence[str], faults: Sequence[Fault]) -> str:
    """For the subject: first what was not done, for that needs him; nothing if there is neither."""
    undone = [f"not done: {shorten(fault.line.text, LONGEST_QUOTED, placeholder=' ...')}" for fault in faults[:1]]
    more = [f"{len(faults) - 1} more"] if len(faults) > 1 else []
    return "; ".join((*undone, *more, *(each.partition(". ")[0].rstrip(".") for each in done[:1])))
