"""Labels at the ends of lines, placed without overlap."""

from collections.abc import Sequence


def spread(places: Sequence[float], gap: float) -> list[float]:
    """Move places as little as possible until neighbours are `gap` apart, in the same order.

    >>> spread([1.0, 1.0, 5.0], 1.0)
    [0.5, 1.5, 5.0]
    """
    order = sorted(range(len(places)), key=lambda place: places[place])
    blocks: list[list[float]] = []  # sum and number of each block, pooled until the blocks are in order
    for number, place in enumerate(order):
        blocks.append([places[place] - number * gap, 1])
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] >= blocks[-1][0] / blocks[-1][1]:
            total, size = blocks.pop()
            blocks[-1] = [blocks[-1][0] + total, blocks[-1][1] + size]
    moved = [total / size for total, size in blocks for _ in range(int(size))]
    result = [0.0] * len(places)
    for number, place in enumerate(order):
        result[place] = moved[number] + number * gap
    return result
