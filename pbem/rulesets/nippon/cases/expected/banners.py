"""What a case may expect: what became of banners. Each phrase answers with what came instead, or nothing."""

from pbem.core.trials import Trial, Vocabulary
from pbem.rulesets.nippon.banners import leader
from pbem.rulesets.nippon.cases.expected.lookup import banner_of, instead, named, state_of

BANNERS = Vocabulary()


@BANNERS.phrase("at {banner} {number:int}")
def at(trial: Trial, banner: str, number: int) -> str | None:
    """The banner stands in this section."""
    stands = banner_of(trial, banner).at
    return None if stands == number else f"it stands in {stands}"


@BANNERS.phrase("gone {banner}")
def gone(trial: Trial, banner: str) -> str | None:
    """The banner is no more."""
    found = trial.state.banner_called(named(banner))
    return f"it stands in {found.at}" if found else None


@BANNERS.phrase("underground {banner} to {number:int} until {turn:int}")
def underground(trial: Trial, banner: str, number: int, turn: int) -> str | None:
    """The banner is underground, and comes up in that section in that turn."""
    found = trial.state.tunnels.get(named(banner))
    return instead((number, turn), (found.goal, found.up)) if found else "it is not"


@BANNERS.phrase("scattered {banner}")
def scattered(trial: Trial, banner: str) -> str | None:
    """The banner is scattered."""
    return None if banner_of(trial, banner).scattered else "it is not"


@BANNERS.phrase("not scattered {banner}")
def not_scattered(trial: Trial, banner: str) -> str | None:
    """The banner is whole."""
    return "it is" if banner_of(trial, banner).scattered else None


@BANNERS.phrase("points {banner} {points:int}")
def points(trial: Trial, banner: str, points: int) -> str | None:
    """What the units of the banner are worth."""
    return instead(points, banner_of(trial, banner).points)


@BANNERS.phrase("heroism {banner}")
def heroism(trial: Trial, banner: str) -> str | None:
    """The banner has heroism."""
    return None if banner_of(trial, banner).heroism else "it has none"


@BANNERS.phrase("no heroism {banner}")
def no_heroism(trial: Trial, banner: str) -> str | None:
    """The banner has no heroism."""
    return "it has" if banner_of(trial, banner).heroism else None


@BANNERS.phrase("drawn {banner}")
def drawn(trial: Trial, banner: str) -> str | None:
    """The banner drew its battle and is bound by that next turn."""
    return None if banner_of(trial, banner).drawn else "it is not marked"


@BANNERS.phrase("not drawn {banner}")
def not_drawn(trial: Trial, banner: str) -> str | None:
    """The banner is not bound by a drawn battle."""
    return "it is marked" if banner_of(trial, banner).drawn else None


@BANNERS.phrase("models {banner} {unit:quoted} {models:int}")
def models(trial: Trial, banner: str, unit: str, models: int) -> str | None:
    """How many models a unit has left; a lost unit has 0."""
    return instead(models, sum(each.models for each in banner_of(trial, banner).units if each.name == unit))


@BANNERS.phrase("leader {banner} {unit:quoted}")
def leads(trial: Trial, banner: str, unit: str) -> str | None:
    """Who leads the banner in battle."""
    found = leader(state_of(trial), banner_of(trial, banner))
    return instead(unit, found.name if found else "")


@BANNERS.phrase("wounds {banner} {unit:quoted} {wounds:int}")
def wounds(trial: Trial, banner: str, unit: str, wounds: int) -> str | None:
    """How many wounds a unit lacks."""
    return instead(wounds, sum(each.wounds for each in banner_of(trial, banner).units if each.name == unit))


@BANNERS.phrase("mount {banner} {unit:quoted} {wounds:int}")
def mount(trial: Trial, banner: str, unit: str, wounds: int) -> str | None:
    """How many wounds the monster that a unit rides lacks."""
    steeds = [each.steed for each in banner_of(trial, banner).units if each.name == unit]
    return instead(wounds, steeds[0].wounds if steeds and steeds[0] else "it rides none")


@BANNERS.phrase("afoot {banner} {unit:quoted}")
def afoot(trial: Trial, banner: str, unit: str) -> str | None:
    """The unit rides nothing."""
    return instead("", next((each.mount for each in banner_of(trial, banner).units if each.name == unit), "it is gone"))


@BANNERS.phrase("carries {banner} {unit:quoted} {item:quoted}")
def carries(trial: Trial, banner: str, unit: str, item: str) -> str | None:
    """The unit carries this item."""
    found = _items(trial, banner, unit)
    return None if item in found else f"it carries {', '.join(found) or 'nothing'}"


@BANNERS.phrase("not carries {banner} {unit:quoted} {item:quoted}")
def carries_not(trial: Trial, banner: str, unit: str, item: str) -> str | None:
    """The unit does not carry this item."""
    return "it does" if item in _items(trial, banner, unit) else None


def _items(trial: Trial, banner: str, unit: str) -> tuple[str, ...]:
    return next((each.items for each in banner_of(trial, banner).units if each.name == unit), ())


@BANNERS.phrase("profile {banner} {unit:quoted} {characteristic:word} {value:int}")
def profile(trial: Trial, banner: str, unit: str, characteristic: str, value: int) -> str | None:
    """A characteristic of a unit, without what its items add."""
    found = next((each for each in banner_of(trial, banner).units if each.name == unit), None)
    return instead(value, vars(found.profile).get(characteristic, "none") if found else "gone")


@BANNERS.phrase("items {banner} {unit:quoted} none")
def no_items(trial: Trial, banner: str, unit: str) -> str | None:
    """A unit bears no magic items."""
    return items(trial, banner, unit, "")


@BANNERS.phrase("items {banner} {unit:quoted} {items:quoted}")
def items(trial: Trial, banner: str, unit: str, items: str) -> str | None:
    """Which magic items a unit bears, with commas between them, in the order in which it got them."""
    wanted = tuple(item.strip() for item in items.split(",") if item)
    return instead(wanted, _items(trial, banner, unit))
