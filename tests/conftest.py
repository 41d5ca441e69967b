"""What holds for all tests."""

from hypothesis import settings

# How long an example takes says more of the machine than of the code; timing belongs into benchmarks/.
settings.register_profile("untimed", settings(deadline=None))
settings.load_profile("untimed")
