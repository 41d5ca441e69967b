"""Programs for those who make maps; the server needs none of them. They want ``pip install -e .[mapmaker]``."""
