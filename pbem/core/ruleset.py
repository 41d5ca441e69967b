"""The contract between the host and a rule system. The host knows nothing else about rules.

A game is a chain of stages. A stage waits for some seats; it is resolved when all of them have said that they
are done, or when its deadline comes. Everything here is pure: the same arguments, the same answer.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.core.cases import Case
from pbem.core.codec import Codec
from pbem.core.dice import Dice
from pbem.core.errors import Flaw, NotNow
from pbem.core.odds import Forecast
from pbem.core.orders import Check, Line, Sheet, Written
from pbem.core.report import Section, Story
from pbem.core.turn import Entry, Phase

Seat = str
"""A seat's short name, one letter by custom: ``A``."""

ORGANIZER: Seat = ""
"""Who gives an order that no seat can give: the organizer, by hand."""


FileReader = Callable[[str, bytes], str]
"""A file that came with a card, by its name and content, to lines of the card; what is wrong with it is a line, too.
The file may be anything that anybody sends."""


@dataclass(frozen=True)
class Entrant:
    """Who sits down: the seat, the name it goes by, and what its part of the campaign file says beyond that."""

    seat: Seat
    name: str
    options: Mapping[str, Any]
    where: str = ""
    """Where that part stands, for error messages: ``campaign.toml: seat 2``."""


@dataclass(frozen=True)
class Stage:
    """What a game waits for."""

    kind: str
    """The kind of deadline: ``orders``, ``meetings``; the campaign's schedule says when each comes."""
    turn: int
    title: str
    """For people: ``Turn 3, orders``."""
    awaiting: frozenset[Seat]
    """The seats without which it should not be resolved early, :data:`ORGANIZER` among them if he has to rule. Nobody:
    it is resolved at once."""


@dataclass(frozen=True)
class Admission:
    """How somebody sits down at a game that has seats free."""

    stage: str
    """The kind of stage in which he can."""
    wish: Callable[[str], Mapping[str, Any]]
    """What he says of his seat beyond its name (``dwarfs``) to what a campaign file would say. Raises ``BadInput``."""
    enter: Callable[[Any, Entrant], Any]
    """The immediate order by which the game gets one more seat. Raises ``BadInput`` with every reason against it."""


@dataclass(frozen=True)
class Dispute:
    """What players do not agree on, where the organizer may have the last word."""

    key: str
    """What names it in his lines: ``B14``."""
    title: str
    """For people: ``Battle in 14 Ford, Crane Host against Iron Carp``."""
    between: frozenset[Seat]
    """The seats that have a part in it, if only for another: nobody rules on his own matter."""
    statements: tuple[str, ...]
    """What they say, each with the name of its seat."""
    lines: tuple[tuple[str, str], ...]
    """Lines by which he can rule, with ``"why"`` in the place of his reason, each with what it means."""


@dataclass(frozen=True)
class Outcome:
    """How a game ended: the seats in order of merit (equals together) and why."""

    ranking: tuple[tuple[Seat, ...], ...]
    reason: str


@dataclass(frozen=True)
class Material:
    """What a briefing is made from; all of it what its reader may know."""

    seat: Seat | None
    """``None``: the public."""
    before: Any
    """The view before the stage."""
    after: Any
    """The view now."""
    log: tuple[Entry, ...]
    """The entries of the stage."""
    orders: tuple[Written, ...]
    """What the seat ordered in the stage: what acted at once, in the order in which it did, then what was on file."""
    say: Callable[[Any], str]
    """The sentence for an event, from the templates."""


@dataclass(frozen=True)
class Briefing:
    """The body of a report, and its headline."""

    headline: str
    sections: tuple[Section, ...]


def never_withdrawn(state: Any, seat: Seat, reason: str) -> Any:
    """For rule systems in which every seat is played to the end."""
    raise NotNow("These rules know no seats that nobody plays")


def never_ruled(state: Any, words: str) -> tuple[Dispute, Any]:
    """For rule systems in which players settle everything among themselves."""
    raise NotNow("These rules know no disputes for you to settle")


