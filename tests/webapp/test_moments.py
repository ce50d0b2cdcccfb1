"""Photographs of a shared table's moments help one another, where pieces stay as they were laid."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from scorer.board_state import BoardState
from scorer.polaris.board import STANDARD_SKY
from scorer.polaris.contract import POLARIS_GAME
from tests.webapp.conftest import Player, TellingReader
from tests.webapp.polaris_skies import CARDS, COLOURS, NAMES, read_sky
from tests.webapp.test_board_order import photograph
from tests.webapp.test_polaris_pages import begin, lay
from vision import BoardReading
from webapp.app.reading.reading_fusion import agreed
from webapp.app.session.score_game import ScoredGame, score_game

SPACES = STANDARD_SKY.star_spaces
PLACES = tuple(
    place
    for place in POLARIS_GAME.pieces_of(
        POLARIS_GAME.position_from_data(
            STANDARD_SKY,
            {
                "stars": dict.fromkeys(SPACES, "red"),
                "links": [link.ends for link in STANDARD_SKY.link_spaces.values()],
            },
        )
    )
)
LINK = "1b1-1b2"


def sky(
    phase: int,
    doubts: Mapping[str, Mapping[str, float]] = MappingProxyType({}),
    other: Mapping[str, str | None] = MappingProxyType({}),
) -> dict[str, Any]:
    """Six red stars a phase; some places doubtful, and some read otherwise, however surely."""
    stars = {**dict.fromkeys(SPACES[: 6 * phase], "red"), **other}
    read = read_sky({at: star for at, star in stars.items() if star}, (LINK,))
    flags = []
    for place, chances in doubts.items():
        likeliest = max(chances, key=lambda piece: chances[piece])
        flags.append({"kind": "uncertain", "spaces": [place], "alternatives": dict(chances)})
        if place in read["links"]:
            read["links"][place] = {"link": likeliest == "link", "confidence": chances[likeliest]}
        else:
            star = None if likeliest == "empty" else likeliest
            read["spaces"][place] = {"star": star, "confidence": chances[likeliest]}
    read |= {"flags": flags, "new_moon": {"sector": phase, "confidence": 0.99}}
    return BoardState.from_data(read, POLARIS_GAME).to_data()


def agreed_skies(
    *skies: Mapping[str, Any] | None, told: Sequence[Mapping[Any, Any]] = ()
) -> list[Any]:
    reads = [None if one is None else BoardState.from_data(one, POLARIS_GAME) for one in skies]
    together = agreed(reads, told or [{}] * len(skies), PLACES, POLARIS_GAME)
    return [None if one is None else one.to_data() for one in together]


def asked(read: Mapping[str, Any]) -> set[str]:
    return {place for flag in read["flags"] for place in flag["spaces"]}


@pytest.mark.parametrize("phase", [0, 1, 2])
def test_a_sure_look_at_another_moment_settles_a_doubt(phase: int) -> None:
    skies = [sky(1), sky(2), sky(3)]
    doubtful = {SPACES[0]: {"purple": 0.6, "red": 0.35}, LINK: {"empty": 0.5, "link": 0.45}}
    skies[phase] = sky(phase + 1, doubtful)
    together = agreed_skies(*skies)
    assert together[phase]["spaces"][SPACES[0]]["star"] == "red"
    if phase:  # before the first moment the link may not have lain there yet
        assert not asked(together[phase])
        assert together[phase]["links"][LINK]["link"] is True
    others = [number for number in range(3) if number != phase]
    assert [together[number] for number in others] == [skies[number] for number in others]


def test_a_place_that_is_empty_later_was_empty() -> None:
    together = agreed_skies(sky(1, {SPACES[40]: {"red": 0.5, "empty": 0.45}}), sky(2))
    assert together[0]["spaces"][SPACES[40]]["star"] is None and not asked(together[0])


def test_a_star_that_only_the_last_photograph_may_show_is_asked() -> None:
    new = {SPACES[40]: {"purple": 0.7, "empty": 0.3}}
    skies = [sky(1), sky(2), sky(3), sky(4, new)]
    assert asked(agreed_skies(*skies)[3]) == {SPACES[40]}
    skies[3] = sky(4, {SPACES[40]: {"purple": 0.88, "empty": 0.12}})
    assert agreed_skies(*skies)[3]["spaces"][SPACES[40]]["star"] == "purple"


def test_two_sure_looks_that_speak_against_each_other_are_asked() -> None:
    together = agreed_skies(sky(1), sky(2, other={SPACES[0]: "purple"}))
    assert all(asked(read) == {SPACES[0]} for read in together)
    (flag,) = together[0]["flags"]
    assert {"red", "purple"} <= flag["alternatives"].keys()


def test_a_mistake_between_two_sure_looks_is_put_right() -> None:
    together = agreed_skies(sky(1), sky(2, other={SPACES[0]: None}), sky(3))
    assert together[1]["spaces"][SPACES[0]]["star"] == "red" and not asked(together[1])


def test_two_doubts_do_not_make_sure() -> None:
    doubt = {SPACES[0]: {"red": 0.7, "purple": 0.28}}
    skies = [sky(phase, doubt) for phase in (1, 2, 3, 4)]
    assert agreed_skies(*skies) == skies


def test_doubts_suggest_the_same_piece_in_every_photograph() -> None:
    likely = {SPACES[0]: {"red": 0.8, "purple": 0.18}}
    skies = [sky(1, {SPACES[0]: {"purple": 0.5, "red": 0.45}}), sky(2, likely), sky(3, likely)]
    together = agreed_skies(*skies)
    assert together[1:] == skies[1:]
    assert together[0]["spaces"][SPACES[0]]["star"] == "red"
    assert together[0]["spaces"][SPACES[0]]["confidence"] <= 0.75
    assert asked(together[0]) == {SPACES[0]}


def test_what_people_say_settles_it_and_stays() -> None:
    (space,) = (place for place in PLACES if place.id == SPACES[0])
    skies = [sky(1), sky(2, {SPACES[0]: {"red": 0.7, "purple": 0.28}})]
    together = agreed_skies(*skies, told=[{space: "purple"}, {}])
    assert together[1]["spaces"][SPACES[0]]["star"] == "purple" and not asked(together[1])
    assert agreed_skies(None, skies[1], told=[{space: "purple"}, {}])[1] == together[1]


def test_photographs_of_two_games_are_heard_alone() -> None:
    other = dict.fromkeys(SPACES[:12], "blue")
    skies = [sky(2, {LINK: {"empty": 0.5, "link": 0.45}}), sky(2, other=other)]
    assert agreed_skies(*skies) == skies


def test_a_print_that_lacks_a_place_is_heard_without() -> None:
    lacking, doubtful = sky(1), sky(2, {SPACES[0]: {"purple": 0.6, "red": 0.35}})
    for place in (SPACES[0], SPACES[-1]):
        del lacking["spaces"][place]
    assert agreed_skies(lacking, doubtful) == [lacking, doubtful]
    both = agreed_skies(lacking, doubtful, sky(3))
    assert both[0] == lacking and both[1]["spaces"][SPACES[0]]["star"] == "red"


def test_nothing_is_lost_of_a_reading() -> None:
    read = sky(2, {SPACES[0]: {"purple": 0.6, "red": 0.35}})
    read["flags"].append({"kind": "hidden", "spaces": ["polaris"]})
    read["flags"].append({"kind": "glare", "spaces": []})
    together = agreed_skies(sky(1), read)[1]
    assert together.keys() == read.keys()
    assert [flag["kind"] for flag in together["flags"]] == ["hidden", "glare"]
    lies = BoardState.from_data(together, POLARIS_GAME).pieces
    assert len(lies) == 12 + 1 + 1, "stars, a link, the moon"


def questions(page: str) -> list[str]:
    found = re.search(r'data-doubts="([^"]*)"', page)
    return found[1].split(",") if found and found[1] else []


@pytest.fixture
def game(player: Player) -> Iterator[str]:
    """A game whose common objectives are chosen."""
    begun = begin(player)
    player.post(f"{begun}/polaris/objectives", {"common": ",".join(CARDS)})
    yield begun


DOUBT = {SPACES[0]: {"purple": 0.6, "red": 0.35}}


def test_a_doubtful_photograph_is_not_asked_about_where_another_is_sure(
    player: Player, reader: TellingReader, game: str
) -> None:
    photograph(player, reader, game, sky(1), sky(2, DOUBT), sky(3), sky(4), sky(5))
    page = player.get(f"{game}/players/1/review?alone=1").text
    assert not questions(page) and "Nothing is doubtful" in page
    assert re.search(rf'id="space-{SPACES[0]}"[^>]*data-star="red"', page)


def test_one_answer_will_do_for_all_phases(
    player: Player, reader: TellingReader, game: str
) -> None:
    photograph(player, reader, game, *(sky(phase, DOUBT) for phase in (1, 2, 3, 4, 5)))
    for phase in range(5):
        assert questions(player.get(f"{game}/players/{phase}/review").text) == [SPACES[0]]
    lay(player, game, 0, {SPACES[0]: "red"})
    assert player.post(f"{game}/players/0/review").status_code == 303
    for phase in range(1, 5):
        page = player.get(f"{game}/players/{phase}/review?alone=1").text
        assert not questions(page)
        assert re.search(rf'id="space-{SPACES[0]}"[^>]*data-star="red"', page)


def test_what_somebody_put_right_stays_when_the_others_are_heard(
    player: Player, reader: TellingReader, game: str
) -> None:
    photograph(player, reader, game, sky(1), sky(2))
    lay(player, game, 1, {SPACES[0]: "blue"})
    photograph(player, reader, game, sky(3))
    page = player.get(f"{game}/players/1/review?alone=1").text
    assert re.search(rf'id="space-{SPACES[0]}"[^>]*data-star="blue"', page)


def test_photographs_are_read_for_who_plays_and_anew_for_others(
    player: Player, reader: TellingReader
) -> None:
    game = begin(player, names=NAMES[:3])
    photograph(player, reader, game, sky(1), sky(2))
    assert list(reader.piece_roles[-1]) == ["polaris"]
    assert set(reader.piece_roles[-1]["polaris"]) == {*COLOURS[:3], "link", "new_moon"}
    lay(player, game, 1, {SPACES[0]: "blue"})
    playing = (*COLOURS[:2], "purple")
    form = {"count": "3", "mode": "phases"}
    form |= {f"name-{seat}": name for seat, name in enumerate(NAMES[:3])}
    form |= {f"marker-{seat}": colour for seat, colour in enumerate(playing)}
    assert player.post(f"{game}/players", form).status_code == 303
    player.wait_for_reading(game)
    assert len(reader.piece_roles) == 4
    assert set(reader.piece_roles[-1]["polaris"]) == {*playing, "link", "new_moon"}
    page = player.get(f"{game}/players/1/review?alone=1").text
    assert re.search(rf'id="space-{SPACES[0]}"[^>]*data-star="blue"', page), "somebody's work"
    assert player.post(f"{game}/players", form).status_code == 303
    assert len(reader.piece_roles) == 4, "nothing has changed"


def as_read(board: Mapping[str, Any]) -> BoardReading:
    """A board of a reading as vision has it."""
    state = BoardState.from_data(board, POLARIS_GAME)
    return BoardReading(**{**vars(state), "corners": np.zeros((4, 2))}, to_photo=np.eye(3))


def test_a_game_file_is_scored_by_what_its_photographs_show_together(tmp_path: Path) -> None:
    players = [
        {"name": "Ana", "colour": "red", "shooting": 2, "personal": "PO7"},
        {"name": "Luis", "colour": "purple", "shooting": 4, "personal": "PO9"},
        {"name": "Eva", "colour": "blue", "shooting": 4, "personal": "PO1"},
    ]
    phases = [
        {"card": card, "telescope": "Ana", "photo": f"{phase}.jpg"}
        for phase, card in enumerate(CARDS, start=1)
    ]
    data = {"format": 1, "game": "polaris", "players": players, "phases": phases}

    def scored(**changed: Mapping[str, Any]) -> ScoredGame:
        skies = {str(phase): sky(phase) for phase in range(1, 6)} | changed
        return score_game(
            {**data, "edition": "standard"},
            POLARIS_GAME,
            STANDARD_SKY,
            tmp_path,
            lambda photo: (as_read(skies[photo.stem]),),
        )

    plain = scored()
    second = scored(**{"2": sky(2, DOUBT)})
    assert second.score.to_data() == plain.score.to_data()
    assert not second.order_warning
    alone = scored(**{"1": sky(1, DOUBT), **{str(p): sky(p, DOUBT) for p in range(2, 6)}})
    assert alone.score.to_data() != plain.score.to_data(), "all of them are doubtful"
