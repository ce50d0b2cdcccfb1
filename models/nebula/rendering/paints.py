"""The paint of rendered stars, #rrggbb."""

PAINTS = {
    "red": "#c21f2a",
    "purple": "#6a389e",
    "yellow": "#f4c414",
    "white": "#f1ede3",
    "blue": "#1b5cc0",
    "orange": "#f07a18",
    "black": "#131316",
}
