"""Room on the stack: what is given is taken back, and what the program sets itself stays."""

import sys
import threading

import numpy as np
import pytest

import autograph as ag
from runtime.core.stack import FREE, in_one_piece, room
from tests.promises.kit import function_of


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


_LEVELS = 200


def _branches(otherwise):
    """A function of many `elif`, and what it gives where none of them is taken."""
    branches = "".join(f"    elif x == {i}:\n        y = x * {i}\n" for i in range(1, _LEVELS))
    return (
        f"def f(x):\n    if x == 0:\n        y = x\n{branches}    else:\n        {otherwise}\n    return y\n"
    )


def _in_a_thread(work):
    found = []
    thread = threading.Thread(target=lambda: found.append(work()))
    thread.start()
    thread.join()
    return found[0]


def test_the_programs_own_recursion_gets_little_deeper_inside(limit):
    def left(depth=0):
        try:
            return left(depth + 1)
        except RecursionError:
            return depth

    program = function_of(_branches("y = left()"), left=ag.do_not_convert(left))
    assert _in_a_thread(lambda: int(ag.function(program)(np.int64(-1)))) < 1.4 * limit


def test_recursion_without_end_through_c_ends_as_an_error():
    def endless(x):
        return sorted([x], key=endless)[0]

    program = function_of(_branches("y = endless(x)"), endless=ag.do_not_convert(endless))

    def work():
        with pytest.raises(RecursionError):
            ag.function(program)(np.int64(-1))
        return True

    assert _in_a_thread(work)


_TURNS = 500


def _most_pages_of_loops(depth, *, most=0):
    """Pages that the system had to provide for a loop of calls, at the depth where these are the most."""
    resource = pytest.importorskip("resource")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for turn in range(_TURNS):
        _called(turn)
    most = max(most, resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
    return _most_pages_of_loops(depth - 1, most=most) if depth else most


def _called(a, b=0, c=0, d=0):
    return [a, b, c, d]


def test_no_call_has_to_ask_for_memory_at_whatever_depth_a_loop_is():
    assert in_one_piece(_most_pages_of_loops)(200) < _TURNS


def test_a_function_in_one_piece_gives_and_raises_what_it_does_and_has_its_name():
    def halved(x, *, by=2):
        """Divides."""
        return x / by

    spacious = in_one_piece(halved)
    assert (spacious(6), spacious(6, by=3)) == (3, 2)
    assert (spacious.__name__, spacious.__doc__) == ("halved", "Divides.")
    with pytest.raises(ZeroDivisionError) as raised:
        spacious(1, by=0)
    assert raised.traceback[-1].name == "halved"


def test_a_function_in_one_piece_may_call_itself():
    @in_one_piece
    def down(depth):
        return depth and 1 + down(depth - 1)

    assert down(100) == 100
