"""What a banner can be told (NIP 4): ``move 13 14``, ``raze 12 and move 14 by land``; and what is wrong with the rest.

A deed is an order without the name of the banner: for which banner it is, is known already.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from typing import Any

from pbem.core.grammar import Grammar, Misread, Names, Verb, first_word, named, offered
from pbem.core.orders import nearest, plain
from pbem.rulesets.nippon.cards import paper
from pbem.rulesets.nippon.cards.names import around, gazetteer, route, section, sections
from pbem.rulesets.nippon.cards.verbs import FORMS, VERB
from pbem.rulesets.nippon.cards.voyages import voyage
from pbem.rulesets.nippon.orders import (
    Alone,
    BannerOrder,
    ForcedMarch,
    Fortify,
    Hold,
    Move,
    Order,
    Portal,
    Raze,
    Recover,
    Retreat,
    Sail,
    Scatter,
    Underground,
)
from pbem.rulesets.nippon.state import Banner
from pbem.rulesets.nippon.view import View


@dataclass(frozen=True)
class Scene:
    """The banner a deed is for, and what its player knows."""

    view: View
    banner: Banner


# --- the table ------------------------------------------------------------------------------------------------


def _move(scene: Scene, route: tuple[int, ...]) -> Move:
    return Move(scene.banner.name, route)


def _raze_and_move(scene: Scene, route: tuple[int, ...], here: int = 0) -> Move:
    return Move(scene.banner.name, route, raze=True)


def _sail(scene: Scene, voyage: Sail | None = None) -> Sail:
    return voyage or Sail(scene.banner.name)


def _land(scene: Scene, land: int) -> Sail:
    return Sail(scene.banner.name, land=land)


def _march(scene: Scene, route: tuple[int, ...], burnt: tuple[int, ...] = ()) -> ForcedMarch:
    return ForcedMarch(scene.banner.name, route, tuple(dict.fromkeys(burnt)))


def _underground(scene: Scene, goal: int) -> Underground:
    return Underground(scene.banner.name, goal)


def _portal(scene: Scene, goal: int, condition: str = "") -> Portal:
    order = Portal(scene.banner.name, goal, if_threatened=bool(condition))
    if condition and not THREAT.fullmatch(condition):
        raise Misread("A portal knows one condition only.", instead=order.deed)
    return order


def _nowhere(scene: Scene) -> Underground:
    raise Misread("Where is it to come up? Write it like this: underground to 14.")


def _stay(kind: type[BannerOrder]) -> Callable[..., BannerOrder]:
    return lambda scene, here=0, there=0: kind(scene.banner.name)


def _retreat(scene: Scene, refuge: int) -> Retreat:
    return Retreat(scene.banner.name, refuge)


def _alone(scene: Scene, hero: str) -> Alone:
    return Alone(scene.banner.name, hero)


def _hero(scene: Scene, text: str) -> str:
    """A character of the banner."""
    heroes = [unit.name for unit in scene.banner.units if unit.character]
    return named(Names([(name, name) for name in heroes]), text, f"hero or lord of {scene.banner.name}")


def _route(scene: Scene, text: str) -> tuple[int, ...]:
    at = scene.banner.at
    near = f" Next to {at}: {around(scene.view, at)}."
    try:
        numbers = route(scene.view, text, at)
    except Misread as misread:
        misread.reason += "" if misread.fix and misread.fix[1] else near
        raise
    if not numbers:
        raise Misread(f"{text!r} names no section to move to.{near}")
    return numbers


def _burnt(scene: Scene, text: str) -> tuple[int, ...]:
    return sections(scene.view, text)


def _goal(scene: Scene, text: str) -> int:
    return section(scene.view, text)


THREAT = re.compile(
    r"(?:it is |it's )?(?:attacked|threatened)"
    r"|(?:an? |any |the )?(?:hostile|enemy|enemies|hostiles)(?: banners?)? (?:is |are )?"
    r"(?:ordered|moves?|comes?|coming|moving) (?:into|in|to)? ?(?:here|(?:its|the|this|my|that) section)",
    re.IGNORECASE,
)
"""Ways to say the one condition that an order may have."""

HERE = re.compile(r"(?:(?:map|section|here|its|the|this|position)(?!\w)|[\s:()._])*", re.IGNORECASE)
"""Words for the section in which a banner stands."""


def _here(scene: Scene, text: str) -> int:
    """The section in which something is to be done: it can only be the one where the banner stands."""
    at = scene.banner.at
    number = at if HERE.fullmatch(text) else section(scene.view, text)
    if number != at:
        raise Misread(f"{scene.banner.name} stands in {scene.view.place(at)}, not in {number}.", (text, str(at)))
    return number


DEEDS: Grammar[Scene] = Grammar(
    [
        Verb("move|moves underground [to|in] {goal}", _underground),
        Verb("underground|tunnel|tunnels [to|in] {goal}", _underground),
        Verb("underground|tunnel|tunnels", _nowhere),
        Verb("portal|portals|teleport|teleports [to|into] {goal} [,] if|when {condition}", _portal),
        Verb("portal|portals|teleport|teleports [to|into] {goal}", _portal),
        Verb("come|comes up [in|at] {goal}", _underground),
        Verb("move|moves [on] {route}", _move),
        Verb("hold|holds [in|at] [{here}]", _stay(Hold)),
        Verb("raze|razes [in|at] [{here}] [,|;|+|&] [and] [then] hold|holds [in|at] [{there}]", _stay(Raze)),
        Verb("raze|razes [in|at] [{here}] [,|;|+|&] [and] [then] move|moves [on] {route}", _raze_and_move),
        Verb("raze|razes [in|at] [{here}]", _stay(Raze)),
        *(
            Verb(f"{begin} {{route}}{end}", _march)
            for end in (" [,|;|+|&] [and] raze|razes|razing [in|at] {burnt}", "")
            for begin in ("march|marches [on]", "forced|force march|marches [on]")
        ),
        Verb("fortify|fortifies [to|in|at] [{here}]", _stay(Fortify)),
        Verb("recover|recovers [in|at] [{here}]", _stay(Recover)),
        Verb("scatter|scatters", _stay(Scatter)),
        Verb("sail|sails|board|boards|load|loads|embark|embarks [{voyage}]", _sail),
        Verb("land|lands|disembark|disembarks [in|at|on] {land}", _land),
        Verb("retreat|retreats [to|into|towards] {refuge}", _retreat),
        Verb("alone with|by {hero}", _alone),
        Verb("send|sends {hero} alone", _alone),
    ],
    {
        "route": _route,
        "here": _here,
        "there": _here,
        "burnt": _burnt,
        "goal": _goal,
        "condition": lambda scene, text: text,
        "voyage": lambda scene, text: voyage(scene.view, scene.banner, text),
        "land": lambda scene, text: section(scene.view, text),
        "refuge": lambda scene, text: section(scene.view, text),
        "hero": _hero,
    },
    "move 14, hold, raze and hold, raze and move 14, fortify, recover.",
)
"""Everything a banner may be told."""


# --- a deed ---------------------------------------------------------------------------------------------------

LEAD = re.compile(r"^(?:[\s:=,>-]|(?:will|shall|must|is to|are to|please|orders?:)(?!\w))+", re.IGNORECASE)
"""What may stand between a banner's name and its deed: ``Red Dragons will move to 14``."""

