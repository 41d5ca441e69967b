"""Battles as text: read from a case, and what came out printed in the same words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

from pbem.battles import Battle, LaneAccount, LeadershipTest, Outcome, Plan, Profile, Side, Station, Unit

UNIT = re.compile(r"([AB]) (.+): (\w+) (\d+) models (\d+) points (.*)")
FLAGS = ("standard", "musician", "champion", "quick", "explode", "fly", "scout", "heroic")


@dataclass
class FightCase:
    """A battle, its dice, and what must come out."""

    title: str
    start: int = 1
    ground: str = "plain"
    fort: str = "none"
    units: dict[str, list[Unit]] = field(default_factory=lambda: {"A": [], "B": []})
    plans: dict[str, Plan] = field(default_factory=dict)
    out: list[str] = field(default_factory=list)

    @property
    def battle(self) -> Battle:
        """Both sides; the costliest hero of each is its general."""
        a, b = (Side(tuple(self.units[role]), plan=self.plans.get(role)) for role in "AB")
        return Battle(a, b, self.ground, self.fort)


def row(start: int):
    """The dice 1 to 6 again and again, from ``start`` on."""
    numbers = count(start - 1)
    return lambda: next(numbers) % 6 + 1


def read_fights(text: str) -> Iterator[FightCase]:
    """The cases of a file."""
    for block in re.split(r"(?m)^CASE ", text)[1:]:
        title, *lines = [line.strip() for line in block.splitlines() if line.strip()]
        case = FightCase(title)
        for line in lines:
            read_line(case, line)
        yield case


def read_line(case: FightCase, line: str) -> None:
    """One line of a case."""
    word, _, rest = line.partition(" ")
    if word == "dice":
        case.start = int(rest.removeprefix("from "))
    elif word in ("ground", "fort"):
        setattr(case, word, rest)
    elif word == "out":
        case.out.append(rest)
    elif rest.startswith("plan: "):
        case.plans[word] = read_plan(rest.removeprefix("plan: "))
    else:
        role, unit = read_unit(line)
        case.units[role].append(unit)


def read_unit(line: str) -> tuple[str, Unit]:
    """``A knights: cavalry 5 models 115 points M8 WS4 ... standard``; without a profile the class has one."""
    role, name, kind, models, points, rest = UNIT.fullmatch(line).groups()
    values = dict(re.findall(r"\b([A-Z][A-Za-z]?)(\d+)\b", rest))
    shown = Profile(**({"BS": 0} | {key: int(value) for key, value in values.items()})) if values else None
    reach = re.search(r"reach (\d+)", rest)
    hurt = re.search(r"hurt (\d+)", rest)
    flags = frozenset(flag for flag in FLAGS if flag in rest.split())
    numbers = [int(found[1]) if found else 0 for found in (reach, hurt)]
    return role, Unit(name, kind, int(models), int(points), shown, numbers[0], flags, hurt=numbers[1])


def read_plan(text: str) -> Plan:
    """``C HOLD foot; R flank riders; L round 2 bows; C broken guard; hero Otto with guard; target HEROES``."""
    stations, heroes, rest = [], [], {}
    for part in text.split("; "):
        if found := re.fullmatch(r"([LCR]) (?:(ATTACK|HOLD) )?(?:(flank|broken|round) (?:(\d+) )?)?(.+)", part):
            lane, order, arrives, number, unit = found.groups()
            stations.append(Station(unit, lane, order, arrives or "start", int(number or 0)))
        elif found := re.fullmatch(r"hero (.+) with (.+)", part):
            heroes.append(found.groups())
        else:
            word, _, value = part.partition(" ")
            rest[word] = {"yes": True, "no": False}.get(value, int(value) if value.isdigit() else value)
    return Plan(tuple(stations), tuple(heroes), **rest)


def print_outcome(outcome: Outcome) -> list[str]:
    """All that came out."""
    score, ended = ":".join(map(str, outcome.score)), " ".join([outcome.end, *outcome.ended])
    return [
        f"day {outcome.day or 'nobody'}",
        *(f"round {each.round} {print_lane(lane)}" for each in outcome.rounds for lane in each.lanes),
        f"{outcome.winner or 'nobody'} {outcome.margin}, difference {outcome.difference}, "
        f"score {score}, {ended}, {len(outcome.dice)} dice",
        *(print_unit(unit) for unit in outcome.units),
    ]


def print_lane(lane: LaneAccount) -> str:
    """A lane in a round."""
    facts = [f"{lane.lane}: band {lane.band}"]
    facts += print_names(lane, "came", "flanked", "charged")
    facts += [f"{word} {a}:{b}" for word, (a, b) in (("shot", lane.shot), ("struck", lane.struck)) if a or b]
    facts += [f"{' '.join(name)} -{wounds}" for name, wounds in lane.harmed]
    facts += [f"score {lane.score[0]}:{lane.score[1]}"] if lane.score else []
    facts += map(print_test, lane.tests)
    facts += [f"pursued {' '.join(name)} -{wounds}" for name, wounds in lane.pursued]
    return ", ".join([*facts, *print_names(lane, "fled", "destroyed")])


def print_names(lane: LaneAccount, *words: str) -> list[str]:
    """``charged A knights``: of whom each of these words is true."""
    return [f"{word} {' '.join(name)}" for word in words for name in getattr(lane, word)]


def print_test(test: LeadershipTest) -> str:
    """``B spears break 11 over 7``: what was rolled, and the most that it could bear."""
    rolled = " then ".join(map(str, test.rolled))
    return f"{' '.join(test.unit)} {test.why} {rolled} {'within' if test.passed else 'over'} {test.limit}"


def print_unit(unit) -> str:
    """What is left of a unit."""
    marks = ("fled", "destroyed", "standard_lost", "slain_in_challenge")
    left = f"{unit.remaining} of {unit.start}"
    facts = [f"{unit.side} {unit.name}: {left} in {unit.lane}, wounds {unit.wounds_left}, points -{unit.lost_points}"]
    return ", ".join([*facts, *(mark.replace("_", " ") for mark in marks if getattr(unit, mark))])
