"""Pack rectangles on sheets of paper, in rows of about the same height."""

from collections.abc import Sequence

Size = tuple[float, float]


def pack(sizes: Sequence[Size], room: Size, gap: float = 0.0) -> list[list[tuple[int, Size]]]:
    """The sheets, each with the indices of its rectangles and their top left corners.

    First-fit decreasing height on shelves. Raises ValueError if one is larger than the room.

    >>> pack([(4, 2), (6, 3), (5, 5)], (10, 6))
    [[(2, (0.0, 0.0)), (0, (5.0, 0.0))], [(1, (0.0, 0.0))]]
    """
    sheets: list[list[tuple[int, Size]]] = []
    shelves: list[tuple[int, float, float, float]] = []  # sheet, top, height, filled width
    ends: list[float] = []  # filled height of each sheet
    for number in sorted(range(len(sizes)), key=lambda one: -sizes[one][1]):
        width, height = sizes[number]
        if width > room[0] or height > room[1]:
            raise ValueError(f"{width:g} by {height:g} is larger than {room[0]:g} by {room[1]:g}")
        fitting = (
            shelf
            for shelf, (_, _, tall, full) in enumerate(shelves)
            if height <= tall and full + width <= room[0]
        )
        shelf = next(fitting, len(shelves))
        if shelf == len(shelves):
            fits = [i for i, end in enumerate(ends) if end + height <= room[1]]
            if not fits:
                sheets.append([])
                ends.append(0.0)
            sheet = fits[0] if fits else len(sheets) - 1
            shelves.append((sheet, ends[sheet], height, 0.0))
            ends[sheet] += height + gap
        sheet, top, tall, full = shelves[shelf]
        sheets[sheet].append((number, (full, top)))
        shelves[shelf] = (sheet, top, tall, full + width + gap)
    return sheets
