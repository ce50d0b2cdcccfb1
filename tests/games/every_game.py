"""Games of every kind, mode and way to the score, and what is well-formed in each of them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scorer import registry
from scorer.plain import PlainBoard
from scorer.ptolemaeus.board import BOARD
from scorer.via_nebula.board import GUILD
from scorer.via_nebula.board import VALLEY as VALLEY_BOARD
from tests.webapp.conftest import jpeg, read_board
from tests.webapp.every_form import FORMS, Form, just
from tests.webapp.polaris_skies import CARDS as OBJECTIVES
from tests.webapp.polaris_skies import LINKS, STARS, read_sky
from webapp.app.game_pages import COMPANIONS, GamePages, pages_of
from webapp.app.reading.reading_queue import ReadPhotograph
from webapp.app.session.board_slots import BOARDS, KIND, MOMENT, owners
from webapp.app.session.flow import GUIDED, LIVE
from webapp.app.session.game_document import LESSONS, NOTE, ORDER, PROFILE

WAYS = ("photographed", "by hand", "live", "guided")
NAMES = ("Ana", "Luis")
FROGS = {"north": "amber", "middle": "amber", "mill": "teal"}
OF_ANY_GAME = {
    *("confirmed", "format", "game", "mode", "edition", "players", "name"),
    *(LIVE, GUIDED, PROFILE, ORDER, NOTE, LESSONS, BOARDS, MOMENT, *COMPANIONS),
}
"""Keys of documents that no game brings."""
LACKING = {
    ("nebula", "intro"): {"nebula.values"},
    ("polaris", "end"): {
        *("polaris.cards", "polaris.phase_points", "polaris.telescope", "polaris.telescopes"),
    },
}
"""The pages that a game has not in a mode."""
DELETED = "deleted"


def players(game: str, mode: str, *names: str) -> dict[str, str]:
    """Who plays, as the form has it."""
    pages = pages_of(game)
    form = {"game": game, "count": str(len(names)), "mode": mode}
    for seat, (name, colour) in enumerate(zip(names, pages.markers, strict=False)):
        form |= {f"name-{seat}": name, f"marker-{seat}": colour}
    return form


SKY = {
    "boards.star": [just(space="1b1", star="red"), just(space="polaris-1b1", star="link")],
    "live.star": [just(seat=0, space="1b1", star="red")],
    "live.enter": [
        just(kind="leave", broken="two_sectors 1a1 2b1"),
        just(kind="moon", sector=2),
        just(kind="telescope", phase=0, seat=0),
        just(kind="turn"),
        just(kind="joined", turn=1),
        just(kind="before", turn=1),
    ],
    "guide.begin": [just(draws="program", computers="-,-")],
    "polaris.stock": [
        just(**{"shooting-0": 2, "shooting-1": 1, "score_marker-0": 20, "score_marker-1": 12}),
    ],
    "polaris.cards": [just(common=",".join(OBJECTIVES))],
    "polaris.telescopes": [just(**{f"telescope-{phase}": phase % 2 for phase in range(5)})],
}
POND = {
    "guide.begin": [just(draws="program", computers="-,-")],
    "boards.star": [just(space="north", star="amber")],
    "live.star": [just(seat=0, space="north", star="amber")],
    "questions.ask": [just(answer=2)],
    "scoring_blockers.put_right": [just(space="north", star="amber")],
}
ORCHARD = {
    "boards.star": [just(space="g1-g2", star="red")],
    "boards.count": [just(star="plum", count=2)],
    "live.star": [just(seat=0, space="g1-g2", star="red")],
    "live.answer": [just(seat=0, region="w1", entry=1, held="2 plum,1 pear")],
    "questions.ask": [just(answer=2)],
    "guide.begin": [just(draws="program", computers="-,-")],
}
ZODIAC = {
    "live.enter": [just(kind="event", card="eclipsis")],
    "boards.star": [just(space="red_luna", star="red")],
    "boards.count": [just(star="mars", count=1)],
    "live.star": [just(seat=0, space="red_luna", star="red")],
    "questions.ask": [just(answer=["2", "S1", "(comet)"], proposed="1969-07-20")],
    "guide.begin": [just(draws="program", computers="-,-")],
}
VALLEY = {
    "boards.star": [],
    "boards.count": [just(star="wood", count=1)],
    "live.star": [just(seat=0, space="A2", star="wood", count=2)],
    "live.answer": [
        just(seat=0, region="A2", entry=1, kind=["food", "wood"], count=["0", "2"]),
    ],
    "questions.ask": [just(answer=["1", "wood-1", "N1"])],
    "guide.begin": [just(draws="program", computers="-,-")],
}
OWN_FORMS: Mapping[str, Mapping[str, Sequence[Form]]] = {
    "nebula": {"guide.begin": [just(draws="program", computers="-,-")]},
    "polaris": SKY,
    "ponds": POND,
    "orchard": ORCHARD,
    "ptolemaeus": ZODIAC,
    "via_nebula": VALLEY,
}
"""What is well-formed in a game, where that differs from `FORMS`."""
ADDRESSES = {
    "polaris": {"question": "common"},
    "ponds": {"question": "guess", "track": "frogs"},
    "orchard": {"question": "secret", "track": "w1"},
    "ptolemaeus": {"question": "secret", "track": "leo"},
    "via_nebula": {"question": "tokens", "track": "A2"},
}


def forms(game: str) -> Mapping[str, Sequence[Form]]:
    """What may be sent to each address in a game, and means something there."""
    modes = pages_of(game).modes or ("",)
    counts = (NAMES, NAMES[:1], (*NAMES, "Eva"))
    who = [lambda m=m, n=n: players(game, m, *n) for m in modes for n in counts]
    return {**FORMS, "games.players": who, **OWN_FORMS.get(game, {})}


def entered(game: str, owner: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """What is sent to which page of an owner's board to enter it by hand."""
    if owner.get(KIND) == "basket":
        yield "tracks/basket", {"star": "pear", "count": 2}
    elif owner.get(KIND) in ("valley", "guild"):
        place = "A2" if owner[KIND] == "valley" else "storage"
        yield f"tracks/{place}", {"star": "wood", "count": 2}
    else:
        yield from (("star", form()) for form in forms(game)["boards.star"])