COURTESY = re.compile(r"^(?:(?:please|pls)\s+)|[\s,(]*(?<!\w)(?:please|pls|thanks|thank you)[\s.!,)]*$", re.IGNORECASE)
SUFFIX = re.compile(
    r"[\s,;(]*(?<!\w)(by[\s-]land|no[\s-]claim|no[\s-]assault)\)?[\s.,;]*($|(?<=[\s.,;])(?=(?:and )?raz))",
    re.IGNORECASE,
)
"""A suffix at the end, or before what a march is to raze."""


SAFEGUARD = re.compile(
    r"(?<!\w)(?P<guard>by|no|not|non|without|never|don't|dont|do not)[\s-]+(?P<what>[^\W\d_]+)"
    r"|(?<!\w)[^\W\d_]{6,12}(?!\w)",
    re.IGNORECASE,
)
"""Words that may have meant to be a suffix: ``no assualt``, ``without fighting``, ``noclaim``."""

SUFFIXES = ("by land", "no claim", "no assault")
WHAT = {
    **dict.fromkeys(("claim", "claiming"), "no claim"),
    **dict.fromkeys(("assault", "assaulting", "attack", "attacking", "fight", "fighting", "battle"), "no assault"),
}
"""What is not to be done, by words for it."""

LIKE_A_SUFFIX = 0.7
"""How much words must be like a suffix (0 to 1) to have gone wrong."""


def deed(scene: Scene, text: str) -> Order:
    """The order that a banner gets by a tidy deed; raises :class:`Misread`."""
    text, suffixes = peeled(LEAD.sub("", COURTESY.sub("", text)).rstrip(" .!;,"))
    _refuse_almost_a_suffix(text)
    try:
        order = _undressed(scene, text)
    except Misread as misread:
        misread.instead = misread.instead and " ".join([misread.instead, *suffixes])
        raise
    return _dressed(order, suffixes) if suffixes else order


def _undressed(scene: Scene, text: str) -> Order:
    """The order of a deed without suffixes."""
    if text.endswith("?"):
        raise Misread("A question is no order.", instead=text.rstrip("? "))
    if not DEEDS.knows(text):
        _refuse_other_words(scene, text)
    _refuse_second_verb(text)
    try:
        order: Order = DEEDS.read(scene, text)
    except Misread as misread:
        if not misread.instead:
            _refuse_condition(text)
        raise
    return order


FORCED = re.compile(r"(?:forced? )?march(?:es)?(?P<razing>[\s,;]*(?:and )?raz.*)?", re.IGNORECASE)
"""What the special orders of a paper card say of a march whose way stands among the choices."""


