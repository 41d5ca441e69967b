"""Lines about standing preferences (NIP 18): ``loss order: Halberdiers, Spearmen``, ``raise dead into Zombies``."""

import re
from collections.abc import Iterable, Iterator

from pbem.core.grammar import Misread, Names, offered
from pbem.core.orders import plain
from pbem.rulesets.nippon.banners import army
from pbem.rulesets.nippon.cards.names import battle, own_banners
from pbem.rulesets.nippon.cards.prospect import Prospect
from pbem.rulesets.nippon.items import ITEMS
from pbem.rulesets.nippon.legality import Refusal
from pbem.rulesets.nippon.orders import Preference
from pbem.rulesets.nippon.orders.preferences import SPOILS, USUAL, Matter
from pbem.rulesets.nippon.preferences import KILL, NO_BANNER, NO_DEAD, standing
from pbem.rulesets.nippon.state import Unit
from pbem.rulesets.nippon.tables import people
from pbem.rulesets.nippon.tabletop import no_meeting
from pbem.rulesets.nippon.view import View

LINE = re.compile(
    r"(?P<about>loss(?:es)? order|give up|take|carriers?|raise (?:the )?dead|captured creatures?|assaults?|side with)"
    r"(?:\s+(?:in\s+|for\s+|of\s+)?(?P<battle>B#?\d{1,5})(?!\w))?"
    r"(?P<sign>\s*[:=]\s*|\s+(?:into|with|the)?\s*)(?P<rest>.*)",
    re.IGNORECASE,
)
ABOUT: dict[str, Matter] = {
    "loss": "loss order",
    "give": "give up",
    "take": "take",
    "carr": "carriers",
    "rais": "raise dead",
    "capt": "captured creatures",
    "assa": "assaults",
    "side": "side with",
}
"""What a line is about, by its first letters."""

BETWEEN = re.compile(r"\s*[,;]\s*|\s+then\s+", re.IGNORECASE)
DEFAULT = re.compile(
    r"as usual|usual|default|as the rules (?:say|have it)|dearest|cheapest|join|(?:with )?all|stand aside",
    re.IGNORECASE,
)
"""What is done if nothing is said, in the words of those who say it."""


def wish(view: View, text: str) -> Preference | None:
    """The preference of a line; ``None`` if it is about nothing of the kind. Raises :class:`Misread`."""
    found = LINE.fullmatch(text)
    if found is None:
        return None
    about, said = ABOUT[found["about"][:4].lower()], found["rest"].strip(" .!")
    at = battle(view, found["battle"]) if found["battle"] else 0
    if at and about not in SPOILS:
        raise Misread("That holds for all battles.", instead=f"{about}: {said}")
    if DEFAULT.fullmatch(said):
        return Preference(about, at=at)
    known = _known(view, about)
    parts = [part for part in BETWEEN.split(said) if part]
    names = [known.find(part) for part in parts]
    if None in names and not {":", "="} & {*found["sign"]} and not any(map(known.near, parts)):
        return None  # "Take the hill!"
    for part, name in zip(parts, names, strict=True):
        if name is None:
            raise _unknown(known, about, part)
    if not parts:
        raise Misread(f"It is not said what. I know: {_examples(known)}.", instead=f"{about}: {USUAL}")
    return Preference(about, tuple(dict.fromkeys(filter(None, names))), at)


def _known(view: View, about: Matter) -> Names[str]:
    """What a preference may name."""
    units = army(view.position, view.seat or "")
    match about:
        case "loss order":
            return _named(unit_names(units))
        case "raise dead":
            return _named([*unit_names(unit for unit in units if not unit.character), NO_DEAD])
        case "carriers":
            return _named(unit.name for unit in units if unit.character)
        case "captured creatures":
            return _named([KILL])
        case "assaults":
            nobody = [(name, NO_BANNER) for name in (NO_BANNER, "none", "nothing", "no banner")]
            return Names([*nobody, *((banner.name, banner.name) for banner in own_banners(view))])
        case "side with":
            return _named(realm.name for seat, realm in view.position.realms.items() if seat != view.seat)
        case "give up" | "take":
            return _named(ITEMS)


