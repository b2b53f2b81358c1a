"""Room on the stack: what is given is taken back, and what the program sets itself stays."""

import sys

import pytest

from runtime.core.stack import FREE, room


@pytest.fixture(autouse=True)
def limit():
    before = sys.getrecursionlimit()
    yield before
    sys.setrecursionlimit(before)


def test_few_levels_get_what_there_is(limit):
    with room(FREE):
        assert sys.getrecursionlimit() == limit


def test_rooms_inside_one_another_are_as_large_as_the_largest(limit):
    with room(200):
        large = sys.getrecursionlimit()
        with room(100):
            assert sys.getrecursionlimit() == large > limit
        with room(300):
            assert sys.getrecursionlimit() > large
        assert sys.getrecursionlimit() == large
    assert sys.getrecursionlimit() == limit


def test_room_has_an_end():
    with room(1_000):
        largest = sys.getrecursionlimit()
    with room(100_000):
        assert sys.getrecursionlimit() == largest


def test_a_limit_that_the_program_sets_stays():
    with room(100):
        sys.setrecursionlimit(5_000)
    assert sys.getrecursionlimit() == 5_000


def test_an_error_gives_the_room_back(limit):
    with pytest.raises(KeyError), room(100):
        raise KeyError
    assert sys.getrecursionlimit() == limit
