"""Calibrate the owner's pieces from a photograph, keep them with a profile and show them."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from webapp.cli.terminal.outcome import print_json

if TYPE_CHECKING:
    from vision.colour_calibration import ColourCalibration


def calibrate_stars(profile: str | Path, photo: Path) -> "tuple[Path, ColourCalibration]":
    """Calibrate a profile's pieces from a photograph; return the file, and the calibration.

    Raise ProfileError or UnusablePhotographError.
    """
    from calibration import load_profile
    from calibration.profile import save_colour_profile
    from vision import load_photo
    from webapp.app.reading.board_reader import calibrate_pieces, vision_errors

    with vision_errors():
        calibration = calibrate_pieces(load_profile(profile), load_photo(photo))
    return save_colour_profile(profile, calibration.colour_profile), calibration


def show_stars(as_json: bool, calibrated: "tuple[Path, ColourCalibration]") -> None:
    """Print the colour of each kind, with warnings about kinds that may be confused."""
    file, calibration = calibrated
    if as_json:
        swatches = [
            {"piece": s.piece, "colour": s.colour} for s in calibration.colour_profile.swatches
        ]
        data = {"format": 1, "stars": str(file), "swatches": swatches}
        alike = [list(pair) for pair in calibration.colour_profile.alike()]
        print_json({**data, "alike": alike, "unsure": [list(pair) for pair in calibration.unsure]})
        return
    click.echo(f"Stars learnt: {file}")
    for swatch in calibration.colour_profile.swatches:
        blue, green, red = swatch.bgr
        click.echo(f"  {click.style('   ', bg=(red, green, blue))} {swatch.piece} {swatch.colour}")
    for one, other in calibration.unsure:
        click.echo(f"Note: {one} and {other} may be exchanged here; correct them in the file.")
    for one, other in calibration.colour_profile.alike():
        note = (
            "look alike in this light: play in brighter, whiter light, or check these; if they"
            " are two of one colour, lay one of each and take the photograph again"
        )
        click.echo(f"Note: {one} and {other} {note}")
