"""For the time being: reader, checker and phases for rule cases as far as they are not written yet."""

import importlib
import re
from collections.abc import Sequence
from typing import Any

from pbem.core.orders import Check, Line, Sheet, Verdict, Written
from pbem.core.trials import BadLine
from pbem.rulesets.nippon import orders


def _module(name: str) -> Any:
    try:
        return importlib.import_module(f"pbem.rulesets.nippon.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"pbem.rulesets.nippon.{name}":
            raise
        return None


def load_map(name: str) -> Any:
    return _module("maps").load(name)


def events() -> tuple[type, ...]:
    module = _module("events")
    return tuple(each for each in vars(module).values() if isinstance(each, type) and hasattr(each, "apply"))


def read(view: Any, lines: Sequence[Line]) -> Sheet:
    if module := _module("reading"):
        sheet: Sheet = module.read(view, lines)
        return sheet
    return Sheet(tuple(Written(_order(line.text), line) for line in lines))


def _order(text: str) -> Any:
    banner, _, deed = text.partition(":")
    words = deed.lower()
    flags = {name.replace(" ", "_"): True for name in ("by land", "no claim", "no assault") if name in words}
    for name in ("by land", "no claim", "no assault"):
        words = words.replace(name, "")
    if moved := re.fullmatch(r"(raze (?:\d+ )?and )?move ([\d ]+)", words.strip()):
        path = tuple(map(int, moved[2].split()))
        return orders.Move(banner, path, raze=bool(moved[1]), **flags)
    simple = {"hold": orders.Hold, "raze and hold": orders.Raze, "raze": orders.Raze, "fortify": orders.Fortify}
    simple |= {"recover": orders.Recover, "scatter": orders.Scatter}
    if words.strip() in simple:
        return simple[words.strip()](banner, **flags)
    raise BadLine(f"for the time being unreadable: {text}")


def check(view: Any, written: Sequence[Written]) -> Check:
    if module := _module("checking"):
        checked: Check = module.check(view, written)
        return checked
    return Check(tuple(Verdict(each, "", "") for each in written))


def phases(state: Any) -> Sequence[Any]:
    if module := _module("phases"):
        listed: Sequence[Any] = module.phases(state)
        return listed
    found = [_module(name) for name in ("razing", "movement")]
    return [phase for module in found if module for phase in getattr(module, "PHASES", ())]


def act(turn: Any) -> None:
    _module("phases").act(turn)


EVENTS = events() if _module("events") else ()