@dataclass(frozen=True)
class Play:
    """How a game is played: its rules by their name, their mode, and the way to the score."""

    game: str
    mode: str
    way: str

    def __str__(self) -> str:
        return " ".join(filter(None, (self.game, self.mode, self.way)))

    @property
    def pages(self) -> GamePages:
        return pages_of(self.game)


def every_play() -> Iterator[Play]:
    """Every game that is known, in each mode, by each way that leads to its score."""
    for game in registry.names("stargazer.games"):
        for mode in pages_of(game).modes or ("",):
            for way in WAYS:
                if way != "guided" or pages_of(game).guided is not None:
                    yield Play(game, mode, way)


def some_plays() -> Iterator[Play]:
    """Of those, one way of each game and mode, each way in turn."""
    modes: dict[tuple[str, str], list[Play]] = defaultdict(list)
    for play in every_play():
        modes[play.game, play.mode].append(play)
    for number, plays in enumerate(modes.values()):
        yield plays[number % len(plays)]


@dataclass(frozen=True)
class Moment:
    """A game as its tables have it after a step, by their names; `step` names the page."""

    play: Play
    step: str
    game_id: str
    rows: Mapping[str, Sequence[Mapping[str, Any]]]

    def __str__(self) -> str:
        return f"{self.play}: {self.step}"

    @property
    def documents(self) -> list[Mapping[str, Any]]:
        """All that is kept of the game's document."""
        return [row["document"] for row in self.rows["revisions"]]

    @property
    def photograph(self) -> str:
        """The id of a photograph of it, of none where it has none."""
        return next((row["id"] for row in self.rows["photographs"]), "0" * 16)


def keys(document: Mapping[str, Any]) -> set[str]:
    """The keys of a document, and of those who have a board or a seat in it."""
    return {*document, *(key for one in (*document["players"], *owners(document)) for key in one)}


