"""What if: the odds of a player's own card, on what he knows. No rules stand here; those of the turn are played.

``guesses.py`` fills in what a view leaves blank, ``assumptions.py`` reads what others are assumed to do, ``trials.py``
plays the turn with all dice that matter, and ``telling.py`` puts into words what came out.
"""

from pbem.rulesets.nippon.whatif.telling import forecast

__all__ = ["forecast"]
