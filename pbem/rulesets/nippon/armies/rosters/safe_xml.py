"""XML from strangers: a tree of elements, without anything that could name other files or grow beyond measure.

The parser is the standard library's own; whatever declares a document type, and so entities, is refused.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from pbem.core.errors import BadInput, Flaw

MOST_ELEMENTS = 100_000
DEEPEST = 60


@dataclass
class Element:
    """An element with its attributes; names are without their namespace."""

    name: str
    attributes: dict[str, str]
    children: list["Element"] = field(default_factory=list)

    def get(self, attribute: str) -> str:
        """The value of an attribute without space around it; blank if it is not there."""
        return self.attributes.get(attribute, "").strip()

    def under(self, *way: str) -> Iterator["Element"]:
        """The elements that a way of names leads to: ``costs``, ``cost``."""
        if not way:
            yield self
            return
        for child in self.children:
            if child.name == way[0]:
                yield from child.under(*way[1:])


class _Refused(Exception):
    """Why a document is not read on."""


def parse(name: str, content: bytes) -> Element:
    """The root of a document. Raises ``BadInput`` with the reason why it is not read."""
    builder = _Builder()
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.StartDoctypeDeclHandler = builder.refuse_declarations
    parser.EntityDeclHandler = builder.refuse_declarations
    try:
        parser.Parse(content, True)
    except _Refused as refused:
        raise BadInput([Flaw(name, str(refused))]) from refused
    except (expat.ExpatError, LookupError, ValueError) as error:
        raise BadInput([Flaw(name, f"this is no XML that can be read: {error}")]) from error
    assert builder.root is not None  # A document without a root is an error to the parser.
    return builder.root


class _Builder:
    """Puts the tree together."""

    def __init__(self) -> None:
        self.root: Element | None = None
        self._open: list[Element] = []
        self._count = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if self._count > MOST_ELEMENTS or len(self._open) == DEEPEST:
            raise _Refused("it has more elements, or deeper ones, than any roster")
        element = Element(name.rpartition(" ")[2], attributes)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
        self._open.append(element)

    def end(self, name: str) -> None:
        self._open.pop()

    def refuse_declarations(self, *_: object) -> None:
        raise _Refused("it declares a document type or entities, which no roster does; export it again")
