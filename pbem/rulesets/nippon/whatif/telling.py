"""What may come of a card, in words."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from pbem.core.odds import Forecast, Odds
from pbem.core.orders import Line, Written
from pbem.core.wording import listed
from pbem.rulesets.nippon.orders import BannerOrder, Move, Order
from pbem.rulesets.nippon.state import name_of, seat_of
from pbem.rulesets.nippon.view import View
from pbem.rulesets.nippon.whatif.assumptions import Assumption, Assumptions, assume
from pbem.rulesets.nippon.whatif.guesses import blank, filled_in, share
from pbem.rulesets.nippon.whatif.trials import Fate, Outcome, play_out


def forecast(view: View, orders: Sequence[Written], assumed: Sequence[Line]) -> Forecast | None:
    """What may come of legal orders of the seat of ``view``, for all that it knows; ``None`` but before the moves."""
    if view.position.stage != "orders" or view.seat is None:
        return None
    assumptions = assume(view, assumed)
    position = filled_in(view, {key: each.pace for key, each in assumptions.orders.items()})
    own = [each.order for each in orders if not each.order.immediate]
    told = Telling(view, own, play_out(position, view.seat, _together(view.seat, own, assumptions)))
    return Forecast(
        prospects=tuple(told.banners()),
        overall=(told.meetings(), *told.sections()),
        assumed=tuple((view.banner(key), _in_short(each)) for key, each in assumptions.orders.items()),
        guessed=tuple(_guesses(view, assumptions)),
        faults=tuple(assumptions.faults),
        runs=told.runs,
    )


def _together(seat: str, own: Sequence[Order], assumptions: Assumptions) -> dict[str, list[Order | BannerOrder]]:
    """All orders there are, by seat."""
    orders: dict[str, list[Order | BannerOrder]] = defaultdict(list, {seat: list(own)})
    for key, each in assumptions.orders.items():
        orders[seat_of(key)].append(each.order)
    return dict(sorted(orders.items()))


@dataclass(frozen=True)
class Telling:
    """The odds of a card, to be told to its player."""

    view: View
    orders: Sequence[Order]
    odds: Sequence[Odds[Outcome]]
    """Of each part of his banners."""

    @property
    def runs(self) -> int:
        """The size of the samples; 0: all odds are exact."""
        return max((each.runs for each in self.odds), default=0)

    # --- banners ---

    def banners(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """What may become of each banner, the likeliest first, and then whom it may meet."""
        found = {key: odds for odds in self.odds for outcome in odds.chances for key, _ in outcome.fates}
        for key in sorted(found):
            yield name_of(key), (*self._whereabouts(key, found[key]), *self._encounters(key, found[key]))

    def _whereabouts(self, key: str, odds: Odds[Outcome]) -> Iterator[str]:
        places: dict[str, list[int]] = defaultdict(list)
        for outcome in odds.chances:
            fate = outcome.fate(key)
            at = places[self._becomes(key, fate)]
            at += [] if fate.at in at else [fate.at]
        for becomes, chance in odds.by(lambda outcome: self._becomes(key, outcome.fate(key))).items():
            yield f"{odds.words(chance)} to {becomes}{self._among(places[becomes])}"

    def _among(self, numbers: Sequence[int]) -> str:
        """Where something is that may be in one of several sections."""
        if numbers == [0]:
            return ""
        if len(numbers) == 1:
            return f" {self.view.place(numbers[0])}"
        return f" {listed(map(str, sorted(numbers)), last='or')}"

    def _becomes(self, key: str, fate: Fate) -> str:
        match fate.how:
            case "":
                return self._comes(key, fate.at)
            case "scattered":
                return "be scattered, in"
            case "reserve":
                return "become the reserve of the site where it stands"
            case end:
                return f"be {end}"

    def _comes(self, key: str, at: int) -> str:
        """How a banner gets to where it is in the end, in words that a place may follow."""
        banner = self.view.position.banners.get(key)
        path = next((each.path for each in self.orders if isinstance(each, Move) and each.banner == name_of(key)), ())
        if at in path:
            return "arrive in" if at == path[-1] else "stop in"
        if banner is None:
            return "be in"
        if at == banner.at:
            return "stay in"
        return "go astray, to" if path else "walk to" if banner.scattered else "come to"

    def _encounters(self, key: str, odds: Odds[Outcome]) -> Iterator[str]:
        met = odds.by(lambda outcome: (outcome.fate(key).at, outcome.fate(key).met))
        for (at, foes), chance in met.items():
            if foes:
                yield f"{odds.words(chance)} to meet {self._named(foes)} in {self.view.place(at)}"

    def _named(self, keys: Sequence[str]) -> str:
        return listed(map(self.view.banner, keys))

    # --- the realm ---

    def meetings(self) -> tuple[str, str]:
        """The chance that any banner meets an enemy."""
        none = prod(
            (each.of(lambda outcome: not any(fate.met for _, fate in outcome.fates)) for each in self.odds),
            start=Fraction(1),
        )
        return "Meetings", "none" if none == 1 else f"{self._words(1 - none)} that you meet somebody"

    def sections(self) -> Iterator[tuple[str, str]]:
        """How many sections there will be, and which may change hands."""
        before = len(self.view.position.held_by(self.view.seat or ""))
        gained = self._changes("gained")
        lost = self._changes("lost")
        mean = before + sum(gained.values()) - sum(lost.values())
        then = f"{mean} then" if mean.denominator == 1 and not self.runs else f"on average {float(mean):.1f} then"
        yield "Sections", f"{before} now, {then}"
        for number in sorted({*gained, *lost}):
            change = "to become yours" if number in gained else "to be yours no more"
            yield self.view.place(number), f"{self._words((gained | lost)[number])} {change}"

    def _changes(self, what: str) -> dict[int, Fraction]:
        """The chance of each section to be gained, or lost, by whatever part of the banners."""
        numbers = {number for each in self.odds for outcome in each.chances for number in getattr(outcome, what)}
        return {number: 1 - prod(self._without(what, number), start=Fraction(1)) for number in numbers}

    def _without(self, what: str, number: int) -> Iterator[Fraction]:
        for each in self.odds:
            yield each.of(lambda outcome: number not in getattr(outcome, what))

    def _words(self, chance: Fraction) -> str:
        return Odds[Outcome]({}, self.runs).words(chance)


# --- what is taken for granted --------------------------------------------------------------------------------


def _in_short(assumed: Assumption) -> str:
    return assumed.does if assumed.pace == "on foot" else f"{assumed.does}, {assumed.pace}"


def _guesses(view: View, assumptions: Assumptions) -> Iterator[str]:
    others = blank(view)
    if any(banner.key not in assumptions.orders for banner in others):
        which = "All other banners of other realms hold" if assumptions.orders else "The banners of other realms hold"
        yield f"{which}; scattered ones walk home."
    if view.foggy:
        yield "Banners that the fog hides from you are left out."
    realms = sorted({banner.realm for banner in others})
    shares = ", ".join(f"{view.realm(realm)}'s {share(view, realm):,}" for realm in realms)
    if shares:
        yield f"What they hold you do not know. Points of each, as an equal share of a whole army: {shares}."
