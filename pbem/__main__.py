"""``python -m pbem`` is the command ``pbem``."""

from pbem.cli import main

main()
