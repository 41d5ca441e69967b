"""The pure heart of the host: inputs to a resolution. Playing a turn and replaying it are the same call."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.core.codec import canonical
from pbem.core.dice import Audience, Dice, Roll, sealed_seed, seed
from pbem.core.ruleset import Entrant, Ruleset
from pbem.core.turn import Entry, Resolution, resolve

Orders = Mapping[str, Sequence[Any]]


@dataclass(frozen=True)
class Secrets:
    """Where the dice of a stage come from."""

    stage: bytes
    """Opened when the stage closes."""
    sealed: bytes
    """Opened when the campaign is over."""
    letters: tuple[str, ...] = ()
    """Content hashes of the accepted order mails."""

    def dice(self) -> Dice:
        """Fresh dice."""
        return Dice(seed(self.stage, self.letters), self.sealed_seed)

    def sealed_seed(self, audience: Audience) -> bytes:
        """The seed of the dice that only ``audience`` knows."""
        return sealed_seed(self.sealed, seed(self.stage, self.letters), audience)


def set_up(ruleset: Ruleset, options: Mapping[str, Any], entrants: Sequence[Entrant], dice: Dice) -> Any:
    """The first state of a game; raises ``BadInput`` with every flaw of the options."""
    return ruleset.setup(options, entrants, dice)


def close(ruleset: Ruleset, state: Any, orders: Orders, dice: Dice) -> Resolution[Any]:
    """Resolve a stage."""
    return resolve(ruleset.phases(state), state, orders, dice)


def act(ruleset: Ruleset, state: Any, orders: Orders) -> Resolution[Any]:
    """Carry out immediate orders. They roll no dice."""
    return resolve(ruleset.acts, state, orders, Dice())


@dataclass(frozen=True)
class Record:
    """A resolution as it is stored: canonical bytes."""

    orders: bytes
    events: bytes
    state: bytes


def record(ruleset: Ruleset, orders: Orders, resolution: Resolution[Any]) -> Record:
    """The bytes of a resolution; equal resolutions have equal bytes."""
    encode = ruleset.codec.encode
    return Record(
        orders=canonical({seat: encode(list(given)) for seat, given in orders.items()}),
        events=canonical([entry_document(ruleset, entry) for entry in resolution.log]),
        state=ruleset.codec.dump(resolution.state),
    )


def entry_document(ruleset: Ruleset, entry: Entry) -> dict[str, Any]:
    """An entry of a log as a document: the event with its rule, audience and dice."""
    encode = ruleset.codec.encode
    document = {
        "event": encode(entry.event),
        "rule": entry.rule,
        "audience": sorted(entry.audience),
        "rolls": [[roll.label, roll.sides, roll.value, *([roll.row] if roll.row else [])] for roll in entry.rolls],
    }
    if entry.seed != entry.audience:
        document["seed"] = sorted(entry.seed)
    if entry.others:
        document["others"] = [[sorted(audience), encode(event)] for audience, event in entry.others]
    return document


def orders(ruleset: Ruleset, stored: bytes) -> dict[str, list[Any]]:
    """The orders of each seat that :func:`record` stored."""
    return {seat: ruleset.codec.decode(given) for seat, given in json.loads(stored).items()}


def entries(ruleset: Ruleset, events: bytes) -> tuple[Entry, ...]:
    """The log that :func:`record` stored."""
    return tuple(
        Entry(
            rule=document["rule"],
            audience=frozenset(document["audience"]),
            event=ruleset.codec.decode(document["event"]),
            rolls=tuple(Roll(*roll) for roll in document["rolls"]),
            seed=frozenset(document.get("seed", document["audience"])),
            others=tuple(
                (frozenset(audience), ruleset.codec.decode(event)) for audience, event in document.get("others", ())
            ),
        )
        for document in json.loads(events)
    )
