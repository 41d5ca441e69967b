"""TRY: what may come of a card, told to its player alone; nothing is filed, nothing changes."""

from pbem.core.orders import Fault
from pbem.reports.letters import Try
from pbem.service.incoming.commands import Words
from pbem.service.incoming.filing import Chair, weigh
from pbem.service.outgoing.post import seat_head

MOST_ASSUMED = 40
"""Lines that are assumed; it takes longer to read them than orders."""


def tried(chair: Chair, words: Words) -> Try:
    """The answer to a card that wants to know what would come of it, made of what its player knows.

    His orders are those that would be on file after the card; if it has none, those that are.
    """
    system, stage = chair.game.rules, chair.game.stage
    words.faults += [Fault(line, "", TOO_MANY) for line in words.assumed[MOST_ASSUMED : MOST_ASSUMED + 1]]
    weighed = weigh(chair, words)
    orders = [verdict.written for verdict in weighed.check.verdicts]
    return Try(
        head=seat_head(chair.host, chair.game.campaign, chair.seat, stage),
        turn=stage.turn,
        stage=stage.title,
        forecast=system.forecast(chair.view, orders, words.assumed[:MOST_ASSUMED]),
        check=weighed.check,
        sheet=weighed.sheet,
        outdone=weighed.outdone,
        undone=tuple(_undone(words)),
    )


def without(chair: Chair, words: Words) -> None:
    """Make of assumptions in a card that is no trial what they are: prose, or lines that change nothing."""
    for line in words.assumed:
        if chair.read((line,)).ignored:
            words.lines.append(line)
        else:
            words.faults.append(
                Fault(line, "", "What you assume goes into a mail with TRY. It changes nothing.", "TRY")
            )
    words.assumed = []


TOO_MANY = f"At most {MOST_ASSUMED} lines are assumed; what stands from here on was not read."


def _undone(words: Words) -> list[str]:
    """The words of a card that would change something, and were not obeyed."""
    said = {"OK": words.ok, "YES": words.yes, "FINAL": words.final}
    return [word for word, spoken in said.items() if spoken] + [word.line.text for word in words.account]
