"""Which kinds pieces of one size are of."""

import numpy as np
import pytest

from calibration import load_profile
from vision.decode import count_distribution
from vision.piece_faces import PieceFaces
from vision.region_looks import Look, reconcile_colours, weigh_alike

CLAY, RED = 0, 1
AT = [((0, 0), 1.0), ((18, 0), 1.0), ((36, 4), 1.0), ((18, 20), 1.0), ((200, 0), 1.0)]


def test_pieces_of_a_heap_are_all_of_one_kind_or_none_is() -> None:
    """A network that takes four clays for red takes them so for one reason; it is asked about."""
    said = np.array([[0.55, 0.45]] * 5)
    alone = reconcile_colours(said, [CLAY] * 5, AT, 10.0)
    assert count_distribution(alone[:4, CLAY]).argmax() == 2
    heap = reconcile_colours(said, [CLAY] * 5, AT, 10.0, {CLAY})
    counts = count_distribution(heap[:4, CLAY])
    assert counts.argmax() == 4 and counts[4] == pytest.approx(0.55)
    assert heap[4] == pytest.approx(alone[4]), "one by itself"
    red = reconcile_colours(said[:, ::-1], [RED] * 5, AT, 10.0, {CLAY})
    assert red[:, RED] == pytest.approx(0.55), "several players' pieces are no heap"


def test_a_heap_is_of_one_colour_and_leaves_out_what_is_hardly_there() -> None:
    said = np.array([[0.55, 0.45]] * 5)
    pair = reconcile_colours(said[:2], [CLAY] * 2, AT[:2], 10.0, {CLAY, RED})
    of_colour = [CLAY, CLAY, RED, RED, CLAY]
    at = [*AT[:4], ((0, 20), 0.3)]
    mixed = reconcile_colours(said, of_colour, at, 10.0, {CLAY, RED})
    alone = reconcile_colours(said, of_colour, at, 10.0)
    assert mixed[:2] == pytest.approx(pair), "as without the reds and the faint one beside them"
    assert mixed[4] == pytest.approx(alone[4])


def test_the_dark_side_of_another_piece_is_not_part_of_a_heap() -> None:
    said = np.array([[0.97, 0.02], [0.97, 0.02], [0.02, 0.97], [0.02, 0.97]])
    at = [((0, 0), 1.0), ((18, 0), 1.0), ((36, 4), 0.8), ((40, 8), 1.0)]
    alone, heap = (
        reconcile_colours(said, [CLAY, CLAY, CLAY, RED], at, 10.0, heaped)
        for heaped in ((), {CLAY})
    )
    assert heap[2, CLAY] == alone[2, CLAY] < 0.2


def test_what_is_surely_a_piece_is_no_side_of_another() -> None:
    """Of a cube half beneath another one the network sees mostly the one on top."""
    said = np.array([[0.3, 0.35], [0.02, 0.97]])
    at = [((36, 4), 0.91), ((40, 8), 1.0)]
    assert reconcile_colours(said, [CLAY, RED], at, 10.0, {CLAY})[0].tolist() == [0.7, 0.25]
    assert reconcile_colours(said, [CLAY, RED], at, 10.0)[0].tolist() == [0.45, 0.25]
    at[0] = at[0][0], 0.89
    assert reconcile_colours(said, [CLAY, RED], at, 10.0, {CLAY})[0].tolist() == [0.12, 0.0]
    faint = reconcile_colours(said[:1], [CLAY], [((36, 4), 0.3)], 10.0, {CLAY})
    assert faint[0].tolist() == [0.45, 0.25], "hardly a piece"


