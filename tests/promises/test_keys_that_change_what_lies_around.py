"""Functions that builtins and comprehensions call may change lists, dicts and variables around them."""

import heapq
import itertools

import numpy as np
import pytest

import autograph as ag

WAYS = {
    "max": lambda key, n: max(range(1, n), key=key),
    "min with a default": lambda key, n: min(range(1, n), key=key, default=0),
    "sorted": lambda key, n: sorted(range(1, n), key=key),
    "max of a list": lambda key, n: max([i for i in range(1, n)], key=key),
    "nsmallest": lambda key, n: heapq.nsmallest(2, range(1, n), key=key),
    "a list": lambda key, n: [key(i) for i in range(1, n)],
    "a dict": lambda key, n: {i: key(i) for i in range(1, n)},
    "a set": lambda key, n: len({key(i) for i in range(1, n)}),
    "map": lambda key, n: list(map(key, range(1, n))),
    "filter": lambda key, n: list(filter(key, range(1, n))),
    "a sum": lambda key, n: sum(key(i) for i in range(1, n)),
    "takewhile": lambda key, n: list(itertools.takewhile(lambda i: key(i) > -3, range(1, n))),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_the_function_changes_is_changed(way):
    call = WAYS[way]

    def program(n):
        seen, known, count = [], {}, 0

        def key(k):
            nonlocal count
            count += 1
            seen.append(k)
            known[k] = k * k % 7
            return -known[k]

        return call(key, n), seen, known, count, len(known)

    ag.check(program, np.int64(6), then=[(np.int64(3),), (np.int64(40),)])


def longest_chain(n):
    lengths = {1: 1}

    def length(k):
        path = []
        while k not in lengths:
            path.append(k)
            k = k // 2 if k % 2 == 0 else 3 * k + 1
        for steps, each in enumerate(reversed(path), 1):
            lengths[each] = lengths[k] + steps
        return lengths[path[0]] if path else lengths[k]

    return max(range(1, n), key=length), len(lengths)


def test_a_function_may_remember_what_it_has_found():
    ag.check(longest_chain, np.int64(8), then=[(np.int64(5),)])
