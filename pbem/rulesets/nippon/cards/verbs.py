"""The orders that a banner can carry out, by their verbs (NIP 4)."""

import re

THIRD_PERSON = {
    "move": "moves",
    "hold": "holds",
    "raze": "razes",
    "fortify": "fortifies",
    "recover": "recovers",
    "scatter": "scatters",
    "sail": "sails",
    "march": "marches",
    "underground": "underground",
    "portal": "portals",
}
"""What follows a banner's name: ``Red Dragons moves to 14``."""

BASIC = tuple(THIRD_PERSON)

FORMS = {form: verb for verb, third in THIRD_PERSON.items() for form in (verb, third)}
"""The verb, by every form in which it is typed."""

VERB = re.compile(rf"(?<!\w)(?:{'|'.join(FORMS)})(?!\w)", re.IGNORECASE)
