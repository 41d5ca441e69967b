"""Chapter 8, the battle for which a meeting waits: who fights it, who has a say in it, and what it still waits for.

Questions alone: nothing is changed here, and a view may ask them as well as a turn.
"""

from itertools import product

from pbem.rulesets.nippon.state import Meeting, Result, State

Side = tuple[str, ...]
"""Realms that fight together, by seat; named by the first."""


# --- who fights ---------------------------------------------------------------------------------------------------


def battle(state: State, meeting: Meeting) -> tuple[Side, Side]:
    """The realms in the battle that an open meeting waits for, attackers first."""
    attackers, defenders = meeting.side(meeting.next.attacker), meeting.side(meeting.next.defender)
    if meeting.assault:
        return attackers, defenders
    return opponents(state, meeting, attackers, defenders), opponents(state, meeting, defenders, attackers)


def opponents(state: State, meeting: Meeting, side: Side, foes: Side) -> Side:
    """The realms of a side that have to fight somebody on the other."""
    return tuple(seat for seat in side if any(opposed(state, meeting, seat, foe) for foe in foes))


def opposed(state: State, meeting: Meeting, one: str, other: str) -> bool:
    """Whether two realms at a meeting still have to fight each other: not who just plays the defence (NIP 8.9)."""
    return _unsettled(state, meeting, one, other) or _torn_apart(state, meeting, one, other)


def _unsettled(state: State, meeting: Meeting, one: str, other: str) -> bool:
    """Whether enemies have not come to terms, and neither of them is beaten."""
    at_peace = meeting.assault or (one, other) in meeting.peace or (other, one) in meeting.peace
    return not at_peace and meeting.beaten.isdisjoint({one, other}) and state.hostile(one, other)


def _torn_apart(state: State, meeting: Meeting, one: str, other: str) -> bool:
    """Whether allies stand against each other, since one of them has named its side (NIP 8.4), and those with whom they
    stand have not come to terms."""
    own, others = meeting.side(one), meeting.side(other)
    apart = own != others and state.at_pact(one, other, "alliance") and meeting.beaten.isdisjoint({one, other})
    return apart and any(_unsettled(state, meeting, *pair) for pair in product(own, others))


def foes(state: State, meeting: Meeting, seat: str) -> Side:
    """The realms that a realm still has to fight at a meeting, by seat."""
    present = sorted(other for side in meeting.sides for other in side)
    return tuple(other for other in present if opposed(state, meeting, seat, other))


def meeting_for(state: State, at: int, seat: str) -> Meeting | None:
    """The open meeting in a section in which a realm still has a part."""
    meeting = state.meetings.get(at)
    if meeting is None or meeting.settled or not meeting.side(seat) or seat in meeting.beaten:
        return None
    return meeting


def fighters(state: State, meeting: Meeting) -> Side:
    """The realms in the battle that waits for its result."""
    attackers, defenders = battle(state, meeting)
    return attackers + defenders


def dice_about(about: str, meeting: Meeting) -> str:
    """The label of dice about the battle that waits; from the second of its meeting on with its number."""
    return f"{about} {meeting.at} {len(meeting.fought) + 1}" if meeting.fought else f"{about} {meeting.at}"


def privy(meeting: Meeting) -> frozenset[str]:
    """Who sees what is said about battles here: the realms that meet, and who plays for them (NIP 8.8)."""
    return meeting.concerned


# --- who has a say ------------------------------------------------------------------------------------------------


def played(state: State, seats: Side) -> Side:
    """Those of some realms that somebody plays: nobody else has a say (NIP 13.1)."""
    return tuple(seat for seat in seats if state.realms[seat].in_play)


def forsaken(state: State, meeting: Meeting) -> bool:
    """Whether nobody plays a side of the battle that waits for its result: nobody could confirm one (NIP 13.1)."""
    return not all(played(state, side) for side in battle(state, meeting))


def asked(state: State, meeting: Meeting) -> Side:
    """The realms to whom the reported result is put: all who fought but the one that reported it, allies too."""
    reported = meeting.next.result
    return tuple(seat for seat in played(state, fighters(state, meeting)) if reported and seat != reported.by)


def enemies_asked(state: State, meeting: Meeting) -> Side:
    """Those of them who fought against the realm that reported it: without their word, or silence, no result stands."""
    reported, sides = meeting.next.result, battle(state, meeting)
    return played(state, next((side for side in sides if reported and reported.by not in side), ()))


