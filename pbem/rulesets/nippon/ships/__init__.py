"""Chapter 11.4, ships.

``harbours.py`` knows where they lie and what they are called, ``fleet.py`` where they may go and who with them,
``voyages.py`` carries it out, ``losses.py`` tells what becomes of ships that fall to an enemy.
"""
