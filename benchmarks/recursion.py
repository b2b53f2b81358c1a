"""What it takes to trace functions that call themselves where a tensor decides it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

import autograph as ag
import runtime as rt

__all__ = ["report"]

ALIVE = 1_000
"""Objects, and as many lists, around a function that reads them."""


class Box:
    """An object with a number."""

    def __init__(self) -> None:
        self.value = 0


boxes = [Box() for _ in range(ALIVE)]
table = {number: [number] for number in range(ALIVE)}


def queens(n: Any) -> Any:
    """In how many ways so many queens leave each other alone, with an array and a number around."""
    columns, count = np.zeros(n, dtype=int), 0

    def is_free(row: Any, column: Any) -> Any:
        for other in range(row):
            if columns[other] == column or abs(columns[other] - column) == row - other:
                return False
        return True

    def place(row: Any) -> None:
        nonlocal count
        if row == n:
            count += 1
            return
        for column in range(n):
            if is_free(row, column):
                columns[row] = column
                place(row + 1)

    place(0)
    return count


def fits(board: Any, row: int, column: int, digit: int) -> Any:
    """Whether a digit is not there yet, in its row, its column and its square."""
    for place in range(9):
        if board[row, place] == digit or board[place, column] == digit:
            return False
    top, left = row // 3 * 3, column // 3 * 3
    return not (board[top : top + 3, left : left + 3] == digit).any()


def fill(board: Any) -> Any:
    """Searches for what is missing in a board of nine, and writes it into the array that it is given."""
    for row in range(9):
        for column in range(9):
            if board[row, column] == 0:
                for digit in range(1, 10):
                    if fits(board, row, column, digit):
                        board[row, column] = digit
                        if fill(board):
                            return True
                        board[row, column] = 0
                return False
    return True


def filled(board: Any) -> Any:
    """What starts that."""
    fill(board)
    return board


def beside_objects(n: Any) -> Any:
    """Calls itself in ten places, and reads what lies around."""
    if n <= 0:
        return n
    total = n + len(boxes) + len(table)
    for less in range(10):
        if n > less:
            total = total + beside_objects(n - 1 - less)
    return total


def around(n: Any) -> Any:
    """What starts that."""
    return beside_objects(n)


def tour(n: Any) -> Any:
    """A knight on a board of five, which calls itself in eight places and writes into the board."""
    board = np.full((5, 5), -1)

    def step(x: Any, y: Any, number: Any) -> Any:
        board[x, y] = number
        if number == n * n - 1:
            return True
        for dx, dy in ((2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1)):
            is_free = 0 <= x + dx < n and 0 <= y + dy < n and board[x + dx, y + dy] == -1
            if is_free and step(x + dx, y + dy, number + 1):
                return True
        board[x, y] = -1
        return False

    return step(n - n, n - n, 0), board


def report(rounds: int) -> str:
    """The least time of a trace, in seconds of the processor."""
    board = np.zeros((9, 9), dtype=int)
    programs: list[tuple[Callable[..., Any], Any]] = [
        (queens, np.int64(8)),
        (filled, board),
        (around, rt.asarray(3)),
        (tour, rt.asarray(5)),
    ]
    return "\n".join(
        f"  {min(_seconds(program, given) for _ in range(min(rounds, 5))):7.3f} s  {program.__name__}"
        for program, given in programs
    )


def _seconds(program: Callable[..., Any], given: Any) -> float:
    start = time.process_time()
    ag.function(program).get_concrete_function(given)
    return time.process_time() - start
