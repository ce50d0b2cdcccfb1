"""A piece where none of its kind can lie is refused, and does no harm in an older log."""

from itertools import product

import pytest
from flask import Flask

from calibration import Profile, load_profile
from tests.webapp.conftest import Player
from tests.webapp.test_ptolemaeus_pages import begun
from webapp.app.live.entry import BadEventError, checked_event

AT = {"seat": "0", "space": "asteroid_aries"}


def is_taken(profile: Profile, space: str, piece: str) -> bool:
    event = {"kind": "placed", "space": space, "star": piece, "count": 1}
    try:
        checked_event(event, profile)
    except BadEventError:
        return False
    return True


@pytest.mark.parametrize("name", ["nebula", "polaris", "ptolemaeus", "via_nebula"])
def test_what_is_taken_makes_a_position(name: str) -> None:
    profile = load_profile(f"{name}/standard")
    game, places = profile.game, [at for at in profile.places if at.kind != "track"]
    taken = [
        (at, piece.id)
        for at, piece in product(places, game.pieces)
        if is_taken(profile, at.id, piece.id)
    ]
    assert {at for at, _piece in taken} == {at for at in places if game.admits(at)}
    for at, piece in taken:
        game.position(profile.board, {at: piece})


@pytest.fixture
def game(player: Player) -> str:
    """A table of Ptolemaeus that is followed by hand."""
    found = begun(player, live="yes")
    player.post(f"{found}/questions/date", {"answer": "1969-07-20"})
    return found


def test_it_is_refused_by_hand_and_as_a_correction(player: Player, game: str) -> None:
    def code(path: str, **form: str) -> int:
        return player.post(f"{game}/live/{path}", form).status_code

    assert code("star", **AT, star="red") == 422
    assert code("star", **AT, star="asteroid") == 303
    assert code("entries/1", what="instead", star="red") == 422
    assert code("entries/1", what="instead", space="red_luna") == 422
    assert code("entries/1", what="instead", space="asteroid_leo") == 303
    assert player.get(f"{game}/live").status_code == 200


def test_a_table_with_one_in_its_log_opens_and_goes_on(
    app: Flask, player: Player, game: str
) -> None:
    service, id = app.extensions["stargazer live"], game.rpartition("/")[2]
    event = {"kind": "placed", "space": AT["space"], "star": "red"}
    service.log.append(id, [("hand", {"seat": 0, "event": event})])
    assert player.get(f"{game}/live").status_code == 200
    assert player.post(f"{game}/live/star", {**AT, "star": "asteroid"}).status_code == 303
    (position,) = service.table(app.extensions["stargazer"].games.open(id)).positions
    assert [*position.pieces.values()] == ["asteroid"]


def test_each_place_offers_what_may_lie_there(player: Player, game: str) -> None:
    page = player.get(f"{game}/live").text
    assert '<option value="asteroid_aries" data-admits="asteroid">' in page
    assert '<option value="red_luna" data-admits="red">' in page
