"""How the map is drawn."""
