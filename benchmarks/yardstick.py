"""The PyPI package ``diplomacy``: a turn of 22 orders, and its map."""

from collections.abc import Mapping

from benchmarks.timing import seconds

ORDERS = {
    "AUSTRIA": ["A VIE - GAL", "A BUD - SER", "F TRI - ALB"],
    "ENGLAND": ["F EDI - NWG", "F LON - NTH", "A LVP - YOR"],
    "FRANCE": ["A PAR - BUR", "A MAR - SPA", "F BRE - MAO"],
    "GERMANY": ["A BER - KIE", "A MUN - RUH", "F KIE - DEN"],
    "ITALY": ["A VEN - APU", "A ROM - VEN", "F NAP - ION"],
    "RUSSIA": ["A WAR - GAL", "A MOS - UKR", "F SEV - BLA", "F STP/SC - BOT"],
    "TURKEY": ["A CON - BUL", "A SMY - CON", "F ANK - BLA"],
}


def measure() -> Mapping[str, float]:
    """Seconds for ``process`` and ``render``; nothing where the package is not installed."""
    try:
        from diplomacy import Game
    except ImportError:
        return {}

    def process() -> None:
        game = Game()
        for power, orders in ORDERS.items():
            game.set_orders(power, orders)
        game.process()

    made = seconds(Game)
    game = Game()
    return {"process()": seconds(process) - made, "render()": seconds(lambda: game.render(incl_abbrev=True), 5)}
