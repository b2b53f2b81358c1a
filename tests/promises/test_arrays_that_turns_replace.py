"""A loop writes into the array of an attribute or an item, and puts another one there."""

import numpy as np
import pytest

import autograph as ag
from tests.promises.kit import function_of

X = np.array([1.0, 2.0])
N = np.int64(5)


class Work:
    pass


def an_attribute(x, n):
    work = Work()
    work.d = x * 1
    while n > 0:
        work.d += 1.0
        if work.d.sum() > 7:
            work.d = work.d * 0.5
        n -= 1
    return work.d


def an_attribute_that_a_variable_held(x, n):
    work, d = Work(), x * 1
    work.d = d
    while n > 0:
        work.d[0] += 1.0
        if work.d.sum() > 7:
            work.d = work.d * 0.5
        n -= 1
    return work.d


def two_attributes_that_are_swapped(x, n):
    work = Work()
    work.a, work.b = x * 1, x * 2
    while n > 0:
        work.a[0] += 1.0
        work.a, work.b = work.b, work.a
        n -= 1
    return work.a, work.b


def an_attribute_that_is_always_the_same(x, n):
    work, d = Work(), x * 1
    work.d, total = d, 0.0
    while n > 0:
        work.d += 1.0
        total += d[0]
        n -= 1
    return work.d, total, d


def read_in_the_loop(x, n):
    work, d = Work(), x * 1
    work.d, total = d, 0.0
    while n > 0:
        work.d += 1.0
        total += d[0]
        if work.d.sum() > 7:
            work.d = work.d * 0.5
        n -= 1
    return work.d, total


def read_after_the_loop(x, n):
    work, d = Work(), x * 1
    work.d = d
    while n > 0:
        work.d += 1.0
        work.d = work.d * 0.5
        n -= 1
    return work.d, d


def a_view_is_read(x, n):
    work, d = Work(), x * 1
    work.d, view = d, d[1:]
    for _ in range(n):
        work.d += 1.0
        if work.d.sum() > 7:
            work.d = work.d * 0.5
    return work.d, view


def an_item_of_a_list(x, n):
    d = x * 1
    held, total = [d], 0.0
    while n > 0:
        held[0] += 1.0
        total += d[0]
        if total > 4:
            held[0] = held[0] * 0.5
        n -= 1
    return held, total


def an_item_of_a_dict(x, n):
    d = x * 1
    held, total = {"a": d}, 0.0
    while n > 0:
        held["a"][0] += 1.0
        total += d[0]
        if total > 4:
            held["a"] = held["a"] * 0.5
        n -= 1
    return held, total


def swapped_with_a_name_outside(x, n):
    work = Work()
    a = work.a = x * 1
    work.b = x * 2
    while n > 0:
        work.a[0] += 1.0
        work.a, work.b = work.b, work.a
        n -= 1
    return work.a, work.b, a


def a_list_that_turns_replace_or_change(x, n):
    rows = [x.copy()]
    more = rows[0]
    for _ in range(n):
        if n > 1:
            rows = [rows[0] * 2]
        else:
            rows[0] = rows[0] + 1
    rows[0][0] = 7
    return more


def the_array_of_the_caller(x, n):
    work = Work()
    work.d = x
    while n > 0:
        work.d += 1.0
        if work.d.sum() > 7:
            work.d = work.d * 0.5
        n -= 1
    return work.d


@pytest.mark.parametrize(
    "program",
    [
        *(an_attribute, an_attribute_that_a_variable_held),
        *(two_attributes_that_are_swapped, an_attribute_that_is_always_the_same),
        *(read_in_the_loop, read_after_the_loop, a_view_is_read, an_item_of_a_list, an_item_of_a_dict),
        *(swapped_with_a_name_outside, a_list_that_turns_replace_or_change, the_array_of_the_caller),
    ],
)
def test_a_loop_writes_into_the_array_that_is_there_now(program):
    ag.check(program, X, N, then=[(np.zeros(2), np.int64(0)), (X, np.int64(1))])


INSIDE = """
for i in range(n):
    for j in range(n):
        x = x if n > 1 else x * 2
    x += i + 1
---
for i in range(n):
    y = x
    for j in range(n):
        y = x if j > 1 else y * 2
    x = y
    x += 1
---
first = x
for i in range(n):
    k = n
    while k > 0:
        k -= 1
        if x[0] > 9:
            x = x * 2
    x[i % 2] += 1
first[1] *= 2
---
for i in range(n):
    for j in range(n):
        for k in range(n):
            x = x if k < 2 else x * 2
    x += 1
""".strip().split("\n---\n")


@pytest.mark.parametrize("program", INSIDE)
def test_what_a_loop_inside_may_have_replaced_is_written_into_for_the_caller(program):
    function = function_of("\n    ".join(["def f(x, n):", *program.splitlines(), "return x"]) + "\n")
    calls = [(X.copy(), np.int64(n)) for n in (3, 1, 0, 2)]
    ag.check(function, *calls[0], then=calls[1:])
