"""Programs that try, and go back; and games."""

from itertools import pairwise

import numpy as np


def queens(n):
    """How many ways there are to place queens, by backtracking over rows; the first of them."""
    columns, first = [], None
    count = 0

    def place(row):
        nonlocal count, first
        if row == 4:
            count += 1
            if first is None:
                first = list(columns)
            return
        for column in range(4):
            if all(column != c and abs(column - c) != row - r for r, c in enumerate(columns)):
                columns.append(column)
                place(row + 1)
                columns.pop()

    place(0)
    return count * n, first


def queens_by_bits(n):
    """The same with numbers as sets, for any size."""

    def count(row, columns, left, right):
        if row == n:
            return 1
        found = 0
        for column in range(n):
            bit = 1 << column
            if (
                not columns & bit
                and not left & (1 << (row + column))
                and not right & (1 << (row - column + n))
            ):
                found += count(
                    row + 1, columns | bit, left | (1 << (row + column)), right | (1 << (row - column + n))
                )
        return found

    return count(0, 0, 0, 0)


def sudoku(board):
    """Fills the zeros of a board of four, or says that it cannot be done."""

    def fits(row, column, digit):
        for k in range(4):
            if board[row, k] == digit or board[k, column] == digit:
                return False
        top, left = row // 2 * 2, column // 2 * 2
        return not (board[top : top + 2, left : left + 2] == digit).any()

    def solve(cell):
        if cell == 16:
            return True
        row, column = divmod(cell, 4)
        if board[row, column] != 0:
            return solve(cell + 1)
        for digit in range(1, 5):
            if fits(row, column, digit):
                board[row, column] = digit
                if solve(cell + 1):
                    return True
                board[row, column] = 0
        return False

    return solve(0), board


def hanoi(disks):
    """How many moves a tower takes, with a function that calls itself; and by three lists."""

    def moves(n):
        return 0 if n == 0 else 2 * moves(n - 1) + 1

    pegs = [[3, 2, 1], [], []]

    def move(n, source, target, spare):
        if n:
            move(n - 1, source, spare, target)
            pegs[target].append(pegs[source].pop())
            move(n - 1, spare, target, source)

    move(3, 0, 2, 1)
    return moves(disks), pegs


def tic_tac_toe(board):
    """Who has won: 1, 2, or 0; and what is free."""
    lines = [*board, *board.T, board.diagonal(), np.fliplr(board).diagonal()]
    for line in lines:
        if line[0] != 0 and (line == line[0]).all():
            return line[0], []
    return 0, [(r, c) for r in range(3) for c in range(3) if board[r, c] == 0]


def nim(heaps):
    """The move that wins, or None."""
    total = 0
    for heap in heaps:
        total ^= heap
    if total == 0:
        return None
    for index, heap in enumerate(heaps):
        if heap ^ total < heap:
            return index, heap - (heap ^ total)


def matrix_game(payoff, rounds):
    """Two players who answer what the other one has done so far."""
    rows, columns = payoff.shape
    row_gain, column_loss = np.zeros(rows), np.zeros(columns)
    row_count, column_count = np.zeros(rows, int), np.zeros(columns, int)
    row = column = 0
    for _ in range(rounds):
        row_gain += payoff[:, column]
        column_loss += payoff[row]
        row, column = row_gain.argmax(), column_loss.argmin()
        row_count[row] += 1
        column_count[column] += 1
    low, high = column_loss.min() / rounds, row_gain.max() / rounds
    saddle = [
        (r, c)
        for r in range(rows)
        for c in range(columns)
        if payoff[r, c] == payoff[r].min() and payoff[r, c] == payoff[:, c].max()
    ]
    return low, high, row_count, column_count, saddle


def minimax(scores, depth=3):
    """The value of a tree of moves, with cuts."""
    visited = 0

    def value(node, level, low, high):
        nonlocal visited
        visited += 1
        if level == depth:
            return scores[node]
        best = -np.inf if level % 2 == 0 else np.inf
        for child in (2 * node, 2 * node + 1):
            found = value(child, level + 1, low, high)
            if level % 2 == 0:
                best = max(best, found)
                low = max(low, best)
            else:
                best = min(best, found)
                high = min(high, best)
            if high <= low:
                break
        return best

    return value(0, 0, -np.inf, np.inf), visited


def flood_fill(picture, row, column, colour):
    """Colours what hangs together, with a stack."""
    old = picture[row, column]
    if old == colour:
        return picture, 0
    stack, filled = [(row, column)], 0
    while stack:
        r, c = stack.pop()
        if not (0 <= r < picture.shape[0] and 0 <= c < picture.shape[1]):
            continue
        if picture[r, c] != old:
            continue
        picture[r, c] = colour
        filled += 1
        stack.extend([(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)])
    return picture, filled


def subset_sum(numbers, target):
    """The first subset with a sum, as a mask, or -1."""
    for mask in range(1 << len(numbers)):
        total = 0
        for bit in range(len(numbers)):
            if mask >> bit & 1:
                total += numbers[bit]
        if total == target:
            return mask
    return -1


def permutations(items):
    """All orders, from a generator that calls itself, and how many go up."""

    def orders(rest):
        if len(rest) <= 1:
            yield rest
            return
        for i in range(len(rest)):
            for order in orders(rest[:i] + rest[i + 1 :]):
                yield [rest[i], *order]

    rising, total = 0, 0
    for order in orders(list(items)):
        total += 1
        if all(one <= other for one, other in pairwise(order)):
            rising += 1
    return total, rising
