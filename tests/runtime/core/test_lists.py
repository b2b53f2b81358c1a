"""Handles of lists: versions that share one list of Python's, and each stays what it was."""

import numpy as np
import pytest

from runtime.core.lists import ListValue
from runtime.errors import IndexOutOfRange


def values(handle):
    return [None if item is None else int(item) for item in handle.items]


def test_every_version_stays_what_it_was():
    versions = [ListValue.of([np.int64(0)])]
    for number in range(1, 6):
        versions.append(versions[-1].put(number % 3, np.int64(number), grows=True))
    wanted = [[0], [0, 1], [0, 1, 2], [3, 1, 2], [3, 4, 2], [3, 4, 5]]
    assert [values(each) for each in versions] == wanted
    assert [values(each) for each in reversed(versions)] == wanted[::-1]


def test_versions_of_one_list_part():
    start = ListValue.of([np.int64(1)])
    left, right = start.put(1, np.int64(2), grows=True), start.put(1, np.int64(3), grows=True)
    left = left.put(0, np.int64(9), grows=False)
    assert (values(start), values(left), values(right)) == ([1], [9, 2], [1, 3])


def test_what_lies_between_is_not_written():
    handle = ListValue([]).put(2, np.int64(5), grows=True)
    assert values(handle) == [None, None, 5]
    assert list(handle.written_items()) == [(2, 5)]


def test_a_write_that_is_refused_leaves_the_list_alone():
    handle = ListValue.of([np.int64(1)])
    with pytest.raises(IndexOutOfRange, match="index 1 is out of range"):
        handle.put(1, np.int64(2), grows=False)
    assert values(handle) == [1]


def test_the_newest_version_is_written_without_a_copy():
    handle = ListValue.of([np.int64(0)])
    items = handle.items
    for number in range(1, 50):
        handle = handle.put(number % 7, np.int64(number), grows=True)
    assert handle.items is items
