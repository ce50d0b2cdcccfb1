"""Via Nebula's printed things, as `calibration.artwork.Artwork` has them."""

from dataclasses import replace

from calibration.drawing import Drawing, Mark
from calibration.layout import Layout, load_layout
from calibration.profile import LAYOUT_FILE
from calibration.via_nebula.artwork import DIAMETER_MM, PROFILES, draw_layout, draw_token, token_set
from calibration.via_nebula.solids import solids
from scorer.via_nebula.board import GUILD, TILE, VALLEY
from scorer.via_nebula.edition import COLOURS, STANDARD
from scorer.via_nebula.game import TILE_MM

__all__ = ["DIAMETER_MM", "PROFILES", "draw_layout", "draw_token", "further_sheets", "token_set"]


def further_sheets(layout: Layout) -> tuple[Drawing, ...]:
    """With the valley: the guild boards, its tiles, and what is folded."""
    if layout.kind != VALLEY.kind:
        return ()
    guild = draw_layout(load_layout(PROFILES / f"standard-{GUILD.kind}" / LAYOUT_FILE))
    named = replace(guild, name=GUILD.kind)
    return (*(named for _colour in COLOURS), _tiles(), solids())


def _tiles() -> Drawing:
    """Sixty tiles, like a honeycomb."""
    pitch, across = TILE_MM + 1.5, 6
    rows, down = STANDARD.tiles // across, pitch * 0.75**0.5
    marks: list[Mark] = []
    for number in range(STANDARD.tiles):
        row, column = divmod(number, across)
        marks += draw_token(TILE, (pitch * (column + 0.5 + row % 2 / 2), pitch * 0.6 + down * row))
    size = (pitch * (across + 0.5), down * (rows - 1) + pitch * 1.2)
    return Drawing(size, tuple(marks), "tiles")
