"""Conway's game of life: five cells, and what is left of them once nothing but blinkers moves.

``python examples/life.py`` prints the board.
"""

from __future__ import annotations

import sys

import numpy as np
from beside import beside


def neighbours(board):
    """How many of the eight cells around each are alive; the board is round in both directions."""
    rows = board + np.roll(board, 1, axis=0) + np.roll(board, -1, axis=0)
    return rows + np.roll(rows, 1, axis=1) + np.roll(rows, -1, axis=1) - board


def live(board, most):
    """The first board that comes back after one or two generations, and how many went before it."""
    older, old = board, board
    generation = 0
    while generation < most:
        around = neighbours(board)
        board = ((around == 3) | ((around == 2) & (board == 1))).astype(np.int8)
        generation += 1
        if generation > 1 and np.array_equal(board, older):
            break
        older, old = old, board
    return board, generation


def picture(board):
    """Two cells one above the other in each character."""
    return "\n".join(
        "".join(" ▀▄█"[upper + 2 * lower] for upper, lower in zip(*rows, strict=True))
        for rows in zip(board[::2], board[1::2], strict=True)
    )


def main(size=40):
    """The R-pentomino on a board of `size` times `size` cells."""
    board = np.zeros((size, size), dtype=np.int8)
    middle = size // 2
    board[middle, middle : middle + 2] = board[middle + 1, middle - 1 : middle + 1] = board[
        middle + 2, middle
    ] = 1
    last, generation = beside(live, board, np.int64(10_000))
    print(f"{picture(last)}\ngeneration {generation}, {np.sum(last)} cells")
    return last


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