@dataclass(frozen=True)
class Ruleset:
    """A rule system."""

    name: str
    """As campaign files name it: ``nippon``."""
    title: str
    rulebook: str
    """The players' rulebook, Markdown; the numbers of its headings are those of the rules."""
    codec: Codec
    """Knows the state, every event and every order."""
    setup: Callable[[Mapping[str, Any], Sequence[Entrant], Dice], Any]
    """Options, entrants and dice to the first state. Raises ``BadInput`` with every flaw."""
    stage: Callable[[Any], Stage]
    """What the game waits for now. After the end nobody is awaited."""
    view: Callable[[Any, Seat | None], Any]
    """The part of a state that a seat (``None``: the public) may know."""
    read: Callable[[Any, Sequence[Line]], Sheet]
    """Lines of a card to orders and faults, as the seat of this view wrote them."""
    check: Callable[[Any, Sequence[Written]], Check]
    """What the whole set of orders of the seat of this view will do: it can tell nothing the view does not show."""
    phases: Callable[[Any], Sequence[Phase]]
    """The sequence of play that resolves the stage."""
    acts: Sequence[Phase]
    """The sequence that carries out immediate orders; none of it rolls dice. Empty: there are no such orders."""
    briefing: Callable[[Material], Briefing]
    """A seat's report of a stage. The last section, if its key is ``form``, is the order form."""
    picture: Callable[[Any], str | None]
    """A view as SVG."""
    robot: Callable[[Any, Dice], str]
    """A card for the seat that sees this view."""
    outcome: Callable[[Any], Outcome | None]
    """How the game ended, or ``None``."""
    play_case: Callable[[Case], Sequence[str]]
    """Plays a rule case; says in words what came out otherwise than expected."""
    form: Callable[[Any], Sequence[str]] = lambda view: ()
    """The order form of the seat that sees this view: lines to send back as they are, a comment after ``#``."""
    answers: Callable[[Any], Sequence[tuple[str, str]]] = lambda view: ()
    """Lines with which the seat of this view can answer what others have said at once, each with what it does."""
    facts: Callable[[Any, Sequence[Any]], Sequence[tuple[str, str]]] = lambda view, events: ()
    """What the seat of this view has to know beyond the sentences for events that it learns of at once, by subject."""
    primer: Callable[[Any], Sequence[str]] = lambda view: ()
    """How orders are written: a line of each form with names of this view's seat, what it does after ``#``."""
    standing: Callable[[Any], Sequence[tuple[str, str]]] = lambda view: ()
    """What the seat of this view has decided until it says otherwise, beyond the stage: about what, and what."""
    expecting: Callable[[Any, Sequence[Written]], Any] = lambda view, orders: view
    """The view as these orders will have prepared it when the others are carried out, with the names that they bring;
    a card that comes after them is read in it."""
    forecast: Callable[[Any, Sequence[Written], Sequence[Line]], Forecast | None] = lambda view, orders, assumed: None
    """What may come of legal orders of the seat of this view, for all that it knows, if what lines assume of others is
    true. ``None``: nothing in this stage hangs on dice that can be foreseen. May take the better part of a second."""
    withdraw: Callable[[Any, Seat, str], Any] = never_withdrawn
    """The order that :data:`ORGANIZER` gives ``acts`` when nobody plays a seat any more, with a reason that all see.
    Raises ``NotNow`` if the seat cannot be withdrawn."""
    readmit: Callable[[Any, Seat, str], Any | None] = lambda state, seat, reason: None
    """The order that he gives when somebody plays such a seat again; ``None``: it is not withdrawn, or too late."""
    stories: Callable[[Material], Sequence[Story]] = lambda material: ()
    """How the battles of a stage went, one after the other. It is asked for only when the game is over: the material
    has the public's view of the end, and the whole log of the stage."""
    disputes: Callable[[Any], Sequence[Dispute]] = lambda state: ()
    """What players do not agree on and the organizer may settle; none where players do that alone."""
    ruling: Callable[[Any, str], tuple[Dispute, Any]] = never_ruled
    """What he says behind ``rule`` (``B14 draw "both were late"``) to the dispute that he means, and the order that
    :data:`ORGANIZER` gives ``acts``. Raises ``NotNow`` with what is wrong."""
    length: Callable[[Any], str] = lambda state: ""
    """How long a game goes on at most, for people: ``12 turns, or until somebody has won``; nothing: no end is set."""
    part: Callable[[Any, Seat], str] = lambda state, seat: ""
    """What a seat plays, for people: ``dwarfs``; nothing: the seat's name says it."""
    sealed: bool = False
    """Rolls dice that only some may know: the campaign then promises its sealed secret, and opens it at the end."""
    seats: Callable[[Mapping[str, Any]], tuple[int, int]] = lambda options: (2, 8)
    """Fewest and most seats with these options of a campaign, which may be wrong."""
    admission: Admission | None = None
    """``None``: who plays has to be known before a game begins."""
    files: Mapping[str, FileReader] = field(default_factory=dict)
    """Who reads files that come with a card, by how their names end (``.ros``); text and tables are cards already."""
    flaws: Callable[[], Sequence[Flaw]] = lambda: ()
    """What is wrong with files that come with the rules and that organizers may add to, such as army lists; what they
    describe cannot be used."""
    kinds: Mapping[str, str] = field(default_factory=dict)
    """The kinds of stage, for which a campaign's schedule may have deadlines, each with the rule where it has none
    (``after 2d``); none named: any word will do."""
