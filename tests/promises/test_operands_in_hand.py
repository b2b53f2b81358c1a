"""An operand that Python has in hand is the object: what the next operand does to it, the operation sees."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import autograph as ag

CALLS = [(np.int64(2),), (np.int64(1),), (np.int64(0),)]


def grown(items, n):
    for i in range(n):
        items.append(i)
    return [0]


def filled(u, n):
    u[0] = n
    return u * 1


def of_operators(n):
    items, u = [1], np.zeros(2)
    return items + grown(items, n), u + filled(u, n), items * len(grown(items, n)), u @ filled(u, n + 1)


def in_place(n):
    items, u = [1], np.zeros(2)
    items += grown(items, n)
    u += filled(u, n)
    return items, u


def of_methods(n):
    items, rows = [1], {"k": [2]}
    items.append(grown(items, n)[0])
    items.extend(grown(items, n))
    rows["k"].append(grown(rows["k"], n)[0])
    return items, rows, items.count(grown(items, n)[0])


def of_calls(n):
    items, u = [1], np.zeros(2)

    def lengths(a, b, *, c):
        return len(a), len(b), len(c)

    return lengths(items, grown(items, n), c=items), np.add(u, filled(u, n)), sum(items, grown(items, n)[0])


def of_items(n):
    items = [1, 2]
    items[grown(items, n)[0]] = 7
    items[grown(items, n)[0]] += 1
    items[0] += grown(items, n)[0] + 1
    del items[grown(items, n)[0]]
    return items, items[grown(items, n)[0]]


def of_counts(n):
    counts = Counter()
    counts[counts[n]] += 1
    return dict(counts)


def of_comparisons(n):
    items = [1, 2]
    return items == grown(items, n), grown(items, n) != items, 1 in items


def of_attributes(n):
    class Box:
        def __init__(self):
            self.items = [1]

        def grow(self):
            grown(self.items, n)
            return 0

    box = Box()
    box.items[box.grow()] = 5
    box.items.insert(box.grow(), 9)
    return box.items, box.items + list((box.grow(),))


PROGRAMS = [
    of_operators,
    in_place,
    of_methods,
    of_calls,
    of_items,
    of_counts,
    of_comparisons,
    of_attributes,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_an_operation_sees_what_its_operands_have_done(program):
    ag.check(program, *CALLS[0], then=CALLS[1:])
