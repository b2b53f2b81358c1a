"""Loops over lists and tuples of numbers, and of tuples of these, whose turns would add much to the graph."""

import numpy as np
import pytest

import autograph as ag

MOVES = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
WEIGHTS = [0.5, 0.25, 0.125, 1.0, 2.0, -1.0, 3.5, 0.75]
BOARD = np.arange(25).reshape(5, 5) * 7 % 5

ROLLED, UNROLLED = [], []


@ROLLED.append
def ways_on(board, row, column):
    n, total = len(board), 0
    for down, right in MOVES:
        r, c = row + down, column + right
        if 0 <= r < n and 0 <= c < n and board[r, c] == 0:
            for further, aside in MOVES:
                if 0 <= r + further < n and 0 <= c + aside < n and board[r + further, c + aside] == 0:
                    total += 1
    return total


@ROLLED.append
def what_is_left_in_variables(board, row, column):
    total = 0.0
    for down, right in MOVES:
        for weight in WEIGHTS:
            for k in (1, 2, 3, 4, 5):
                if board[row, column] > down * k:
                    total += weight * k
                else:
                    total -= right * weight
    return total, down, right, weight, k, type(down).__name__


@ROLLED.append
def floats_of_two_tables(board, row, column):
    total = 0.0
    for weight in WEIGHTS:
        for other in WEIGHTS:
            for k in (1, 2, 3, 4):
                if board[row, column] > weight * other:
                    total += weight * other / k
                else:
                    total = total * weight + other
    return total


@ROLLED.append
def prints(board, row, column):
    total = 0
    for down, right in MOVES:
        for further, aside in MOVES:
            if board[(row + down + further) % 5, (column + right + aside) % 5] > further:
                total += aside
        print(down, total)
    return total


@ROLLED.append
def divides_by_what_may_be_zero(board, row, column):
    total = 0
    for down, right in MOVES:
        for further, aside in MOVES:
            for k in (3, 2, 1, 0):
                if board[row + down + further, column + right + aside] > 1:
                    total += 6 // k
    return total


def much(board, row, column, k):
    """What turns add that are to be rolled."""
    total = 0
    for down, right in MOVES:
        for weight in WEIGHTS:
            if board[row, column] * weight > down * k:
                total += right * k
    return total


@ROLLED.append
def texts_beside_numbers(board, row, column):
    total = 0
    for k, name in ((1, "a"), (2, "b"), (3, "c"), (4, "d")):
        total += much(board, row, column, k) * len(name)
    return total, name


@UNROLLED.append
def numbers_of_several_kinds(board, row, column):
    total = 0
    for k in (1, 2.0, 3, True):
        total += much(board, row, column, k)
    return total


@UNROLLED.append
def items_that_turns_replace(board, row, column):
    items, total = [1, 2, 3, 4, 5], 0
    for k in items:
        total += much(board, row, column, k)
        if k < 5:
            items[k] = items[k] + 1
    return total, items


@UNROLLED.append
def items_that_later_turns_replace(board, row, column):
    items, total = [*range(21)], 0
    for k in items:
        total += much(board, row, column, k)
        if k == 18:
            items[20] = -5
    return total, items


@UNROLLED.append
def items_to_which_turns_append(board, row, column):
    items, total = [1, 2, 3, 4], 0
    for k in items:
        total += much(board, row, column, k)
        if len(items) < 6:
            items.append(k + 1)
    return total, items


@UNROLLED.append
def items_that_a_tensor_appends(board, row, column):
    items, total = [1, 2, 3, 4], 0
    for k in items:
        total += much(board, row, column, k)
        if total > 3 and len(items) < 6:
            items.append(k + 1)
    return total, len(items)


@UNROLLED.append
def items_that_turns_take_out(board, row, column):
    items, total = [1, 2, 3, 4, 5, 6], 0
    for k in items:
        total += much(board, row, column, k)
        items.pop()
    return total, items


@UNROLLED.append
def ends_early(board, row, column):
    total = 0
    for down, right in MOVES:
        for further, aside in MOVES:
            if further == 2 and down == 2:
                break
            if board[row, column] + further > down:
                total += further + right
        if down == -2 and right == 1:
            break
    else:
        total += 1000
    return total, down, right, aside


@UNROLLED.append
def collects(board, row, column):
    found = []
    for down, right in MOVES:
        found.append((down, much(board, row + right, column, down)))
    return found


def nodes(program):
    graph = ag.function(program).get_concrete_function(BOARD, np.int64(2), np.int64(2)).graph
    return sum(len(each.nodes) for each in graph.walk())


@pytest.mark.filterwarnings("ignore::runtime.errors.UnrollingWarning")
@pytest.mark.parametrize("program", [*ROLLED, *UNROLLED])
def test_turns_with_items_of_tables_are_those_of_python(program):
    ag.check(program, BOARD, np.int64(2), np.int64(2), then=[(BOARD + 1, np.int64(1), np.int64(3))])


@pytest.mark.parametrize("program", ROLLED)
def test_they_are_turns_of_one_loop_where_they_would_add_much(program):
    assert nodes(program) < 1100  # else 1,300 to 5,000
