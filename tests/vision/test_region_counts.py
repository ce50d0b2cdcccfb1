"""Which kind each piece in a region is, where there is only one of some kinds."""

import numpy as np

from vision.region_counts import _each_once


def test_a_piece_there_is_one_of_is_where_it_fits_best() -> None:
    alone = np.array([[0.9, 0.05, 0.02], [0.6, 0.3, 0.02], [0.02, 0.02, 0.95], [0.01, 0.01, 0.97]])
    told = _each_once(alone, np.ones(4), np.array([True, True, False]))
    assert told.argmax(axis=1).tolist() == [0, 1, 2, 2], "what there is more of may lie twice"
    as_it_was = _each_once(alone, np.ones(4), np.array([False, False, False]))
    assert as_it_was.argmax(axis=1).tolist() == [0, 0, 2, 2]
