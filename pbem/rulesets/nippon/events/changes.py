"""What several events do to a position."""

from dataclasses import replace

from pbem.rulesets.nippon.state import March, State, Unit, seat_of


def settle(state: State, banner: str, at: int) -> None:
    """For events: a banner stands elsewhere, on its own feet. Its works stay behind and fall into ruin (NIP 7.3)."""
    abandon(state, banner)
    state.change_banner(banner, at=at, aboard="")


def remove(state: State, banner: str) -> None:
    """For events: a banner is no more, nor are its works (NIP 7.3)."""
    abandon(state, banner)
    del state.banners[banner]


def abandon(state: State, banner: str) -> None:
    """For events: the works of a banner are given up (NIP 7.3)."""
    at = state.banners[banner].at
    if state.sections[at].fortified == banner:
        state.change_section(at, fortified="")


def hand_over(state: State, at: int, realm: str) -> None:
    """For events: a realm (nobody, if empty) gains control of a section; works there are lost (NIP 7.3). When
    its site last produced a unit only the old owner knew."""
    if state.sections[at].controller != realm:
        state.change_section(at, controller=realm, fortified="", recruited=0)


def lengthen(state: State, banner: str, at: int, to: int) -> None:
    """For events: a banner's path of this turn, or a ship's, grows by a step."""
    march = state.marches.get(banner) or March(seat_of(banner), banner, (at,))
    state.marches[banner] = replace(march, path=(*march.path, to))


def rearm(state: State, at: int, banner: str, unit: Unit) -> None:
    """For events: a unit of a banner (of the reserve in a section, if empty) is otherwise than it was."""
    units = state.banners[banner].units if banner else state.sections[at].reserve
    changed = tuple(unit if each.name == unit.name else each for each in units)
    if banner:
        state.change_banner(banner, units=changed)
    else:
        state.change_section(at, reserve=changed)


def lose(state: State, at: int, banner: str, unit: str) -> None:
    """For events: a unit of a banner (of the reserve in a section, if empty) is no more. Whether the banner is, another
    event tells to all."""
    if banner:
        state.change_banner(banner, units=tuple(each for each in state.banners[banner].units if each.name != unit))
    else:
        state.change_section(at, reserve=tuple(each for each in state.sections[at].reserve if each.name != unit))
