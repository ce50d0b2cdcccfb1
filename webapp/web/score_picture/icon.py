"""The app icon for home screens: a star with two orbits.

`python -m webapp.web.score_picture.icon` draws the files named in the manifest.
"""

import io
from pathlib import Path

from PIL import Image, ImageDraw

FOLDER = Path(__file__).parents[1] / "static" / "icons"
SIDE = 64
"""The side of the drawing below in its own units, those of `icon.svg`."""
FINER = 4
GROUND, ORBIT, GOLD, WHITE = "#0b1026", "#44508c", "#f3c969", "#ffffff"
STAR = (
    (32, 8),
    (36.5, 27.5),
    (56, 32),
    (36.5, 36.5),
    (32, 56),
    (27.5, 36.5),
    (8, 32),
    (27.5, 27.5),
)
SAFE = 0.72
"""The drawing's share of a maskable icon's side; systems may cut to a circle of 80 %."""


def icon(side: int, maskable: bool = False) -> bytes:
    """Return a square PNG of `side` px; a maskable one fills its corners, others round them."""
    large = side * FINER
    image = Image.new("RGBA", (large, large), GROUND if maskable else (0, 0, 0, 0))
    pen = ImageDraw.Draw(image)
    if not maskable:
        pen.rounded_rectangle((0, 0, large - 1, large - 1), large * 14 / SIDE, GROUND)
    scale = large / SIDE * (SAFE if maskable else 1)
    shift = large / 2 - scale * SIDE / 2

    def at(x: float, y: float) -> tuple[float, float]:
        return shift + x * scale, shift + y * scale

    for radius in (11, 20):
        box = (*at(32 - radius, 34 - radius), *at(32 + radius, 34 + radius))
        pen.ellipse(box, None, ORBIT, round(1.5 * scale))
    pen.polygon([at(*point) for point in STAR], GOLD)
    pen.ellipse((*at(47, 13), *at(53, 19)), WHITE)
    file = io.BytesIO()
    image.reduce(FINER).save(file, "PNG", optimize=True)
    return file.getvalue()


ICONS = {
    "icon-192.png": (192, False),
    "icon-512.png": (512, False),
    "maskable-192.png": (192, True),
    "maskable-512.png": (512, True),
    "apple-touch-icon.png": (180, True),
}
"""Size in px and maskability by file name."""


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, (side, maskable) in ICONS.items():
        (FOLDER / name).write_bytes(icon(side, maskable))


if __name__ == "__main__":
    main()
