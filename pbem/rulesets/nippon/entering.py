"""Who may take a free seat, while the campaign is set up (NIP 2.1)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.core.errors import BadInput, Flaw
from pbem.core.grammar import Names, offered
from pbem.core.orders import nearest, plain
from pbem.core.ruleset import Admission, Entrant
from pbem.rulesets.nippon import armies, maps
from pbem.rulesets.nippon.orders import Enter
from pbem.rulesets.nippon.setup import DEFAULT_MAP, like_a_seat, peoples
from pbem.rulesets.nippon.state import State, known_as

ANY_MAP = (2, 8)


def seats(options: Mapping[str, Any]) -> tuple[int, int]:
    """Fewest and most realms on the campaign's map."""
    name = options.get("map", DEFAULT_MAP)
    return maps.atlas(name).seats if name in maps.names() else ANY_MAP


def wish(told: str) -> dict[str, Any]:
    """The army that somebody wants who joins, ``the High-Elves army``. Raises ``BadInput``."""
    words = " ".join(word for word in plain(told).split() if word not in ("a", "an", "the", "army", "of", "my"))
    if not words:
        return {}
    known = peoples()
    named = Names([*((name, name) for name in known), *((name.replace(" ", ""), name) for name in known)])
    found = named.find(words) or named.find(f"{words}s")
    if found is None:
        near = _near(words, known)
        reason = f"There is no such people; there are: {', '.join(known)}.{offered(near)}"
        raise BadInput([Flaw("army", reason, near[0] if near else armies.DEFAULT)])
    return {"army": found}


def _near(words: str, known: Sequence[str]) -> tuple[str, ...]:
    """Those whose names are most like what was written, as a whole or in a word: ``orks``, ``elfs``."""
    by_word = {word: people for people in known for word in people.split() if word not in ("and", "of")}
    alike = (each for word in words.split() for each in nearest(word, list(by_word), 1))
    return nearest(words, known) or tuple(dict.fromkeys(by_word[each] for each in alike))


def enter(state: State, entrant: Entrant) -> Enter:
    """The order by which somebody gets his realm. Raises ``BadInput``."""
    if flaws := [Flaw("name", reason) for reason in _against(state, entrant)]:
        raise BadInput(flaws)
    return Enter(entrant.name, str(entrant.options.get("army", armies.DEFAULT)))


def _against(state: State, entrant: Entrant) -> Iterator[str]:
    if state.stage != ADMISSION.stage:
        yield "The campaign has begun."
    for realm in state.realms.values():
        if known_as(realm.name) == known_as(entrant.name):
            yield f"Another realm is called {realm.name}."
    if like_a_seat(entrant.name, (*state.realms, entrant.seat)):
        yield f"{entrant.name} would be taken for the letter of a seat."


ADMISSION = Admission("set-up", wish, enter)
"""Free seats are taken before the first turn."""
