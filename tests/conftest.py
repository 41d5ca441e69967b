"""What holds for all tests."""

import gc
import os
import sys

from hypothesis import settings

# How long an example takes says more of the machine than of the code; timing belongs into benchmarks/. What is merged
# is tried on the same examples each time; new ones are looked for wherever else the tests run.
settings.register_profile("untimed", settings(deadline=None, derandomize="CI" in os.environ))
settings.load_profile("untimed")

# Tests start the program again and again. What it is compiled to is kept, whatever the environment says: to compile it
# is a third of what such a start takes.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# What is imported stays: to look through it for garbage again and again takes a sixth of the time.
gc.disable()


def pytest_collection_finish() -> None:
    """Nor are rules, maps and tests looked through again while the tests run."""
    gc.collect()
    gc.freeze()
    gc.enable()
