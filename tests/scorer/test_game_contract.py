"""The games behind the contract keep it, one that no page offers yet among them."""

import math
from typing import ClassVar

import pytest
import yaml

from calibration.profile import built_in_profiles
from scorer.nebula.contract import NEBULA
from scorer.places import FieldReader, Place
from scorer.polaris.board import STANDARD_SKY
from scorer.polaris.contract import POLARIS_GAME
from scorer.referee import Referee
from tests.scorer.game_contract import GameContract, with_photos


def nebula_player(name: str, personal: str, **stars: str) -> dict:
    return {"name": name, "stars": stars, "black": 2, "personal": personal, "career": {}}


class TestNebula(GameContract):
    game = NEBULA
    lying: ClassVar = {
        Place("core"): "red",
        Place("ar1"): "blue",
        Place("black", "track", 0): "black",
    }
    breaking: ClassVar = {Place("core"): "red", Place("ar1"): "red"}
    impossible: ClassVar = {Place("nowhere"): "red"}
    file: ClassVar = {
        "format": 1,
        "game": "nebula",
        "career": ["V5"],
        "advanced": ["B3"],
        "players": [
            nebula_player("Ana", "O19", core="red", ar1="blue"),
            nebula_player("Eva", "O20", core="white"),
        ],
    }
    photographed = with_photos(file, ("stars", "black"))
    layout = yaml.safe_load(
        (built_in_profiles()["nebula/standard"] / "layout.yaml").read_text(encoding="utf-8")
    )


def spot(space: str) -> tuple[float, float]:
    """Where a space of the standard sky lies, in mm, as the rules have it."""
    if space == "polaris":
        return 180.0, 180.0
    sector, spoke, orbit = int(space[0]), "abcr".index(space[1]), int(space[2])
    turn = math.radians(18 * (4 * (sector - 1) + spoke - 1))
    radius = 45 + 25 * orbit
    return 180 + radius * math.sin(turn), 180 - radius * math.cos(turn)


def test_a_table_of_two_has_neutral_stars_in_whatever_colour_nobody_plays() -> None:
    """P14: ten stars of an unused colour; at larger tables there is none of those colours."""

    def piece_roles(*colours: str) -> dict[str, str]:
        table = {"players": [{"colour": colour} for colour in colours]}
        return dict(POLARIS_GAME.piece_roles(table))

    assert (
        piece_roles("red", "blue")["yellow"] == piece_roles("red", "blue")["neutral"] == "neutral"
    )
    assert {"yellow", "neutral"}.isdisjoint(piece_roles("red", "blue", "purple"))
    assert piece_roles("red", "blue", "purple")["purple"] == "purple"
    assert piece_roles("red", "green")["yellow"] == "yellow", "who plays is not known"


SKY = {"stars": {"1a1": "red"}, "neutral": list(STANDARD_SKY.starred)}


class TestPolaris(GameContract):
    game = POLARIS_GAME
    neutral: ClassVar = {Place(space): "neutral" for space in STANDARD_SKY.starred}
    lying: ClassVar = {
        **neutral,
        Place("1a1"): "red",
        Place("1b1"): "blue",
        Place("1a1-1b1", "edge"): "link",
        Place("polaris-1b1", "edge"): "link",
        Place("4", "dial"): "new_moon",
    }
    breaking: ClassVar = {Place("1a1"): "red"}
    impossible: ClassVar = {Place("1a1"): "link"}
    file: ClassVar = {
        "format": 1,
        "game": "polaris",
        "players": [
            {"name": "Ana", "colour": "red", "shooting": 2, "personal": "PO1"},
            {"name": "Eva", "colour": "blue", "shooting": 1, "personal": "PO2"},
        ],
        **SKY,
        "phases": [
            {"card": card, "telescope": "Ana", **SKY} for card in ("C1", "C2", "C3", "C4", "C5")
        ],
    }
    photographed: ClassVar = {
        "players": file["players"],
        "photo": "end.jpg",
        "phases": [
            {"card": f"C{n}", "telescope": "Eva", "photo": f"{n}th.jpg"} for n in range(1, 5)
        ]
        + [{"card": "C5", "telescope": "Eva"}],
    }
    layout: ClassVar = {
        "size_mm": [360, 360],
        "spaces": {
            space: {"at": list(spot(space)), "radius": 12 if space == "polaris" else 6}
            for space in STANDARD_SKY.spaces
        },
        "links": {"size": [9, 5]},
        "topology": "standard",
    }

    def test_link_spaces_lie_between_their_ends_along_their_lines(self) -> None:
        places = POLARIS_GAME.read_printed(FieldReader(self.layout)).places
        bar = places[Place("polaris-1b1", "edge")]
        assert bar.at == (180, 145) and bar.size == (9, 5)
        assert abs(bar.turn) == 90, "from Polaris up"

    def test_five_photographs_are_wanted(self) -> None:
        wanted = POLARIS_GAME.wanted_photos(self.played(self.photographed))
        assert [(one.snapshot, one.photo) for one in wanted] == [
            *((str(n), f"{n}th.jpg") for n in range(1, 5)),
            ("end", "end.jpg"),
        ]

    def test_the_end_stands_for_the_fifth_phase(self) -> None:
        phases = [*self.photographed["phases"][:-1], {**self.file["phases"][-1], "photo": "5.jpg"}]
        phases[-1] = {key: own for key, own in phases[-1].items() if key not in SKY}
        both = self.played({**self.photographed, "phases": phases})
        assert [*POLARIS_GAME.at_moments(both)] == ["1", "2", "3", "4", "end"]
        assert [one.photo for one in POLARIS_GAME.wanted_photos(both)][-2:] == ["5.jpg", "end.jpg"]

    def test_of_two_players_a_star_of_a_third_colour_is_neutral(self) -> None:
        seen = {**self.lying, Place(STANDARD_SKY.starred[0]): "white"}
        assert POLARIS_GAME.rule_breaks(self.position(seen), self.played()) == ()

    def test_the_new_moon_faces_one_sector(self) -> None:
        two = {Place(sector, "dial"): "new_moon" for sector in ("1", "2")}
        with pytest.raises(ValueError, match="faces one sector, not 2"):
            self.position(two)

    def test_a_referee_looks_at_every_players_objectives_on_the_one_board(self) -> None:
        referee = Referee(POLARIS_GAME, STANDARD_SKY, self.played())
        reported = referee.news([self.lying], 0)
        assert {
            (news["card"], news["player"]) for kind, news in reported if kind == "objective"
        } == {
            ("C1", 0),
            ("C1", 1),
        }
        more = {**self.lying, Place("1b2"): "blue"}
        reported = referee.news([more], 0)
        assert [(news["card"], news["player"]) for _, news in reported] == [("C1", 1)]
        kinds = [kind for kind, _ in referee.news([{}], 0)]
        assert "rule_break" in kinds, "the neutral stars are gone"
