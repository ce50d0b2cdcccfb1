from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from scorer.nebula.board import STANDARD_BOARD
from scorer.nebula.contract import NEBULA
from scorer.nebula.words import BLACK, COLOURS
from scorer.places import Place
from scorer.table import Piece
from vision import decode
from vision.decode import (
    Posterior,
    TrackPosterior,
    decode_spaces,
    decode_track,
    doubt_unreliable_board,
    doubt_whole_kinds,
    doubt_without_twin,
)
from vision.doubts import UNCERTAIN_BELOW

PLACES = 10
CLASSES = (*COLOURS, BLACK)
EMPTY = len(CLASSES)


def odds_for(star: str | None, strength: float = 6.0, **others: float) -> np.ndarray:
    """(8,) log odds that favour one hypothesis."""
    z = np.full(8, -strength)
    z[EMPTY if star is None else CLASSES.index(star)] = strength
    for name, value in others.items():
        z[CLASSES.index(name)] = value
    return z


def read_galaxy(**stars: np.ndarray) -> dict[str, Posterior]:
    """What follows from odds for the whole board: empty but for the spaces given."""
    odds = {space: stars.get(space, odds_for(None)) for space in STANDARD_BOARD.spaces}
    return decode_spaces(odds, CLASSES, NEBULA, STANDARD_BOARD)


def read_track(odds: np.ndarray) -> TrackPosterior:
    return decode_track(odds, CLASSES, (BLACK,))


def test_what_is_plainly_there_is_read_even_when_it_breaks_a_rule() -> None:
    read = read_galaxy(core=odds_for("red"), ar1=odds_for("red"))
    assert read["core"].piece == read["ar1"].piece == "red"


def test_less_trusted_odds_leave_the_likeliest_what_it_is() -> None:
    """The rules are as much surer than those odds as they were than the odds as they came."""
    reported = {space: odds_for(None) for space in STANDARD_BOARD.spaces}
    reported |= {"core": odds_for("red"), "ar1": odds_for(None, 3.0, red=3.0, orange=0.5)}
    reported["ar1"][EMPTY] = -9.0
    less = {space: 0.3 * z for space, z in reported.items()}
    plain = decode_spaces(reported, CLASSES, NEBULA, STANDARD_BOARD)
    tempered = decode_spaces(less, CLASSES, NEBULA, STANDARD_BOARD, 0.3)
    assert {name: p.piece for name, p in tempered.items()} == {
        name: p.piece for name, p in plain.items()
    }
    assert tempered["ar1"].piece == "red"
    assert tempered["ar1"].confidence < plain["ar1"].confidence
    assert decode_spaces(less, CLASSES, NEBULA, STANDARD_BOARD)["ar1"].piece == "orange"


def read_chips(chips: int, purple: float, of_purple: int = 0) -> dict[Place, Posterior]:
    """Chips that look blue or, by those log odds, purple; the game's prior is against purple.

    A red piece, an empty place and some plainly purple chips lie beside them.
    """
    odds = {Place(f"a{n}"): np.array([0.0, purple, -9.0, -9.0]) for n in range(chips)}
    odds |= {Place(f"p{n}"): np.array([-9.0, 0.0, -9.0, -9.0]) for n in range(of_purple)}
    odds[Place("red")] = np.array([-9.0, -9.0, 0.0, -9.0])
    odds[Place("bare")] = np.array([-9.0, -9.0, -9.0, 0.0])
    game: Any = SimpleNamespace(pieces=[], log_prior=lambda *_: {"purple": -3.0})
    by_id = {place.id: z for place, z in odds.items()}
    read = decode_spaces(by_id, ("blue", "purple", "red"), game, None)
    return doubt_whole_kinds({place: read[place.id] for place in odds}, odds)


