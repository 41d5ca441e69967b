"""Dataclasses to JSON and back, the same bytes every time.

A value whose type is known from its field carries no tag; where a field may hold one of several classes, and at
the top, the name of the class stands under ``class``.

Documents outlive the code that wrote them. Fields that hold their default are left out, so that a new field with a
default can still read yesterday's documents; a default that has once been shipped must therefore stay as it is. A field
that gets a better name says what it was called (:func:`formerly`). Classes keep their names.
"""

import dataclasses
import enum
import json
import types
import typing
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from pbem.core.errors import BadDocument

TAG = "class"
"""No field can be called this: it is a word of the language."""

BY_NAME: Mapping[str, bool] = types.MappingProxyType({"by name": True})
"""Metadata of a field whose value has a name and never changes, such as a map: an outline names it only, and all that
decode alike documents share one."""


def formerly(*names: str) -> Mapping[str, tuple[str, ...]]:
    """Metadata of a field that was renamed: documents may still call it one of ``names``."""
    return {"formerly": names}


Encoder = Callable[[Any], Any]
Decoder = Callable[[Any], Any]


def canonical(document: Any) -> bytes:
    """The one spelling of a JSON document: sorted keys, no spaces, UTF-8."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


class Codec:
    """Turns the given dataclasses into JSON documents and back; raises :class:`BadDocument` for a misfit."""

    def __init__(self, *classes: type) -> None:
        self._classes: Mapping[str, type] = {cls.__name__: cls for cls in classes}

    def encode(self, value: Any) -> Any:
        """A tagged document of a dataclass, or a list of them."""
        if isinstance(value, list | tuple):
            return [self.encode(each) for each in value]
        if self._classes.get(type(value).__name__) is not type(value):
            raise BadDocument(f"{type(value).__name__} could not be decoded again")
        return _tagged(value)

    def outline(self, value: Any) -> Any:
        """The document of a dataclass without the parts marked :data:`BY_NAME`: for readers who know them."""
        return _tagged(value, brief=True)

    def decode(self, document: Any) -> Any:
        """The dataclass (or list of them) that :meth:`encode` was given."""
        if isinstance(document, list):
            return [self.decode(each) for each in document]
        return _decoder(self._class_of(document))(document)

    def dump(self, value: Any) -> bytes:
        """The canonical bytes of :meth:`encode`."""
        return canonical(self.encode(value))

    def load(self, raw: bytes) -> Any:
        """The value that :meth:`dump` was given."""
        return self.decode(json.loads(raw))

    def _class_of(self, document: Any) -> type:
        name = document.get(TAG, "") if isinstance(document, dict) else ""
        if name not in self._classes:
            raise BadDocument(f"no class is called {name!r}")
        return self._classes[name]


@cache
def _encoder(annotation: Any, brief: bool = False) -> Encoder:
    if dataclasses.is_dataclass(annotation):
        return _encode_fields(annotation, brief)
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        return _encode_union(args, brief)
    if origin is tuple:
        return _encode_tuple(args, brief)
    if origin in (frozenset, set):
        item = _encoder(args[0], brief)
        return lambda value: [item(each) for each in sorted(value)]
    if origin is dict:
        item = _encoder(args[1], brief)
        return lambda value: {str(key): item(each) for key, each in value.items()}
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        return lambda value: value.value
    return lambda value: value


def _encode_fields(cls: Any, brief: bool) -> Encoder:
    hints = typing.get_type_hints(cls)
    fields = [(f.name, _field_encoder(f, hints[f.name], brief), _default(f)) for f in dataclasses.fields(cls)]

    def encode(value: Any) -> dict[str, Any]:
        given = ((name, item, default, getattr(value, name)) for name, item, default in fields)
        return {name: item(held) for name, item, default, held in given if held != default}

    return encode


def _field_encoder(field: dataclasses.Field[Any], annotation: Any, brief: bool) -> Encoder:
    if brief and BY_NAME.items() <= field.metadata.items():
        return lambda value: value.name
    return _encoder(annotation, brief)


_REQUIRED = object()


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default is not dataclasses.MISSING:
        return field.default
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return _REQUIRED


def _encode_union(args: tuple[Any, ...], brief: bool) -> Encoder:
    members = [each for each in args if each is not type(None)]
    if len(members) == 1:
        only = _encoder(members[0], brief)
        return lambda value: None if value is None else only(value)

    def encode(value: Any) -> Any:
        if not dataclasses.is_dataclass(value):
            return value
        return _tagged(value, brief)

    return encode


def _tagged(value: Any, brief: bool = False) -> dict[str, Any]:
    cls: Any = type(value)
    fields: dict[str, Any] = _encoder(cls, brief)(value)
    return {TAG: cls.__name__} | fields


def _encode_tuple(args: tuple[Any, ...], brief: bool) -> Encoder:
    if len(args) == 2 and args[1] is Ellipsis:
        item = _encoder(args[0], brief)
        return lambda value: [item(each) for each in value]
    items = [_encoder(each, brief) for each in args]
    return lambda value: [item(each) for item, each in zip(items, value, strict=True)]


@cache
def _decoder(annotation: Any) -> Decoder:
    if dataclasses.is_dataclass(annotation):
        return _decode_fields(annotation)
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        return _decode_union(args)
    if origin is tuple:
        return _decode_tuple(args)
    if origin in (frozenset, set):
        item = _decoder(args[0])
        return lambda document: origin(item(each) for each in document)
    if origin is dict:
        key, item = args[0], _decoder(args[1])
        return lambda document: {key(name): item(each) for name, each in document.items()}
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        return annotation
    return lambda document: document


def _decode_fields(cls: Any) -> Decoder:
    hints = typing.get_type_hints(cls)
    items = {
        name: (f.name, _field_decoder(f, hints[f.name]))
        for f in dataclasses.fields(cls)
        for name in (f.name, *f.metadata.get("formerly", ()))
    }

    def decode(document: Any) -> Any:
        try:
            given = [(*items[name], held) for name, held in document.items() if name != TAG]
            return cls(**{name: item(held) for name, item, held in given})
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BadDocument(f"not a {cls.__name__}: {error}") from error

    return decode


def _field_decoder(field: dataclasses.Field[Any], annotation: Any) -> Decoder:
    item = _decoder(annotation)
    return _keeping(item) if BY_NAME.items() <= field.metadata.items() else item


KEPT = 8
"""How many values of such a field are at hand: those that were read last."""


def _keeping(item: Decoder) -> Decoder:
    """A decoder that gives the same value for alike documents: values that never change can be shared."""
    kept: list[tuple[Any, Any]] = []

    def decode(document: Any) -> Any:
        for known, value in kept:
            if known == document:
                return value
        value = item(document)
        mine = json.loads(json.dumps(document))  # Who owns the document may change it.
        kept[:] = [(mine, value), *kept[: KEPT - 1]]
        return value

    return decode


def _decode_union(args: tuple[Any, ...]) -> Decoder:
    members = [each for each in args if each is not type(None)]
    if len(members) == 1:
        only = _decoder(members[0])
        return lambda document: None if document is None else only(document)
    classes: dict[str, Any] = {getattr(cls, "__name__", ""): cls for cls in members if dataclasses.is_dataclass(cls)}

    def decode(document: Any) -> Any:
        if not isinstance(document, dict):
            return document
        if document.get(TAG) not in classes:
            raise BadDocument(f"no class here is called {document.get(TAG)!r}")
        return _decoder(classes[document[TAG]])(document)

    return decode


def _decode_tuple(args: tuple[Any, ...]) -> Decoder:
    if len(args) == 2 and args[1] is Ellipsis:
        item = _decoder(args[0])
        return lambda document: tuple(item(each) for each in document)
    items = [_decoder(each) for each in args]
    return lambda document: tuple(item(each) for item, each in zip(items, document, strict=True))
