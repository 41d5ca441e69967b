"""The words to the server that may stand among orders, whatever the game: OK, FINAL, CANCEL …, HELP."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pbem.core.orders import Fault, Line, plain
from pbem.mail.addresses import normal, valid


@dataclass(frozen=True)
class Account:
    """A word about who may write for a seat, and from where."""

    verb: Literal["list", "add", "drop", "first", "renew"]
    line: Line
    address: str = ""

    @property
    def risky(self) -> bool:
        """Whether it changes who may write for the seat, or where its reports go."""
        return self.verb in ("add", "drop", "first")


@dataclass
class Words:
    """What a card says to the server, and the lines that are left for the rules."""

    ok: bool = False
    """All that has no order holds, and that is the player's decision."""
    yes: Line | None = None
    """File the mail that was asked about."""
    final: bool = False
    """Done: the stage may close early."""
    replace_all: bool = False
    cancel: list[Line] = field(default_factory=list)
    """Whose orders to drop; the lines hold the names alone."""
    status: bool = False
    help: bool = False
    trying: bool = False
    """Nothing is to be filed; the player wants to know what may come of it."""
    assumed: list[Line] = field(default_factory=list)
    """What others are assumed to do, without the word that says so."""
    leave: bool = False
    """The player wants out of the campaign."""
    resend: dict[int, Line] = field(default_factory=dict)
    """Turns whose reports to send again, and the lines that ask for them; 0: the last one."""
    rules: list[str] = field(default_factory=list)
    account: list[Account] = field(default_factory=list)
    """What it says of addresses and tokens."""
    spoken: list[Line] = field(default_factory=list)
    """The lines of all these words."""
    lines: list[Line] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    """Words that cannot be obeyed."""

    @property
    def asks(self) -> bool:
        """Whether something was asked for that needs an answer of its own."""
        return bool(self.status or self.help or self.trying or self.leave or self.resend or self.rules or self.account)

    @property
    def risky(self) -> bool:
        """Whether a word changes who may write for the seat, or where its reports go."""
        return any(word.risky for word in self.account)

    @property
    def commands(self) -> bool:
        """Whether a word of the card changes, or tries to change, what is on file."""
        return bool(self.ok or self.final or self.replace_all or self.cancel)

    def after(self, earlier: "Words") -> "Words":
        """An earlier mail's words and then these, as if they were one card."""
        return Words(
            ok=earlier.ok or self.ok,
            final=earlier.final or self.final,
            replace_all=earlier.replace_all or self.replace_all,
            cancel=earlier.cancel + self.cancel,
            status=earlier.status or self.status,
            help=earlier.help or self.help,
            trying=earlier.trying or self.trying,
            assumed=earlier.assumed + self.assumed,
            leave=earlier.leave or self.leave,
            resend=earlier.resend | self.resend,
            rules=earlier.rules + self.rules,
            account=earlier.account + self.account,
            spoken=earlier.spoken + self.spoken,
            lines=earlier.lines + self.lines,
            faults=earlier.faults + self.faults,
        )


Handler = Callable[[Words, Line, re.Match[str]], object]


def _set(name: str) -> Handler:
    return lambda words, line, match: setattr(words, name, True)


def _yes(words: Words, line: Line, match: re.Match[str]) -> None:
    words.yes = line


def _resend(words: Words, line: Line, match: re.Match[str]) -> None:
    words.resend.setdefault(int(match["turn"] or 0), line)


def _cancel(words: Words, line: Line, match: re.Match[str]) -> None:
    words.cancel.append(Line(line.number, match["rest"]))


def _assume(words: Words, line: Line, match: re.Match[str]) -> None:
    words.assumed.append(Line(line.number, ASSUMING.sub("", line.text, count=1)))


ASSUMING = re.compile(r"^.*?\bassum\w+:?\s*(?:that\b\s*)?", re.IGNORECASE)
"""What stands before an assumption; the rest is kept as it is written."""


def _account(verb: Literal["list", "add", "drop", "first", "renew"]) -> Handler:
    return lambda words, line, match: words.account.append(Account(verb, line))


