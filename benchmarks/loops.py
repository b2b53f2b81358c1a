"""Functions that spend their time in loops of their own, as people write them."""

from __future__ import annotations

__all__ = ["LOOPS"]


def collatz(n: int) -> int:
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def primes(limit: int) -> list[int]:
    found = []
    sieve = [True] * limit
    for number in range(2, limit):
        if sieve[number]:
            found.append(number)
            for multiple in range(number * number, limit, number):
                sieve[multiple] = False
    return found


def greatest_common_divisor(a: int, b: int) -> int:
    while b:
        a, b = b, a % b
    return a


def matrix_product(left: list[list[float]], right: list[list[float]]) -> list[list[float]]:
    result = []
    for row in left:
        line = []
        for column in range(len(right[0])):
            total = 0.0
            for index in range(len(right)):
                total += row[index] * right[index][column]
            line.append(total)
        result.append(line)
    return result


def insertion_sort(items: list[int]) -> list[int]:
    items = list(items)
    for place in range(1, len(items)):
        item = items[place]
        while place > 0 and items[place - 1] > item:
            items[place] = items[place - 1]
            place -= 1  # noqa: PLW2901  # as textbooks write it
        items[place] = item
    return items


def edit_distance(one: str, other: str) -> int:
    before = list(range(len(other) + 1))
    for row, left in enumerate(one, 1):
        line = [row]
        for column, right in enumerate(other, 1):
            same = before[column - 1] + (left != right)
            line.append(min(before[column] + 1, line[-1] + 1, same))
        before = line
    return before[-1]


def count_words(text: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for word in text.split():
        if word not in counts:
            counts[word] = 0
        counts[word] += 1
    return counts


def mandelbrot(size: int, depth: int) -> int:
    inside = 0
    for row in range(size):
        for column in range(size):
            c = complex(3 * column / size - 2, 2 * row / size - 1)
            z = 0j
            for _ in range(depth):
                z = z * z + c
                if abs(z) > 2:
                    break
            else:
                inside += 1
    return inside


def binary_search(items: list[int], wanted: int) -> int:
    low, high = 0, len(items)
    while low < high:
        middle = (low + high) // 2
        if items[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


def sum_of_squares(limit: int) -> int:
    total = 0
    for number in range(limit):
        total += number * number
    return total


MATRIX = [[float(row * column % 7) for column in range(12)] for row in range(12)]
TEXT = "the quick brown fox jumps over the lazy dog and the dog does not mind the fox " * 8

LOOPS = {
    collatz: (97,),
    primes: (400,),
    greatest_common_divisor: (832040, 514229),
    matrix_product: (MATRIX, MATRIX),
    insertion_sort: ([place * 7919 % 101 for place in range(60)],),
    edit_distance: ("converted code", "concerted mode"),
    count_words: (TEXT,),
    mandelbrot: (12, 20),
    binary_search: (list(range(0, 9000, 9)), 4321),
    sum_of_squares: (300,),
}
"""function → the arguments that it is timed with."""
