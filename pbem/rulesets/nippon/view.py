"""What a seat may know of the position (NIP 17).

What strangers see of a thing is put together from nothing, part by part: what is added to it later is hidden from them
until it is named here.
"""

from collections.abc import Collection, Container, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby

from pbem.rulesets.nippon import armies, corps
from pbem.rulesets.nippon.armies import ArmyList
from pbem.rulesets.nippon.fog import foggy, in_sight, sight
from pbem.rulesets.nippon.garrisons import defending_reserve
from pbem.rulesets.nippon.items import ITEMS
from pbem.rulesets.nippon.state import (
    DEFENCE,
    Assault,
    Banner,
    Bout,
    Indexed,
    March,
    Meeting,
    Pending,
    Realm,
    Result,
    Section,
    State,
    Terms,
    Tunnel,
    Unit,
    name_of,
    seat_of,
)


@dataclass(frozen=True)
class View:
    """A position with everything blanked that the seat may not know. ``seat`` is ``None`` for the public.

    Blank means: other realms' banners have no units and their treasuries read 0. Ask :meth:`knows` before
    printing either.
    """

    seat: str | None
    position: State
    origin: State | None = None
    """The position as it is, where :attr:`position` is what the reader's lines will make of it."""
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Banners of the reader that his lines call otherwise: the new name by each name that a banner has lost."""

    def knows(self, seat: str) -> bool:
        """Whether a realm's units, points and treasury are known."""
        return self.seat == seat or self.position.stage == "over"

    @property
    def foggy(self) -> bool:
        """Whether there may be banners that are not seen."""
        return foggy(self.position)

    @property
    def blind(self) -> bool:
        """Whether no banner at all is seen: so it is with the public, until the fog lifts."""
        return self.seat is None and self.foggy

    def place(self, number: int) -> str:
        """A section for people: ``14 Ford``."""
        return str(self.position.atlas[number])

    def realm(self, seat: str) -> str:
        """The name of a realm, or of who defends where no realm does; neutral has none."""
        if seat == DEFENCE:
            return "the defence"
        return self.position.realms[seat].name if seat else "nobody"

    def banner(self, key: str) -> str:
        """A banner for people: its name, with its realm unless it is the reader's own."""
        seat, name = seat_of(key), name_of(key)
        return name if seat == self.seat else f"{self.realm(seat)}'s {name}"

    def fighter(self, name: str, *, crowded: bool, shared: Collection[str] = ()) -> str:
        """A unit of an automatic battle for people; where its side is ``crowded``, with its banner, and with its realm
        if its name is ``shared`` by units of the other side."""
        doubtful, seat = corps.corps_and_unit(name)[1] in shared, corps.owner(name)
        told = corps.told(name, crowded=crowded or (doubtful and not seat))
        return f"{self.realm(seat)}'s {told}" if doubtful and seat else told


def view(state: State, seat: str | None) -> View:
    """What ``seat`` may know: the public position, and its own secrets. After the end nothing is hidden any more."""
    seen = state.copy()
    seen.pending = Pending()
    if state.stage == "over":
        return View(seat, seen)
    seen.deeds = {}
    seen.realms = {key: _realm(state, realm, seat) for key, realm in state.realms.items()}
    seen.banners = Indexed({key: _banner(state, banner, seat) for key, banner in state.banners.items()})
    seen.tunnels = {key: _tunnel(tunnel, seat) for key, tunnel in state.tunnels.items()}
    blanked = {number: _section(state, number, section, seat) for number, section in state.sections.items()}
    seen.sections = Indexed(blanked)
    seen.meetings = {number: _meeting(state, meeting, seat) for number, meeting in state.meetings.items()}
    seen.assaults = {key: _assault(assault, seat) for key, assault in state.assaults.items()}
    seen.terms = {number: terms for number, terms in state.terms.items() if _party(terms, seat)}
    seen.scryings = tuple(each for each in state.scryings if each.by == seat)
    if foggy(state):
        _hide(seen, seat)
        watched = frozenset(dict(state.pending.watched).get(seat or "", ()))
        parts = (part for march in state.marches.values() for part in _glimpses(march, watched, seat, seen.ships))
        seen.marches = {f"{part.banner} {number}": part for number, part in enumerate(parts)}
    return View(seat, seen)


