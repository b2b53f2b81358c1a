"""The methods that change a set, or a `Counter`, by several others: the object stays the same."""

from collections import Counter

import numpy as np

import autograph as ag

CALLS = [(np.array([3, 1, 2]),), (np.array([0, 0, 5]),), (np.array([9]),)]


def test_sets_that_grew_lose_what_others_have():
    def f(x):
        found = {10}
        found.update(x)
        kept = found
        found.symmetric_difference_update([2, 77])
        found.difference_update(x[:1], [77])
        found.intersection_update([10, 5, 1], {10, 1})
        return found, kept is found

    ag.check(f, *CALLS[0], then=CALLS[1:])


def test_sets_of_python_lose_what_an_array_has():
    def f(x):
        one, two, three = {10, 5}, {1, 2, 3}, {1, 2, 3}
        one.difference_update(x)
        two.intersection_update(x)
        three.symmetric_difference_update(x)
        return one, two, three, {1, 9}.difference(x, [1]), {1, 9}.intersection(x, [1]), set(x).difference()

    ag.check(f, *CALLS[0], then=CALLS[1:])


def test_a_counter_that_is_added_to_is_the_same():
    def f(x):
        counts = Counter(x)
        kept = counts
        counts += Counter([1, 1])
        counts -= Counter([3])
        return counts, kept is counts

    ag.check(f, *CALLS[0], then=CALLS[1:])
