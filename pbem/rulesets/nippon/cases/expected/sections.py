"""What a case may expect: what became of sections. Each phrase answers with what came instead, or nothing."""

from pbem.core.trials import Trial, Vocabulary
from pbem.rulesets.nippon.cases.expected.lookup import instead, named, numbers_in, section_of

SECTIONS = Vocabulary()


@SECTIONS.phrase("controls nobody {numbers}")
def controls_nobody(trial: Trial, numbers: str) -> str | None:
    """Nobody controls these sections."""
    return _controllers(trial, "", numbers)


@SECTIONS.phrase("controls {seat:seat} {numbers}")
def controls(trial: Trial, seat: str, numbers: str) -> str | None:
    """The realm controls these sections."""
    return _controllers(trial, seat, numbers)


def _controllers(trial: Trial, seat: str, numbers: str) -> str | None:
    held = {number: section_of(trial, number).controller for number in numbers_in(numbers)}
    return "; ".join(f"{number} is held by {by or 'nobody'}" for number, by in held.items() if by != seat) or None


@SECTIONS.phrase("razed {number:int}")
def razed(trial: Trial, number: int) -> str | None:
    """The section bears a razed mark."""
    return None if section_of(trial, number).razed else "it is not"


@SECTIONS.phrase("not razed {number:int}")
def not_razed(trial: Trial, number: int) -> str | None:
    """The section bears no razed mark."""
    return "it is" if section_of(trial, number).razed else None


@SECTIONS.phrase("fortified {number:int} by {banner}")
def fortified(trial: Trial, number: int, banner: str) -> str | None:
    """The banner has fortified the section."""
    return instead(named(banner), section_of(trial, number).fortified)


@SECTIONS.phrase("not fortified {number:int}")
def not_fortified(trial: Trial, number: int) -> str | None:
    """Nobody has fortified the section."""
    by = section_of(trial, number).fortified
    return f"it is, by {by}" if by else None


@SECTIONS.phrase("site {number:int} {site}")
def site(trial: Trial, number: int, site: str) -> str | None:
    """The site that stands there; ``none`` for nothing."""
    return instead("" if site == "none" else site, section_of(trial, number).site)


@SECTIONS.phrase("buildings {number:int} {names}")
def buildings(trial: Trial, number: int, names: str) -> str | None:
    """The buildings of a site, with commas; ``none`` for no building."""
    wanted = () if names == "none" else tuple(sorted(names.replace(",", " ").split()))
    return instead(wanted, tuple(sorted(section_of(trial, number).buildings)))


@SECTIONS.phrase("reserve {number:int} {seat:seat} {points:int}")
def reserve(trial: Trial, number: int, seat: str, points: int) -> str | None:
    """What the reserve of a realm at a site is worth."""
    section = section_of(trial, number)
    return instead(points, sum(unit.worth for unit in section.reserve) if section.quartered in ("", seat) else 0)


@SECTIONS.phrase("mine {number:int} ends {turn:int}")
def mine_ends(trial: Trial, number: int, turn: int) -> str | None:
    """The last turn in which the mine pays as one; 0: no end in sight."""
    return instead(turn, section_of(trial, number).mine_ends)


@SECTIONS.phrase("tries {number:int} by {seat:seat} {count:int}")
def tries(trial: Trial, number: int, seat: str, count: int) -> str | None:
    """A realm's tries at recovery in a row."""
    return instead(count, dict(section_of(trial, number).tries).get(seat, 0))


@SECTIONS.phrase("stock {number:int} {item:quoted} {count:int}")
def stock(trial: Trial, number: int, item: str, count: int) -> str | None:
    """How many of an item a merchant city has."""
    return instead(count, dict(section_of(trial, number).stock).get(item, 0))