def _hide(seen: State, seat: str | None) -> None:
    """Blank what fog hides: banners, and what marks and rows of tries would tell of them."""
    near = sight(seen, seat)
    seen.banners = Indexed({key: each for key, each in seen.banners.items() if in_sight(seen, each, near, seat)})
    seen.tunnels = {key: tunnel for key, tunnel in seen.tunnels.items() if tunnel.banner.realm == seat}
    for number, section in seen.sections.items():
        tries = section.tries if number in near else tuple(each for each in section.tries if each[0] == seat)
        works = section.fortified if number in near or seat_of(section.fortified) == seat else ""
        seen.change_section(number, tries=tries, fortified=works)


def _glimpses(march: March, watched: frozenset[int], seat: str | None, ships: Container[str]) -> Iterator[March]:
    """The parts of a march that lay in sight; all of it if it is a ship's."""
    if march.realm == seat or march.banner in ships:
        yield march
        return
    for visible, part in groupby(march.path, watched.__contains__):
        path = tuple(part)
        if visible and len(path) > 1:
            yield replace(march, path=path)


def _realm(state: State, realm: Realm, seat: str | None) -> Realm:
    """Others do not know what a realm has; whom it meets how its player can be reached, and who cannot play a battle
    whether he would (NIP 8.8)."""
    if realm.seat == seat:
        return realm
    tables = [meeting for meeting in state.meetings.values() if not meeting.settled and seat in meeting.concerned]
    contact = realm.contact if any(realm.seat in meeting.concerned for meeting in tables) else ""
    ready = realm.volunteers and any(seat in meeting.cannot for meeting in tables)
    return Realm(
        seat=realm.seat,
        name=realm.name,
        army=realm.army,
        headquarters=realm.headquarters,
        status=realm.status,
        stands_until=realm.stands_until,
        homeless=realm.homeless,
        contact=contact,
        volunteers=ready,
    )


def _banner(state: State, banner: Banner, seat: str | None) -> Banner:
    """Who meets it sees its troops; a deputy, whatever he needs to play with it."""
    if banner.realm == seat:
        return banner
    afar = _from_afar(banner)
    if _plays(state, banner, seat):
        return replace(afar, units=banner.units, heroism=banner.heroism, general=banner.general)
    if not _meets(state, banner, seat):
        return afar
    army = armies.army(state.realms[banner.realm].army)
    return replace(afar, units=tuple(_in_sight(unit, army) for unit in banner.units))


def _from_afar(banner: Banner) -> Banner:
    """Where it is and what it bears, but not who marches in it; of heroism, that it has it."""
    return Banner(
        realm=banner.realm,
        name=banner.name,
        at=banner.at,
        units=(),
        scattered=banner.scattered,
        scattered_on=banner.scattered_on,
        heroism=min(banner.heroism, 1),
        drawn=banner.drawn,
        aboard=banner.aboard,
    )


def _tunnel(tunnel: Tunnel, seat: str | None) -> Tunnel:
    """Others know that a banner is underground, and until when."""
    return tunnel if tunnel.banner.realm == seat else Tunnel(_from_afar(tunnel.banner), tunnel.up)


def _meets(state: State, banner: Banner, seat: str | None) -> bool:
    """Whether they are in the same open meeting; who is outside it, having just scattered there, is not."""
    meeting = state.meetings.get(banner.at)
    if meeting is None or meeting.settled:
        return False
    return banner.key in meeting.banners and seat in meeting.concerned


