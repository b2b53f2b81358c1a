"""`while` loops that Python decides become loops of the graph: nobody can tell, and who could is unrolled.

Every program is compared with plain Python on every executor, and it is said which of them roll.
"""

import numpy as np
import pytest

import autograph as ag
from tests.beyond.rolling import Programs, loops_of

PROGRAMS = Programs()
rolls, unrolls = PROGRAMS.rolls, PROGRAMS.unrolls


@rolls()
def counts(x):
    i = 0
    while i < 30:
        x = x * 0.9 + i
        i += 1
    return (x, i)


@rolls()
def doubles(x):
    width, turns = 1, 0
    while width < 10**6:
        x = x + x[width % 8] * 0.1
        width *= 2
        turns += 1
    return (x, width, turns)


@rolls()
def leaves_64_bits(x):
    n = 1
    while n < 10**30:
        x = x * 0.5 + n % 7
        n = n * 3 + 1
    return (x, n % 1000)


@rolls()
def floats(x):
    t = 0.0
    while t < 2.0:
        x = x + t
        t += 0.1
    return (x, t)


@rolls()
def pairs(x):
    a, b = 0, 1
    while b < 10**5:
        a, b = b, a + b
        x = x + a % 11
    return (x, a, b)


@rolls()
def euclid(x):
    a, b = 514229, 317811
    while b:
        a, b = b, a % b
        x = x + a % 13
    return (x, a, b)


@rolls()
def two_ends(x):
    low, high = 0, 45
    while low <= high and x.shape[0] == 8:
        x = x + x[low % 8] * 0.1 - x[high % 8] * 0.2
        low, high = low + 1, high - 1
    return (x, low, high)


@rolls()
def either(x):
    i, j = 0, 60
    while i < 10 or j > 20:
        x = x + i - j
        i += 1
        j -= 2
    return (x, i, j)


@rolls()
def merges(x):
    n, i, total = 40, 0, 0.0
    while i < n:
        a, b = i, min(i + 2, n)
        while a < b:
            total = total + x[a % 8]
            a += 1 + int(x[a % 8] > 3.0)
        i += 2
    return (total, i)


@rolls(np.random.default_rng(0).random(256))
def sorts_by_merging(x):
    n, width = len(x), 1
    y = np.empty_like(x)
    while width < n:
        i = 0
        while i < n:
            middle, end = min(i + width, n), min(i + 2 * width, n)
            a, b, k = i, middle, i
            while a < middle and b < end:
                if x[a] <= x[b]:
                    y[k] = x[a]
                    a += 1
                else:
                    y[k] = x[b]
                    b += 1
                k += 1
            while a < middle:
                y[k] = x[a]
                a, k = a + 1, k + 1
            while b < end:
                y[k] = x[b]
                b, k = b + 1, k + 1
            i += 2 * width
        for j in range(n):
            x[j] = y[j]
        width *= 2
    return x


@unrolls()
def whiles_of_whiles(x):
    i, total = 1, 0
    while i < 40:
        j = 0
        while j < i:
            x = x + j
            j += 1 + i % 2
            total += 1
        i += 2
    return (x, i)


@rolls()
def writes(x):
    y = np.zeros(40)
    i = 0
    while i < 40:
        y[i] = x[i % 8] + i
        i += 1
    return (y, i)


class Counter:
    def __init__(self):
        self.k = 0


@rolls()
def attribute(x):
    counter = Counter()
    while counter.k < 30:
        x = x + counter.k
        counter.k += 1
    return (x, counter.k)


@unrolls()
def breaks(x):
    i = 0
    while True:
        x = x + i
        i += 1
        if i > 25:
            break
    return (x, i)


@rolls()
def skips(x):
    i = 0
    while i < 40:
        i += 1
        if i % 3 == 0:
            continue
        x = x + i
    return (x, i)


@rolls()
def with_else(x):
    i = 0
    while i < 30:
        x = x + i
        i += 1
    else:
        x = x * 2
    return (x, i)


@unrolls()
def few(x):
    i = 0
    while i < 6:
        x = x + i
        i += 1
    return (x, i)


@rolls()
def many_numbers_that_are_appended(x):
    out, i = [], 0
    while i < 100:
        out.append(x[i % 8] * i)
        i += 1
    return (out, len(out))


@unrolls()
def few_numbers_that_are_appended(x):
    out, i = [], 0
    while i < 40:
        out.append(x[i % 8] * i)
        i += 1
    return (out, len(out))


@unrolls()
def number_in_a_list(x):
    at = [0]
    while at[0] < 20:
        x = x + at[0]
        at[0] += 1
    return (x, at)


@unrolls()
def appends(x):
    found = []
    while len(found) < 20:
        found.append(x[len(found) % 8])
    return found


@unrolls()
def pops(x):
    left = list(range(20))
    while left:
        x = x + left.pop()
    return (x, left)


@unrolls()
def strings(x):
    name = ""
    while len(name) < 20:
        name += "a"
        x = x + len(name)
    return (x, name)


@unrolls()
def kinds(x):
    i = 0
    while i < 20:
        x = x + i
        i = i + 1 if i % 2 == 0 else i + 1.0
    return (x, i)


def counted(calls=[]):  # it is what the calls share
    calls.append(len(calls))
    return len(calls) % 40


@unrolls()
def effects_of_a_test(x):
    i, calls = 0, []
    while counted(calls) and i < 25:
        x = x + i
        i += 1
    return (x, i, len(calls))


@unrolls()
def dict_keys(x):
    seen, i = {}, 0
    while i < 20:
        seen[i] = i
        x = x + i
        i += 1
    return (x, seen)


@unrolls(np.arange(8, dtype=np.int8))
def does_not_fit(x):
    i = 0
    while i < 200:
        x = x + i
        i += 1
    return x


@rolls(np.random.default_rng(0).random(60))
def heap_sort(x):
    x = x.copy()
    start, end = len(x) // 2 - 1, len(x)
    while end > 1:
        if start >= 0:
            root = start
            start -= 1
        else:
            end -= 1
            x[0], x[end] = x[end], x[0]
            root = 0
        while 2 * root + 1 < end:
            child = 2 * root + 1
            if child + 1 < end and x[child] < x[child + 1]:
                child += 1
            if x[root] >= x[child]:
                break
            x[root], x[child] = x[child], x[root]
            root = child
    return x


@rolls()
def warms_up_and_then_cools_down(x):
    left, step = 90, 0
    while left > 0:
        left -= 1
        if left > 60:
            step += 2
            x = x + step % 5
        elif left > 20:
            x = x * 0.5 + step
        else:
            step -= 1
            x = x - x[left % 8]
    return (x, left, step)


@unrolls()
def decides_otherwise_in_each_turn(x):
    left, kinds = 40, "even"
    while left > 0:
        left -= 1
        if left % 2 == 0:
            kinds = "even"
            x = x + left
        else:
            kinds = "odd"
            x = x * 0.5
    return (x, kinds)


@pytest.mark.parametrize(("function", "arguments", "rolls"), PROGRAMS)
def test_a_while_does_what_python_does_and_rolls_where_it_may(function, arguments, rolls):
    ag.check(function, *arguments)
    assert loops_of(function, *arguments) == rolls
