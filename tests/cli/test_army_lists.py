"""A faulty army list in the program's folder: who wants it is told why he cannot have it, and all else runs."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pbem import cli
from tests.cli.conftest import CAMPAIGN

ROOT = Path(cli.__file__).resolve().parents[2]


@pytest.fixture
def checkout(folder: Path) -> Path:
    """A checkout whose army list of the hill folk, a copy of the mountain clans', has a misspelt weapon."""
    checkout = folder / "checkout"
    shutil.copytree(ROOT / "pbem", checkout / "pbem")
    for name in ("pyproject.toml", "templates", "db", "config.toml"):
        (checkout / name).symlink_to(ROOT / name)
    lists = checkout / "pbem" / "rulesets" / "nippon" / "armies"
    clans = (lists / "mountain-clans.toml").read_text()
    faulty = clans.replace('"mountain clans"', '"hill folk"').replace('"heavy armour"]\n', '"hevy armour"]\n')
    (lists / "hill-folk.toml").write_text(faulty)
    return checkout


def test_a_faulty_army_list_is_told_to_whoever_wants_it_and_the_program_runs(checkout: Path, folder: Path) -> None:
    (folder / "duel.toml").write_text(f'{CAMPAIGN}army = "hill folk"\n')
    ran = subprocess.run(
        [sys.executable, "-m", "pbem", "new", "duel.toml"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(checkout)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 2
    (flaw,) = ran.stderr.splitlines()
    assert "army: its list cannot be used: hill-folk.toml: unit.axemen.gear (line" in flaw
    assert flaw.endswith("no gear is called 'hevy armour'. Did you mean 'heavy armour'?")
