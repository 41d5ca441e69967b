"""Make and check maps.

python -m tools.make_map draw nippon maps/nippon.toml    # a map of tools/atlas.py, drawn anew
python -m tools.make_map check FILE ...                  # everything wrong or doubtful, and the fairness table
python -m tools.make_map layout FILE ...                 # where things stand in pictures: FILE.layout.json
python -m tools.make_map fairness                        # docs/fairness.md, for the maps that ship
python -m tools.make_map sample docs/map.png             # the picture of a campaign in the middle
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from pbem.rulesets.nippon import maps
from tools.atlas import GEOGRAPHIES
from tools.checking import check, doubts
from tools.drafting import draw, toml
from tools.fairness import table
from tools.layout import make_layout, text
from tools.sample import sample
from tools.shaping import Unshapely


def drawn(given: argparse.Namespace) -> int:
    """Draw a map from its geography."""
    try:
        given.target.write_text(toml(draw(GEOGRAPHIES[given.name])), encoding="utf-8")
    except Unshapely as error:
        print(error, file=sys.stderr)
        return 2
    return checked(argparse.Namespace(files=[given.target]))


def checked(given: argparse.Namespace) -> int:
    """Say everything wrong or doubtful about maps, and how fair they are."""
    faulty = 0
    for file in given.files:
        atlas, wrong = check(file.name, file.read_text(encoding="utf-8"))
        faulty += bool(wrong)
        print("\n".join(wrong) or f"{file.name}: no faults")
        if atlas and not wrong:
            print("\n".join([*(f"doubtful: {each}" for each in doubts(atlas)), "", table(atlas)]))
    return 2 if faulty else 0


def laid_out(given: argparse.Namespace) -> int:
    """Write the layouts of maps beside them."""
    for file in given.files:
        atlas = maps.load(file.name, file.read_text(encoding="utf-8"))
        target = file.with_name(f"{atlas.name}.layout.json")
        target.write_text(text(make_layout(atlas)), encoding="utf-8")
        print(f"wrote {target}")
    return 0


def judged(_: argparse.Namespace) -> int:
    """Print the fairness of all maps that ship."""
    print(fairness(), end="")
    return 0


def fairness() -> str:
    """The page about the fairness of the maps that ship."""
    intro = (
        "# How fair the maps are\n\n"
        "What lies within reach of each candidate for a headquarters, and how far each figure strays from its mean.\n"
        "Made by `python -m tools.make_map fairness`.\n"
    )
    parts = (f"## {maps.atlas(name).title}\n\n{table(maps.atlas(name))}\n" for name in maps.names())
    return "\n".join([intro, *parts])


def pictured(given: argparse.Namespace) -> int:
    """Write the sample picture."""
    given.target.write_bytes(sample())
    return 0


def main(args: Sequence[str]) -> int:
    """The command; its exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.make_map", description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(required=True)

    def command(name: str, run: Callable[[argparse.Namespace], int]) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=(run.__doc__ or "").partition("\n")[0])
        added.set_defaults(run=run)
        return added

    drawing = command("draw", drawn)
    drawing.add_argument("name", choices=sorted(GEOGRAPHIES))
    drawing.add_argument("target", type=Path)
    for name, run in (("check", checked), ("layout", laid_out)):
        command(name, run).add_argument("files", type=Path, nargs="+", metavar="FILE")
    command("fairness", judged)
    command("sample", pictured).add_argument("target", type=Path)
    given = parser.parse_args(args)
    return int(given.run(given))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
