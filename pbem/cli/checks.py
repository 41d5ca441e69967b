"""Commands that check: turns played again, dice computed again, rule cases."""

from pathlib import Path
from typing import Annotated, Any

import typer

from pbem.cli.common import FAILED, UNUSABLE, Config, say, say_flaws, the_campaign, the_host, the_text
from pbem.core.errors import BadInput, Flaw

app = typer.Typer()


@app.command()
def replay(
    name: Annotated[str | None, typer.Argument(help="One campaign; default: all.")] = None, config: Config = None
) -> None:
    """Play every stored turn again and compare byte for byte. Exit code 1 if one differs."""
    from pbem.service.stages.replay import replay as play

    wrong = 0
    with the_host(config) as host:
        with host.unit() as unit:
            names = [each.name for each in unit.campaigns.all()] if name is None else [the_campaign(unit, name).name]
        for each in names:
            for step in play(host, each):
                wrong += bool(step.differs)
                result = f"DIFFERS: {', '.join(step.differs)}" if step.differs else "the same bytes"
                say(f"{each} {step.number:3} {step.title}: {result}")
    if wrong:
        raise typer.Exit(FAILED)


@app.command()
def verify(
    files: Annotated[list[Path], typer.Argument(help="Reports as mailed, in any order: mails, their text, or JSON.")],
) -> None:
    """Recompute every die of the reports, and tell which of them had been promised by another one here.

    Exit code 1 if something is wrong, 2 if a file cannot be used; the others are looked at all the same.
    """
    from pbem.core.proof import verify as check

    proofs, unusable = {}, 0
    for file in files:
        try:
            proofs[file] = _proof(file)
        except BadInput as bad:
            say_flaws(bad)
            unusable = UNUSABLE
    promises = {proof.next_commitment: proof for proof in proofs.values()}
    wrong = 0
    for file, proof in proofs.items():
        before = promises.get(proof.commitment)
        discrepancies = check(proof, before)
        wrong += bool(discrepancies)
        promised = "as another report here promised" if before else "no report here promised them"
        verdict = "WRONG" if discrepancies else f"all dice are right; {promised}"
        say(f"{file}: {verdict}")
        for each in discrepancies:
            say(f"  {each}")
    if wrong or unusable:
        raise typer.Exit(FAILED if wrong else unusable)


def _proof(file: Path) -> Any:
    from pbem.core.proof import read_proof

    try:
        return read_proof(_proof_text(file.read_bytes()))
    except OSError as error:
        raise BadInput([Flaw(str(file), f"cannot be read: {error.strerror}")]) from error
    except BadInput as bad:
        raise BadInput([Flaw(str(file), flaw.reason) for flaw in bad.flaws]) from bad


def _proof_text(raw: bytes) -> str:
    """The part of a saved mail that holds the proof; other files as they are."""
    if raw.lstrip().startswith(b"{"):
        return raw.decode(errors="replace")
    from pbem.mail.reading.letter import read_letter

    return read_letter(raw).body or raw.decode(errors="replace")


@app.command()
def cases(
    paths: Annotated[list[Path], typer.Argument(help="Files of rule cases, or folders of them.")],
    rules: Annotated[str, typer.Option(help="The rule system they are about.")] = "nippon",
) -> None:
    """Play rule cases and say what differs. Exit code 1 if something does."""
    from pbem.core.cases import read_cases

    system = _ruleset(rules)
    played = wrong = 0
    for file in sorted(each for path in paths for each in (path.rglob("*.txt") if path.is_dir() else [path])):
        for case in read_cases(str(file), the_text(file)):
            differences = system.play_case(case)
            played, wrong = played + 1, wrong + bool(differences)
            for each in differences:
                say(f"{case.where}: {case.number} {case.title}: {each}")
    say(f"{played} cases, {wrong} wrong")
    if wrong:
        raise typer.Exit(FAILED)


def _ruleset(name: str) -> Any:
    from pbem.hosting import RULESETS

    if name not in RULESETS:
        raise BadInput([Flaw("--rules", f"no rule system is called {name!r}; there are: {', '.join(RULESETS)}")])
    return RULESETS[name]
