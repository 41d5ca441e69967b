"""How a map is drawn: signs, stacking, borders, layout. Pure, and quick enough for every report.

What can be settled once for a map, such as where a number stands when two shields stand below it, is settled by
``python -m tools.make_map layout`` and shipped beside the map; a map without such a file gets a plainer layout at
run time.
"""
