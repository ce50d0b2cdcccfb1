"""Work on two items at once: OpenCV and NumPy release the interpreter's lock meanwhile."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count, islice
from typing import TypeVar

AT_ONCE = 2
_SHARES = 8
"""Number of shares into which many items are split: each may be quicker than passing it on."""

Item = TypeVar("Item")
Result = TypeVar("Result")


def parallel_map(work: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
    """The results of `work` on each of the items, in their order.

    >>> parallel_map(len, ["a", "bcd", "ef"])
    [1, 3, 2]
    """
    every = [*items]
    step = max(1, len(every) // _SHARES)
    shares = [every[start : start + step] for start in range(0, len(every), step)]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        done = pool.map(lambda share: [work(item) for item in share], shares)
        return [result for share in done for result in share]


def speculate(
    work: Callable[[Item], Result],
    items: Iterable[Item],
    is_needless: Callable[[Item], bool],
    are_alike: Callable[[Item, Item], bool],
) -> Iterator[tuple[Item, Result]]:
    """Yield those items that are not needless when their turn comes, with the results of `work`.

    Meanwhile a later one that is not needless so far is begun, on the guess that it stays so. One
    that is alike is not: the result for one of such items often makes the others needless.
    """
    source = iter(items)
    queue: deque[tuple[Item, Future[Result] | None]] = deque()
    pool = ThreadPoolExecutor(AT_ONCE)

    def begin_another(than: Item) -> None:
        guesses = [(item, begun) for item, begun in queue if begun]
        if len(guesses) == AT_ONCE or not all(begun.done() for _, begun in guesses):
            return
        others = [than, *(item for item, _ in guesses)]
        for number in count():
            if number == len(queue):
                queue.extend((item, None) for item in islice(source, 1))
            if number == len(queue):
                return
            item, begun = queue[number]
            alike = begun or any(are_alike(other, item) for other in others)
            if not alike and not is_needless(item):
                queue[number] = item, pool.submit(work, item)
                return

    try:
        while True:
            queue.extend((item, None) for item in islice(source, 0 if queue else 1))
            if not queue:
                return
            item, begun = queue.popleft()
            if not is_needless(item):
                begin_another(item)
                yield item, begun.result() if begun else work(item)
    finally:
        pool.shutdown(cancel_futures=True)
