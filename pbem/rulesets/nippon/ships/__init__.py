"""Chapter 11.4, ships. ``harbours.py``: where they lie, and what they are called."""