def test_the_game_does_not_confirm_the_name_of_a_whole_kind() -> None:
    read = read_chips(12, purple=-1.0)
    assert [read[Place(f"a{n}")].piece for n in range(12)] == 12 * ["blue"]
    assert read[Place("a0")].confidence == pytest.approx(1 / (1 + np.exp(-1)), abs=1e-3)
    assert read[Place("red")].confidence > 0.99
    assert read[Place("bare")].confidence > 0.99


@pytest.mark.parametrize(
    ("chips", "purple", "of_purple"), [(12, -2.0, 0), (1, -1.0, 0), (6, -1.0, 1)]
)
def test_the_game_confirms_the_name_of_other_kinds(
    chips: int, purple: float, of_purple: int
) -> None:
    """One that looks less like its rival, a single piece, and one whose rival is on the board."""
    assert read_chips(chips, purple, of_purple)[Place("a0")].confidence > 0.98


def lone_markers(supply: int, **chances: float) -> dict[str, Posterior]:
    """What follows from each space's chance of a marker, of which the game has a few."""
    game: Any = SimpleNamespace(
        pieces=[Piece("marker", "#101010", supply)], log_prior=lambda *_: {}
    )
    odds = {space: np.log([chance, 1 - chance]) for space, chance in chances.items()}
    return decode_spaces(odds, ("marker",), game, None)


def test_a_piece_that_is_seen_twice_but_exists_once_is_on_the_likelier_place() -> None:
    read = lone_markers(1, a1=0.97, a2=0.98, a3=0.01)
    assert [read[space].piece for space in ("a1", "a2", "a3")] == [None, "marker", None]
    assert read["a1"].confidence < UNCERTAIN_BELOW
    assert read["a2"].confidence < UNCERTAIN_BELOW
    assert read["a3"].confidence == pytest.approx(0.99)
    for one in read.values():
        assert one.probabilities.sum() == pytest.approx(1)


def test_as_many_pieces_as_there_are_stay_certain() -> None:
    read = lone_markers(2, a1=0.97, a2=0.98, a3=0.01)
    assert [read[space].confidence for space in ("a1", "a2")] == pytest.approx([0.97, 0.98])


def test_a_marker_that_is_certain_twice_is_read_somewhere() -> None:
    read = lone_markers(1, **{f"a{n}": 1 - 1e-12 for n in range(80)})
    assert all(np.isfinite(one.probabilities).all() for one in read.values())


def test_a_tie_is_settled_by_the_rules() -> None:
    doubtful = odds_for(None, 3.0, red=3.0, orange=2.9)
    doubtful[EMPTY] = -3
    read = read_galaxy(core=odds_for("red"), ar1=doubtful)
    assert read["ar1"].piece == "orange"
    alone = read_galaxy(core=odds_for("blue"), ar1=doubtful)
    assert alone["ar1"].piece == "red"


def test_a_star_on_its_own_needs_better_evidence() -> None:
    faint = odds_for(None, 3.0, blue=0.5)
    faint[EMPTY] = 0.0
    alone = read_galaxy(ge6=faint)["ge6"]
    beside = read_galaxy(ge6=faint, ge5=odds_for("red"))["ge6"]
    assert alone.piece is None and beside.piece == "blue"


def test_posteriors_are_probabilities() -> None:
    for posterior in read_galaxy(core=odds_for("red")).values():
        assert posterior.probabilities.sum() == pytest.approx(1)
        assert posterior.confidence == posterior.probabilities.max()


def test_alternatives_are_the_likely_ones_best_first() -> None:
    posterior = Posterior(np.array([0.55, 0, 0, 0, 0, 0.43, 0.01, 0.01]), CLASSES)
    assert list(posterior.alternatives()) == ["red", "orange"]


def track(*stars: str | None) -> np.ndarray:
    return np.array([odds_for(star) for star in (*stars, *[None] * (PLACES - len(stars)))])


