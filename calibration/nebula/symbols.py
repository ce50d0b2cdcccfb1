"""Signs drawn as lines: the constellations' symbols."""

from calibration.drawing import Mark, Point, Stroke, moved, strokes

# In a box from -1 to 1; y runs down.
SYMBOLS = {
    "aries": strokes(
        "M 0 0.98 L 0 -0.4 A -0.45 -0.4 0.45 0.5 0 -225 M 0 -0.4 A 0.45 -0.4 0.45 0.5 180 405"
    ),
    "taurus": strokes("M 0.56 0.4 A 0 0.4 0.56 0.56 0 360 M 0.8 -0.85 A 0 -0.85 0.8 0.69 0 180"),
    "gemini": strokes(
        "M -0.36 -0.72 L -0.36 0.72 M 0.36 -0.72 L 0.36 0.72 "
        "M -0.78 -0.95 A 0 -1.5 1.1 0.8 135 45 M -0.78 0.95 A 0 1.5 1.1 0.8 -135 -45"
    ),
    "cancer": strokes(
        "M -0.36 -0.24 A -0.6 -0.24 0.24 0.24 0 360 M 0.84 0.24 A 0.6 0.24 0.24 0.24 0 360 "
        "M -0.84 -0.24 A -0.06 -0.2 0.78 0.52 184 330 M 0.84 0.24 A 0.06 0.2 0.78 0.52 4 150"
    ),
}


def symbol(constellation: str, at: Point, size: float, colour: str, width: float) -> Mark:
    """A constellation's symbol, `size` mm from its centre to its edge."""
    return Stroke(moved(SYMBOLS[constellation], at, size), colour, width)
