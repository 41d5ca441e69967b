"""Lines about the rules themselves: proposals and votes (NIP 15.1)."""

import re

from pbem.core.grammar import Grammar, Misread, Verb, first_word, offered
from pbem.core.orders import nearest
from pbem.rulesets.nippon import switches
from pbem.rulesets.nippon.cards.prospect import Prospect
from pbem.rulesets.nippon.legality import Refusal
from pbem.rulesets.nippon.orders import Ballot, Propose, Vote
from pbem.rulesets.nippon.seasons import last_of_season, refusal
from pbem.rulesets.nippon.view import View

LONGEST_RULE = 300
"""Characters of a house rule."""

QUOTED = re.compile(r"""["'](?P<words>.*)["']""")
BETWEEN = frozenset({"to", "is", "be"})
"""What may stand between an option and its value."""

YES, NO = frozenset({"yes", "y", "aye", "for", "agree"}), frozenset({"no", "n", "nay", "against", "disagree"})
VOTE = re.compile(
    r"(?P<how>[a-z]+)(?:\s+(?:on|to|for))?(?:\s+(?:proposal\s+)?R?\s?(?P<number>\d{1,6}))?", re.IGNORECASE
)


MINUS = re.compile(r"-\s+(?=\d)")
"""``- 5`` is no 5."""


def propose(view: View, told: str = "") -> Propose:
    """``propose cost_percent 25``, ``propose "no elephants"``; raises :class:`Misread`."""
    if quoted := QUOTED.fullmatch(told):
        return Propose(words=_worded(quoted["words"]))
    told = MINUS.sub("-", told)
    words = [word for word in told.replace("=", " ").replace(":", " ").split() if word.lower() not in BETWEEN]
    name, value = " ".join(words[:-1]), words[-1].strip("\"'") if words else ""
    option = switches.named(name)
    if option:
        known = option in switches.NAMES
        return Propose(option, switches.shown(switches.read(option, value)) if known else value)
    if near := nearest(name, switches.NAMES, 1):
        raise Misread(f"There is no option {name!r}.{offered(near)}", (name, near[0]))
    raise Misread(
        "A proposal names an option and its new value, or says a house rule in quotes: "
        'propose cost_percent 25, propose "no elephants".',
        instead=f'propose "{_worded(told)}"' if told.strip("\"'") else "",
    )


def _worded(text: str) -> str:
    words = " ".join(text.replace('"', "'").split())
    if not words or len(words) > LONGEST_RULE:
        raise Misread(f"A house rule is said in 1 to {LONGEST_RULE} characters.")
    return words


def vote(view: View, told: str = "") -> Vote:
    """``vote yes on R3``; the number may be left out if one proposal is open. Raises :class:`Misread`."""
    found = VOTE.fullmatch(told)
    how = found["how"].lower() if found else ""
    opened = sorted(view.position.proposals)
    if not found or how not in YES | NO:
        example = f"vote yes on R{opened[0] if opened else 1}"
        raise Misread(f"A vote is yes or no, on a proposal: {example}.")
    if found["number"] is None and len(opened) != 1:
        numbers = " or ".join(f"R{number}" for number in opened)
        raise Misread(f"On which proposal? {f'Open: {numbers}.' if opened else 'None is open.'}")
    return Vote(int(found["number"] or opened[0]), how in YES)


def withdraw(view: View, number: str) -> Vote:
    """``withdraw R3``, which a vote does; raises :class:`Misread`."""
    raise Misread("All must agree to a proposal: your vote against it ends it.", instead=f"vote no on R{number}")


PROPOSAL = re.compile(r"\bR\s?\d", re.IGNORECASE)


def is_ballot(text: str) -> bool:
    """Whether a line that begins like a ballot is one: troops withdraw, too, and proposals only by their number."""
    withdraws = first_word(text).casefold() in ("withdraw", "retract")
    return BALLOTS.knows(text) and (not withdraws or PROPOSAL.search(text) is not None)


BALLOTS: Grammar[View] = Grammar(
    [
        Verb("propose [that] [{told}]", propose),
        Verb("vote|votes|voting [{told}]", vote),
        Verb("withdraw|retract [my] [proposal] R{number}", withdraw),
    ],
    {"told": lambda view, text: text, "number": lambda view, text: text},
    'propose cost_percent 25, propose "no elephants", vote yes on R3.',
)
"""Everything that players decide in common."""


# --- the answer -------------------------------------------------------------------------------------------------------


def judged(view: View, order: Ballot) -> Prospect | Refusal:
    """What comes of a proposal or a vote, or why it cannot be."""
    refused = refusal(view.position, view.seat or "", order)
    if refused:
        return refused
    when = f"counted after turn {last_of_season(view.position)}; all realms must agree"
    if isinstance(order, Vote):
        proposal = view.position.proposals[order.proposal]
        return Prospect(order, f"R{order.proposal}", f"VOTE {'YES' if order.yes else 'NO'}", (proposal.matter, when))
    matter = f"{order.option} = {order.value}" if order.option else f'"{order.words}"'
    return Prospect(order, "The rules", f"PROPOSE {matter}", ("all are told at once, and asked for their votes", when))
