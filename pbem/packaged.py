"""Where the files lie that ship with the program: ``templates``, ``db``, ``config.toml``."""

from importlib import resources
from pathlib import Path

import pbem

PACKAGE = Path(pbem.__file__).parent


def packaged(name: str) -> Path:
    """The shipped file or folder ``name``: in the checkout if this runs from one, else inside the installed wheel."""
    checkout = PACKAGE.parent
    if (checkout / "pyproject.toml").is_file():
        return checkout / name
    return Path(str(resources.files(pbem) / "_data" / name))