@pytest.mark.parametrize("count", range(PLACES + 1))
def test_black_stars_are_counted_from_the_left(count: int) -> None:
    read = read_track(track(*["black"] * count))
    assert read.count == count
    assert read.pieces == ("black",) * count + (None,) * (PLACES - count)
    assert read.confidence > 0.99


def test_a_doubtful_place_between_black_stars_is_taken() -> None:
    odds = track("black", "black", None, "black", "black")
    odds[2] = odds_for(None, 0.8)
    read = read_track(odds)
    assert read.pieces[:6] == (*["black"] * 5, None) and read.count == 5


def test_a_plain_gap_is_reported_and_not_filled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decode, "GAP", -2.0)
    read = read_track(track("black", None, "black"))
    assert read.count == 2 and read.pieces[:3] == ("black", None, "black")


def test_a_coloured_star_on_the_track_is_no_black_one() -> None:
    read = read_track(track("black", "red"))
    assert read.count == 1 and read.pieces[:2] == ("black", "red")


def test_an_unclear_end_of_the_track_lowers_the_confidence() -> None:
    odds = track("black", "black", "black")
    odds[3] = odds_for("black")
    odds[3][EMPTY] = odds[3].max()
    read = read_track(odds)
    assert read.count in (3, 4) and 0.4 < read.confidence < 0.7


def test_a_piece_that_is_plainly_seen_half_beside_its_place_is_not_overlooked() -> None:
    """The classifier looks at the middle of places, and called that bare at 0.94."""
    odds = np.array([odds_for(None, 3.0, red=3.2)] * 2)
    scores = np.full((2, len(CLASSES)), 0.001)
    scores[:, CLASSES.index("red")] = 0.88, 0.1
    odds[:, EMPTY] = 6.0
    plain, faint = decode.weight_detections(odds, scores, plainly=0.3)
    read = read_galaxy(core=plain, ca3=faint)
    assert read["core"].piece == "red" and 0.8 < read["core"].confidence < 0.9
    assert read["ca3"].piece is None and read["ca3"].confidence > 0.9


@pytest.mark.parametrize(("uneasy", "is_doubted"), [(7, False), (8, True)])
def test_a_board_of_which_much_is_uneasy_is_doubted_whole(uneasy: int, is_doubted: bool) -> None:
    """Strange light misleads certain answers, too."""

    def posterior(confidence: float) -> Posterior:
        rest = (1 - confidence) / len(CLASSES)
        return Posterior(np.array([confidence, *[rest] * len(CLASSES)]), CLASSES)

    seen = {Place(f"{n}"): posterior(0.96 if n < uneasy else 0.9999) for n in range(19)}
    read = doubt_unreliable_board(seen)
    assert all(one.piece == CLASSES[0] for one in read.values())
    assert [one.confidence < UNCERTAIN_BELOW for one in read.values()] == [is_doubted] * 19
    assert all(one.probabilities.sum() == pytest.approx(1) for one in read.values())
    assert doubt_unreliable_board({}) == {}
    bare = Posterior(np.array([*[0.0] * len(CLASSES), 1.0]), CLASSES)
    few = {place: one if number < 12 else bare for number, (place, one) in enumerate(seen.items())}
    read = doubt_unreliable_board(few)
    assert all(one.confidence < UNCERTAIN_BELOW for one in read.values()), "of 12 pieces"


def test_yellow_is_certain_only_if_orange_is_on_the_board() -> None:
    def sure(piece: str | None) -> Posterior:
        return Posterior(
            np.eye(len(CLASSES) + 1)[CLASSES.index(piece) if piece else EMPTY], CLASSES
        )

    twins = {"yellow": "orange", "orange": "yellow"}
    seen = {Place(str(n)): sure(piece) for n, piece in enumerate(["yellow", "red", None])}
    read = doubt_without_twin(seen, twins)
    assert [one.confidence < UNCERTAIN_BELOW for one in read.values()] == [True, False, False]
    beside = {**seen, Place("3"): sure("orange")}
    assert doubt_without_twin(beside, twins) == beside
