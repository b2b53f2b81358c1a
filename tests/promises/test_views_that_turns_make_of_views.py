"""Each turn makes a view of the view that the one before has left: a write through it is one to the array."""

from types import SimpleNamespace

import numpy as np
import pytest

import autograph as ag
from runtime.errors import StateDisagrees
from tests.promises.kit import function_of

X = np.arange(1.0, 7.0)
TABLE = np.arange(1.0, 13.0).reshape(3, 4)
COUNTS = [np.int64(n) for n in (3, 0, 1, 2)]


def turned(x, n):
    y = x
    for _ in range(n):
        y = y[::-1]
    y[0] = 50.0
    return x


def shortened(x, n):
    y = x
    while len(y) > n + 1:
        y = y[1:]
    y[0] = 50.0
    return x, y


def read_where_the_array_was_written_to(x, n):
    own = x * 2
    y = own
    for _ in range(n):
        y = y[::-1][1:]
    own[2] = 50.0
    y[-1] += 1.0
    return y, own


def written_in_the_turns(x, n):
    y = x
    for i in range(n):
        y[0] += i
        y = y[::-1]
        x[1] *= 2.0
        y[-1] -= x[1]
    return y, x


def two_of_one_array(x, n):
    y, z = x, x[::2]
    for _ in range(n):
        y, z = y[1:], z[::-1]
    y[0] = 50.0
    z[0] = 60.0
    return x, y, z


def handed_on_from_one_to_the_other(x, n):
    u = np.zeros(6)
    w = u.copy()
    a, b = u, w
    for _ in range(n):
        u, w = w, u[::-1]
    u[0] = 50.0
    w[1] = 60.0
    return u, w, a, b


def of_a_view(x, n):
    y = x[1:5]
    for _ in range(n):
        y = y[::-1][:-1]
    y[0] = 50.0
    return x


def behind_a_branch(x, n):
    y = x
    if n > 1:
        for _ in range(n):
            y = y[1:]
    y[0] = 50.0
    return x, y


def one_of_two_arrays(x, n):
    other = x * 3
    y = x if n > 1 else other
    for _ in range(n):
        y = y[::-1][1:]
    y[0] = 50.0
    return x, other, y


def that_none_is_left_of(x, n):
    y = x
    for _ in range(n):
        y = y[3:]
    y += 1.0
    return x, y


@pytest.mark.parametrize(
    "program",
    [
        *(turned, shortened, read_where_the_array_was_written_to, written_in_the_turns, two_of_one_array),
        *(handed_on_from_one_to_the_other, of_a_view),
        *(behind_a_branch, one_of_two_arrays, that_none_is_left_of),
    ],
)
def test_a_write_through_such_a_view_is_a_write_to_the_array(program):
    ag.check(program, X.copy(), COUNTS[0], then=[(X.copy(), n) for n in COUNTS[1:]])


@pytest.mark.parametrize("view", ["y.T", "y[:, ::-1]", "y[::-1].T", "y[:, :-1]", "y.swapaxes(0, 1)[:]"])
def test_such_a_view_of_a_table_has_its_elements(view):
    program = function_of(
        f"""
def f(x, n):
    y = x
    for _ in range(n):
        y = {view}
    y[0] = 50.0
    x[1, 1] += 1.0
    return x, y
"""
    )
    ag.check(program, TABLE.copy(), COUNTS[0], then=[(TABLE.copy(), n) for n in COUNTS[1:]])
    ag.check(program, np.asfortranarray(TABLE), COUNTS[0])


@pytest.mark.parametrize("view", ["y[::1]", "y[::-1]", "y[1:]"])
@pytest.mark.parametrize("place", ["OUTSIDE", "box.x", "given['x']"])
@pytest.mark.parametrize("loop", ["for _ in range(n):", "while n > 0:\n        n -= 1"])
def test_an_array_outside_of_the_function_is_written_to_through_it(loop, place, view):
    text = f"""
def f(n, x, given):
    y = {place}
    {loop}
        y = {view}
    y[0] = 9.0
"""
    left = []
    for wrap in (ag.function, lambda f: f):
        outside = np.arange(4.0)
        program = function_of(text, OUTSIDE=outside, box=SimpleNamespace(x=outside))
        wrap(program)(np.int64(2), outside, {"x": outside})
        left.append(outside.tolist())
    assert left[0] == left[1] != [0.0, 1.0, 2.0, 3.0]


def test_of_what_nobody_may_write_to_it_is_refused():
    def program(x, n):
        y = np.broadcast_to(x, (2, 6))
        for _ in range(n):
            y = y[::-1]
        y[0] = 1.0
        return x

    with pytest.raises(StateDisagrees, match="may have been written to under another name"):
        ag.function(program)(X.copy(), np.int64(2))


def a_view_by_its_side(x, n):
    y, w = x, np.zeros(3)
    for i in range(n):
        y = y[1:]
        if i < 2:
            w = y[::-1]
    x[2] = 50.0
    return w, x


def exchanged_on_a_path(x, n):
    y, w = x, np.zeros(3)
    for i in range(n):
        if i < 2:
            w, y = y[::-1], w[1:]
    x[2] = 50.0
    return w, x


def exchanged_in_a_loop_inside(x, n):
    y, w = x, x.copy()
    for _ in range(n):
        for _ in range(n):
            w, y = y, w
        y = y[:-1]
    x += 8.0
    return w


@pytest.mark.parametrize("program", [a_view_by_its_side, exchanged_on_a_path, exchanged_in_a_loop_inside])
def test_what_a_path_makes_of_such_a_view_is_not_taken_for_an_array_of_its_own(program):
    with pytest.raises(StateDisagrees, match="may have been written to under another name"):
        ag.check(program, X.copy(), COUNTS[0])
