"""Forms for Nebula's table, with a message at the field for each mistake."""

from collections.abc import Mapping

from flask_babel import gettext as _

from webapp.app.session.saved_games import Document
from webapp.web.forms import Form


def markers(entered: Mapping[str, str], document: Document) -> Form:
    """Check the career markers: on each card exactly one player is first, if there are any."""
    errors: dict[str, str] = {}
    seats = range(len(document["players"]))
    placed: list[dict[str, str]] = [{} for _seat in seats]
    for card in document["career"]:
        at = [entered.get(f"{card}-{seat}", "none") for seat in seats]
        if any(place not in {"none", "first", "later"} for place in at):
            errors[card] = _("Choose who was first, and who followed.")
        elif at.count("first") > 1:
            errors[card] = _("Only one player can be first.")
        elif "later" in at and "first" not in at:
            errors[card] = _("Say who was first.")
        for seat, place in zip(seats, at, strict=True):
            if place in {"first", "later"}:
                placed[seat][card] = place
    return Form({"markers": placed}, errors, None if errors else placed)