def _address(verb: Literal["add", "drop", "first"], word: str) -> Handler:
    def handle(words: Words, line: Line, match: re.Match[str]) -> None:
        # As written: in the words without punctuation an address is no longer the same. A phone may have made a link.
        named = {word.strip("<>()[],;:\"'.").removeprefix("mailto:") for word in line.text.split() if "@" in word}
        addresses = {normal(address).lower() for address in named}
        if len(addresses) == 1 and valid(address := addresses.pop()):
            words.account.append(Account(verb, line, address))
        else:
            words.faults.append(Fault(line, "", "I cannot read one address in this line.", f"{word} ben@example.org"))

    return handle


def _no_address(words: Words, line: Line, match: re.Match[str]) -> None:
    word = "ADDRESS" if match["word"].startswith("address") else match["word"].upper()
    words.faults.append(Fault(line, "", f"{match['rest']!r} is no mail address.", f"{word} ben@example.org"))


WORDS: Sequence[tuple[str, Handler]] = (
    (r"ok(ay)?|hold all|all hold", _set("ok")),
    (r"yes", _yes),
    (r"final", _set("final")),
    (r"replace all", _set("replace_all")),
    (r"cancel (?P<rest>.+)", _cancel),
    (r"status", _set("status")),
    (r"help( me)?", _set("help")),
    (r"(try|what if)( it| this| these| my card| my orders)?( out)?[?:]?", _set("trying")),
    (r"assum(e|ing):?( that)? (?P<rest>.+)", _assume),
    (r"leave( the)?( game| campaign)?|unsubscribe", _set("leave")),
    (r"resend( turn)?( (?P<turn>\d{1,4}))?", _resend),
    (r"rules?( (?P<rest>\S{1,40}( \S{1,40}){0,4}))?", lambda words, _, match: words.rules.append(match["rest"] or "")),
    (r"address(es)?", _account("list")),
    (r"address(es)?:? (?P<rest>.*@\S*)", _address("add", "ADDRESS")),
    (r"forget:? (?P<rest>.*@\S*)", _address("drop", "FORGET")),
    (r"reports to:? (?P<rest>.*@\S*)", _address("first", "REPORTS TO")),
    (r"(?P<word>address(es)?|reports to):? (?P<rest>[^\s@]+)", _no_address),
    (r"(?P<word>forget):? (?P<rest>[^\s@]+\.[^\s@]+)", _no_address),
    (r"new token", _account("renew")),
)
"""Each word, as it reads without case and punctuation, and what it does. A line that says more is none: what explains a
word, as our own mails do, does not say it."""

COMPILED = tuple((re.compile(pattern), handle) for pattern, handle in WORDS)


PLEASE = re.compile(r"^please,? |,? please$")
SEAM = re.compile(r"[,;.!]? and |[,;.!/+&] ?")
"""What may stand between two words on one line; those that name something stand alone."""


IN_FRONT = re.compile(r"^(?:\[[^\]]*\]|[^\W\d]{1,4}:|\s)+", re.IGNORECASE)
"""What programs put before a subject: tags, and that it is an answer."""


def tries(subject: str) -> bool:
    """Whether a mail's subject says ``TRY`` and nothing else."""
    words = sort_out([Line(0, IN_FRONT.sub("", subject))])
    return words.trying and not words.lines


def sort_out(lines: Iterable[Line], is_order: Callable[[Line], bool] = lambda line: False) -> Words:
    """Take the words to the server out of a card. ``is_order`` knows ``Cancel Crew: hold`` for an order."""
    words = Words()
    for line in lines:
        text = PLEASE.sub("", plain(re.split(r"(?:^|\s)#", line.text, maxsplit=1)[0].lstrip("*- ")))
        found = _word(text)
        several = [] if found else _in_a_row(text)
        if found and not (found[1].groupdict().get("rest") and is_order(line)):
            found[0](words, line, found[1])
            words.spoken.append(line)
        elif several:
            for handle, match in several:
                handle(words, line, match)
            words.spoken.append(line)
        elif text:
            words.lines.append(line)
    return words


Found = tuple[Handler, re.Match[str]]
"""What a word does, and how it was said."""


def _in_a_row(text: str) -> list[Found]:
    """The words that a line is made of, if it says nothing else: ``ok, final`` or ``ok final``."""
    for parts in (SEAM.split(text), text.split()):
        found = [_word(part) for part in parts]
        if all(each and not each[1].groupdict().get("rest") for each in found):
            return [each for each in found if each]
    return []


def _word(text: str) -> Found | None:
    """The word to the server that a plain text is, and what does it."""
    found = ((handle, match) for pattern, handle in COMPILED if (match := pattern.fullmatch(text)))
    return next(found, None)