def agreeing(state: State, meeting: Meeting, seat: str) -> Side:
    """The realms that have to ask with this one for an automatic battle: all in it, of an assault its own side."""
    return played(state, meeting.side(seat) if meeting.assault else fighters(state, meeting))


MOST_DISPUTES = 2
"""Stages for disputes that one battle can have."""


def parleyed(state: State, meeting: Meeting) -> bool:
    """Whether it is too late for terms: the meetings are closed, or its battle has had a stage for disputes."""
    return state.stage == "disputes" or meeting.next.disputes > 0


# --- what it waits for --------------------------------------------------------------------------------------------


def disputed(state: State, meeting: Meeting) -> bool:
    """Whether somebody who has a say disputes the result that was reported."""
    told = played(state, tuple(meeting.next.disputed)) or meeting.next.contested
    return bool(meeting.next.result and told)


def stands(state: State, meeting: Meeting) -> bool:
    """Whether a result was reported that nobody disputes, though somebody could."""
    return bool(meeting.next.result and not disputed(state, meeting) and enemies_asked(state, meeting))


def uncontradicted(state: State, meeting: Meeting) -> Result | None:
    """The result that counts if nobody says any more: the one that stands; where its disputes have begun the one that
    had been reported before, for nobody has to look for news there. Nothing, if there is none that nobody disputed."""
    battle = meeting.next
    if not battle.disputes or not stands(state, meeting):
        return battle.result if stands(state, meeting) else None
    return None if battle.heard and battle.standing != battle.result else battle.standing


def has_time(state: State, meeting: Meeting) -> bool:
    """Whether those who have a say are to get another stage to agree on a battle: its dispute has not had one yet."""
    battle = meeting.next
    if not battle.disputes or not unanswered(state, meeting):
        return unanswered(state, meeting)
    return battle.disputes < MOST_DISPUTES and not battle.heard and uncontradicted(state, meeting) is None


def confirmed(state: State, meeting: Meeting) -> bool:
    """Whether all who were asked agree to the result that was reported. Who once disputed another, and reported this
    one himself, is for it."""
    against = {*played(state, tuple(meeting.next.disputed))} - {meeting.next.result.by if meeting.next.result else ""}
    return not against and meeting.next.confirmed.issuperset(asked(state, meeting))


def by_dice(state: State, meeting: Meeting) -> bool:
    """Whether the campaign leaves such battles to dice alone (NIP 8.3, 8.9)."""
    return state.options.battles == "auto" and not meeting.assault


def left_to_dice(state: State, meeting: Meeting) -> bool:
    """Whether the battle that waits is to be automatic: all who have a say want it so, or a side has none; or the
    organizer has ruled so."""
    unheard = forsaken(state, meeting) and not stands(state, meeting) and not meeting.unopposed
    agreed = any(meeting.next.automatic.issuperset(agreeing(state, meeting, seat)) for seat in meeting.next.automatic)
    return meeting.next.ruled or unheard or agreed


def rolled_for(state: State, meeting: Meeting) -> bool:
    """Whether all who have a say want to roll off for the battle that waits."""
    deciding = played(state, fighters(state, meeting))
    return disputed(state, meeting) and not meeting.next.ruled and meeting.next.dice_off.issuperset(deciding)


def unanswered(state: State, meeting: Meeting) -> bool:
    """Whether those who have a say must still agree on a result, or how to decide it: on an assault nobody has to."""
    decided = meeting.assault or left_to_dice(state, meeting) or rolled_for(state, meeting)
    return bool(meeting.next.result) and not decided


def undecided(state: State, meeting: Meeting) -> frozenset[str]:
    """The realms that have to confirm the result of an open meeting, or to come to one; or still to come to terms,
    which they can no more when only disputes are left."""
    if meeting.settled:
        return frozenset()
    fighting = frozenset(fighters(state, meeting))
    met = frozenset(seat for side in meeting.sides for seat in side if foes(state, meeting, seat))
    others = frozenset() if parleyed(state, meeting) else met - fighting
    if left_to_dice(state, meeting) or rolled_for(state, meeting):
        return others
    if stands(state, meeting):
        return others | frozenset(asked(state, meeting)) - meeting.next.confirmed
    return others | fighting
