"""A stage's log, sorted by what it is about. Every entry is told once."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.core.ruleset import Material
from pbem.core.turn import Entry
from pbem.rulesets.nippon import events
from pbem.rulesets.nippon.events import NightRolled
from pbem.rulesets.nippon.state import State, seat_of

UNTOLD = (
    events.OrdersOpened,
    events.TurnEnded,
    events.CampaignBegan,
    events.PreferenceSet,
    events.PlanSet,
    events.SpoilsChosen,
    events.Volunteered,
)
"""What everybody knows without being told, or is told with the order that brought it about."""

PAYMENTS = (events.Produced, events.RazingPaid, events.TermsPaid, events.GiftPaid)
WORKS = (
    events.Recruited,
    events.Reinforced,
    events.StandardBought,
    events.Built,
    events.Upgraded,
    events.Launched,
    events.ItemBought,
    events.ItemSold,
    events.TreasureFound,
)
"""What is paid for, or found, stands in the accounts of its realm; to all others it is news."""
TALKS = (events.TermsAccepted, events.TermsDeclined, events.TermsFailed)
MEETING = (
    events.MeetingOpened,
    events.StoodAside,
    events.SidedWith,
    events.AttackRolled,
    events.ScenarioRolled,
    events.BattleSet,
    events.ObstacleRolled,
    events.MeetingSettled,
    events.TermsOffered,
    events.TermsAgreed,
    events.ResultReported,
    events.ResultConfirmed,
    events.ResultDisputed,
    events.DisputeOpened,
    events.NextBattleAwaited,
    events.DiceOffAsked,
    events.DiceOffRolled,
    events.LossesAgreed,
    events.ResultLapsed,
    events.ResultRuled,
    events.ResultVoided,
    events.AutomaticAsked,
    events.DateProposed,
    events.DateAgreed,
    events.CannotPlay,
    events.DeputyNamed,
    events.DeputyLeft,
    events.BattleFought,
    events.BattleDecided,
    events.AssaultOpened,
    events.StructureFound,
    events.GarrisonRolled,
    events.LairEntered,
    events.DefenceSought,
    events.DefenceTaken,
    events.AssaultPlayed,
    events.AssaultDecided,
    events.DragonSlain,
    events.TreasureFound,
    events.TreasureTaken,
    events.CreaturesTested,
    events.SectionWon,
    events.StructureTested,
    events.BattleDrawn,
    events.StandardLost,
    events.BodySearched,
    events.ItemCeded,
    *TALKS,
)


STORY = (events.RoundFought, events.BattleTold)
"""How a battle went, for those who were there."""


@dataclass
class Chronicle:
    """A log in parts."""

    own: dict[str, list[Entry]] = field(default_factory=lambda: defaultdict(list))
    """What happened to the reader's banners, by key."""
    others: dict[str, list[Entry]] = field(default_factory=lambda: defaultdict(list))
    """What the other banners did, by key."""
    meetings: dict[int, list[Entry]] = field(default_factory=lambda: defaultdict(list))
    """By section."""
    stories: list[Entry] = field(default_factory=list)
    payments: list[Entry] = field(default_factory=list)
    news: list[Entry] = field(default_factory=list)
    """All the rest."""


def sorted_out(material: Material) -> Chronicle:
    """The log of a stage by subject, for its reader."""
    chronicle = Chronicle()
    places, crews = _talks(material), _crews(material)
    for entry in material.log:
        if isinstance(entry.event, UNTOLD):
            continue
        works = isinstance(entry.event, WORKS) and entry.event.realm == material.seat
        if works or isinstance(entry.event, PAYMENTS):
            chronicle.payments.append(entry)
        elif isinstance(entry.event, STORY):
            chronicle.stories.append(entry)
        elif isinstance(entry.event, MEETING):
            chronicle.meetings[_where(entry.event, places)].append(entry)
        else:
            about = involved(entry.event) or _crossing(material, entry.event)
            _file(chronicle, material, entry, [each for key in about for each in crews.get(key, (key,))])
    return chronicle


def _file(chronicle: Chronicle, material: Material, entry: Entry, about: Sequence[str]) -> None:
    """An entry under the reader's banners that it is about, else under the first of the others', else with the news."""
    own = [key for key in about if seat_of(key) == material.seat]
    for key in own:
        chronicle.own[key].append(entry)
    if about and not own:
        chronicle.others[about[0]].append(entry)
    if not about:
        chronicle.news.append(entry)


def involved(event: Any) -> tuple[str, ...]:
    """Keys of the banners, or of the ship, that an event is about, the first one foremost."""
    if isinstance(event, events.Razed):
        return event.by
    if isinstance(event, events.UnitsMoved):
        return (event.to or event.banner,)
    if isinstance(event, events.BannerMustered):
        return ()  # Before it there was no banner of which it could be told.
    banner: str = getattr(event, "banner", "") or getattr(event, "ship", "")
    banners: tuple[str, ...] = getattr(event, "banners", ())
    return (banner,) if banner else banners


def _crews(material: Material) -> Mapping[str, tuple[str, ...]]:
    """Who is aboard each ship at any time of the stage: what befalls it befalls them."""
    crews: dict[str, tuple[str, ...]] = defaultdict(tuple)
    for key, banner in position_before(material).banners.items():
        if banner.aboard:
            crews[banner.aboard] += (key,)
    for event in (entry.event for entry in material.log if isinstance(entry.event, events.Embarked)):
        crews[event.ship] += (event.banner,)
    return crews


def _crossing(material: Material, event: Any) -> tuple[str, ...]:
    """The banners that a roll for a border was about: those that then went, stayed or passed there."""
    if not isinstance(event, NightRolled):
        return ()
    later = (entry.event for entry in material.log)
    return tuple(dict.fromkeys(key for each in later if _border(each) == event.border for key in involved(each)))


def _border(event: Any) -> tuple[int, int] | None:
    if isinstance(event, events.HeldInTheNight | events.WonTheNight):
        low, high = sorted((event.at, event.to))
        return low, high
    return event.border if isinstance(event, events.PassedInTheNight) else None


def _talks(material: Material) -> Mapping[int, int]:
    """The section in which each offer was made, by number."""
    known = [material.before.position.terms, material.after.position.terms] if material.before else []
    offered = (entry.event.terms for entry in material.log if isinstance(entry.event, events.TermsOffered))
    return {terms.number: terms.at for terms in [*(each for held in known for each in held.values()), *offered]}


def _where(event: Any, places: Mapping[int, int]) -> int:
    if isinstance(event, events.TermsOffered):
        return event.terms.at
    at: int = places[event.number] if isinstance(event, TALKS) else event.at
    return at


def position_before(material: Material) -> State:
    """The position before the stage; that of now in the first report."""
    view = material.before or material.after
    state: State = view.position
    return state
