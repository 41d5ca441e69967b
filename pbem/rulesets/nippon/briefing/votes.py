"""What the players decide in common: house rules, and proposals that wait for votes (NIP 15.1)."""

from collections.abc import Iterator

from pbem.core.report import Block, Items, Section, Text
from pbem.core.ruleset import Material
from pbem.core.wording import listed
from pbem.rulesets.nippon import switches
from pbem.rulesets.nippon.briefing.telling import you
from pbem.rulesets.nippon.seasons import last_of_season, missing
from pbem.rulesets.nippon.state import Proposal
from pbem.rulesets.nippon.view import View


def votes(material: Material) -> Section:
    """House rules and open proposals; nothing if there are none."""
    return Section("votes", "The rules of this campaign", tuple(_blocks(material.after)))


def _blocks(view: View) -> Iterator[Block]:
    position = view.position
    if position.house_rules:
        yield Items(tuple(("House rule", words) for words in position.house_rules))
    if position.proposals and position.stage != "over":
        yield Text(
            f"These are proposed. The votes are counted after turn {last_of_season(position)}; what all realms have "
            "agreed to holds from the next turn on."
        )
        yield Items(tuple(_open(view, each) for _, each in sorted(position.proposals.items())))


def _open(view: View, proposal: Proposal) -> tuple[str, str]:
    now = f" (now {_now(view, proposal)})" if proposal.option else ""
    waiting = listed((you(view, seat) for seat in missing(view.position, proposal)), nothing="nobody")
    told = f"{view.realm(proposal.by)} proposes {proposal.matter}{now}. Not agreed so far: {waiting}."
    ask = view.seat and view.seat in missing(view.position, proposal)
    return f"R{proposal.number}", told + (f" Send: vote yes on R{proposal.number}, or vote no." if ask else "")


def _now(view: View, proposal: Proposal) -> str:
    return switches.shown(getattr(view.position.options, proposal.option))
