"""Check a layout that is being drawn, with messages for the editor."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask_babel import gettext as _

from calibration import ProfileError, profile_layout
from calibration.layout import layout_from_data
from calibration.profile import built_in_profiles
from calibration.proposal.propose import LOOKS, NUMBERS
from calibration.side_boards import side_boards
from scorer.sentence import Sentence
from webapp.app.boards.draft_jobs import AS_KNOWN
from webapp.app.boards.draft_jobs import SIZE as SIZE_MM
from webapp.app.game_pages import pages_of
from webapp.app.languages import language
from webapp.app.layout_parts import LayoutEditing, LayoutPart

PLACES, SIZE, CORNERS = "places", "size", "corners"
"""The editor's tools for all games, besides those of a game's parts."""
PLACE_KEYS = ("spaces", "links", "regions")
"""The keys of a layout that map place ids to shapes."""


@dataclass(frozen=True)
class LayoutCheck:
    """A layout's problems, as JSON data, and notices of unusual features."""

    problems: Sequence[Mapping[str, Any]]
    notices: Sequence[str]


def check(layout: Mapping[str, Any], game: str) -> LayoutCheck:
    """Check a layout with the code that loads it."""
    words = _Words(layout, game)
    try:
        found = layout_from_data({**layout, "format": 1, "game": game, "name": "board"}, "board")
    except ProfileError as error:
        return LayoutCheck([words.problem(key, reason) for key, reason in error.problems], ())
    return LayoutCheck((), [words.say(notice) for notice in found.board.notices()])


def editing(layout: Mapping[str, Any], game: str) -> LayoutEditing:
    """Return what the editor changes in a layout besides its spaces: nothing of a side board."""
    return LayoutEditing() if layout.get("board") in side_boards(game) else pages_of(game).layout


def format_error(error: ProfileError, layout: Mapping[str, Any], game: str) -> str:
    """Return the first problem of a layout in words."""
    return str(_Words(layout, game).problem(*error.problems[0])["text"])


def place_names(layout: Mapping[str, Any], game: str) -> dict[str, str]:
    """Return the players' names of a layout's spaces, links and areas."""
    boards = [*map(profile_layout, built_in_profiles(game).values())]
    boards += [board.layout for board in side_boards(game).values()]
    called = {
        place.id: own.rules.place_name(own.board, place.id, language())
        for own in boards
        for place in own.places
        if place.kind != "track"
    }
    drawn = [layout.get(key) for key in PLACE_KEYS]
    return {
        str(name): called.get(name, str(name))
        for own in drawn
        if isinstance(own, Mapping)
        for name, shape in own.items()
        if isinstance(shape, Mapping)
    }


def uncertainties(doubtful: Sequence[str], layout: Mapping[str, Any], game: str) -> dict[str, str]:
    """Return what to check, in words, by the id of each place or link seen without certainty."""
    names = place_names(layout, game)
    sides = layout.get(SIZE_MM)
    size = sides if isinstance(sides, list) and len(sides) == 2 else ["?", "?"]
    return {one: _doubt(one, names, size) for one in doubtful}


def _doubt(one: str, names: Mapping[str, str], size: Sequence[object]) -> str:
    a, _hyphen, b = one.partition("-")
    if one == SIZE_MM:
        return _(
            "The board is taken to be %(width)s × %(height)s mm: measure it, and type what"
            " differs.",
            width=size[0],
            height=size[1],
        )
    if one == AS_KNOWN:
        return _("Everything is drawn where the known board has it: compare it with your print.")
    if one == LOOKS:
        return _("Highlights or groups of spaces were not certain: compare them with the print.")
    if one in names:
        return _(
            "%(place)s was not seen clearly: is its circle in the right place?", place=names[one]
        )
    if a in names and b in names:
        return _(
            "The line from %(a)s to %(b)s was not seen clearly: is there one?",
            a=names[a],
            b=names[b],
        )
    if one.endswith(f"/{NUMBERS}"):
        return _(
            "Does the track have exactly the printed spaces? Add what is missing, delete "
            "what is not there."
        )
    if slot := re.search(r"/(\d+)$", one):
        return _(
            "Space %(number)d of the track was not seen clearly: is it printed there?",
            number=int(slot[1]) + 1,
        )
    if one:
        return _("The track was not found: add the spaces that are printed.")
    return _("The spaces can be named in more than one way: check every name.")


class _Words:
    """Translates a problem at a key into text, the spaces concerned and the tool to fix it."""

    def __init__(self, layout: Mapping[str, Any], game: str) -> None:
        self._names = place_names(layout, game)
        self._parts = editing(layout, game).parts()
        ids = sorted(map(re.escape, self._names), key=len, reverse=True)
        self._ids = re.compile(rf"\b(?:{'|'.join(ids)})\b") if ids else None

    def problem(self, key: str, reason: str) -> dict[str, Any]:
        part = next((part for part in self._parts if _leads_to(part, key)), None)
        where = self.name(key)
        text = self.say(reason)
        return {
            "text": f"{where}: {text}" if where != key else text[:1].upper() + text[1:],
            "tool": part.id if part else SIZE if key.startswith(SIZE_MM) else PLACES,
            "mend": part.hint if part else "",
            "spaces": sorted(set(self._spaces(f"{key} {reason}"))),
        }

    def say(self, text: str) -> str:
        if isinstance(text, Sentence):
            return text.in_language(language(), self.name)
        if self._ids is None:
            return text
        return self._ids.sub(lambda found: self._names[found[0]], text)

    def name(self, key: str) -> str:
        """Return the name of what a layout key refers to; the key itself if it has none."""
        within = key.partition(".")[2] if key.split(".", maxsplit=1)[0] in PLACE_KEYS else key
        spaces = [name for name in self._names if f"{within}.".startswith(f"{name}.")]
        if spaces:
            return self._names[max(spaces, key=len)]
        if key == CORNERS:
            return _("Corners")
        part = next((part for part in self._parts if _leads_to(part, key)), None)
        slot = re.search(r"at\[(\d+)\]$", key)
        if part and slot:
            return f"{part.title} {int(slot[1]) + 1}"
        return part.words.get(key.rpartition(".")[2], key) if part else key

    def _spaces(self, text: str) -> Iterator[str]:
        for found in self._ids.finditer(text) if self._ids else ():
            yield found[0]


def _leads_to(part: LayoutPart, key: str) -> bool:
    """Whether a problem's key is the part's own or within it."""
    own = ".".join(part.key)
    return key == own or key.startswith((f"{own}.", f"{own}["))
