"""What Via Nebula's templates draw: terrain, ways, the display, a player's own contracts."""

from flask import Blueprint

blueprint = Blueprint("via_nebula", __name__, template_folder="templates")