def on_paper(scene: Scene, rows: str) -> Order:
    """The order that the rows of a paper card give a banner; raises :class:`Misread`."""
    chosen, special = paper.deed(rows)
    text, suffixes = peeled(special)
    _refuse_almost_a_suffix(text)
    forced = FORCED.fullmatch(text)
    if forced and chosen.startswith("move "):
        return deed(scene, " ".join([f"march {chosen[5:]}", forced["razing"] or "", *suffixes]))
    if text and chosen:
        try:
            DEEDS.read(scene, text)
            reason = f"I do not know the special order {text!r}."
        except Misread as misread:
            reason = misread.reason
        raise Misread(reason, instead=" ".join([chosen, *suffixes]))
    return deed(scene, f"{chosen} {special}".strip())


def peeled(text: str) -> tuple[str, list[str]]:
    """A deed without its suffixes, and the suffixes."""
    suffixes: list[str] = []
    while found := SUFFIX.search(text):
        suffixes.append(plain(found[1]))
        text = f"{text[: found.start()]} {text[found.end() :]}".rstrip()
    return text, suffixes


def _dressed(order: Any, suffixes: Iterable[str]) -> Order:
    """The order with its suffixes; not all go with all orders (NIP 4)."""
    known = {each.name.replace("_", " ") for each in fields(order)}
    dressed: Order = replace(order, **{suffix.replace(" ", "_"): True for suffix in suffixes if suffix in known})
    for suffix in suffixes:
        if suffix not in known:
            raise Misread(f"{suffix!r} does not go with this order.", instead=dressed.deed)  # type: ignore[union-attr]
    return dressed


# --- what is wrong --------------------------------------------------------------------------------------------

OTHER_WORDS = {
    "move": "go goes advance proceed travel walk fly attack charge invade enter from to into "
    "gehe gehen zieh ziehe ziehen bewege marschiere angriff aller va avance attaque",
    "hold": "stay stays wait remain defend guard stand rest nothing halt halte halten bleibe warten tenir attendre",
    "raze": "burn destroy pillage plunder loot verwuste verwusten brule raser",
    "fortify": "entrench dig befestige befestigen fortifier",
    "recover": "rebuild repair restore wiederherstellen recuperer",
    "sail": "segeln segle navigue naviguer",
}  # fmt: skip
"""Words that people use for orders of the rulebook: offered, never taken."""

WAYS = frozenset({"from", "to", "into"})
"""Those of them that also stand within an order."""

MEANT = {word: verb for verb, words in OTHER_WORDS.items() for word in words.split()}

AND = re.compile(r"(?:[\s,;/&+]|\b(?:and|then)\b)+$", re.IGNORECASE)
CONDITION = re.compile(r"\s(?:if|unless|when|until|till|or|except|but)(?!\w)", re.IGNORECASE)


def _refuse_other_words(scene: Scene, text: str) -> None:
    """Raise :class:`Misread` where an unknown first word has a known meaning, or where only the place is named."""
    word = first_word(text)
    verb = MEANT.get(plain(word))
    if verb:
        raise Misread(f"There is no order {word!r}.{offered((verb,))}", (word, verb))
    if text[:1].isdigit() or (text and gazetteer(scene.view).named(text.split())):
        raise Misread(f"What is {scene.banner.name} to do there?", instead=f"move {text}")


def _refuse_almost_a_suffix(text: str) -> None:
    """Raise :class:`Misread` for words that may have meant to be a suffix: who drops them may start a fight."""
    for found in SAFEGUARD.finditer(text):
        suffix = _meant_suffix(found)
        if suffix and suffix != plain(found[0]):
            raise Misread(f"I do not know {found[0]!r}.{offered((suffix,))}", (found[0], suffix))


def _meant_suffix(found: re.Match[str]) -> str:
    what = nearest(found["what"] or "", [*WHAT], 1, LIKE_A_SUFFIX)
    if what and plain(found["guard"]) != "by":
        return WHAT[what[0]]
    glued = [suffix for suffix in SUFFIXES if suffix.replace(" ", "") == plain(found[0])]
    return next(iter(glued or nearest(found[0], SUFFIXES, 1, LIKE_A_SUFFIX)), "")


def _refuse_second_verb(text: str) -> None:
    """Raise :class:`Misread` for two orders to one banner, but for razing before or on the way."""
    verbs = list(VERB.finditer(text))
    if len(verbs) < 2:
        return
    first, second = (FORMS[plain(verb[0])] for verb in verbs[:2])
    after_razing = first == "raze" and second in ("hold", "move")
    on_the_way = (first, second) in (("march", "raze"), ("move", "underground"))
    if len(verbs) > 2 or not (after_razing or on_the_way):
        raise Misread("A banner has one order a turn.", instead=AND.sub("", text[: verbs[1].start()]))


def _refuse_condition(text: str) -> None:
    """Raise :class:`Misread` where what cannot be read is a condition."""
    condition = CONDITION.search(text)
    if condition:
        raise Misread("An order knows no conditions and no alternatives.", instead=text[: condition.start()])
