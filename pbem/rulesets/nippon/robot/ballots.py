"""What a robot thinks of the rules."""

from collections.abc import Iterator

from pbem.rulesets.nippon.orders import Ballot, Propose, Vote
from pbem.rulesets.nippon.robot.mind import Mind

WISHES = (
    Propose("cost_percent", "50"),
    Propose("interception", "false"),
    Propose(words="Whoever loses brings the tea."),
)
"""What a robot may want otherwise."""


def ballots(mind: Mind) -> Iterator[Ballot]:
    """A vote on everything that is open; where nothing is, seldom a wish of its own."""
    for number, proposal in sorted(mind.position.proposals.items()):
        if proposal.voted(mind.seat) is None:
            yield Vote(number, mind.roll(f"vote R{number}") > 1)
    wish = WISHES[mind.roll("wish", len(WISHES)) - 1]
    if not mind.position.proposals and mind.roll("propose", 12) == 1 and mind.may(wish):
        yield wish
