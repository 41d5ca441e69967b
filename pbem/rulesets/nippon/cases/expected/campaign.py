"""What a case may expect: meetings, the turn and the end. Each phrase answers with what came instead, or nothing."""

from collections.abc import Iterable

from pbem.core.orders import plain
from pbem.core.trials import Trial, Vocabulary
from pbem.rulesets.nippon.cases.expected.lookup import instead, meeting_of, named
from pbem.rulesets.nippon.phases import awaiting
from pbem.rulesets.nippon.state import Meeting

CAMPAIGN = Vocabulary()


@CAMPAIGN.phrase("meeting {number:int} of {banners}")
def meeting(trial: Trial, number: int, banners: str) -> str | None:
    """These banners, no others, meet in the section."""
    wanted = sorted(named(each.strip()) for each in banners.split(","))
    found = trial.state.meetings.get(number)
    if found and list(found.banners) == wanted:
        return None
    return f"meetings are: {_meetings(trial.state.meetings.values())}"


@CAMPAIGN.phrase("no meeting[ {number:int}]")
def no_meeting(trial: Trial, number: int | None = None) -> str | None:
    """Nobody meets there, or anywhere."""
    found = [each for each in trial.state.meetings.values() if number in (None, each.at)]
    return f"meetings are: {_meetings(found)}" if found else None


@CAMPAIGN.phrase("settled {number:int} {how:word}")
def settled(trial: Trial, number: int, how: str) -> str | None:
    """How the meeting in a section was settled: ``parley``, ``battle``, or ``no`` if it is open."""
    return instead("" if how == "no" else how, meeting_of(trial, number).settled)


@CAMPAIGN.phrase("attacker {number:int} {seat:seat}")
def attacker(trial: Trial, number: int, seat: str) -> str | None:
    """Who attacks in a section."""
    return instead(seat, meeting_of(trial, number).next.attacker)


@CAMPAIGN.phrase("scenario {number:int} {scenario:int}")
def scenario(trial: Trial, number: int, scenario: int) -> str | None:
    """The number of the scenario in a section."""
    return instead(scenario, meeting_of(trial, number).next.scenario)


@CAMPAIGN.phrase("turn {number:int}")
def turn(trial: Trial, number: int) -> str | None:
    """The turn it is now."""
    return instead(number, trial.state.turn)


@CAMPAIGN.phrase("awaits {seats}")
def awaits(trial: Trial, seats: str) -> str | None:
    """The realms without which the stage does not end early; ``awaits nobody``, ``awaits A organizer``."""
    wanted = () if seats == "nobody" else tuple(sorted(seats.split()))
    return instead(wanted, tuple(sorted(seat or "organizer" for seat in awaiting(trial.state))))


@CAMPAIGN.phrase("over[ {words:quoted}]")
def over(trial: Trial, words: str = "") -> str | None:
    """The campaign is over, for a reason that holds these words."""
    if trial.state.stage != "over":
        return "it goes on"
    return None if plain(words) in plain(trial.state.ending) else f"the reason is: {trial.state.ending}"


@CAMPAIGN.phrase("not over")
def not_over(trial: Trial) -> str | None:
    """The campaign goes on."""
    return f"it ended: {trial.state.ending}" if trial.state.stage == "over" else None


@CAMPAIGN.phrase("ranking {places}")
def ranking(trial: Trial, places: str) -> str | None:
    """The realms in order of merit, equals with commas: ``ranking B A,C``."""
    return instead(places, " ".join(",".join(equals) for equals in trial.state.ranking))


def _meetings(meetings: Iterable[Meeting]) -> str:
    return "; ".join(f"{each.at} of {', '.join(each.banners)}" for each in meetings) or "none"
