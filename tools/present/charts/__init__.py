"""Charts, as SVG or as lines of a terminal."""
