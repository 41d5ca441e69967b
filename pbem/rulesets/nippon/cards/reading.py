"""Order cards as players write them, to orders (NIP 4). What is not certain is a fault; nothing is guessed.

A line is an order to a banner (``Red Dragons: move 14``), something said about meetings (``accept P3``), or no order at
all. Greetings and prose are set aside; a line that comes near an order is a fault, with the line it may have meant.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from pbem.core.grammar import Grammar, Misread, Names, bare, first_word, mended, offered, read_each, tidy, unknown
from pbem.core.orders import Fault, Line, Sheet, plain
from pbem.rulesets.nippon.agenda import tables
from pbem.rulesets.nippon.cards import battle_plans, mustering, paper, results
from pbem.rulesets.nippon.cards.ballots import BALLOTS, is_ballot
from pbem.rulesets.nippon.cards.brought import LONGEST, brought
from pbem.rulesets.nippon.cards.checking import judge, legal, otherwise
from pbem.rulesets.nippon.cards.dates import arranged
from pbem.rulesets.nippon.cards.deeds import (
    COURTESY,
    DEEDS,
    LEAD,
    MEANT,
    Scene,
    deed,
    on_paper,
    peeled,
)
from pbem.rulesets.nippon.cards.goods import item_names
from pbem.rulesets.nippon.cards.items import ITEM_LINES, is_about_item
from pbem.rulesets.nippon.cards.likeness import is_deed, tails, verb_like, verbs_in
from pbem.rulesets.nippon.cards.musters import MUSTERS, of_banner, unit_names
from pbem.rulesets.nippon.cards.names import (
    FORBIDDING,
    banner_names,
    former_names,
    gazetteer,
    name_now,
    own_banner,
    own_banners,
    realm_names,
)
from pbem.rulesets.nippon.cards.talks import TALKS, all_retreat, like_a_result
from pbem.rulesets.nippon.cards.verbs import VERB
from pbem.rulesets.nippon.cards.voyages import ship_last, ship_names, steered
from pbem.rulesets.nippon.cards.wishes import wish
from pbem.rulesets.nippon.cards.works import WORKS
from pbem.rulesets.nippon.legality import Refusal
from pbem.rulesets.nippon.orders import BannerOrder, Hold, Order, Regrouping, Spending
from pbem.rulesets.nippon.state import Banner, key_of, name_of
from pbem.rulesets.nippon.view import View


def read(view: View, lines: Sequence[Line]) -> Sheet:
    """The card that the seat of ``view`` wrote: orders, faults, and the lines that look like no order."""
    if view.position.stage == "set-up":
        return mustering.read(view, lines)
    reader = Reader(*brought(view, lines), view)
    return read_each(reader.lines(lines), reader.read, reader.refuse)


# --- one card -------------------------------------------------------------------------------------------------

SEAM = re.compile(r"\s*[;/,]\s*|\.\s+|\s+and\s+", re.IGNORECASE)
"""What may stand between two orders on one line."""

ARTICLE = re.compile(r"^(?:(?:the|my|banner)\s+)+", re.IGNORECASE)
"""What may stand before the name of a banner."""

PORTAL = re.compile(r"^(?:use\s+)?(?:a |the )?(?:town )?portal\s+(?:for\s+)?", re.IGNORECASE)
"""What stands before the name of the banner that is to use a portal."""

JOINED = re.compile(r"^(?:and|[&+])\s+", re.IGNORECASE)
"""What may stand between the names of two banners."""

RIDER = re.compile(
    r"(?P<deed>.{1,200})[\s,;(](?:and )?(?P<rider>(?:retreat to|alone with) .{1,60}?)\)?[\s.!]*", re.IGNORECASE
)
"""An order with what is to be done if it comes to a fight at its end."""

LIKE_A_NAME = 5
"""More words than this before a verb are no name that went wrong."""

LIKE_AN_ORDER = 4
"""More words than this from a verb on, and nothing in them that an order could be about, are prose."""

LIKE_A_FORM = 6
"""More words than these in the shape of an order, and nothing in them that means something here, are prose."""

SHAPED = re.compile(
    r"(?:buy|purchase) (?:an? )?standard (?:for|to) \S.*"
    r"|(?:form|raise|create) .+ from \S.*"
    r"|(?:transfer|reassign|join|merge|rename) .+ (?:to|into|with|as) \S.*"
    r"|(?:buy|sell|drink|quaff) .+ (?:for|of|by) \S.*"
    r"|reinforce .+ with \S.*|upgrade .+ to \S.*",
    re.IGNORECASE,
)
"""Shapes of orders that are told apart only when they are read."""

CHAT = re.compile(
    r"(?<!\w)(?:i|me|my|mine|we|us|our|you|your|he|him|his|she|her|it|its|they|them|their|this|that|what|who)(?!\w)|[?!,]",
    re.IGNORECASE,
)
"""Words and signs of people who talk to one another; no name of anything has them alone."""

SURE, ALIKE = 0.8, 0.7
"""How much a first word must be like a verb (0 to 1) to have gone wrong: alone on its line, or with more after it."""

MATTER = re.compile(r"\d|:|tavern|barracks|palace|tower|stables|forge|machine|transport|ship|archers", re.IGNORECASE)
"""What orders are about, apart from names."""


class Reader:
    """Reads the lines of one card; knows what its writer knows."""

    def __init__(self, view: View, known: Mapping[str, Order], before: View) -> None:
        self._view, self._known, self._before = view, known, before
        self._own = own_banners(view)
        self._names: Names[str] = banner_names(self._own, former=former_names(view))
        self._ships: Names[str] = ship_names(view)

    # --- lines ---

    def lines(self, lines: Iterable[Line]) -> Iterator[Line]:
        """The lines to read: those of a paper card joined to one, two orders on one line parted."""
        cards = paper.folded(results.folded(self._view, lines), self._names)
        for line in battle_plans.folded(self._view, [*cards]):
            told = results.begins(bare(line.text)) or battle_plans.is_plan(line.text, self._names)
            whole = len(line.text) > LONGEST or told
            yield from (line,) if whole else self._parted(line)

    def _parted(self, line: Line) -> Iterator[Line]:
        seams = SEAM.finditer(line.text.partition(" #")[0]) if paper.FOLD not in line.text else ()
        for seam in seams:
            before, after = line.text[: seam.start()], line.text[seam.end() :]
            if self._begins_an_order(after) and self._says_something(before):
                yield replace(line, text=before)
                yield from self._parted(replace(line, text=after))
                return
        yield line

    def _begins_an_order(self, text: str) -> bool:
        named = ARTICLE.sub("", tidy(text))
        begun = self._names.head(named) or self._ships.head(named)
        return battle_plans.is_plan(named, self._names) or (begun is not None and DEEDS.knows(LEAD.sub("", begun[1])))

    def _says_something(self, text: str) -> bool:
        begun = self._names.head(bare(text)) or self._ships.head(bare(text))
        return begun is not None and bool(begun[1])

    def read(self, text: str) -> Sequence[Order] | None:
        """The order of a line; nothing in an empty one, ``None`` if it looks like no order; raises :class:`Misread`."""
        line = bare(text)
        if not line or paper.is_title(line):
            return ()
        telling = results.begins(line) and bool(tables(self._view))
        longest = results.LONGEST_RESULT if telling else LONGEST
        if len(line) > longest:
            raise Misread(f"This line is too long to be read: it has more than {longest} characters.")
        if telling:
            return (TALKS.read(self._view, COURTESY.sub("", line) if len(line) <= LONGEST else line),)
        for way in (
            self._plan,
            self._with_rider,
            self._battle,
            self._card,
            self._to_banner,
            self._to_ship,
            self._wish,
            self._talk,
            self._items,
            self._ballot,
            self._works,
            self._musters,
            self._to_several,
            self._to_anybody,
            self._to_nobody,
        ):
            order = way(line)
            if order is not None:
                return order if isinstance(order, tuple) else (order,)
        self._refuse_what_comes_near(line)
        return None

    # --- what a line can be; each gives the order, or None if it is not that, or raises Misread ---

    def _with_rider(self, text: str) -> tuple[Order, ...] | None:
        """An order to a banner, with where it is to retreat to, or who goes into a lair alone: two orders or three."""
        found = RIDER.fullmatch(text)
        if found is None or not VERB.search(found["deed"]):
            return None
        orders = tuple(self.read(found["deed"]) or ())
        if not orders or not isinstance(orders[0], BannerOrder):
            return None
        key = key_of(self._view.seat, orders[0].banner)
        return (*orders, self._told(key, lambda scene: deed(scene, found["rider"])))

    def _battle(self, text: str) -> Order | tuple[Order, ...] | None:
        """Where all banners in a battle are to retreat to, or when and by whom it is played."""
        text = COURTESY.sub("", text)
        return all_retreat(self._view, text) or arranged(self._view, text)

    def _plan(self, text: str) -> Sequence[Order] | None:
        """How a banner is to fight where dice alone decide."""
        return battle_plans.plans(self._view, COURTESY.sub("", text))

    def _wish(self, text: str) -> Order | None:
        """A standing preference."""
        return wish(self._view, COURTESY.sub("", text))

    def _card(self, text: str) -> Order | None:
        """A paper card."""
        head, _, rows = text.partition(paper.FOLD.strip())
        named = paper.HEAD.match(head.strip())
        if not named and not rows:
            return None
        name = named["rest"] if named else head.strip()
        found = self._names.head(name)
        if not found and not named:
            return None
        if not found:
            raise self._unknown(paper.ALONE.sub("", name))
        key, rest = found
        return self._told(key, lambda scene: on_paper(scene, f"{rest} | {rows}"))

    def _to_banner(self, text: str) -> Order | None:
        """An order that begins with the name of a banner; ``portal Red Dragons to 14`` has it second."""
        text = self._portal_first(text)
        found = self._names.head(text) or self._names.head(ARTICLE.sub("", text))
        said = LEAD.sub("", found[1]) if found else ""
        if not found or not said:
            return None
        if TALKS.knows(said):
            return TALKS.read(self._view, said)  # type: ignore[no-any-return]
        if MUSTERS.knows(said):
            return self._known.get(text) or of_banner(self._view, own_banner(self._view, found[0]), said)
        another = self._names.head(JOINED.sub("", said))
        if another and another[0] != found[0]:
            name = own_banner(self._view, found[0]).name
            raise Misread("Give each banner a line of its own.", instead=f"{name}: {another[1]}", subject=name)
        return self._told(found[0], lambda scene: deed(scene, said))

    def _to_ship(self, text: str) -> Order | None:
        """An order that begins with the name of a ship."""
        if misread := ship_last(self._view, COURTESY.sub("", text)):
            raise misread
        found = self._ships.head(text) or self._ships.head(ARTICLE.sub("", text))
        said = LEAD.sub("", COURTESY.sub("", found[1])) if found else ""
        if not found or not said or not (DEEDS.knows(said) or plain(first_word(said)) in MEANT):
            return None
        try:
            return steered(self._view, found[0], said)
        except Misread as misread:
            misread.subject = found[0]
            misread.instead = misread.instead and f"{found[0]}: {misread.instead}"
            raise

    def _portal_first(self, text: str) -> str:
        """A line with the name before the portal."""
        portal = PORTAL.match(text)
        named = self._names.head(text[portal.end() :]) if portal else None
        return f"{self._own_name(named[0])}: portal {named[1]}" if named else text

    def _own_name(self, key: str) -> str:
        return own_banner(self._view, key).name

    def _told(self, key: str, said: Callable[[Scene], Order]) -> Order:
        """An order to a banner that is clear; what is wrong with the rest concerns that banner."""
        banner = own_banner(self._view, key_of(self._view.seat, name_now(self._view, name_of(key))))
        try:
            return said(Scene(self._view, banner))
        except Misread as misread:
            misread.subject = banner.name
            misread.instead = misread.instead and f"{banner.name}: {misread.instead}"
            raise

    def _talk(self, text: str) -> Order | None:
        """Something about meetings."""
        text = COURTESY.sub("", text)
        alone = text.rstrip(" .!").isalpha()
        if not TALKS.knows(text) or not (alone or self._is_meant(TALKS, text) or tables(self._view)):
            return None
        return TALKS.read(self._view, text.rstrip(" .!") if alone else text)  # type: ignore[no-any-return]

    def _ballot(self, text: str) -> Order | None:
        """A proposal or a vote."""
        text = COURTESY.sub("", text)
        return BALLOTS.read(self._view, text) if is_ballot(text) else None

    def _works(self, text: str) -> Order | None:
        """Something about the treasury."""
        text = COURTESY.sub("", text)
        if text not in self._known and not (WORKS.knows(text) and self._is_meant(WORKS, text)):
            return None
        return self._known.get(text) or WORKS.read(self._view, text)

    def _items(self, text: str) -> Order | None:
        """Something about a magic item."""
        text = COURTESY.sub("", text)
        meant = first_word(text).casefold() == "scry" or self._is_meant(ITEM_LINES, text)
        if not is_about_item(text) or not meant:
            return None
        return ITEM_LINES.read(self._view, text)  # type: ignore[no-any-return]

    def _musters(self, text: str) -> Order | None:
        """Something about who marches under which banner."""
        text = COURTESY.sub("", text)
        if text not in self._known and not (MUSTERS.knows(text) and self._is_meant(MUSTERS, text)):
            return None
        return self._known.get(text) or MUSTERS.read(self._view, text)

    def _is_meant(self, grammar: Grammar[View], text: str) -> bool:
        """Whether a line that begins like an order is one: it names something, or has its shape and is no chat."""
        if self._has_matter(text) or self._names_a_unit(text):
            return True
        if len(text.split()) > LIKE_A_FORM or CHAT.search(text):
            return False
        return grammar.fits(text) or SHAPED.fullmatch(text) is not None

    def _names_a_unit(self, text: str) -> bool:
        names = unit_names(self._view)
        return any(names.head(tail) for tail in tails(text))

    def _to_several(self, text: str) -> None:
        """Orders for more than one banner in one sentence: which is for which is not guessed, nor offered."""
        if VERB.search(text) and (
            len(self._all_named_in(text)) > 1 or (self._has_matter(text) and len(verbs_in(text)) > 1)
        ):
            raise Misread(SEVERAL)

    def _to_anybody(self, text: str) -> Order | None:
        """A deed without a name: an order if there is only one banner it can be for."""
        text = COURTESY.sub("", text)
        if not DEEDS.knows(text) or not self._own or self._is_prose(text):
            return None
        if not VERB.match(text):
            DEEDS.read(Scene(self._view, self._own[0]), text)
        named = self._named_in(text)
        if named:
            rest = re.sub(re.escape(named.name), "", text, count=1, flags=re.IGNORECASE)
            raise Misread("Put the name of the banner first.", instead=f"{named.name}: {rest}", subject=named.name)
        if len(self._own) == 1:
            return self._told(self._own[0].key, lambda scene: deed(scene, text))
        meant = [deed(Scene(self._view, banner), text) for banner in self._own]
        instead = next((order for order in meant if legal(self._view, order) == order), meant[0])
        raise Misread(f"Which banner? You have {self._roll_call()}.", instead=str(instead))

    def _to_nobody(self, text: str) -> Order | None:
        """A deed after a name that no banner of the reader has."""
        head, colon, rest = text.partition(":")
        verb = VERB.search(text, 1)
        if colon and is_deed(LEAD.sub("", rest)):
            name = head
        elif verb and (self._nearly(text[: verb.start()].strip()) or text[: verb.start()].strip().isdecimal()):
            name = text[: verb.start()].strip()
        else:
            return None
        if len(name.split()) > LIKE_A_NAME:
            return None
        raise self._unknown(name)

    # --- what comes near ---

    def _refuse_what_comes_near(self, text: str) -> None:
        """Raise :class:`Misread` for a line that may have meant to be an order."""
        verb = VERB.search(text)
        named = self._named_in(text)
        if verb and named:
            rest = re.sub(re.escape(named.name), "", text[verb.start() :], count=1, flags=re.IGNORECASE)
            raise Misread(NEARLY, instead=f"{named.name}: {rest}", subject=named.name)
        if verb and self._has_matter(text[verb.end() :]):
            raise Misread(NEARLY, instead=text[verb.start() :])
        word = first_word(text)
        meant = MEANT.get(plain(word)) or verb_like(word, SURE if word == text else ALIKE)
        if meant and (word == text or self._has_matter(text)):
            raise Misread(f"There is no order {word!r}.{offered((meant,))}", (word, meant))
        talk = next((tail for tail in tails(text) if TALKS.knows(tail)), "")
        if like_a_result(self._view, text):
            talk = f"result: {text}"
        if talk and tables(self._view):
            raise Misread(NEARLY, instead=talk)

    def _is_prose(self, text: str) -> bool:
        return not self._has_matter(text) and (not VERB.match(text) or len(text.split()) > LIKE_AN_ORDER)

    def _has_matter(self, text: str) -> bool:
        """Whether a line has in it what orders are about: numbers, buildings, or anybody's or any section's name."""
        return bool(MATTER.search(text)) or any(map(self._is_named, tails(text)))

    def _is_named(self, text: str) -> bool:
        """Whether a text begins with a name that means something here."""
        others = (realm_names(self._view), gazetteer(self._view).names, item_names())
        named = (self._names, self._ships, self._foreign, *others)
        return any(names.head(text) for names in named)

    def _named_in(self, text: str) -> Banner | None:
        """The only own banner that a line speaks of."""
        found = self._all_named_in(text)
        return own_banner(self._view, found.pop()) if len(found) == 1 else None

    def _all_named_in(self, text: str) -> set[str]:
        """The keys of the own banners that a line speaks of."""
        return {begun[0] for tail in tails(text) if (begun := self._names.head(tail))}

    def _nearly(self, head: str) -> bool:
        """Whether the words before a verb may be the name of a banner, the reader's or not."""
        return bool(head and (self._names.near(head) or self._foreign.find(head)))

    # --- banners that are not there ---

    @cached_property
    def _foreign(self) -> Names[str]:
        banners = [each for each in self._view.position.banners.values() if each.realm != self._view.seat]
        return banner_names(banners, self._view)

    def _unknown(self, name: str) -> Misread:
        """Why a name is no banner's, and whose it may have meant to be."""
        foreign = self._foreign.find(name)
        if foreign:
            realm = self._view.realm(self._view.position.banners[foreign].realm)
            return Misread(f"{name} is not your banner: it is {realm}'s. You have {self._roll_call()}.")
        standing = [banner.name for banner in self._own if name.strip() in (str(banner.at), self._place(banner.at))]
        near = [*self._names.near(name), *standing]
        misread = unknown("banner of yours", name, near, f"You have {self._roll_call()}.")
        misread.subject = near[0] if near else ""
        return misread

    def _place(self, number: int) -> str:
        return self._view.position.place(number).name

    def _roll_call(self) -> str:
        return ", ".join(banner.name for banner in self._own) or "no banner"

    # --- refusals ---

    def refuse(self, line: Line, misread: Misread) -> Fault:
        """A fault as the player gets it: with the line to send instead, and with what happens otherwise."""
        meant = next(iter(mended(bare(line.text), misread, self.read)), None)
        if meant is None and misread.subject:
            _, suffixes = peeled(bare(line.text))
            meant = Hold(misread.subject, "no claim" in suffixes, "no assault" in suffixes)
        mend = None if meant is None else legal(self._basis(meant), meant)
        paste = "" if mend is None or _forbids_more(line.text, mend) else str(mend)
        reason = misread.reason + (self._objection(meant) if misread.fix else "")
        return Fault(line, misread.subject, reason, paste, otherwise(self._view, misread.subject))

    def _basis(self, order: Order) -> View:
        """What an order that is offered would be carried out on: what prepares the turn, without the card's own."""
        return self._before if isinstance(order, Spending | Regrouping) else self._view

    def _objection(self, meant: Order | None) -> str:
        """Why what was offered as a correction cannot be carried out either, with a space before it."""
        found = None if meant is None else judge(self._basis(meant), meant)
        return f" {found.reason}" if isinstance(found, Refusal) else ""


NEARLY = "This reads almost like an order, but I cannot be sure of it."
SEVERAL = "I cannot be sure who is to do what. Give each banner a line of its own that begins with its name."


def _forbids_more(text: str, offer: Order) -> bool:
    """Whether a line forbids more than what is offered in its place: who sends that would get what he did not want.

    A suffix that was understood does not count, for the reason speaks of it; and nothing is safer than to hold.
    """
    rest, _ = peeled(bare(text))
    return not isinstance(offer, Hold) and len(FORBIDDING.findall(rest)) > len(FORBIDDING.findall(str(offer)))