def foreign_keys(moments: Sequence[Moment]) -> Mapping[str, set[str]]:
    """The keys that a game's documents never have and another's do, by the game."""
    of_game: dict[str, set[str]] = defaultdict(set)
    for moment in moments:
        for document in moment.documents:
            of_game[moment.play.game] |= keys(document) - OF_ANY_GAME
    every = set().union(*of_game.values())
    return {game: every - own for game, own in of_game.items()}


def read_in(path: Path, *_asked: Any) -> ReadPhotograph:
    """Read on every photograph the board of the game that is asked for."""
    (game,) = _asked[-1]
    square = [[0, 0], [800, 0], [800, 960], [0, 960]]
    boards: Sequence[Mapping[str, Any]] = {
        "nebula": [read_board(doubtful="")],
        "polaris": [read_sky(STARS, LINKS)],
        "ptolemaeus": [_zodiac(square)],
        "via_nebula": [
            _via_nebula("standard", VALLEY_BOARD, "A2", square),
            _via_nebula("standard-guild", GUILD, "storage", square),
        ],
        "orchard": [_orchard("standard", square), _orchard("standard-basket", square)],
        "ponds": [
            {
                "profile": "meadow",
                "corners": square,
                "spaces": {
                    pad: {"star": FROGS.get(pad), "confidence": 0.99}
                    for pad in ("north", "middle", "mill", "east", "west", "reed", "bridge")
                },
                "loose": [],
                "flags": [],
            }
        ],
    }[game]
    reading = {"format": 1, "photo": path.name, "size": [800, 960], "boards": [*boards]}
    pictures, empty = (jpeg(),) * len(boards), (False,) * len(boards)
    return ReadPhotograph({**reading, "timing_ms": {}}, jpeg(), pictures, empty)


def _zodiac(corners: Sequence[Sequence[int]]) -> Mapping[str, Any]:
    """A board of Ptolemaeus with a doubt about the pieces on Leo."""
    sure = {"confidence": 0.99}
    spaces = {space: {"star": None, **sure} for space in BOARD.spaces}
    held = {"leo": {"red": 2, "mars": 1}, "aries": {"comet": 1}}
    doubt = {"kind": "uncertain", "spaces": ["leo"], "alternatives": {"2 red": 0.6, "1 red": 0.4}}
    return {
        "profile": "standard",
        "game": "ptolemaeus",
        "corners": corners,
        "spaces": {**spaces, "red_luna": {"star": "red", **sure}},
        "regions": {plot: {"pieces": held.get(plot, {}), **sure} for plot in BOARD.plots},
        "loose": [],
        "flags": [doubt],
    }


def _via_nebula(
    profile: str, board: PlainBoard, doubtful: str, corners: Sequence[Sequence[int]]
) -> Mapping[str, Any]:
    """A valley or a guild board with a doubt about how much wood lies there."""
    regions = {plot: {"pieces": {}, "confidence": 0.99} for plot in board.plots}
    doubt = {
        "kind": "uncertain",
        "spaces": [doubtful],
        "alternatives": {"2 wood": 0.6, "1 wood": 0.4},
    }
    return {
        "profile": profile,
        "game": "via_nebula",
        "corners": corners,
        "spaces": {},
        "regions": {**regions, doubtful: {"pieces": {"wood": 2}, "confidence": 0.6}},
        "loose": [],
        "flags": [doubt],
    }


def _orchard(profile: str, corners: Sequence[Sequence[int]]) -> Mapping[str, Any]:
    """A board of the toy of counted pieces: fields with a lane, or a basket, with one doubt."""
    fields = profile == "standard"
    sure, region = {"confidence": 0.99}, "w1" if fields else "basket"
    spaces = {f"g{n}": {"star": None, **sure} for n in range(1, 7)} if fields else {}
    doubt = {
        "kind": "uncertain",
        "spaces": [region],
        "alternatives": {"2 plum": 0.6, "3 plum": 0.4},
    }
    return {
        "profile": profile,
        "game": "orchard",
        "corners": corners,
        "spaces": spaces,
        **({"links": {"g1-g2": {"link": True, "star": "blue", **sure}}} if fields else {}),
        "regions": {region: {"pieces": {"plum": 2, "pear": 1}, "confidence": 0.6}},
        "loose": [],
        "flags": [doubt],
    }
