"""Answer what players ask: STATUS, HELP, RESEND, RULES."""

from pbem.core.orders import Fault, Line
from pbem.core.rulebook import look_up, rules
from pbem.reports.letters import Help, Letter, Letterhead, Over, Rules, Status
from pbem.service.host import Host
from pbem.service.incoming.commands import Words
from pbem.service.incoming.filing import Desk
from pbem.service.incoming.leaving import leave
from pbem.service.orders import orders_of
from pbem.service.outgoing import telling
from pbem.service.outgoing.post import seat_head, tell
from pbem.storage.tables import Letter as LetterRow
from pbem.storage.tables import Seat
from pbem.storage.unit import Unit

EXAMPLES = 3
MOST_RULES = 12
"""More rules than these do not make an answer, nor do more answers make a mail's worth."""


def answer(desk: Desk, words: Words) -> None:
    """Answer everything that a card asks for."""
    if words.help:
        reply(desk, Help(_head(desk), tuple(desk.game.rules.primer(desk.view)), examples(desk), desk.host.address))
    if words.status:
        reply(desk, _status(desk))
    if words.leave:
        leave(desk)
    for asked in list(dict.fromkeys(words.rules))[:MOST_RULES]:
        reply(desk, _rules(desk, asked), asked)
    for turn, line in words.resend.items():
        if not _resend(desk, turn):
            reason = f"There is no report of turn {turn}; the open one is turn {desk.game.stage.turn}."
            words.faults.append(Fault(line, "", reason, "RESEND"))


def examples(desk: Desk) -> tuple[str, ...]:
    """Some lines that this player could send now: what answers others, then another kind of order each."""
    system = desk.game.rules
    answers = [line for line, _ in system.answers(desk.view)]
    of_kind: dict[type, str] = {}
    for row in (*system.primer(desk.view), *system.form(desk.view)):
        line = row.partition("#")[0].strip()
        sheet = system.read(desk.view, [Line(1, line)])
        if not sheet.orders or sheet.faults or (kind := type(sheet.orders[0].order)) in of_kind:
            continue
        if not system.check(desk.view, sheet.orders).faults:
            of_kind[kind] = line
        if len(answers) + len(of_kind) >= EXAMPLES:
            break
    return (*answers, *of_kind.values())[:EXAMPLES]


def over(host: Host, unit: Unit, row: LetterRow, seat: Seat) -> tuple[str, str]:
    """To a player whose campaign has ended."""
    campaign = unit.campaigns.get(seat.campaign_id)
    head = seat_head(host, campaign, seat, None)
    letter = Over(head, "It has ended; nothing can be ordered any more.", ())
    tell(host, unit, campaign, row.sender, letter, f"over {row.cause} {seat.id}", row)
    return "answered", "the campaign is over"


def _head(desk: Desk) -> Letterhead:
    return seat_head(desk.host, desk.game.campaign, desk.seat, desk.game.stage)


def _status(desk: Desk) -> Status:
    system, stage = desk.game.rules, desk.game.stage
    current = desk.unit.submissions.current(stage, desk.seat)
    return Status(
        head=_head(desk),
        turn=stage.turn,
        stage=stage.title,
        check=system.check(desk.view, orders_of(system, current)),
        receipt=current.receipt if current else "",
        received=desk.unit.submissions.received(current) if current else None,
        final=current.final if current else False,
        awaited=desk.seat.code in system.stage(desk.game.state).awaiting,
        standing=tuple(system.standing(desk.view)),
    )


def _rules(desk: Desk, asked: str) -> Rules:
    book = desk.game.rules.rulebook
    found = look_up(book, asked) if asked else ()
    excerpt = "\n\n".join(f"### {rule}\n\n{rule.text}" for rule in found[:MOST_RULES])
    listed = () if found else rules(book)
    return Rules(_head(desk), asked, excerpt, tuple(map(str, listed)))


def _resend(desk: Desk, number: int) -> bool:
    """Send a report again; whether there is one. 0: the last one."""
    campaign = desk.game.campaign
    steps = [(turn, stage) for turn, stage in desk.unit.turns.all(campaign) if turn.kind != "act"]
    turns = [turn for turn, stage in steps if stage.turn == number] if number else [turn for turn, _ in steps[-1:]]
    sent = [telling.again(desk.host, desk.unit, campaign, desk.seat, turn, desk.letter) for turn in turns]
    return any(sent)


def reply(desk: Desk, letter: Letter, about: str = "") -> str:
    """Answer the letter on the desk; the answer's Message-ID. One answer of each kind to a seat ``about`` a matter."""
    kind = type(letter).__name__.lower()
    cause = f"{kind} {desk.letter.cause} {desk.seat.code} {about}".rstrip()
    return tell(desk.host, desk.unit, desk.game.campaign, desk.letter.sender, letter, cause, desk.letter)
