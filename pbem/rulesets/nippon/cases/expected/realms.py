"""What a case may expect: what became of realms. Each phrase answers with what came instead, or nothing."""

from collections.abc import Iterable

from pbem.core.trials import Trial, Vocabulary
from pbem.rulesets.nippon import events
from pbem.rulesets.nippon.cases.expected.lookup import (
    instead,
    realm_of,
)

REALMS = Vocabulary()


@REALMS.phrase("treasury {seat:seat} {pp:int}")
def treasury(trial: Trial, seat: str, pp: int) -> str | None:
    """Production points the realm has."""
    return instead(pp, realm_of(trial, seat).treasury)


@REALMS.phrase("pays {number:int} {pp:int}")
def pays(trial: Trial, number: int, pp: int) -> str | None:
    """What the section paid at production in all the case; 0: nothing."""
    return instead(pp, sum(paid for section, paid in _paid(trial) if section == number))


def _paid(trial: Trial) -> Iterable[tuple[int, int]]:
    """Section and sum of each production in the log."""
    return [(entry.event.at, entry.event.pp) for entry in trial.log if isinstance(entry.event, events.Produced)]


@REALMS.phrase("pact {kind:word} {one:seat} {other:seat}[ until {until:int}]")
def pact(trial: Trial, kind: str, one: str, other: str, until: int | None = None) -> str | None:
    """Such a pact stands between two realms."""
    standing = [each for each in trial.state.pacts if each.between == {one, other}]
    if any(each.kind == kind and until in (None, each.until) for each in standing):
        return None
    return f"there is {', '.join(f'{each.kind} until {each.until}' for each in standing) or 'no pact'}"


@REALMS.phrase("no pact {one:seat} {other:seat}")
def no_pact(trial: Trial, one: str, other: str) -> str | None:
    """No pact stands between two realms."""
    kinds = ", ".join(each.kind for each in trial.state.pacts if each.between == {one, other})
    return f"there is {kinds}" if kinds else None


@REALMS.phrase("homeless {seat:seat}")
def homeless(trial: Trial, seat: str) -> str | None:
    """The realm is without headquarters."""
    return None if realm_of(trial, seat).homeless else "it has its headquarters"


@REALMS.phrase("not homeless {seat:seat}")
def not_homeless(trial: Trial, seat: str) -> str | None:
    """The realm has its headquarters."""
    return "it is" if realm_of(trial, seat).homeless else None


@REALMS.phrase("status {seat:seat} {status:word}")
def status(trial: Trial, seat: str, status: str) -> str | None:
    """The realm is active, eliminated or withdrawn."""
    return instead(status, realm_of(trial, seat).status)
