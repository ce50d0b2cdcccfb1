"""Work on two items at once gives what one after the other would."""

import threading

import pytest

from vision.parallel import AT_ONCE, parallel_map, speculate


def never(_item: int) -> bool:
    return False


def unlike(_one: int, _other: int) -> bool:
    return False


def test_results_are_in_the_items_order() -> None:
    assert parallel_map(lambda n: n * n, range(100)) == [n * n for n in range(100)]
    assert parallel_map(str, []) == []


def test_two_items_are_worked_on_at_once() -> None:
    both = threading.Barrier(2, timeout=10)
    parallel_map(lambda _: both.wait(), range(2))
    done = speculate(lambda _: both.wait(), range(2), never, unlike)
    assert [item for item, _ in done] == [0, 1]


@pytest.mark.parametrize("apart", [1, 2, 3])
def test_an_item_is_needless_or_not_when_its_turn_comes(apart: int) -> None:
    """Whether it is may change in both directions by what came before."""
    found: list[int] = []

    def is_needless(item: int) -> bool:
        return bool(found) and (item - found[-1]) % 7 in range(1, apart)

    def one_by_one() -> list[int]:
        found.clear()
        for item in range(40):
            if not is_needless(item):
                found.append(item)
        return [*found]

    def two_at_once() -> list[int]:
        found.clear()
        for item, square in speculate(lambda n: n * n, iter(range(40)), is_needless, unlike):
            assert square == item * item
            found.append(item)
        return [*found]

    assert two_at_once() == one_by_one()


def test_few_are_begun_on_a_guess_and_none_that_are_alike() -> None:
    begun: list[int] = []

    def work(item: int) -> int:
        begun.append(item)
        return item

    for item, _ in speculate(work, range(10), never, lambda one, other: one // 3 == other // 3):
        if item == 1:
            assert sum(one // 3 == 1 for one in begun) <= 1 and 2 not in begun
        if item == 3:
            break
    assert {*range(4)} <= {*begun} and len(begun) <= 4 + AT_ONCE


def test_a_single_item_is_processed_without_a_thread() -> None:
    here = threading.get_ident()
    done = speculate(lambda _: threading.get_ident(), range(3), never, lambda _one, _other: True)
    assert [*done] == [(0, here), (1, here), (2, here)]


def test_an_error_is_raised_at_its_turn() -> None:
    results = speculate(lambda n: 1 // n, [2, 1, 0], never, unlike)
    assert [next(results), next(results)] == [(2, 0), (1, 1)]
    with pytest.raises(ZeroDivisionError):
        next(results)
