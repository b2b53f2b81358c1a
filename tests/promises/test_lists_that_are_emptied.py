"""A path puts an empty list in the place of one that holds words, tuples or objects."""

from collections import deque

import numpy as np
import pytest

import autograph as ag


def words_in_lines(width):
    lines, line, length = [], [], 0
    for word in "the quick brown fox jumps over".split():
        if length + len(word) + len(line) > width:
            lines.append(" ".join(line).ljust(width, "."))
            line, length = [], 0
        line.append(word)
        length += len(word)
    lines.append(" ".join(line))
    return lines


def pairs(n):
    line = [(1, 2)]
    if n > 5:
        line = []
    line.append((3, 4))
    if n > 1:
        line = []
    return line


def in_a_dict(n):
    kept = {"a": [(1, "x")]}
    for k in range(n):
        kept["a"].append((k, "y"))
    if n > 2:
        kept["a"] = []
    return kept


class Box:
    def __init__(self):
        self.items = [None]


def in_an_attribute(n):
    box = Box()
    for k in range(n):
        box.items.append((k, 1))
    if n > 2:
        box.items = []
    return box.items


def a_stack(n):
    out, stack = [], [(0, "a")]
    while stack:
        k, word = stack.pop()
        out.append(word)
        if k < n:
            stack.append((k + 1, "b"))
            if k == 2:
                stack = []
    return out, stack


def a_queue(n):
    queue = deque([(1, 2)])
    if n > 5:
        queue = deque()
    queue.append((3, 4))
    if n > 1:
        queue = deque()
    return list(queue)


PROGRAMS = [words_in_lines, pairs, in_a_dict, in_an_attribute, a_stack, a_queue]


@pytest.mark.parametrize("program", PROGRAMS, ids=[each.__name__ for each in PROGRAMS])
def test_a_branch_that_empties_a_list_of_tuples_leaves_none_of_them(program):
    ag.check(program, np.int64(3), then=[(np.int64(12),), (np.int64(7),), (np.int64(1),)])


def emptied_and_raised(n):
    line = [(1, 2)]
    if n > 5:
        line = []
    line.append((3, 4))
    other = []
    try:
        if n == 0:
            raise ValueError
        other = line
        if n == 1:
            raise ValueError
        other = []
        if n == 2:
            raise ValueError
        other = [(n, n)]
    except ValueError:
        return other, True
    return other, False


def emptied_for_a_handler(n):
    line = [(1, 2)]
    if n > 5:
        line = []
    line.append((3, 4))
    try:
        if n == 2:
            raise ValueError
        line = []
        if n == 1:
            raise ValueError
    except ValueError:
        line.append((5, n))
    return line


@pytest.mark.parametrize("program", [emptied_and_raised, emptied_for_a_handler])
def test_a_body_that_empties_a_list_and_raises_leaves_it_empty(program):
    ag.check(program, np.int64(0), then=[(np.int64(n),) for n in (1, 2, 3, 7)])


def test_a_loop_over_a_list_that_is_empty_yet_learns_nothing_of_its_items():
    def f(x, n):
        rows, total = [[], []], 0
        for i in range(n):
            if x[i] > 2:
                rows.append([])
            else:
                for item in rows[0]:
                    total += item
            rows[0].append(x[i])
        return total, rows

    ag.check(f, np.array([1, 2, 1, 4, 2, 1]), np.int64(6), then=[(np.array([1, 5, 1]), np.int64(3))])
    ag.check(f, np.array([1.0, 2.5, 1.5, 4.0]), np.int64(4))
