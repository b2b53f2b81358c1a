"""Programs that fill tables: dynamic programming."""

import functools
from itertools import pairwise

import numpy as np


def longest_common(one, other):
    """The longest common subsequence of two lists of codes, and its length."""
    n, m = len(one), len(other)
    table = np.zeros((n + 1, m + 1), dtype=np.int64)
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            if one[i - 1] == other[j - 1]:
                table[i, j] = table[i - 1, j - 1] + 1
            else:
                table[i, j] = max(table[i - 1, j], table[i, j - 1])
    found = []
    i, j = n, m
    while i > 0 and j > 0:
        if one[i - 1] == other[j - 1]:
            found.append(one[i - 1])
            i, j = i - 1, j - 1
        elif table[i - 1, j] >= table[i, j - 1]:
            i -= 1
        else:
            j -= 1
    return table[n, m], found[::-1]


def edit_distance(one, other):
    """Levenshtein's distance with two rows, in lists."""
    before = list(range(len(other) + 1))
    for i, a in enumerate(one):
        row = [i + 1]
        for j, b in enumerate(other):
            cost = 0 if a == b else 1
            row.append(min(row[j] + 1, before[j + 1] + 1, before[j] + cost))
        before = row
    return before[-1]


def knapsack(values, weights, capacity):
    """What fits into a bag, and which things."""
    n = len(values)
    best = np.zeros((n + 1, 21))
    for i in range(n):
        for room in range(21):
            best[i + 1, room] = best[i, room]
            if weights[i] <= room:
                best[i + 1, room] = max(best[i, room], best[i, room - weights[i]] + values[i])
    taken, room = [], capacity
    for i in reversed(range(n)):
        if best[i + 1, room] != best[i, room]:
            taken.append(i)
            room -= weights[i]
    return best[n, capacity], taken


def matrix_chain(sizes):
    """How many products the best order of a chain of matrices needs, and where it splits."""
    n = len(sizes) - 1
    cost = [[0] * n for _ in range(n)]
    split = [[0] * n for _ in range(n)]
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            cost[i][j] = float("inf")
            for k in range(i, j):
                new = cost[i][k] + cost[k + 1][j] + sizes[i] * sizes[k + 1] * sizes[j + 1]
                if new < cost[i][j]:
                    cost[i][j] = new
                    split[i][j] = k
    return cost[0][n - 1], split[0][n - 1]


def coins(amount, kinds=(1, 5, 10, 25)):
    """How many ways there are to give change, and the fewest coins."""
    ways = [1] + [0] * 60
    fewest = [0] + [999] * 60
    for coin in kinds:
        for total in range(coin, 61):
            ways[total] += ways[total - coin]
            fewest[total] = min(fewest[total], fewest[total - coin] + 1)
    return ways[amount], fewest[amount]


def longest_increasing(numbers):
    """The longest increasing subsequence, by patience."""
    piles = []
    for number in numbers:
        low, high = 0, len(piles)
        while low < high:
            middle = (low + high) // 2
            if piles[middle] < number:
                low = middle + 1
            else:
                high = middle
        if low == len(piles):
            piles.append(number)
        else:
            piles[low] = number
    return len(piles), piles


def largest_sum(numbers):
    """Kadane's largest sum of neighbours, and where it is."""
    best, best_range = -np.inf, (0, 0)
    running, start = 0.0, 0
    for i, number in enumerate(numbers):
        if running <= 0:
            running, start = number, i
        else:
            running += number
        if running > best:
            best, best_range = running, (start, i + 1)
    return best, best_range


def paths(grid):
    """How many ways lead through a grid with stones, with memory of a function's own."""
    rows, columns = grid.shape
    asked = 0

    @functools.cache
    def count(row, column):
        nonlocal asked
        asked += 1
        if row >= rows or column >= columns or grid[row, column]:
            return 0
        if (row, column) == (rows - 1, columns - 1):
            return 1
        return count(row + 1, column) + count(row, column + 1)

    return count(0, 0), asked


def fibonacci(n, memo={0: 0, 1: 1}):
    """Fibonacci's numbers in a dict that outlasts a call."""
    if n not in memo:
        memo[n] = fibonacci(n - 1) + fibonacci(n - 2)
    return memo[n]


def fibonacci_up_to(limit):
    """The even ones below a limit, from a generator."""

    def numbers():
        a, b = 0, 1
        while True:
            yield a
            a, b = b, a + b

    total, seen = 0, []
    for number in numbers():
        if number > limit:
            break
        if number % 2 == 0:
            total += number
            seen.append(number)
    return total, seen


def pascal(rows):
    """A triangle, row by row."""
    triangle = [[1]]
    for _ in range(rows - 1):
        last = triangle[-1]
        triangle.append([1, *(a + b for a, b in pairwise(last)), 1])
    return triangle[-1], sum(map(sum, triangle))


def edits(one, other):
    """What turns a sequence into another one, step by step from its end."""
    n, m = len(one), len(other)
    least = np.zeros((n + 1, m + 1), dtype=int)
    least[:, 0], least[0, :] = np.arange(n + 1), np.arange(m + 1)
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            replaced = least[i - 1, j - 1] + (one[i - 1] != other[j - 1])
            least[i, j] = min(least[i - 1, j] + 1, least[i, j - 1] + 1, replaced)
    steps, i, j = [], n, m
    while i > 0 or j > 0:
        if i > 0 and j > 0 and one[i - 1] == other[j - 1] and least[i, j] == least[i - 1, j - 1]:
            i, j = i - 1, j - 1
        elif i > 0 and j > 0 and least[i, j] == least[i - 1, j - 1] + 1:
            steps.append(("replace", i - 1, other[j - 1]))
            i, j = i - 1, j - 1
        elif i > 0 and least[i, j] == least[i - 1, j] + 1:
            steps.append(("delete", i - 1, 0))
            i -= 1
        else:
            steps.append(("insert", i, other[j - 1]))
            j -= 1
    return least[n, m], [f"{what} {where} {code}" for what, where, code in reversed(steps)]
