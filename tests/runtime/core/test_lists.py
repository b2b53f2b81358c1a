"""Handles of lists: versions that share one list of Python's, and each stays what it was."""

import numpy as np
import pytest

from runtime.core.dtypes import int64
from runtime.core.lists import ListValue, position_in, put
from runtime.core.spec import ArraySpec
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


def test_a_list_that_came_as_one_array_is_changed_as_any():
    start = ListValue.packed(np.arange(3), ArraySpec((), int64))
    assert (start.length, start.values(), start.own_values()) == (3, [0, 1, 2], [0, 1, 2])
    assert {*map(type, start.values())} == {np.int64}
    assert {*map(type, start.own_values())} == {int}
    longer = start.put(3, np.int64(9), grows=True)
    assert start.together is None
    assert (values(start), values(longer), longer.own_values()) == ([0, 1, 2], [0, 1, 2, 9], [0, 1, 2, 9])


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


@pytest.mark.parametrize("kind", [np.int8, np.int64, np.uint8, np.uint64, int, np.asarray])
def test_a_position_is_an_int64_whatever_the_index_is(kind):
    items = list(range(300))
    found = position_in(items, kind(7), "outside", "empty")
    assert (found, type(found)) == (7, np.int64)


@pytest.mark.parametrize("kind", [np.int8, np.int64, int])
def test_a_negative_index_of_a_small_dtype_counts_from_the_end_of_a_long_list(kind):
    found = position_in(list(range(300)), kind(-3), "outside", "empty")
    assert (found, type(found)) == (297, np.int64)


@pytest.mark.parametrize(
    ("items", "index", "words"), [([1], 1, "outside"), ([1], -2, "outside"), ([], 0, "empty")]
)
def test_an_index_outside_raises_these_words(items, index, words):
    with pytest.raises(IndexError, match=words):
        position_in(items, np.int64(index), "outside", "empty")


def test_a_list_that_may_not_grow_refuses_its_own_length():
    items = [1.0]
    put(items, np.int64(0), 2.0, grows=False)
    with pytest.raises(IndexOutOfRange, match="index 1 is out of range for a TensorArray of size 1; make it"):
        put(items, np.int64(1), 3.0, grows=False)
    put(items, np.int8(2), 4.0, grows=True)
    assert items == [2.0, None, 4.0]