def unit_names(units: Iterable[Unit]) -> list[str]:
    """What units can be called: by their names and by their types; a name goes before a type of the same words."""
    found = [*units]
    return [*(unit.name for unit in found), *(unit.type for unit in found)]


def _named(names: Iterable[str]) -> Names[str]:
    named = list({plain(name): name for name in reversed([*names])}.values())[::-1]
    return Names([*((name, name) for name in named), *((f"{name}s", name) for name in named)])


YOURS = "a unit of yours, or a type of unit that you have"
THINGS: dict[Matter, str] = {
    "give up": "an item",
    "take": "an item",
    "assaults": "a banner of yours",
    "side with": "another realm",
}


def _unknown(known: Names[str], about: Matter, part: str) -> Misread:
    near = [name for name in known.near(part) if known.find(name) == name] or known.near(part)
    unknown = f"{part!r} is not {THINGS.get(about, YOURS)}."
    reason = "Captured creatures: kill, or join." if about == "captured creatures" else unknown
    fix = (part, near[0]) if near else None
    return Misread(f"{reason}{offered(near)}", fix)


def _examples(known: Names[str]) -> str:
    return ", ".join([name for name, _ in known.all][:3])


# --- what it does -------------------------------------------------------------------------------------------------


def judge_wish(view: View, wanted: Preference) -> Prospect | Refusal:
    """What comes of a preference."""
    army = view.position.realms[view.seat or ""].army
    if wanted.about == "raise dead" and not people(army).raises_dead:
        return Refusal("12", f"Only vampire counts raise the dead; your army is {army}.")
    meeting = view.position.meetings.get(wanted.at)
    if wanted.at and (meeting is None or view.seat not in meeting.realms):
        return no_meeting(view.position, view.seat or "", wanted.at)
    if wanted.at:  # Terms may have settled it since: then there are no spoils, and nothing to refuse.
        subject = f"{wanted.about.capitalize()} in {wanted.at}"
        return Prospect(wanted, subject, _told(wanted), ("for this battle only, if it is won and lost",))
    return Prospect(wanted, wanted.about.capitalize(), _told(wanted), ("holds until you change it",))


def standing_wishes(view: View) -> tuple[tuple[str, str], ...]:
    """The preferences that a seat has sent and not changed: about what, and what; nothing as the rules have it."""
    wishes = standing(view.position.realms[view.seat].preferences) if view.seat else ()
    return (*((each.about.capitalize(), _told(each)) for each in wishes), *_offered(view))


def _offered(view: View) -> Iterator[tuple[str, str]]:
    """What a player lets others know of himself (NIP 8.8)."""
    realm = view.position.realms.get(view.seat or "")
    if realm and realm.contact:
        yield "Contact", f'"{realm.contact}", for those whom you meet, and their deputies'
    if realm and realm.volunteers:
        yield "Volunteer", "YES: you would play battles of others"


def _told(wanted: Preference) -> str:
    if not wanted.names:
        return f"AS USUAL: {WITHOUT[wanted.about]}"
    if wanted.names in ((NO_DEAD,), (NO_BANNER,), (KILL,)):
        return wanted.names[0].upper()
    if wanted.about == "assaults":
        return f"{', '.join(wanted.names)}; nobody else"
    return f"{', then '.join(wanted.names)}; then {AFTER[wanted.about]}"


WITHOUT: dict[Matter, str] = {
    "loss order": "the cheapest unit first, characters last",
    "give up": "the cheapest item",
    "take": "the dearest item",
    "carriers": "the first with room for it",
    "raise dead": "the dearest unit that fits",
    "captured creatures": "they join the banner",
    "assaults": "all banners, but for those told no assault",
    "side with": "you stand aside where your allies fight each other",
}
"""What is done without a preference."""

AFTER = WITHOUT | {"raise dead": "nobody else"}
"""What is done when all that is named is used up."""