def test_what_cannot_be_a_part_of_the_piece_above_it_is_another_one() -> None:
    """Of a cube mostly beneath another one the network sees only the one on top."""
    said, at = np.array([[0.1, 0.8], [0.02, 0.97]]), [((36, 4), 0.6), ((40, 8), 1.0)]
    alike, apart = np.ones((2, 2), bool), np.eye(2, dtype=bool)
    side, cube = (reconcile_colours(said, [0, 1], at, 10.0, parts=own)[0] for own in (alike, apart))
    assert side[0] < 0.2 and cube[0] > 0.8
    at = [((0, 0), 1.0), ((24, 0), 1.0)]
    side, cube = (reconcile_colours(said, [0, 1], at, 10.0, parts=own)[0] for own in (alike, apart))
    assert side[0] < 0.5 < cube[0], "nor of what the network sees where no such piece is"


def test_a_piece_by_itself_is_there_whatever_the_network_says_of_its_kind() -> None:
    """In a warm lamp's light a black building is brown, and the network says that it is clay."""
    said = np.array([[0.1, 0.8], [0.9, 0.0]])
    far, near = (
        reconcile_colours(said, [0, 0], [AT[0], ((away, 0), 1.0)], 10.0) for away in (40, 20)
    )
    assert far[0].tolist() == [0.7, 0.25], "asked about"
    assert near[0].tolist() == [0.45, 0.25], "it may be the other one's shadow"
    glossy = reconcile_colours(said, [0], [AT[0], ((20, 0), 1.0)], 10.0)
    assert glossy[0].tolist() == [0.45, 0.25], "as near one that is not found by its colour"
    print_ = reconcile_colours(np.array([[0.01, 0.02]]), [0], AT[:1], 10.0)
    assert print_[0].tolist() == [0.45, 0.25], "where the network sees none at all"


def test_a_heap_of_certain_pieces_is_certain() -> None:
    said = np.array([[1.0, 0.0]] * 3)
    heap = reconcile_colours(said, [CLAY] * 3, AT[:3], 10.0, {CLAY})
    assert heap[:, CLAY] == pytest.approx(1.0) and not np.isnan(heap).any()


def test_a_large_piece_stays_uncertain_if_its_colour_and_the_network_disagree() -> None:
    """In a warm lamp's light a black site looks bluish, and the network says that it is blue."""
    said = np.array([[0.06, 0.94], [0.97, 0.02]])
    whole = reconcile_colours(said, [0, 0], [AT[0], AT[4]], 10.0, is_whole=True)
    assert whole[0, 0] > 0.5 > whole[0, 1] > 0.2 and whole[0].sum() > 0.9, "asked about"
    assert whole[1].tolist() == [0.97, 0.0]


def test_a_candidate_unlike_the_sure_tiles_becomes_unlikely() -> None:
    board = np.full((60, 300, 3), (60, 160, 90), np.uint8)
    board[:, 180:240] = (30, 210, 230)
    likely = [((x, 30), 0.99999) for x in (30, 90, 150)] + [((210, 30), 0.87), ((270, 30), 0.87)]
    weighed = weigh_alike(likely, board, 25.0)
    assert [at for at, _ in weighed] == [at for at, _ in likely]
    assert weighed[3][1] < 0.1 and weighed[4][1] == pytest.approx(0.87)
    assert weigh_alike(likely[1:], board, 25.0) == likely[1:], "too few are sure"
    assert not weigh_alike([], board, 25.0)


def test_of_pieces_with_one_face_those_that_are_there_are_named_first() -> None:
    """Cubes that fill a token's disc look like it, too, but are hardly a token."""
    game = load_profile("via_nebula/standard").game
    own = tuple(one for one in game.pieces if one.id in ("wheat-1", "wheat-2", "wheat-3"))
    look = Look(own, PieceFaces("via_nebula", own, 2.3))
    shown = np.array([[0.33, 0.33, 0.33], [0.32, 0.32, 0.32], [0.3, 0.3, 0.3], [0.2, 0.2, 0.2]])
    shares = look.shares(shown, np.array([0.05, 1.0, 1.0, 1.0]))
    assert shares[1:].argmax(axis=1).tolist() == [0, 1, 2]
    assert shares.sum(axis=1) == pytest.approx(shown.sum(axis=1))