def _plays(state: State, banner: Banner, seat: str | None) -> bool:
    """Whether a deputy is to play with a banner in an open meeting (NIP 8.8)."""
    meeting = state.meetings.get(banner.at)
    if meeting is None or meeting.settled or banner.key not in meeting.banners:
        return False
    return seat is not None and meeting.deputy_of(banner.realm) == seat


def _in_sight(unit: Unit, army: ArmyList) -> Unit:
    """Types and numbers, as the other side of a meeting sees them; nobody sees what a hero has drunk, or bears."""
    kind = army.types.get(unit.type)
    natural = replace(kind.profile, M=unit.profile.M) if kind else unit.natural or unit.profile
    lent = frozenset(tag for name in unit.items if name in ITEMS for tag in ITEMS[name].lends)
    return Unit(unit.name, unit.type, unit.category, unit.models, 0, natural, unit.tags - lent, toll=unit.toll)


def _section(state: State, number: int, section: Section, seat: str | None) -> Section:
    """Reserves are their owner's, unless they are to fight; that a site has produced a unit is the controller's; the
    stock of a merchant city is seen by those who are there."""
    if section.quartered and section.quartered != seat:
        section = _reserve(state, number, section, seat)
    if section.recruited and section.controller != seat:
        section = replace(section, recruited=0)
    return replace(section, stock=()) if section.stock and not _visits(state, number, seat) else section


def _reserve(state: State, number: int, section: Section, seat: str | None) -> Section:
    """Whoever has met its realm at the site sees of another's reserve what he sees of banners (NIP 8.7). Where none is
    left to fight, nobody learns that there was one."""
    meeting = state.meetings.get(number)
    nobody = replace(section, reserve=(), quartered="")
    if meeting is None or meeting.settled or section.quartered not in meeting.realms or seat not in meeting.concerned:
        return nobody
    fighting = defending_reserve(state, number)
    if fighting and meeting.deputy_of(section.quartered) != seat:
        army = armies.army(state.realms[section.quartered].army)
        fighting = tuple(_in_sight(unit, army) for unit in fighting)
    return replace(section, reserve=fighting) if fighting else nobody


def _visits(state: State, number: int, seat: str | None) -> bool:
    """Whether a realm has a banner in a section."""
    return any(banner.realm == seat for banner in state.banners_at(number))


def _meeting(state: State, meeting: Meeting, seat: str | None) -> Meeting:
    """Who met and who has won is seen by all; what was said, by those who met and who plays for them (NIP 8.5, 8.8)."""
    meeting = replace(meeting, spoils=tuple(wish for wish in meeting.spoils if wish[0] == seat))
    if seat in meeting.realms or (seat in meeting.concerned and not meeting.settled):
        return meeting
    return Meeting(
        at=meeting.at,
        banners=meeting.banners,
        sides=meeting.sides,
        initiative=meeting.initiative,
        scenarios=meeting.scenarios,
        next=meeting.next.unsaid,
        peace=meeting.peace,
        fought=tuple(map(_bout, meeting.fought)),
        settled=meeting.settled,
        assault=meeting.assault,
    )


def _assault(assault: Assault, seat: str | None) -> Assault:
    """What a fight did to units is told to those who fought it."""
    if any(seat_of(key) == seat for key in assault.banners):
        return assault
    return Assault(
        at=assault.at,
        kind=assault.kind,
        banners=assault.banners,
        foes=assault.foes,
        alone=assault.alone,
        met=assault.met,
        times=assault.times,
        bout=assault.bout and _bout(assault.bout),
    )


def _bout(bout: Bout) -> Bout:
    """Who won, and what of the site fell; not what it cost."""
    told = bout.result
    result = Result(told.by, told.winner, told.degree, destroyed=told.destroyed)
    return replace(bout, result=result)


def _party(terms: Terms, seat: str | None) -> bool:
    return seat == terms.by or seat in terms.to
